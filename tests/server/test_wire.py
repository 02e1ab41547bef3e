"""The wire to one reader."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.client import ClientProtocol
from websockets.frames import Frame
from websockets.protocol import OPEN
from websockets.uri import parse_uri

from palaver.server import wire
from palaver.server.wire import FRAME, Left, Slow, Wire, in_frames
from tests.events.worlds import until


class Reader:
    """Takes frames until it has had enough, as the operating system does."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.slow = 0
        self.stops_after: int | None = None
        self.wire = Wire(self._take)
        self.wire.on_slow = self._give_up

    def _take(self, data: bytes) -> None:
        self.taken.append(data)
        if self.stops_after is not None and len(self.taken) >= self.stops_after:
            self.wire.pause()

    def _give_up(self) -> None:
        self.slow += 1

    def go_on(self, frames: int | None = None) -> None:
        self.stops_after = None if frames is None else len(self.taken) + frames
        self.wire.resume()


@pytest.fixture
async def reader() -> AsyncIterator[Reader]:
    reader = Reader()
    yield reader
    reader.wire.close()


def message(number: int) -> list[bytes]:
    return [f"{number}".encode()]


@given(st.binary(max_size=300) | st.integers(0, 3 * FRAME).map(lambda size: b"x" * size))
def test_frames_are_read_as_the_message_they_were(text: bytes) -> None:
    client = ClientProtocol(parse_uri("ws://127.0.0.1/"), state=OPEN, max_size=None)
    frames = in_frames(text)
    assert all(len(frame) <= FRAME + 14 for frame in frames)
    for frame in frames:
        client.receive_data(frame)
    events = [event for event in client.events_received() if isinstance(event, Frame)]
    assert b"".join(bytes(event.data) for event in events) == text
    assert [event.fin for event in events] == [False] * (len(events) - 1) + [True]


async def test_what_is_told_goes_out_at_once(reader: Reader) -> None:
    for number in range(5):
        reader.wire.push(message(number))
    assert reader.taken == [b"0", b"1", b"2", b"3", b"4"]


async def test_what_a_reader_does_not_take_waits_in_order(reader: Reader) -> None:
    reader.stops_after = 2
    for number in range(6):
        reader.wire.push(message(number))
    assert reader.taken == [b"0", b"1"]
    reader.go_on(1)
    assert reader.taken == [b"0", b"1", b"2"]
    reader.go_on()
    assert reader.taken == [b"0", b"1", b"2", b"3", b"4", b"5"]


async def test_who_says_something_waits_until_it_is_taken(reader: Reader) -> None:
    reader.stops_after = 1
    saying = asyncio.create_task(reader.wire.say([b"a", b"b"]))
    await asyncio.sleep(0)
    assert not saying.done()
    reader.go_on()
    await saying
    assert reader.taken == [b"a", b"b"]


async def test_what_is_told_meanwhile_comes_behind_the_answer(reader: Reader) -> None:
    with reader.wire.answering():
        reader.wire.push(message(1))
        await reader.wire.say([b"answer"])
        reader.wire.push(message(2))
        assert reader.taken == [b"answer"]
    assert reader.taken == [b"answer", b"1", b"2"]


@pytest.mark.parametrize("answering", [False, True])
@pytest.mark.parametrize(("size", "least"), [(1, wire.MOST_FRAMES), (wire.MOST_BYTES // 4, 4)])
async def test_nothing_waits_without_bound(
    reader: Reader, answering: bool, size: int, least: int
) -> None:
    if answering:
        hold = reader.wire.answering()
        hold.__enter__()
    reader.wire.pause()
    for _ in range(least):
        reader.wire.push([b"x" * size])
    assert not reader.slow
    for _ in range(3):
        reader.wire.push([b"x" * size])
    assert reader.slow == 1
    assert reader.taken == []
    with pytest.raises(Slow):
        await reader.wire.say([b"x"])


async def test_an_answer_may_be_longer_than_what_may_wait(reader: Reader) -> None:
    reader.stops_after = 1
    with reader.wire.answering():
        saying = asyncio.create_task(reader.wire.say([b"x" * FRAME] * 200))
        await asyncio.sleep(0)
        reader.wire.push(message(1))
        reader.go_on()
        await saying
    assert not reader.slow
    assert reader.taken[200:] == [b"1"]


async def test_who_takes_nothing_for_long_is_given_up(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PATIENCE", 0.01)
    reader.wire.pause()
    with pytest.raises(Slow):
        await reader.wire.say([b"x"])
    assert reader.slow == 1


async def test_who_takes_a_little_now_and_then_is_not(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "PATIENCE", 3600.0)
    reader.stops_after = 1
    saying = asyncio.create_task(reader.wire.say([b"x"] * 10))
    for number in range(1, 10):
        await until(lambda number=number: len(reader.taken) == number)
        reader.go_on(1)
    assert not reader.slow
    reader.go_on()
    await saying


async def test_whoever_waits_for_somebody_who_leaves_is_told(reader: Reader) -> None:
    reader.wire.pause()
    saying = asyncio.create_task(reader.wire.say([b"x"]))
    await asyncio.sleep(0)
    reader.wire.close()
    with pytest.raises(Left):
        await saying
    reader.wire.push([b"y"])
    assert reader.taken == []


@given(st.lists(st.sampled_from(["push", "say", "pause", "resume", "hold", "release"])))
def test_order_is_kept_whatever_the_reader_does(steps: list[str]) -> None:
    """What is said is in order, and so is what is told; nothing is lost or doubled."""

    async def run() -> None:
        reader, said, told = Reader(), list[bytes](), list[bytes]()
        holding = None
        saying: list[asyncio.Task[None]] = []
        for number, step in enumerate(steps):
            match step:
                case "push":
                    told.append(b"told %d" % number)
                    reader.wire.push(told[-1:])
                case "say":
                    said.append(b"said %d" % number)
                    saying.append(asyncio.create_task(reader.wire.say(said[-1:])))
                    await asyncio.sleep(0)
                case "pause":
                    reader.wire.pause()
                case "hold" if holding is None:
                    holding = reader.wire.answering()
                    holding.__enter__()
                case "release" if holding is not None:
                    holding.__exit__(None, None, None)
                    holding = None
                case _:
                    reader.wire.resume()
        if holding is not None:
            holding.__exit__(None, None, None)
        reader.wire.resume()
        await asyncio.gather(*saying)
        assert [one for one in reader.taken if one.startswith(b"said")] == said
        assert [one for one in reader.taken if one.startswith(b"told")] == told
        assert not reader.slow

    asyncio.run(run())
