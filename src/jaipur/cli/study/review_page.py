"""The review as one self-contained HTML page, to keep or to send to a friend."""

from html import escape

from jaipur.bots import LEVELS
from jaipur.coach.drawing import svg_graph
from jaipur.coach.figures import figures
from jaipur.coach.grades import FAULTS
from jaipur.coach.review import Ply, Review, RoundReview
from jaipur.coach.summary import dearest, player_summary
from jaipur.coach.words import (
    better_in_words,
    hints_in_words,
    label_in_words,
    loss_in_words,
    luck_in_words,
    meanings,
    percent,
    points,
    reasons_in_words,
)
from jaipur.language import _, current_language, ngettext
from jaipur.record import Record
from jaipur.tui.players import Players

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


def page(done: Review, record: Record, players: Players) -> str:
    """The whole page, in the current language."""
    title = f"{players.shown[0]} – {players.shown[1]}"
    told = players.ended(record.ended) if record.ended is not None else record.result
    hints = f"<p>{escape(hints_in_words(record.hints))}</p>" if any(record.hints) else ""
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(told)} · {escape(record.date)}</p>{hints}",
        _summary(done, players),
        _dearest(done, players),
        *(_round(part, number, players) for number, part in enumerate(done.rounds, 1)),
        f"<p>{escape(_judged(done))}</p>",
    ]
    return (
        f'<!doctype html><html lang="{current_language()}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _judged(done: Review) -> str:
    words = _("Judged by {judge} with {worlds} worlds for each decision, each from what its player could know.")
    return words.format(judge=done.judge, worlds=done.worlds)


def _table(headings: list[str], rows: list[list[str]], caption: str = "") -> str:
    """A table whose cells are HTML; all but the first in a row are aligned as numbers."""
    head = "".join(f'<th scope="col"{_number(at)}>{cell}</th>' for at, cell in enumerate(headings))
    body = "".join("<tr>" + "".join(_cell(at, cell) for at, cell in enumerate(row)) + "</tr>" for row in rows)
    named = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{named}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _number(at: int) -> str:
    return ' class="n"' if at else ""


def _cell(at: int, cell: str) -> str:
    return f'<td class="n">{cell}</td>' if at else f'<th scope="row">{cell}</th>'


def _summary(done: Review, players: Players) -> str:
    both = [player_summary(done, seat) for seat in (0, 1)]
    names = [escape(name) for name in players.shown]
    rows = [
        [_("decisions"), *(str(one.decisions) for one in both)],
        [_("open decisions"), *(str(one.open_decisions) for one in both)],
        [_("points lost per open decision"), *(loss_in_words(one.loss, one.error) for one in both)],
        [_("played like"), *(escape(LEVELS[one.level_like].shown_title) for one in both)],
        *([_luck_name(kind), *(points(one.luck[kind], True) for one in both)] for kind in ("deal", "refills", "bonus")),
    ]
    levels = [
        [escape(LEVELS[name].shown_title), loss_in_words(figure.loss, figure.error)]
        for name, figure in figures().levels.items()
    ]
    title, others, heading = _("Skill and luck"), _("What the levels lose"), _("points lost per open decision")
    return (
        f"<section><h2>{title}</h2>{_table(['', *names], rows)}"
        f"<details><summary>{escape(_('What the numbers mean'))}</summary>{_meanings()}</details>"
        f"<details><summary>{others}</summary>{_table(['', heading], levels)}</details></section>"
    )


def _meanings() -> str:
    return f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>' for name, meaning in meanings())}</dl>"


def _luck_name(kind: str) -> str:
    return escape(_("luck: {kind}").format(kind=luck_in_words(kind)))


def _dearest(done: Review, players: Players) -> str:
    items = []
    for dear in dearest(done):
        where = _("Round {round}, move {number}").format(round=dear.round, number=dear.number)
        items.append(_explained(dear.ply, where, players))
    title = _("The costliest moves")
    return f"<section><h2>{title}</h2><ol>{''.join(items)}</ol></section>" if items else ""


def _explained(ply: Ply, where: str, players: Players) -> str:
    deed = players.deed(ply.seat, ply.move)
    why = reasons_in_words(ply.grade.reasons, players.rival(ply.seat))
    return f"<li><b>{escape(where)}</b> · {escape(deed)}.<br>{escape(f'{better_in_words(ply.grade)} {why}')}</li>"


def _round(part: RoundReview, number: int, players: Players) -> str:
    title = _("Round {number}").format(number=number)
    words = _("Your chance of winning the round")
    if not players.is_you(0):
        words = _("{name}'s chance of winning the round").format(name=players.shown[0])
    faults, luck, all_moves = _("faults of {name}"), _("luck"), _("All moves as a table")
    first, second = (escape(faults.format(name=name)) for name in players.shown)
    key = f'<p class="key"><b class="a"></b>{first}<b class="b"></b>{second}<b class="c"></b>{luck}</p>'
    table = f"<details><summary>{all_moves}</summary>{_moves(part, players)}</details>"
    return (
        f"<section><h2>{title}</h2><h3>{escape(words)}</h3>{svg_graph(part, escape(words))}{key}"
        f"{_faults(part, players)}{_sum(part, players)}{table}</section>"
    )


def _faults(part: RoundReview, players: Players) -> str:
    items = [
        _explained(ply, _("Move {number}").format(number=number), players)
        for number, ply in enumerate(part.plies, 1)
        if ply.grade.label in FAULTS
    ]
    if not items:
        return f"<p>{escape(_('No decision in this round clearly cost two points.'))}</p>"
    title = ngettext("{number} decision that cost points", "{number} decisions that cost points", len(items))
    return f"<details><summary>{title.format(number=len(items))}</summary><ol>{''.join(items)}</ol></details>"


def sum_title(players: Players) -> str:
    """The title above the sum of a round, or of all rounds."""
    if players.is_you(0):
        return _("How the round adds up for you")
    return _("How the round adds up for {name}").format(name=players.called(0))


def _sum(part: RoundReview, players: Players) -> str:
    one = part.sum
    if one.result is None or one.rest is None:
        return f"<p>{escape(_('This round was not finished: nobody won it, so there is nothing to add up.'))}</p>"
    cells = {
        _("start"): percent(one.start),
        luck_in_words("deal"): points(one.deal, True),
        luck_in_words("refills"): points(one.refills, True),
        luck_in_words("bonus"): points(one.bonus, True),
        _("own losses"): points(-one.own_losses, True),
        _("rival's losses"): points(one.rival_losses, True),
        _("not explained"): points(one.rest, True),
        _("result"): percent(one.result),
    }
    rows = [[escape(name), value] for name, value in cells.items()]
    return _table([escape(sum_title(players)), ""], rows)


def _moves(part: RoundReview, players: Players) -> str:
    headings = ["", _("who"), _("played"), _("best"), _("label"), _("points lost"), _("chance"), _("luck")]
    rows = []
    for number, ply in enumerate(part.plies, 1):
        grade = ply.grade
        lost = loss_in_words(max(grade.loss, 0.0), grade.error) if ply.decided else ""
        label = f'<span class="{grade.label.split()[0]}">{escape(label_in_words(grade.label))}</span>'
        who = escape(players.shown[ply.seat])
        cells = [str(number), who, str(ply.move), grade.best, label, lost, percent(ply.win), points(ply.luck, True)]
        rows.append(cells)
    return _table(headings, rows)
