"""Compiles the rooms rules, brain and encoding, and the message catalogues; the rest is in pyproject.toml."""

import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from mypyc.build import mypycify
from setuptools import Extension, setup

PACKAGE = Path("src/jaipur")
COMPILED_ROOMS = ("rules", "brain", "encoding")


def compiled_rooms() -> list[Extension]:
    """One shared library, so that calls between the rooms stay direct. Without a C compiler the Python files run."""
    files = [path for room in COMPILED_ROOMS for path in sorted((PACKAGE / room).glob("*.py"))]
    names = [str(path) for path in files if path.name != "__init__.py"]
    extensions = mypycify(names, opt_level="3", group_name="jaipur.compiled")
    for extension in extensions:
        extension.optional = True
    if sys.platform != "win32":
        # One compiled function may be inlined into another: nobody replaces them from outside. A product is rounded
        # before it is added, as Python does: a processor that can do both at once would review another way.
        extensions[0].extra_compile_args += ["-fno-semantic-interposition", "-ffp-contract=off"]
    return extensions


def compile_catalogues() -> None:
    """Writes each .mo file beside its .po file."""
    for po_file in PACKAGE.glob("language/locale/*/LC_MESSAGES/*.po"):
        with po_file.open("rb") as source, po_file.with_suffix(".mo").open("wb") as target:
            write_mo(target, read_po(source))


compile_catalogues()
setup(ext_modules=compiled_rooms())
