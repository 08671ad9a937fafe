"""Positions for tests: from short texts, with everything that a test does not mention filled in, and from play."""

from jaipur import Match, Rng, Round, View
from jaipur.bots import Budget, make_player
from jaipur.notation import parse_round
from jaipur.rules.box import BONUS_TOKENS, CARDS, LETTERS


def round_from(text: str) -> Round:
    """A full round from the parts that matter, for instance `market DDSLM / seat0 hand GG herd 2`.

    Where parts are missing, seats hold nothing and bonus piles are complete, with the lowest token on top. Cards not
    mentioned make up the deck in the order of the notation, at most 40, and the rest are discarded; if a deck is given,
    they are all discarded, except that camels join the herd of seat 1.
    """
    parts = dict(part.strip().partition(" ")[::2] for part in text.split("/"))
    for seat in ("seat0", "seat1"):
        parts[seat] = _with_defaults(parts.get(seat, ""))
    owned = [value for seat in ("seat0", "seat1") for value in parts[seat].partition("bonus")[2].split()]
    for pile, tokens in enumerate(BONUS_TOKENS, 3):
        left = list(map(str, tokens))
        for value in owned:
            if value in left:
                left.remove(value)
        parts.setdefault(f"bonus{pile}", " ".join(left) or "-")
    _place_the_rest(parts)
    return parse_round("\n".join(f"{name} {rest}" for name, rest in parts.items()))


def _with_defaults(seat: str) -> str:
    seat = seat if "hand" in seat else f"hand - {seat}"
    if "herd" not in seat:
        before, bonus, values = seat.partition("bonus")
        seat = f"{before.strip()} herd 0 {bonus}{values}"
    return seat.strip()


def _place_the_rest(parts: dict[str, str]) -> None:
    seen = "".join(parts.get(name, "") for name in ("market", "deck", "discard"))
    herds = 0
    for seat in ("seat0", "seat1"):
        words = parts[seat].split()
        seen += words[words.index("hand") + 1]
        herds += int(words[words.index("herd") + 1])
    rest = [letter * (number - seen.count(letter)) for letter, number in zip(LETTERS, CARDS, strict=True)]
    camels = len(rest.pop()) - herds
    if "deck" not in parts:
        goods = "".join(rest)
        most = 40 - camels
        parts["deck"] = goods[:most] + "M" * camels or "-"
        parts["discard"] = parts.get("discard", "") + goods[most:] or "-"
        return
    parts["discard"] = parts.get("discard", "") + "".join(rest) or "-"
    words = parts["seat1"].split()
    at = words.index("herd") + 1
    words[at] = str(int(words[at]) + camels)
    parts["seat1"] = " ".join(words)


def views(seed: int, level: str = "trader") -> list[View]:
    """What the seat to move sees at each turn of a round of a level against itself."""
    player = make_player(level)
    round_ = Match(seed).round
    rng = Rng(seed)
    found = []
    while not round_.over:
        view = round_.view(round_.turn)
        found.append(view)
        round_.play(player.choose(view, Budget(worlds=8), rng))
    return found
