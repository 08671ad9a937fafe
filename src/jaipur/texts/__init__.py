"""Longer texts, one file a language."""

from importlib.resources import files

from jaipur.i18n import current_language


def rules_text() -> str:
    """The rules page in the current language, in Markdown."""
    return files(__name__).joinpath(f"rules.{current_language()}.md").read_text(encoding="utf-8")
