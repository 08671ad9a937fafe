"""The rules as a page. Its headings have the same anchors in every language, so that a lesson can link to a rule."""

from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from jaipur.language import current_language
from jaipur.language.texts import rules_text

_SOURCE_LANGUAGE = "en"
_MARKDOWN = MarkdownIt("commonmark").enable("table")


@cache
def _parsed(language: str) -> list[Token]:
    return _MARKDOWN.parse(rules_text(language))


def _headings(language: str) -> list[str]:
    tokens = _parsed(language)
    return [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]


def _anchors() -> list[str]:
    """Derived from the English headings: all translations have the same sections in the same order."""
    return ["-".join(heading.lower().split()) for heading in _headings(_SOURCE_LANGUAGE)]


def rule_titles() -> dict[str, str]:
    """The heading of each section in the current language, by its anchor."""
    return dict(zip(_anchors(), _headings(current_language()), strict=True))


def rules_html() -> str:
    """The page in the current language."""
    tokens = _parsed(current_language())
    openings = [token for token in tokens if token.type == "heading_open"]
    for opening, anchor in zip(openings, _anchors(), strict=True):
        opening.attrSet("id", anchor)
    return str(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))
