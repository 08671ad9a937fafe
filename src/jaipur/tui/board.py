"""Draws the table: as one seat sees it, or with both hands open for a replay."""

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jaipur.language import _, ngettext
from jaipur.language.words import kind_name
from jaipur.rules.bag import count, letters, size
from jaipur.rules.box import BONUS_PILES, GOODS, LETTERS
from jaipur.rules.discard import tokens_left
from jaipur.rules.round import Round
from jaipur.rules.score import Decision, Score
from jaipur.rules.side import Rival, Side
from jaipur.rules.view import View
from jaipur.tui.fitting import FirstThatFits, phrases
from jaipur.tui.players import Players

_WIDEST_NAME = 20
_Line = tuple[str, RenderableType]

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
    line.rstrip()
    return line


def view_board(view: View, names: tuple[str, str]) -> RenderableType:
    """The table as one seat sees it: the rival on top, the seat's own hand at the bottom."""
    return _board(view, (names[1 - view.seat], _rival_line(view.rival)), (names[view.seat], _side_line(view.me)))


def open_board(round_: Round, names: tuple[str, str]) -> RenderableType:
    """The table with both hands open, for a replay."""
    return _board(round_.view(0), (names[1], _side_line(round_.second)), (names[0], _side_line(round_.first)))


def _board(view: View, above: _Line, below: _Line) -> RenderableType:
    deck = ngettext("deck: {cards} card", "deck: {cards} cards", view.deck_size).format(cards=view.deck_size)
    lines: list[_Line] = [
        above,
        (_("Market"), phrases(cards(letters(view.market)), deck)),
        (_("Tokens"), _token_grid(view)),
        (_("Bonus"), _bonus_line(view)),
        below,
    ]
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="bold", width=min(max(len(label) for label, _content in lines), _WIDEST_NAME))
    grid.add_column()
    for label, line in lines:
        grid.add_row(Text(label), line)
    return grid


def _side_line(side: Side) -> RenderableType:
    bonus = ngettext("{tokens} bonus token", "{tokens} bonus tokens", side.bonus_tokens)
    more = f"({bonus.format(tokens=side.bonus_tokens)})" if side.bonus_tokens else ""
    return _holdings(letters(side.hand), side.herd, side.goods_rupees + side.bonus_rupees, more)


def _rival_line(rival: Rival) -> RenderableType:
    taken = size(rival.bonus_taken)
    bonus = ngettext("and {tokens} hidden bonus token", "and {tokens} hidden bonus tokens", taken)
    hand = letters(rival.known) + "?" * (rival.hand_size - size(rival.known))
    return _holdings(hand, rival.herd, rival.goods_rupees, bonus.format(tokens=taken) if taken else "")


def _holdings(hand: str, herd: int, rupees: int, more: str) -> RenderableType:
    camels = ngettext("{camels} camel", "{camels} camels", herd).format(camels=herd)
    owned = ngettext("{rupees} rupee", "{rupees} rupees", rupees).format(rupees=rupees)
    details = f"{camels} · {owned}"
    if not more:
        return phrases(cards(hand), details)
    shown = cards(hand)
    return FirstThatFits(
        Text("  ").join([shown, Text(f"{details} {more}")]),
        Group(shown, Text(f"{details} {more}")),
        Group(shown, Text(details), Text(more)),
    )


def _token_grid(view: View) -> RenderableType:
    piles = [_token_pile(view, good) for good in range(GOODS)]
    grid = Table.grid(padding=(0, 3))
    for left, right in zip(piles[: GOODS // 2], piles[GOODS // 2 :], strict=True):
        grid.add_row(left, right)
    return FirstThatFits(grid, Group(*piles))


def _token_pile(view: View, good: int) -> Text:
    line = Text.assemble((f"[{LETTERS[good]}]", STYLES[LETTERS[good]]), (f" {kind_name(good)} ", "dim"))
    return line.append(" ".join(map(str, tokens_left(view.discard, good))) or "–")


def _bonus_line(view: View) -> RenderableType:
    labels = (_("3 cards"), _("4 cards"), _("5 and more"))
    return phrases(*(f"{labels[pile]} ({count(view.bonus_left, pile)})" for pile in range(BONUS_PILES)), between="   ")


def score_sheet(score: Score, players: Players) -> RenderableType:
    """The score sheet of a round: goods, bonuses, camel token, total, and the seal."""
    sheet = Table(title=_("Score"))
    sheet.add_column("")
    for name in players.shown:
        sheet.add_column(Text(name), justify="right")
    first, second = score.tallies
    sheet.add_row(_("Goods"), str(first.goods), str(second.goods))
    sheet.add_row(_("Bonus"), str(first.bonus), str(second.bonus))
    sheet.add_row(_("Camel token"), str(first.camel), str(second.camel), end_section=True)
    sheet.add_row(_("Rupees"), str(first.rupees), str(second.rupees), style="bold")
    if score.decided_by is not Decision.RUPEES:
        sheet.add_row(_("Bonus tokens"), str(first.bonus_tokens), str(second.bonus_tokens))
        sheet.add_row(_("Goods tokens"), str(first.goods_tokens), str(second.goods_tokens))
    verdict = _("A draw: nobody gets the seal (R24).") if score.winner is None else players.gets_seal(score.winner)
    return Group(sheet, Text(verdict, "bold"))
