"""Longer texts, one file per language."""

from importlib.resources import files

from jaipur.language import current_language


def rules_text(language: str | None = None) -> str:
    """The rules page in a language, or in the current one, in Markdown."""
    return files(__name__).joinpath(f"rules.{language or current_language()}.md").read_text(encoding="utf-8")
