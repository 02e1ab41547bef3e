"""Example conversations, as they are written in `scripts/talks/`: a few lines about them, then who
said what, how many days ago and when.

    channel: web

    @you -6 10:02
    Users are signed out at random.

    @assistant
    thinking: It happens in one browser only.
    Can you show the header?

Without a time of its own, a reply comes a little after what it answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path

from palaver.conversation.records import NewMessage

FOLDER = Path(__file__).with_name("talks")
MODEL = "claude-sonnet-5-5"
_SAID = re.compile(
    r"^@(?:assistant|(?P<who>[^-\n]+) (?P<days>-?\d+) (?P<time>\d\d:\d\d))\n", re.MULTILINE
)
_SPECIAL = re.compile(r"\A(thinking|tool|suggest): (.*)\n")
_PAUSE = timedelta(seconds=24)
_READ, _WRITTEN = 2e-6, 10e-6
"""Dollars for a token."""


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation."""

    channel: str
    title: str | None
    """None lets it name itself."""
    is_pinned: bool
    is_archived: bool
    is_continuous: bool
    """It belongs to the continuous conversation."""
    messages: tuple[NewMessage, ...]
    began: datetime
    ended: datetime


def read_talks(now: datetime) -> list[Talk]:
    """All of them, as if it were `now`, in the order in which they began."""
    found = [_talk(path.read_text("utf-8"), now) for path in FOLDER.glob("*.txt")]
    return sorted(found, key=lambda talk: talk.began)


def _talk(text: str, now: datetime) -> Talk:
    about, said = text.split("\n\n", 1)
    facts = dict(line.split(": ", 1) for line in about.splitlines())
    messages = list(_messages(said, now))
    return Talk(
        facts["channel"],
        facts.get("title"),
        is_pinned=facts.get("pinned") == "yes",
        is_archived=facts.get("archived") == "yes",
        is_continuous=facts.get("continuous") == "yes",
        messages=tuple(message for _, message in messages),
        began=messages[0][0],
        ended=messages[-1][0],
    )


def _messages(text: str, now: datetime) -> Iterator[tuple[datetime, NewMessage]]:
    heads = list(_SAID.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    when, read = now, 900
    for head, end in zip(heads, ends, strict=True):
        when = _when(head["days"], head["time"], now) or when + _PAUSE
        content = text[head.end() : end].strip()
        message = _message(head["who"] or "assistant", content, when, read)
        read += len(content) // 4
        yield when, message


def _when(days: str | None, clock: str | None, now: datetime) -> datetime | None:
    if days is None or clock is None:
        return None
    day = now.date() + timedelta(days=int(days))
    return datetime.combine(day, time.fromisoformat(clock), now.tzinfo)


def _message(who: str, content: str, when: datetime, read: int) -> NewMessage:
    if who == "you":
        return NewMessage(role="user", content=content, timestamp=when)
    if who != "assistant":
        return NewMessage(role="user", content=content, timestamp=when, sender=who)
    special: dict[str, str] = {}
    while found := _SPECIAL.match(content):
        special[found[1]] = found[2]
        content = content[found.end() :]
    written = (len(content) + len(special.get("thinking", ""))) // 4
    return NewMessage(
        role="assistant",
        content=content,
        timestamp=when,
        model=MODEL,
        thinking_text=special.get("thinking"),
        tool_calls=_tool_calls(special.get("tool")),
        suggested_values=special["suggest"].split(" | ") if "suggest" in special else None,
        usage={"input": read, "output": written},
        cost=round(read * _READ + written * _WRITTEN, 6),
    )


def _tool_calls(text: str | None) -> list[dict[str, object]] | None:
    if text is None:
        return None
    call, output = text.split(" => ", 1)
    name, given = call.split(" ", 1)
    return [{"toolName": name, "input": json.loads(given), "output": output}]
