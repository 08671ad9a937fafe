"""Secrets reach nobody: two servers that differ only in secrets give the same bytes (R18 to R21)."""

import itertools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from starlette.requests import Request

from jaipur import Match, Move, Round, size
from jaipur.rules.bag import letters
from jaipur.rules.bonus import bonus_values
from jaipur.rules.side import Rival, Side
from jaipur.server.render import Renderer
from jaipur.table import GameKind, Seating, Seen, Table, hashed, invite_secret
from jaipur.table.cache import KeptTables
from jaipur.table.seen import seen
from jaipur.table.seen.seen import SeenSide, see, see_replay
from tests.support.digest import random_match
from tests.support.effort import often
from tests.support.server import FRIEND, GAME_PAGES, ME, STRANGER, Answer, fewer, play
from tests.support.twins import Twins, make_twins

pytestmark = [pytest.mark.slow, pytest.mark.each_database]

Requests = Iterator[tuple[Answer, Answer]]
Pair = Callable[[Twins, int], tuple[bool, list[tuple[Answer, Answer]]]]
SETTINGS = ("", "lang=fr", "memory=&herds=", "lang=fr&memory=on&herds=on&confirm=on", "theme=dark&memory=&herds=on")
OPEN = "open_hands=on&notify=on"
"""Opens the hands of bots that play each other, and nobody else's."""
turn = itertools.count()
"""Which of the other pages is next, so that all get their turn."""
KINDS = ("bot", "guided", "friend", "one-screen", "watch")


@pytest.fixture(name="twins")
def _twins(monkeypatch: pytest.MonkeyPatch) -> Iterator[Twins]:
    with make_twins(monkeypatch) as twins:
        yield twins


def seating(kind: str, seat: int, watchable: bool = False) -> Seating:
    """A person in this seat against a bot or a friend, two people at one screen, or two bots."""
    me, friend = hashed(ME), hashed(FRIEND)
    names = ("Ann", "Bob")
    if kind == "one-screen":
        return Seating(GameKind.ONE_SCREEN, names, holders=(me, me))
    if kind == "watch":
        return Seating(GameKind.WATCH, names, ("trader", "pedlar"), watchable=True)
    level, holder = (None, friend) if kind == "friend" else ("pedlar", None)
    rows = ((None, me), (level, holder))
    levels, holders = zip(*(rows if seat == 0 else rows[::-1]), strict=True)
    pace = "5+5" if kind == "friend" else ""
    return Seating(GameKind(kind), names, levels, holders, watchable, pace=pace)


def a_match(number: int, chance: random.Random, kind: str) -> Match:
    """A match in progress: mostly within a round, sometimes at a score sheet, and in later rounds too."""
    match = random_match(number, chance.randrange(1, 120))
    while match.over or (kind == "friend" and len(match.rounds) > 1):
        match = match.until(match.ply - 1)
    return match


def harmless(move: Move, table: Round) -> bool:
    """Whether a move reveals no card from the deck, no bonus token and no score sheet (R10, R14, R22)."""
    if not move.give or (not move.take and size(move.give) >= 3):
        return False
    after = table.copy()
    after.play(move)
    return not after.over


def common_moves(rounds: tuple[Round, Round]) -> list[Move]:
    first, second = rounds
    moves = [move for move in first.legal_moves() if second.why_illegal(move) is None]
    return [move for move in moves if harmless(move, first)]


def looks(twins: Twins, game: str, token: str, chance: random.Random, query: str = "") -> Requests:
    """Everything that can be learned by looking, from whole pages to errors."""
    choices = (*SETTINGS, OPEN) if twins.tables[0].open(game).persons else SETTINGS
    cookie = f"jaipur_seat={token}; jaipur_settings={chance.choice(choices)}"
    here = {"headers": {"cookie": cookie}, "token": ""}
    held = "".join(chance.choice("DGSCPL") for _ in range(chance.randrange(1, 4)))
    wish = f"+{chance.choice('DGSCPLM')}" if chance.random() < 0.5 else f"-{held}"
    last = len(twins.tables[0].open(game).log)
    events = len(twins.tables[0].store.events(game))
    also = query.replace("?", "&")
    others = [
        f"/game/{game}/table{query}",
        f"/game/{game}/replay/{chance.randrange(last + 1)}{query}",
        f"/game/{game}/words?take={wish[1]}&give={held[0]}&give={held[-1]}{also}",
        f"/game/{game}/words?give={held[0]}&give={held[0]}{also}",
        f"/api/games/{game}/moves{query}",
        f"/api/games/{game}/moves/{quote(wish)}{query}",
        *(f"/game/{game}{page}" for page in GAME_PAGES),
        "/",
        "/games",
        "/me",
        f"/api/games/{game}/presence",
    ]
    some = [others[next(turn) % len(others)] for _ in range(3)]
    for path in (f"/game/{game}{query}", f"/api/games/{game}{query}", *some):
        yield twins.ask("GET", path, **here)
    if events:
        yield twins.ask("GET", f"/api/games/{game}/events", until=events, **here)


