"""The pages of `--help`, entirely in the chosen language.

Typer writes its own words (Usage, Options, default ...) in English and cannot take a message catalogue. So pages are
laid out here, from the parameters that Typer has collected; only public methods of Typer are overridden.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption

from jaipur.cli.kit.usage_errors import Parameter, shown_name
from jaipur.language import _
from jaipur.rules.errors import N_
from jaipur.tui.fitting import FirstThatFits, Prose

_VALUES = {str: N_("TEXT"), list[str]: N_("TEXT"), int: N_("NUMBER"), float: N_("NUMBER"), Path: N_("PATH")}
_OPTIONS_OF_TYPER = {
    "help": N_("Show this page and exit."),
    "install_completion": N_("Install completion for the current shell."),
    "show_completion": N_("Show completion for the current shell, to copy or change it."),
}
_WIDEST_LEFT = 0.45
"""The share of the width that names may take beside their explanations; wider names go on lines of their own."""

Row = tuple[Text, RenderableType]
Section = tuple[str, list[Row]]


class TranslatedCommand(TyperCommand):
    """A command whose help page is in the chosen language."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Prints the page."""
        _print_page(self, ctx, [])


class TranslatedGroup(TyperGroup):
    """A group of commands, with a page that lists them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Finds a command by its name."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            sentence = _("There is no command “{name}”: see {path} --help.")
            ctx.fail(sentence.format(name=args[0][:40], path=ctx.command_path))
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Prints the page."""
        rows: list[Row] = [
            (Text(name, "bold cyan"), Prose(command.help or "")) for name, command in self.commands.items()
        ]
        _print_page(self, ctx, [(_("Commands"), rows)])


def _print_page(command: TranslatedCommand | TranslatedGroup, ctx: Any, more: list[Section]) -> None:
    params = [param for param in command.get_params(ctx) if isinstance(param, Parameter) and not param.hidden]
    arguments = [param for param in params if isinstance(param, TyperArgument)]
    options = [param for param in params if isinstance(param, TyperOption)]
    sections: list[Section] = [
        (_("Arguments"), [(Text(shown_name(param), "bold cyan"), _explanation(param)) for param in arguments]),
        (_("Options"), [(_option(param), _explanation(param)) for param in options]),
        *more,
    ]
    names = [shown_name(param) if param.required else f"[{shown_name(param)}]" for param in arguments]
    usage = " ".join([ctx.command_path, _("[OPTIONS]"), *names, *([_("COMMAND [ARGUMENTS] ...")] if more else [])])
    console = Console(highlight=False)
    console.print(
        Padding(Group(Text.assemble((_("Usage: "), "yellow"), (usage, "bold")), "", Prose(command.help or "")), 1)
    )
    for title, rows in sections:
        if rows:
            table = _table(rows, console.width)
            console.print(Panel(table, title=title, title_align="left", border_style="dim"))


def _option(param: TyperOption) -> Text:
    names = Text(", ").join(Text(name, "bold cyan") for name in sorted(param.opts, key=len, reverse=True))
    if param.is_flag:
        return names
    value = param.metavar or _(_VALUES[param.type_descriptor.annotation])
    return Text.assemble(names, " ", (value, "bold yellow"))


def _explanation(param: Parameter) -> RenderableType:
    """What a parameter is for, then its range and its default."""
    help_text = _(_OPTIONS_OF_TYPER[param.name]) if param.name in _OPTIONS_OF_TYPER else param.help or ""
    notes = _("; ").join(_notes(param))
    if not notes:
        return Prose(help_text)
    beside = Text.assemble(help_text, (f" [{notes}]", "dim"))
    return FirstThatFits(beside, Group(Prose(help_text), Text(f"[{notes}]", "dim")))


def _notes(param: Parameter) -> Iterator[str]:
    if param.required:
        yield _("required")
    if param.max is not None:
        yield _("{least} to {most}").format(least=param.min, most=param.max)
    elif param.min is not None:
        yield _("at least {least}").format(least=param.min)
    value = param.show_default if isinstance(param.show_default, str) else param.default
    if value is not None and value is not False and value != "":
        yield _("default: {value}").format(value=f"{value:g}" if isinstance(value, float) else value)


def _table(rows: list[Row], width: int) -> RenderableType:
    """Names and explanations side by side, or one below the other in a narrow terminal."""
    if max(len(name) for name, _text in rows) > _WIDEST_LEFT * width:
        return Group(*(Group(name, Padding(text, (0, 0, 0, 4))) for name, text in rows))
    table = Table.grid(padding=(0, 2))
    for name, text in rows:
        name.no_wrap = True
        table.add_row(name, text)
    return table
