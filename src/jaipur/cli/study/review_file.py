"""The review as one self-contained HTML page, to keep or to send to a friend."""

from collections.abc import Iterable
from html import escape

from jaipur.coach.page import MoveLine, ReviewPage, RoundPart
from jaipur.coach.words import hints_in_words, points
from jaipur.language import _, current_language, ngettext
from jaipur.record import Record
from jaipur.tui.players import Players

_NUMBER = ' class="n"'
_STYLE = """
:root{color-scheme:light dark;--page:#fbf1dd;--paper:#fffaf0;--line:#d8bc8d;--ink:#2a1a10;--ink-2:#664b38;
--saffron:#a8480f;--teal:#0f6462;--rose:#a01f40}
@media(prefers-color-scheme:dark){:root{--page:#17132b;--paper:#241d3d;--line:#55476f;--ink:#f8ecd8;--ink-2:#d0bfb0;
--saffron:#f2aa3e;--teal:#6fd0c5;--rose:#ff9bb0}}
body{margin:0 auto;padding:1rem;max-width:60rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,sans-serif}
h1,h2,h3{font-family:"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif;line-height:1.2}
h1{color:var(--saffron)}section{background:var(--paper);border:1px solid var(--line);border-radius:14px;
padding:.5rem 1rem 1rem;margin:1rem 0;overflow-x:auto}
table{border-collapse:collapse;width:100%}th,td{padding:.25rem .5rem;border-bottom:1px solid var(--line);
text-align:left;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
summary{cursor:pointer;padding:.5rem 0;color:var(--saffron)}.graph{width:100%;height:auto}
.line{fill:none;stroke:var(--ink);stroke-width:2}.luck{stroke:var(--saffron);stroke-width:4;opacity:.65}
.grid{stroke:var(--line)}.axis{fill:var(--ink-2);font-size:11px}.seat0{fill:var(--teal)}.seat1{fill:var(--rose)}
.key{color:var(--ink-2)}.key b{display:inline-block;width:.8em;height:.8em;border-radius:50%;margin:0 .3em 0 1em}
.key .a{background:var(--teal)}.key .b{background:var(--rose);border-radius:0;scale:.8;rotate:45deg}
.key .c{background:var(--saffron);width:.4em;border-radius:1px}
dt{font-weight:700}dd{margin:0 0 .5rem}tbody th{font-weight:500}
.blunder,.mistake{color:var(--rose)}.imprecise{color:var(--saffron)}li{margin-bottom:.6rem}
.tick{text-anchor:middle}.graph path{stroke:var(--paper);stroke-width:1.5}
@media(max-width:34rem){body{padding:.5rem}section{padding-inline:.6rem}th,td{padding:.25rem .3rem .25rem 0}
.axis{font-size:26px}.graph path{scale:1.8}.line{stroke-width:3}.luck{stroke-width:8}}
"""


def html_page(page: ReviewPage, record: Record, players: Players) -> str:
    """The whole page, in the current language."""
    title = f"{players.shown[0]} – {players.shown[1]}"
    end = players.ended(record.ended) if record.ended is not None else record.result
    hints = f"<p>{escape(hints_in_words(record.hints))}</p>" if any(record.hints) else ""
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(end)} · {escape(record.date)}</p>{hints}",
        _skill(page, players),
        _section(_("The costliest moves"), _explained(page.dearest, in_match=True)) if page.dearest else "",
        *(_round(part, page, players) for part in page.rounds),
        f"<p>{escape(page.judged)}</p>",
    ]
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _section(title: str, *parts: str) -> str:
    return f"<section><h2>{title}</h2>{''.join(parts)}</section>"


def _details(summary: str, content: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def _table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose headings and cells are HTML; all but the first in a row are aligned as numbers."""
    head = "".join(f'<th scope="col"{_NUMBER if at else ""}>{cell}</th>' for at, cell in enumerate(headings))
    body = "".join(f"<tr>{''.join(_cell(at, cell) for at, cell in enumerate(row))}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell(at: int, cell: str) -> str:
    return f"<td{_NUMBER}>{cell}</td>" if at else f'<th scope="row">{cell}</th>'


def _skill(page: ReviewPage, players: Players) -> str:
    lines = [page.decisions, page.open_decisions, *page.skill, *page.luck]
    rows = [map(escape, (line.heading, *line.cells)) for line in lines]
    levels = _table(["", _("points lost per open decision")], [map(escape, level) for level in page.levels])
    meanings = "".join(f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>" for name, meaning in page.meanings)
    return _section(
        _("Skill and luck"),
        _table(map(escape, ("", *players.shown)), rows),
        _details(_("What the numbers mean"), f"<dl>{meanings}</dl>"),
        _details(_("What the levels lose"), levels),
    )


def _explained(moves: list[MoveLine], in_match: bool = False) -> str:
    items = []
    for move in moves:
        where = move.where if in_match else _("Move {number}").format(number=move.number)
        why = escape(f"{move.verdict} {move.why}")
        items.append(f"<li><b>{escape(where)}</b> · {escape(move.deed)}.<br>{why}</li>")
    return f"<ol>{''.join(items)}</ol>"


def _round(part: RoundPart, page: ReviewPage, players: Players) -> str:
    first, second = (escape(_("faults of {name}").format(name=name)) for name in players.shown)
    key = f'<p class="key"><b class="a"></b>{first}<b class="b"></b>{second}<b class="c"></b>{_("luck")}</p>'
    faults = f"<p>{escape(_('No decision in this round clearly cost two points.'))}</p>"
    if number := len(part.faults):
        title = ngettext("{number} decision that cost points", "{number} decisions that cost points", number)
        faults = _details(title.format(number=number), _explained(part.faults))
    sums = f"<p>{escape(_('This round was not finished: nobody won it, so there is nothing to add up.'))}</p>"
    if part.finished:
        sums = _table([escape(page.sum_title), ""], [map(escape, row) for row in part.sums])
    return _section(
        _("Round {number}").format(number=part.number),
        f"<h3>{escape(page.chance)}</h3>{part.graph}{key}{faults}{sums}",
        _details(_("All moves as a table"), _moves(part)),
    )


def _moves(part: RoundPart) -> str:
    headings = ["", _("who"), _("played"), _("best"), _("label"), _("points lost"), _("chance"), _("luck")]
    rows = []
    for one in part.moves:
        label = f'<span class="{one.name.split()[0]}">{escape(one.label)}</span>'
        luck = one.luck or points(0.0)
        rows.append([str(one.number), escape(one.who), one.move, one.best, label, one.lost, one.win, luck])
    return _table(headings, rows)
