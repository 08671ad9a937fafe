"""A game over HTTP with the engine as the model: whatever is requested, both seats see what the model says."""

import itertools
from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from jaipur import Match, Move, NotationError, Rng, count, letters
from jaipur.rules.discard import discarded
from jaipur.rules.side import Rival, Side
from jaipur.table import invite_secret
from tests.support.digest import pick
from tests.support.effort import often
from tests.support.server import FRIEND, ME, STRANGER, Answer, fewer, new_tables, server

pytestmark = [pytest.mark.slow, pytest.mark.each_database]

TOKENS = (ME, FRIEND)
numbers = st.integers(0, 1 << 20)
seats = st.sampled_from([0, 1])
_games = itertools.count()


def mine(side: dict[str, Any], me: Side) -> None:
    """A player's own side shows the hand (R18) and the values of the bonus tokens (R19)."""
    assert side["hand"] == letters(me.hand)
    assert (side["known"], side["herd"], side["goods_rupees"]) == (letters(me.known), me.herd, me.goods_rupees)
    assert (sum(side["bonus"]), len(side["bonus"])) == (me.bonus_rupees, me.bonus_tokens)


def others(side: dict[str, Any], rival: Rival) -> None:
    """The other side shows what was taken in the open, and from which piles the bonus tokens came."""
    assert (side["hand"], side["bonus"]) == (None, None)
    assert (side["hand_size"], side["known"]) == (rival.hand_size, letters(rival.known))
    assert (side["herd"], side["goods_rupees"]) == (rival.herd, rival.goods_rupees)
    assert side["bonus_taken"] == [count(rival.bonus_taken, pile) for pile in range(3)]