def acts(twins: Twins, game: str, chance: random.Random, seat: int) -> Requests:
    """Moves that are refused, then one that is played, and the table afterwards."""
    table = twins.tables[0].open(game)
    api, ply = f"/api/games/{game}/moves", table.ply
    held = chance.choice("DGSCPL")
    wish, when = chance.choice([(f"-{held * 5}", ply), (f"+{held}{held}-MM", ply), (f"+{held}", ply + 1), ("no", ply)])
    if when != ply or wish == "no" or table.match.round.view(seat).why_illegal(Move.parse(wish)):
        yield twins.ask("POST", api, {"move": wish, "ply": when})
    wrong = {"ply": ply, "take": [held], "give": ["M"], "key": f"form {ply}", "seat": seat}
    yield twins.ask("POST", f"/game/{game}/move", wrong, cookie=True)
    moves = common_moves(twins.rounds(game)) if table.turn == seat else []
    if moves:
        yield twins.ask("POST", api, {"move": str(chance.choice(moves)), "ply": ply}, headers={"idempotency-key": "k"})
        yield twins.ask("GET", f"/game/{game}/table?seat={seat}", cookie=True)
    elif table.turn is None:
        yield twins.ask("POST", f"/game/{game}/undo", {"seat": seat}, token=STRANGER, cookie=True)


def differences(twins: Twins, answers: Requests) -> list[tuple[Answer, Answer]]:
    found = list(answers)
    assert all(answer.status not in {0, 500} for pair in found for answer in pair)
    return [pair for pair in found if pair[0] != pair[1]]


def seat_pair(twins: Twins, number: int) -> tuple[bool, list[tuple[Answer, Answer]]]:
    """Whether the two servers differ in secrets, and the answers in which a seat sees a difference."""
    chance = random.Random(number)
    kind, seat = KINDS[number % 4], number % 2
    match = a_match(number, chance, kind)
    if kind == "one-screen":
        seat = match.round.turn
    game = twins.create(seating(kind, seat), match, [1 - seat], chance)
    first, second = twins.rounds(game)
    assert first.view(seat) == second.view(seat)
    query = f"?seat={seat}" if kind == "one-screen" else ""
    found = differences(twins, looks(twins, game, ME, chance, query))
    return str(first) != str(second), found + differences(twins, acts(twins, game, chance, seat))


def spectator_pair(twins: Twins, number: int) -> tuple[bool, list[tuple[Answer, Answer]]]:
    """The same for a spectator, who knows neither hand."""
    chance = random.Random(number)
    kind = KINDS[number % 5]
    kind = "bot" if kind == "one-screen" else kind
    game = twins.create(seating(kind, number % 2, True), a_match(number, chance, kind), [0, 1], chance)
    first, second = twins.rounds(game)
    assert [first.view(seat).rival.key() for seat in (0, 1)] == [second.view(seat).rival.key() for seat in (0, 1)]
    found = differences(twins, looks(twins, game, STRANGER, chance))
    return str(first) != str(second), found


def guest_pair(twins: Twins, number: int) -> tuple[bool, list[tuple[Answer, Answer]]]:
    """The same for somebody who is invited but has not sat down."""
    chance = random.Random(number)
    waiting = Seating(GameKind.FRIEND, ("Ann", ""), holders=(hashed(ME), None), watchable=number % 2 == 0)
    twins.deals = {}
    game = twins.create(waiting, Match(number), [0, 1], chance, ME)
    first, second = twins.rounds(game)
    link = f"/invite/{invite_secret(ME, game)}"
    asked = [twins.ask("GET", link, token=FRIEND, cookie=True)]
    asked += [
        twins.ask("GET", path, token=FRIEND, cookie=True) for path in (f"/game/{game}", f"/api/games/{game}", "/")
    ]
    return str(first) != str(second), differences(twins, iter(asked))


