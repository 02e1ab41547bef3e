"""What a reader is told about a message: who said it, when, and its words without control codes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import tzinfo
from typing import Literal, NamedTuple

from palaver.index.port import Day
from palaver.index.records import ConversationMeta, Message
from palaver.times import parse, spoken_day

ALL = "Conversations"
UNTITLED = "New conversation"
_HEADING = re.compile(r"#{1,6} +(.*\S) *")
SummaryLine = Literal["heading", "point", "text"]
_FIRST_WORDS = 60
ERASED = "This message was erased."
_SPEAKERS = {"user": "You", "assistant": "Assistant", "system": "System", "tool": "Tool"}
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Entry(NamedTuple):
    """A line of an index: a conversation, the file that holds it, and how it begins."""

    conversation: ConversationMeta
    file: str
    begins: str
    day: Day | None = None
    """The day of the conversation, if the file holds no more."""

    @property
    def title(self) -> str:
        return spoken_day(self.day.label) if self.day else title_of(self.conversation)

    @property
    def began(self) -> str:
        return self.day.opened if self.day else self.conversation.created


def show_controls(text: str) -> str:
    """`text` with its control characters written out (`\\x1b`), so that they control nothing."""
    return _CONTROLS.sub(lambda found: f"\\x{ord(found.group()):02x}", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    return " ".join(show_controls(text).split())


def title_of(conversation: ConversationMeta) -> str:
    return one_line(conversation.name or "") or UNTITLED


def first_words(messages: Iterable[Message]) -> str:
    """How a conversation begins, on one line; empty when nothing was said or it was erased."""
    said = (one_line(message.content) for message in messages if message.role == "user")
    text = next((text for text in said if text), "")
    if len(text) <= _FIRST_WORDS:
        return text
    cut = text[:_FIRST_WORDS].rpartition(" ")[0] or text[:_FIRST_WORDS]
    return f"{cut.rstrip(' ,.;:')}…"


def facts_about(conversation: ConversationMeta, zone: tzinfo) -> list[tuple[str, str]]:
    """What stands under the title: name and value."""
    facts = [
        ("Conversation", conversation.id),
        ("Channel", conversation.channel),
        ("Began", local_time(conversation.created, zone)),
        ("Last message", local_time(conversation.updated, zone)),
        ("Topics", ", ".join(conversation.topics)),
    ]
    return [(name, value) for name, value in facts if value]


def facts_about_day(day: Day) -> list[tuple[str, str]]:
    """What stands under the date: name and value."""
    return [("Day", day.label), ("Time zone", day.zone), ("Messages", f"{day.messages}")]


def summary_lines(text: str) -> list[tuple[SummaryLine, str]]:
    """The lines of a summary of a day, without their marks; none that is empty."""
    found: list[tuple[SummaryLine, str]] = []
    for line in text.split("\n"):
        if heading := _HEADING.fullmatch(line):
            found.append(("heading", heading[1]))
        elif line.startswith(("- ", "* ")):
            found.append(("point", line[2:].strip()))
        elif line.strip():
            found.append(("text", line.strip()))
    return found


def speaker(message: Message) -> str:
    return one_line(message.sender or "") or _SPEAKERS[message.role]


def local_time(moment: str, zone: tzinfo) -> str:
    """A stored time as people in `zone` write it: 2026-02-14 10:00."""
    return f"{parse(moment).astimezone(zone):%Y-%m-%d %H:%M}"


def words(message: Message) -> str:
    return ERASED if message.status == "redacted" else show_controls(message.content)
