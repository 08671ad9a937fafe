"""Draws the table: what a seat sees, and the open table of a replay."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jaipur.bots import LEVELS
from jaipur.core.bag import count, letters, size
from jaipur.core.box import BONUS_PILES, GOODS, LETTERS
from jaipur.core.round import Round, Score
from jaipur.core.trader import Trader
from jaipur.core.view import Rival, View
from jaipur.i18n import _, ngettext
from jaipur.record import Record, bot_of
from jaipur.words import kind_name, level_name, tokens_left

STYLES = {
    "D": "bold white on red3",
    "G": "bold black on gold1",
    "S": "bold black on grey78",
    "C": "bold white on medium_purple4",
    "P": "bold white on green4",
    "L": "bold white on orange4",
    "M": "bold black on wheat1",
    "?": "white on grey30",
}


def cards(text: str) -> Text:
    """Cards as coloured letters."""
    line = Text()
    for letter in text:
        line.append(f"[{letter}]", STYLES[letter])
        line.append(" ")
    return line


def shown_names(record: Record) -> tuple[str, str]:
    """The names of both players, as people see them."""
    return _shown_name(record.players[0]), _shown_name(record.players[1])


def _shown_name(name: str) -> str:
    bot = bot_of(name)
    if bot is None:
        return name
    return level_name(bot) if bot in LEVELS else bot


def view_table(view: View, names: tuple[str, str]) -> RenderableType:
    """The table as one seat sees it: the rival on top, the own hand at the bottom."""
    rival = names[1 - view.seat], _rival_line(view.rival)
    me = names[view.seat], _trader_line(view.me)
    return _table(view, [rival], [me])


def open_table(table: Round, names: tuple[str, str]) -> RenderableType:
    """The table with both hands open, for a replay."""
    return _table(table.view(0), [(names[1], _trader_line(table.second))], [(names[0], _trader_line(table.first))])


def _table(view: View, above: list[tuple[str, Text]], below: list[tuple[str, Text]]) -> RenderableType:
    market = cards(letters(view.market))
    market.append("  ")
    market.append(ngettext("deck: {cards} card", "deck: {cards} cards", view.deck_size).format(cards=view.deck_size))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", no_wrap=True, max_width=20)
    grid.add_column()
    lines: list[tuple[str, RenderableType]] = [
        *above,
        (_("Market"), market),
        (_("Tokens"), _token_grid(view)),
        (_("Bonus"), _bonus_line(view)),
        *below,
    ]
    for label, line in lines:
        grid.add_row(Text(label), line)
    return grid


def _trader_line(trader: Trader) -> Text:
    line = cards(letters(trader.hand))
    bonus = ngettext("{tokens} bonus token", "{tokens} bonus tokens", trader.bonus_tokens)
    line.append(_side(trader.herd, trader.goods_rupees + trader.bonus_rupees))
    line.append(f" ({bonus.format(tokens=trader.bonus_tokens)})" if trader.bonus_tokens else "")
    return line


def _rival_line(rival: Rival) -> Text:
    line = cards(letters(rival.known) + "?" * (rival.hand_size - size(rival.known)))
    line.append(_side(rival.herd, rival.goods_rupees))
    taken = size(rival.bonus_taken)
    bonus = ngettext("and {tokens} hidden bonus token", "and {tokens} hidden bonus tokens", taken)
    line.append(f" {bonus.format(tokens=taken)}" if taken else "")
    return line


def _side(herd: int, rupees: int) -> str:
    camels = ngettext("{camels} camel", "{camels} camels", herd).format(camels=herd)
    return f" {camels} · " + ngettext("{rupees} rupee", "{rupees} rupees", rupees).format(rupees=rupees)


def _token_grid(view: View) -> RenderableType:
    grid = Table.grid(padding=(0, 3))
    piles = [_token_pile(view, good) for good in range(GOODS)]
    for left, right in zip(piles[: GOODS // 2], piles[GOODS // 2 :], strict=True):
        grid.add_row(left, right)
    return grid


def _token_pile(view: View, good: int) -> Text:
    line = Text.assemble((f"[{LETTERS[good]}]", STYLES[LETTERS[good]]), (f" {kind_name(good)} ", "dim"))
    return line.append(" ".join(map(str, tokens_left(view, good))) or "–")


def _bonus_line(view: View) -> Text:
    labels = (_("3 cards"), _("4 cards"), _("5 and more"))
    left = [f"{labels[pile]} ({count(view.bonus_left, pile)})" for pile in range(BONUS_PILES)]
    return Text("   ".join(left))


def score_sheet(score: Score, names: tuple[str, str]) -> RenderableType:
    """The score sheet of a round: goods, bonuses, camel token, total, and the seal."""
    sheet = Table(title=_("Score"))
    sheet.add_column("")
    for name in names:
        sheet.add_column(Text(name), justify="right")
    first, second = score.tallies
    sheet.add_row(_("Goods"), str(first.goods), str(second.goods))
    sheet.add_row(_("Bonus"), str(first.bonus), str(second.bonus))
    sheet.add_row(_("Camel token"), str(first.camel), str(second.camel), end_section=True)
    sheet.add_row(_("Rupees"), str(first.rupees), str(second.rupees), style="bold")
    if score.decided_by in ("bonus tokens", "goods tokens", "nothing"):
        sheet.add_row(_("Bonus tokens"), str(first.bonus_tokens), str(second.bonus_tokens))
        sheet.add_row(_("Goods tokens"), str(first.goods_tokens), str(second.goods_tokens))
    if score.winner is None:
        verdict = _("A draw: nobody gets the seal (R24).")
    else:
        verdict = _("The seal goes to {name}.").format(name=names[score.winner])
    return Group(sheet, Text(verdict, "bold"))