def host_pair(twins: Twins, number: int) -> tuple[bool, list[tuple[Answer, Answer]]]:
    """The same for a host who is waiting for a friend: the second server has a completely different deal."""
    chance = random.Random(number)
    waiting = Seating(GameKind.FRIEND, ("Ann", ""), holders=(hashed(ME), None), watchable=number % 2 == 0)
    twins.deals = {}
    game = twins.create(waiting, Match(number), [0, 1], chance, ME)
    twins.deals = {1: Match(number + 1).deal(1, 0)}
    for tables in twins.tables:
        tables._kept = KeptTables()
    first, second = twins.rounds(game)
    found = differences(twins, looks(twins, game, ME, chance))
    wish = f"/api/games/{game}/moves/{quote(chance.choice(['+D', '+M', '-L', '-PP']))}"
    return str(first) != str(second), found + differences(twins, iter([twins.ask("GET", wish)]))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_secrets_do_not_leave_the_table(twins: Twins, seat: int | None) -> None:
    """What pages, API and events are made of is the same, with other secrets, all through a match."""
    pairs = 0
    for number in range(often(12, 60)):
        chance = random.Random(number)
        match = a_match(number, chance, "bot")
        game = twins.create(seating("bot", seat or 0, True), match, [0, 1] if seat is None else [1 - seat], chance)
        first, second = twins.both(lambda which: looks_from(twins.tables[which].open(game), seat))  # noqa: B023
        assert first == second
        pairs += len(first)
    assert pairs > often(300, 1500)


def looks_from(table: Table, seat: int | None) -> list[object]:
    """The table as it is and as it was after each move."""
    return [see(table, seat), *(see_replay(table, seat, ply, False) for ply in range(len(table.log) + 1))]


@pytest.mark.parametrize(("pair", "few", "many"), [
    (seat_pair, 60, 360), (spectator_pair, 25, 140), (guest_pair, 8, 40), (host_pair, 8, 40),
])  # fmt: skip
def test_secrets_change_no_byte(twins: Twins, pair: Pair, few: int, many: int) -> None:
    pairs = fewer(often(few, many))
    different = 0
    for number in range(pairs):
        secrets, found = pair(twins, number)
        assert not found
        different += secrets
    assert different > 0.9 * pairs


LEAKS: dict[str, Callable[[Round, int], object]] = {
    "known": lambda now, seat: letters(now.side(seat).hand),
    "goods_tokens": lambda now, _seat: sum(now.deck.kinds()[:1]),
    "bonus": lambda now, seat: bonus_values(now.side(seat).bonus),
}
"""Secrets, each under the name of a field of the other player's side that could give it away."""


def plant_leak(patch: pytest.MonkeyPatch, field: str) -> None:
    """From now on this field shows a secret."""
    fair = seen._side

    def leaking(table: Table, seat: int, public: Rival, own: Side | None = None) -> SeenSide:
        side, secret = fair(table, seat, public, own), LEAKS[field](table.match.round, seat)
        return side if own is not None else replace(side, **{field: secret})  # type: ignore[arg-type]

    patch.setattr(seen, "_side", leaking)


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("pair", [seat_pair, spectator_pair])
def test_a_leak_would_be_found(twins: Twins, monkeypatch: pytest.MonkeyPatch, pair: Pair, leak: str) -> None:
    plant_leak(monkeypatch, leak)
    assert any(pair(twins, number)[1] for number in range(60))


@pytest.mark.parametrize("pair", [seat_pair, spectator_pair])
def test_a_leak_in_a_header_would_be_found(twins: Twins, monkeypatch: pytest.MonkeyPatch, pair: Pair) -> None:
    fair_page = Renderer.page

    def page(self: Renderer, request: Request, template: str, context: Mapping[str, object], status: int = 200) -> Any:
        answer = fair_page(self, request, template, context, status)
        if isinstance(picture := context.get("seen"), Seen):
            table = request.state.services.tables.open(picture.game)
            answer.headers["etag"] = str(hash(str(table.match.round)))
        return answer

    monkeypatch.setattr(Renderer, "page", page)
    assert any(pair(twins, number)[1] for number in range(20))


@pytest.mark.parametrize("seat", [0, 1, None])
def test_secrets_change_no_byte_of_a_live_stream(twins: Twins, seat: int | None) -> None:
    """Two people play on while an onlooker listens; the same moves arrive as the same bytes."""
    told = 0
    for number in range(30):
        chance = random.Random(number)
        match = a_match(number, chance, "friend")
        game = twins.create(seating("friend", seat or 0, True), match, [0, 1] if seat is None else [1 - seat], chance)
        moves = common_moves(twins.rounds(game)) if not match.round.over else []
        if not moves:
            continue
        first, second = told_live(twins, game, chance.choice(moves), STRANGER if seat is None else ME)
        assert first == second
        told += 1
    assert told > 10


def told_live(twins: Twins, game: str, move: Move, token: str) -> tuple[Answer, Answer]:
    def live(which: int) -> Answer:
        tables, number = twins.tables[which], twins.tables[which].open(game).number
        path = f"/game/{game}/events?after={number}"
        return twins.callers[which].listen(path, lambda: play(tables, game, move), token=token, cookie=True)

    first, second = twins.both(live)
    assert str(move) in first.text
    return first, second
