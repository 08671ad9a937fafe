"""Compiles the rulebook with mypyc and the message catalogues with Babel; the rest is in pyproject.toml."""

import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from mypyc.build import mypycify
from setuptools import Extension, setup


def rulebook() -> list[Extension]:
    """The compiled core. Without a C compiler each part is skipped and its Python file runs instead."""
    files = [str(path) for path in sorted(Path("src/jaipur/core").glob("*.py")) if path.name != "__init__.py"]
    extensions = mypycify(files, opt_level="3", group_name="jaipur.core.rulebook")
    for extension in extensions:
        extension.optional = True
    if sys.platform != "win32":
        # One function of the core may be inlined into another: nobody replaces them from outside.
        extensions[0].extra_compile_args.append("-fno-semantic-interposition")
    return extensions


def compile_catalogues() -> None:
    """Writes each .mo file beside its .po file."""
    for po_file in Path("src/jaipur/locale").glob("*/LC_MESSAGES/*.po"):
        with po_file.open("rb") as source, po_file.with_suffix(".mo").open("wb") as target:
            write_mo(target, read_po(source))


compile_catalogues()
setup(ext_modules=rulebook())
