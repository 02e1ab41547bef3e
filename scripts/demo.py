"""Fills a home with example conversations, to try Palaver out and to take pictures of it.

    python -m scripts.demo FOLDER
    palaver serve --home FOLDER --open

They are written by hand, on several channels, over months up to now. The last question is asked for
real: whoever answers in this home, the offline assistant or a model, answers it. So are those that
come by example channels, on which others write, too.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

from palaver.app import Change, Palaver
from palaver.conversation.records import NewMessage
from palaver.errors import PalaverError
from palaver.times import system_clock
from scripts.correspondents import correspond, examples
from scripts.talks import Talk, read_talks

QUESTION = "What did we decide about the login bug?"
_BEFORE = timedelta(minutes=18)


class Clock:
    """Tells the time of what is being written."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now.astimezone(UTC)


async def fill(home: Path, now: datetime, *, index_vectors: bool = True) -> int:
    """Writes the examples as if it were `now`; returns how many."""
    clock = Clock(now)
    channels = examples(clock)
    async with Palaver.open(
        home, clock=clock, index_vectors=index_vectors, channels=channels
    ) as palaver:
        if (await palaver.conversations(limit=1)).conversations:
            raise SystemExit(f"{home} has conversations already. Name a new folder.")
        talks = read_talks(now)
        for talk in talks:
            if not talk.is_continuous:
                await _write(palaver, talk, clock)
        await _live(palaver, [talk for talk in talks if talk.is_continuous], clock, now)
        clock.now = now - _BEFORE
        await palaver.settle()  # so that the questions find what they ask about
        await correspond(palaver, channels, clock, now)
        clock.now = now - _BEFORE
        await _ask(palaver, clock)
        clock.now = now
        await palaver.settle()
    return len(talks) + 2


async def _write(palaver: Palaver, talk: Talk, clock: Clock) -> None:
    clock.now = talk.began
    conversation = await palaver.start(talk.channel, title=talk.title)
    for message in talk.messages:
        await palaver.append_many(conversation.id, [message])
    clock.now = talk.ended
    if talk.is_pinned or talk.is_archived:
        kept = Change(pinned=True) if talk.is_pinned else Change(archived=True)
        await palaver.update(conversation.id, kept)


async def _live(palaver: Palaver, talks: list[Talk], clock: Clock, now: datetime) -> None:
    """The continuous conversation, up to now: each message at its time, so that days begin."""
    for talk in talks:
        for message in talk.messages:
            if not isinstance(message.timestamp, datetime) or message.timestamp > now:
                return
            clock.now = message.timestamp
            here = await palaver.continuous.ensure()
            await palaver.append_many(here.id, [message.model_copy(update={"timestamp": None})])


async def _ask(palaver: Palaver, clock: Clock) -> None:
    conversation = await palaver.start("web")
    first = NewMessage(
        role="user",
        content="Today: write the post-mortem, ring the plumber, and find a kitchen in Tavira.",
        timestamp=clock.now,
    )
    reply = NewMessage(
        role="assistant",
        content="Three things, then. The post-mortem still lacks the number of people affected.",
        timestamp=clock.now + timedelta(seconds=9),
    )
    await palaver.append_many(conversation.id, [first, reply])
    clock.now += timedelta(minutes=2)
    await palaver.send(QUESTION, conversation_id=conversation.id)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fill a home with example conversations.")
    parser.add_argument("home", type=Path, help="a new folder")
    home: Path = parser.parse_args().home
    try:
        written = asyncio.run(fill(home, system_clock().astimezone()))
    except PalaverError as error:
        raise SystemExit(f"{error.message} {error.remedy}") from None
    sys.stderr.write(f"{written} conversations written to {home}\n")


if __name__ == "__main__":
    main()