class OverHttp(RuleBasedStateMachine):
    """Two people at a table that others may watch."""

    @initialize(seed=st.integers(0, 2**64), keyed=st.booleans())
    def create(self, seed: int, keyed: bool) -> None:
        self.stack = ExitStack()
        tables = self.stack.enter_context(new_tables(new_seed=lambda: seed.to_bytes(32, "big")))
        self.http = self.stack.enter_context(server(tables))
        self.match = Match(seed)
        self.number = self.ply = 0
        self.joined = False
        self.ready: set[int] = set()
        self.resigned: int | None = None
        self.done: list[tuple[str, object, str, str, Answer]] = []
        key = f"key of game {next(_games)}" * keyed
        wish = {"kind": "friend", "name": "Ann", "watchable": True}
        answer = self.http.post("/api/games", wish, headers={"idempotency-key": key})
        assert answer.status == 201
        self.game = answer.json["game"]
        assert answer.json["invite"] == invite_secret(ME, self.game)
        again = self.http.post("/api/games", wish, headers={"idempotency-key": key})
        assert (again.json["game"] == self.game) == keyed

    def teardown(self) -> None:
        self.stack.close()

    @property
    def over(self) -> bool:
        return self.match.over or self.resigned is not None

    @property
    def turn(self) -> int | None:
        return self.match.round.turn if self.joined and not self.over and not self.match.round.over else None

    def ask(self, path: str, seat: int, wanted: object = None, key: str = "") -> Answer:
        headers = {"idempotency-key": key} if key else {}
        return self.http.post(f"/api/games/{self.game}/{path}", wanted, token=TOKENS[seat], headers=headers)

    def accepted(self, path: str, seat: int, wanted: object = None) -> None:
        """Sends something that the model allows: it is written as the next event."""
        key = f"key {self.number}" if self.number % 2 else ""
        answer = self.ask(path, seat, wanted, key)
        assert answer.status == 200, answer.text
        self.number += 1
        assert answer.json["number"] == self.number
        if key:
            self.done.append((path, wanted, TOKENS[seat], key, answer))

    @precondition(lambda self: not self.joined)
    @rule(name=st.sampled_from(["Bob", "", "<script>"]))
    def join(self, name: str) -> None:
        link = f"/api/invites/{invite_secret(ME, self.game)}"
        own = self.http.post(link, {"name": name})
        answer = self.http.post(link, {"name": name}, token=FRIEND)
        late = self.http.post(link, {"name": name}, token=STRANGER)
        assert (own.status, answer.status, late.status) == (409, 200, 409)
        self.joined = True
        self.number += 1

    @precondition(lambda self: self.turn is not None)
    @rule(choices=st.lists(numbers, min_size=1, max_size=3))
    def move(self, choices: list[int]) -> None:
        for choice in choices:
            if self.turn is not None:
                move = pick(self.match.round.legal_moves(), choice)
                self.accepted("moves", self.turn, {"move": str(move), "ply": self.ply})
                self.match.play(move)
                self.ply += 1

    @precondition(lambda self: self.turn is not None)
    @rule(seed=numbers)
    def rest_of_the_round(self, seed: int) -> None:
        rng = Rng(seed)
        while self.turn is not None:
            self.move([rng.below(1 << 20)])

    @rule(
        seat=seats, take=st.text("DGSCPLM", max_size=5), give=st.text("DGSCPLM", max_size=5), later=st.integers(-2, 2)
    )
    def try_any_move(self, seat: int, take: str, give: str, later: int) -> None:
        """Whatever the model refuses is refused, with the status of its reason."""
        text = f"+{take}" * bool(take) + f"-{give}" * bool(give)
        ply = max(self.ply + later, 0)
        if self.turn == seat and ply == self.ply and self.legal(text):
            return
        if seat == 1 and not self.joined:
            expected = 403
        elif not readable(text):
            expected = 422
        elif self.turn is None or ply != self.ply:
            expected = 409
        else:
            expected = 422
        answer = self.ask("moves", seat, {"move": text, "ply": ply})
        assert answer.status == expected, answer.text
        if expected == 409:
            assert answer.json["view"]["number"] == self.number

    def legal(self, text: str) -> bool:
        return readable(text) and self.match.round.why_illegal(Move.parse(text)) is None

    @rule(path=st.sampled_from(["moves", "ready", "resign"]))
    def a_stranger_acts(self, path: str) -> None:
        answer = self.http.post(f"/api/games/{self.game}/{path}", {"move": "+M", "ply": self.ply}, token=STRANGER)
        assert answer.status == 403

    @precondition(lambda self: self.done)
    @rule(which=numbers)
    def ask_again(self, which: int) -> None:
        """The same request with the same key gets the same answer, however much has happened since."""
        path, wanted, token, key, first = self.done[which % len(self.done)]
        again = self.http.post(f"/api/games/{self.game}/{path}", wanted, token=token, headers={"idempotency-key": key})
        assert again.status == 200
        assert again.json["number"] == first.json["number"]
        if self.number == first.json["number"] or not self.over:
            assert again.lasting == first.lasting

    @precondition(lambda self: self.done)
    @rule(which=numbers, seat=seats)
    def use_a_key_for_something_else(self, which: int, seat: int) -> None:
        path, _wanted, token, key, _first = self.done[which % len(self.done)]
        other = "resign" if path != "resign" else "ready"
        answer = self.http.post(f"/api/games/{self.game}/{other}", token=token, headers={"idempotency-key": key})
        assert answer.status == 422

    @precondition(lambda self: self.joined)
    @rule(seat=seats)
    def get_ready(self, seat: int) -> None:
        if self.over or not self.match.round.over or seat in self.ready:
            assert self.ask("ready", seat).status == 409
            return
        self.accepted("ready", seat)
        self.ready.add(seat)
        if len(self.ready) == 2:
            self.match.next_round()
            self.ready = set()

    @rule(seat=seats, sure=st.integers(0, 19))
    def resign(self, seat: int, sure: int) -> None:
        if self.over and (self.joined or seat == 0):
            assert self.ask("resign", seat).status == 409
        elif self.joined and sure == 0:
            self.accepted("resign", seat)
            self.resigned = seat

    @invariant()
    def both_seats_see_the_model(self) -> None:
        views = self.match.round.view(0), self.match.round.view(1)
        for seat in (0, 1) if self.joined else (0,):
            seen = self.http.get(f"/api/games/{self.game}", token=TOKENS[seat]).json
            self.same_table(seen)
            assert seen["seat"] == seat
            if self.over:
                assert [side["hand"] for side in seen["sides"]] == [letters(view.me.hand) for view in views]
                assert seen["seed"] == self.match.seed.hex()
                continue
            if not self.joined:
                nothing_dealt(seen)
                continue
            mine(seen["sides"][seat], views[seat].me)
            others(seen["sides"][1 - seat], views[seat].rival)
            assert seen["seed"] is None
            legal = [str(move) for move in views[seat].legal_moves()] if self.turn == seat else []
            assert seen["legal"] == legal

    @invariant()
    def a_spectator_sees_no_hand(self) -> None:
        seen = self.http.get(f"/api/games/{self.game}", token=STRANGER).json
        self.same_table(seen)
        assert (seen["seat"], seen["legal"]) == (None, [])
        if not self.joined:
            nothing_dealt(seen)
        elif not self.over:
            others(seen["sides"][0], self.match.round.view(1).rival)
            others(seen["sides"][1], self.match.round.view(0).rival)

    def same_table(self, seen: dict[str, Any]) -> None:
        """What everybody sees."""
        now = self.match.round
        assert (seen["number"], seen["ply"], seen["turn"]) == (self.number, self.ply, self.turn)
        assert seen["round"] == len(self.match.rounds)
        if self.joined:
            assert seen["starter"] == now.starter
            assert Counter(card for card in seen["market"] if card) == Counter(letters(now.market))
        assert seen["deck"] == now.deck.size
        assert seen["discard"] == [discarded(now.discard, good) for good in range(6)]
        assert [len(pile) for pile in seen["tokens"]][:3] == [
            max(5 - discarded(now.discard, good), 0) for good in range(3)
        ]
        assert [side["seals"] for side in seen["sides"]] == list(self.match.seals)
        assert (seen["ready"], seen["resigned"]) == (sorted(self.ready), self.resigned)
        assert seen["winner"] == (self.match.winner if self.resigned is None else 1 - self.resigned)
        assert [sheet["winner"] for sheet in seen["sheets"]] == [
            played.score().winner for played in self.match.rounds if played.over
        ]
        assert seen["commitment"] == self.match.commitment


def nothing_dealt(seen: dict[str, Any]) -> None:
    """A table that is waiting for a friend."""
    assert (seen["starter"], seen["market"]) == (None, [None] * 5)
    assert [(side["hand"], side["hand_size"], side["herd"]) for side in seen["sides"]] == [(None, 0, 0)] * 2


def readable(text: str) -> bool:
    try:
        Move.parse(text)
    except NotationError:
        return False
    return True


@pytest.fixture(name="over_http")
def _over_http() -> type[OverHttp]:
    return OverHttp


def test_whatever_is_asked_both_seats_see_the_model(over_http: type[OverHttp]) -> None:
    examples = settings(
        max_examples=fewer(often(10, 40)),
        stateful_step_count=40,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    run_state_machine_as_test(over_http, settings=examples)
