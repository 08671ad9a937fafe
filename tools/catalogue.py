"""The strings of the sources and their translations: `make messages` brings the catalogues up to date."""

import re
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from fastapi.routing import APIRoute

from jaipur.language import PLURALS
from jaipur.server.play.api import router

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "jaipur"
HEADER = """msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plurals}\\n"

"""
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def extracted() -> Catalog:
    """Every string marked for translation."""
    catalog = Catalog(project="jaipur", charset="utf-8")
    found = extract_from_dir(str(SOURCES), method_map=METHODS, keywords=KEYWORDS)
    for file, _line, message, _comments, _context in sorted(found, key=lambda row: (row[0], row[1])):
        catalog.add(message, locations=[(file, 0)])
    for route in router.routes:  # the API page shows the docstrings
        if isinstance(route, APIRoute) and route.include_in_schema:
            catalog.add(route.description, locations=[("server/play/api.py", 0)])
    return catalog


def path_of(language: str) -> Path:
    """Where the catalogue of a language is."""
    return SOURCES / "language" / "locale" / language / "LC_MESSAGES" / "jaipur.po"


def translated(language: str) -> Catalog:
    """The current catalogue of a language; an empty one for a language that has none yet."""
    path = path_of(language)
    if not path.exists():
        return Catalog(locale=language, project="jaipur", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def typeset(text: str) -> str:
    """French as it is printed: curly apostrophes, and no line that begins with a colon."""
    text = re.sub(r"(?<=\w)'(?=[\w{])", "’", text)
    return re.sub(r"(?<=«) | (?=[:;!?%»])", "\u00a0", text)


def _typeset(message: Message) -> None:
    texts = message.string
    message.string = typeset(texts) if isinstance(texts, str) else tuple(typeset(text) for text in texts or ())


def write(language: str, catalog: Catalog) -> None:
    """Writes the catalogue of a language, with all strings of the sources and no others."""
    catalog.update(extracted(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    if language == "fr":
        for message in catalog:
            _typeset(message)
    path = path_of(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(HEADER.format(language=language, plurals=PLURALS[language]).encode())
        write_po(file, catalog, width=120, omit_header=True, include_lineno=False, sort_by_file=True)


def main() -> None:
    """Rewrites all catalogues."""
    for language in PLURALS:
        write(language, translated(language))


if __name__ == "__main__":
    main()
