"""The wire to one reader: messages go out at once, or wait for a while; never without bound.

A message is encoded once, however many read it, and cut into frames of moderate size: a ping, or
the end, can go out between two of them.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from websockets.frames import Frame, Opcode

FRAME = 64 << 10
MOST_BYTES = 4 << 20
MOST_FRAMES = 1000
"""So much may wait for one reader of what is told to all; whoever is further behind is let go."""
PATIENCE = 10.0
"""So many seconds a reader may leave everything lying that was sent."""

Frames = Sequence[bytes]


class Left(Exception):
    """Nobody is there any more."""


class Slow(Exception):
    """Nobody reads what is sent."""


def in_frames(text: bytes) -> Frames:
    """A message of text, ready to go out."""
    cuts = range(0, len(text), FRAME) or [0]
    last = cuts[-1]
    return [
        Frame(
            Opcode.CONT if start else Opcode.TEXT, text[start : start + FRAME], fin=start == last
        ).serialize(mask=False)
        for start in cuts
    ]


class Wire:
    """What goes to one reader, in order. Belongs to one event loop."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        """`write` gives bytes to the operating system, which says when to pause and to resume."""
        self._write = write
        self._waiting = deque[bytes]()
        self._later: list[Frames] | None = None
        self._bytes = self._frames = 0
        """What is told to all and waits."""
        self._paused: asyncio.TimerHandle | None = None
        self._end: type[Exception] | None = None
        self._drained: asyncio.Future[None] | None = None
        self.on_slow: Callable[[], None] = lambda: None
        """Called when the reader is given up."""

    # -- for whoever has something to say ----------------------------------------------------

    def push(self, frames: Frames) -> None:
        """Tells what is told to all, and waits for nobody."""
        if self._later is None and self._paused is None:
            self._put(frames)
        elif self._bytes > MOST_BYTES or self._frames > MOST_FRAMES:
            self.give_up()
        else:
            self._bytes += sum(map(len, frames))
            self._frames += len(frames)
            if self._later is None:
                self._put(frames)
            else:
                self._later.append(frames)

    async def say(self, frames: Frames) -> None:
        """Returns when the reader has taken most of it. Raises Left, Slow."""
        self._put(frames)
        while self._paused is not None and self._end is None:
            self._drained = self._drained or asyncio.get_running_loop().create_future()
            await asyncio.shield(self._drained)
        if self._end is not None:
            raise self._end

    @contextmanager
    def answering(self) -> Generator[None]:
        """What is told to all meanwhile comes behind what is said in the block, which may be
        older."""
        self._later = []
        try:
            yield
        finally:
            later, self._later = self._later, None
            for frames in later:
                self._put(frames)

    def _put(self, frames: Frames) -> None:
        if self._end is None:
            self._waiting.extend(frames)
            self._flush()

    def _flush(self) -> None:
        while self._waiting and self._paused is None:
            self._write(self._waiting.popleft())
        if not self._waiting and not self._later:
            self._bytes = self._frames = 0

    # -- for the protocol --------------------------------------------------------------------

    def pause(self) -> None:
        """The reader does not keep up."""
        if self._paused is None and self._end is None:
            self._paused = asyncio.get_running_loop().call_later(PATIENCE, self.give_up)

    def resume(self) -> None:
        """The reader has taken what lay there."""
        if self._paused is not None:
            self._paused.cancel()
            self._paused = None
        self._flush()
        if self._paused is None:
            self._wake()

    def give_up(self) -> None:
        """The reader is too slow."""
        if self._end is None:
            self.close(Slow)
            self.on_slow()

    def close(self, end: type[Exception] = Left) -> None:
        """Nothing goes out any more."""
        self._end = self._end or end
        self._waiting.clear()
        self.resume()

    def _wake(self) -> None:
        drained, self._drained = self._drained, None
        if drained is not None and not drained.done():
            drained.set_result(None)
