"""Every string has its French."""

import string

from babel.messages.catalog import Message

from jaipur.i18n import _, language_of, use_language
from tests.catalogue import extracted, french


def _texts(message: Message) -> list[str]:
    """A translation's texts: one, or one for each plural."""
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _blanks(text: str) -> set[str | None]:
    return {name for _text, name, _format, _conversion in string.Formatter().parse(text) if name}


def test_every_string_of_the_sources_has_french() -> None:
    catalog = french()
    missing = []
    for message in extracted():
        translation = catalog.get(message.id) if message.id else None
        if message.id and (translation is None or not all(_texts(translation)) or translation.fuzzy):
            missing.append(message.id)
    assert not missing, "run `make messages` and fill in the French"


def test_french_has_no_string_that_the_sources_lost() -> None:
    sources = {str(message.id) for message in extracted()}
    assert {str(message.id) for message in french()} <= sources


def test_french_fills_the_same_blanks() -> None:
    for message in french():
        original = message.id if isinstance(message.id, str) else message.id[1]
        if original:
            assert all(_blanks(text) == _blanks(original) for text in _texts(message)), original


def test_french_is_spoken_when_it_is_asked_for() -> None:
    use_language("fr")
    assert _("diamond") == "diamant"
    use_language("en")
    assert _("diamond") == "diamond"


def test_the_locale_chooses_the_language() -> None:
    assert language_of({"LANG": "fr_CH.UTF-8"}) == "fr"
    assert language_of({"LANGUAGE": "de:fr", "LANG": "en_GB"}) == "fr"
    assert language_of({"LC_ALL": "C", "LANG": "fr_FR"}) == "en"
    assert language_of({}) == "en"
