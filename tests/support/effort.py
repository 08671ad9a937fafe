"""How much is tried: enough to notice a fault in `make test`, much more with `--thorough`, as `make endure` asks."""

_thorough: list[bool] = []


def set_thorough() -> None:
    """From now on, as much as endurance asks for."""
    _thorough.append(True)


def is_thorough() -> bool:
    return bool(_thorough)


def often(few: int, thorough: int) -> int:
    """How often something random is tried."""
    return thorough if _thorough else few
