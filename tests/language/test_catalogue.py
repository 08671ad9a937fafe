"""Every string is translated into every language, and each language has everything it needs."""

import re
import string

import pytest
from babel.messages.catalog import Message
from tools.catalogue import extracted, translated, typeset

from jaipur.files import read_file
from jaipur.language import LANGUAGES, PLURALS, _, accepted_language, decimal, language_of, use_language
from jaipur.language.phrases import means_yes
from jaipur.language.texts import rules_text
from jaipur.language.vocabulary import VOCABULARIES
from jaipur.language.words import victory_in_words
from jaipur.rules.errors import JaipurError


def _texts(message: Message) -> list[str]:
    """A translation's texts: one, or one for each plural form."""
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _blanks(text: str) -> set[str | None]:
    return {name for _text, name, _format, _conversion in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", PLURALS)
def test_every_string_of_the_sources_is_translated(language: str) -> None:
    catalog = translated(language)
    missing = []
    for message in extracted():
        translation = catalog.get(message.id) if message.id else None
        if message.id and (translation is None or not all(_texts(translation)) or translation.fuzzy):
            missing.append(message.id)
    assert not missing, "run `make messages` and fill in what is empty"


def test_what_rounds_to_zero_has_no_sign() -> None:
    shown = [decimal(number, 1, sign=True) for number in (-0.04, 0.04, -0.0, -0.06, 0.06)]
    assert shown == ["0.0", "0.0", "0.0", "−0.1", "+0.1"]
    assert decimal(-0.04) == "0.0"


@pytest.mark.parametrize("language", PLURALS)
def test_no_translation_is_left_that_the_sources_lost(language: str) -> None:
    sources = {str(message.id) for message in extracted()}
    assert {str(message.id) for message in translated(language)} <= sources


@pytest.mark.parametrize("language", PLURALS)
def test_translations_fill_the_same_blanks(language: str) -> None:
    for message in translated(language):
        original = message.id if isinstance(message.id, str) else message.id[1]
        if original:
            assert all(_blanks(text) == _blanks(original) for text in _texts(message)), original


def test_every_language_has_its_words_and_texts() -> None:
    assert {"en", *PLURALS} == LANGUAGES.keys() == VOCABULARIES.keys()
    for language in LANGUAGES:
        use_language(language)
        assert rules_text()
    use_language("en")


def test_a_word_means_the_same_in_every_language() -> None:
    for field in ("kinds", "numbers", "commands"):
        meanings: dict[str, object] = {}
        for vocabulary in VOCABULARIES.values():
            for word, meaning in getattr(vocabulary, field).items():
                assert meanings.setdefault(word, meaning) == meaning, word


def test_yes_is_yes_and_no_is_no_in_every_language() -> None:
    for vocabulary in VOCABULARIES.values():
        assert all(means_yes(f" {letter.upper()}es", default=False) for letter in vocabulary.yes)
        assert not any(means_yes(letter, default=True) for letter in vocabulary.no)
    assert (means_yes("", default=True), means_yes("?", default=False)) == (True, False)


def test_french_is_spoken_when_it_is_asked_for() -> None:
    use_language("fr")
    assert _("diamond") == "diamant"
    use_language("en")
    assert _("diamond") == "diamond"


def test_what_the_system_complains_of_is_told_in_french() -> None:
    with pytest.raises(JaipurError) as caught:
        read_file("nofile")
    use_language("fr")
    assert caught.value.text(_) == "nofile ne peut pas être lu\u00a0: fichier ou dossier introuvable."
    use_language("en")
    assert caught.value.text(_) == "nofile cannot be read: No such file or directory."


def test_the_locale_chooses_the_language() -> None:
    assert language_of({"LANG": "fr_CH.UTF-8"}) == "fr"
    assert language_of({"LANGUAGE": "xx:fr", "LANG": "en_GB"}) == "fr"
    assert language_of({"LC_ALL": "C", "LANG": "fr_FR"}) == "en"
    assert language_of({}) == "en"


def test_the_browser_chooses_the_language() -> None:
    assert accepted_language("xx, fr-CA;q=0.8, en;q=0.5") == "fr"
    assert accepted_language("xx") == accepted_language("") == "en"


def test_no_line_of_french_begins_with_a_mark() -> None:
    assert typeset("Qu'en dit « l'hôte » ? 9 % : rien") == "Qu’en dit «\u00a0l’hôte\u00a0»\u00a0? 9\u00a0%\u00a0: rien"
    for message in translated("fr"):
        assert all(text == typeset(text) for text in _texts(message)), "run `make messages`"
    assert rules_text("fr") == typeset(rules_text("fr"))


def test_a_victory_in_french_joins_its_words() -> None:
    use_language("fr")
    said = [victory_in_words(name) for name in ("la Marchande", "le Colporteur", "les Dés", "Anne", "Bob")]
    use_language("en")
    assert [words.removesuffix("\u00a0!").removeprefix("Victoire ") for words in said] == [
        "de la Marchande",
        "du Colporteur",
        "des Dés",
        "d’Anne",
        "de Bob",
    ]
    assert victory_in_words("the Trader") == "The Trader wins the match!"


def test_french_puts_no_preposition_before_a_bot() -> None:
    """`À le Colporteur` is not French. The sentences allowed here name only people, or the code joins the words."""
    allowed = {
        "{name} wins the match!",
        "Pass the screen to {name}",
        "It is {name}'s turn.",
        "You play as {name}.",
        "Somebody has already used this invitation. Ask {name} for a new one, or start a game of your own.",
    }
    before_a_name = re.compile(r"\b(?:à|de) \{(?:name|rival)\}")
    found = {str(message.id) for message in translated("fr") if any(map(before_a_name.search, _texts(message)))}
    assert found <= allowed
