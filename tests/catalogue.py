"""The strings of the sources and their French: `python -m tests.catalogue` brings the catalogue up to date."""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "jaipur"
FRENCH = SOURCES / "locale" / "fr" / "LC_MESSAGES" / "jaipur.po"
HEADER = b"""msgid ""
msgstr ""
"Language: fr\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

"""
METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def extracted() -> Catalog:
    """Every string that is marked for translation."""
    catalog = Catalog(project="jaipur", charset="utf-8")
    found = extract_from_dir(str(SOURCES), method_map=METHODS, keywords=KEYWORDS)
    for file, _line, message, _comments, _context in sorted(found, key=lambda row: (row[0], row[1])):
        catalog.add(message, locations=[(file, 0)])
    return catalog


def french() -> Catalog:
    """The French catalogue as it is."""
    with FRENCH.open("rb") as file:
        return read_po(file, locale="fr")


def main() -> None:
    catalog = french() if FRENCH.exists() else Catalog(locale="fr", project="jaipur", charset="utf-8")
    catalog.update(extracted(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    with FRENCH.open("wb") as file:
        file.write(HEADER)
        write_po(file, catalog, width=120, omit_header=True, include_lineno=False, sort_by_file=True)


if __name__ == "__main__":
    main()
