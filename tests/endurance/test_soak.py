"""The soak: what its samples say, and that a program which is put off asks again."""

import asyncio
import json
import random

import pytest
from endurance.soak import Sample, growth
from endurance.support import player as players
from endurance.support.player import Player


def samples(seconds: int, mb: float, per_move: float) -> list[Sample]:
    """Ten moves a second; the memory fills within five minutes, and may grow after that."""
    return [
        Sample(float(at), 10 * at, mb - 30 * max(1 - at / 300, 0) + per_move * 10 * max(at - 300, 0))
        for at in range(0, seconds, 15)
    ]


def test_memory_that_fills_and_then_stays_is_flat() -> None:
    figures = growth(samples(1800, 120.0, 0.0), 1800)
    assert (figures["mb_at_the_start"], figures["seconds_until_warm"]) == (90.0, 300.0)
    assert figures["mb_when_warm"] == figures["mb_at_the_end"] == figures["mb_most"] == 120.0
    assert figures["mb_per_1000_moves_since"] == pytest.approx(0)


def test_a_kilobyte_for_each_move_is_seen() -> None:
    figures = growth(samples(1800, 120.0, 1 / 1024), 1800)
    assert figures["mb_per_1000_moves_since"] == pytest.approx(1000 / 1024)


def test_a_short_soak_is_warm_after_a_sixth() -> None:
    assert growth(samples(900, 120.0, 0.0), 900)["seconds_until_warm"] == 150


def test_whoever_is_put_off_sends_the_same_request_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "_LATER_SECONDS", 0)
    player, asked = Player("token", random.Random(0)), list[str]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for status, body in ((503, {"error": "busy"}), (201, {"game": "g"})):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            await reader.readexactly(int(head.partition("content-length: ")[2].split()[0]))
            asked.append(head.partition("idempotency-key: ")[2].partition("\r\n")[0])
            data = json.dumps(body).encode()
            writer.write(f"HTTP/1.1 {status} _\r\ncontent-length: {len(data)}\r\n\r\n".encode() + data)
        writer.close()

    async def play() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        async with server:
            await player.play(server.sockets[0].getsockname()[1])

    asyncio.run(play())
    assert (player.game, player.put_off, player.wrong) == ("g", 1, [])
    assert asked == ["token 1", "token 1"]
