"""What happened on a day of the continuous conversation: what tells of it, and words to show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta, tzinfo

from palaver.agent.markdown import inline, link
from palaver.agent.offline.asked import Asked
from palaver.agent.offline.plan import Plan, Spoken, Steps, call
from palaver.agent.offline.quotation import Quotation, quote
from palaver.agent.offline.telling import Teller, day_address
from palaver.agent.offline.texts import DAY, DAY_TOLD, UNTOLD_DAY
from palaver.index.records import Json, Message, Source
from palaver.ledger.lines import day_id
from palaver.recall.scope import Reading, Scope, read_query
from palaver.times import Clock, parse, spoken_day

_PAGES = 3
"""So many pages of a day are read."""
_ADDED = re.compile(r"^Closed: | \((?:\w+, )?since [^()]*\)$| \(\w+\)$")
"""What a summary adds to the words of what is open, or was closed."""
_LEAST = 12
"""A line of a summary that is shorter says too little to be looked for in messages."""
_ONE_DAY = timedelta(days=1)


def day_in(text: str, zone: tzinfo, clock: Clock) -> tuple[str, Reading] | None:
    """The day that a question names, and what else it says; None if it names none, or another
    span of time."""
    reading = read_query(text, Scope(), zone, clock)
    window = reading.window
    if not reading.from_phrase or window is None or window.from_ is None or window.to is None:
        return None
    first, end = parse(window.from_).astimezone(zone), parse(window.to).astimezone(zone)
    whole = first.replace(tzinfo=None) + _ONE_DAY == end.replace(tzinfo=None)
    return (first.date().isoformat(), reading) if whole and first.hour == 0 else None


def what_happened(asked: Asked, teller: Teller, label: str, otherwise: Plan) -> Plan:
    """The summary of a day, and what was said on it; otherwise something else, where there is no
    such day."""
    found = yield from _read(day_id(asked.here, label))
    said = [one for page in found for one in _messages(page, asked) if one.id not in asked.ids]
    if not said:
        return (yield from otherwise)
    summary: Json = found[0].get("summary") or {}
    page = _Page(teller, label, said)
    told = list(page.told(str(summary.get("summaryMarkdown") or "")))
    opening = DAY_TOLD if told else UNTOLD_DAY
    parts = [opening.format(day=link(spoken_day(label), day_address(label))), *told]
    if not page.quoted:  # whoever told it has found words of their own
        parts += [DAY] if told else []
        parts.append("\n".join(page.ends()))
    sources = (*(one.source for one in page.quoted), *_stands_on(summary))
    return Spoken("\n\n".join(parts), sources)


@dataclass(slots=True)
class _Page:
    """A day, as it is told to whoever asks."""

    teller: Teller
    label: str
    said: Sequence[Message]
    quoted: list[Quotation] = field(default_factory=list[Quotation])

    def told(self, summary: str) -> Iterator[str]:
        """The sections of a summary; a line that somebody has said leads to where it was said."""
        section: list[str] = []
        for line in summary.split("\n"):
            if line.startswith("#"):
                yield from ["\n".join(section)] if len(section) > 1 else ()
                section = [f"**{inline(line.lstrip('# '))}**\n"]
            elif text := line.removeprefix("- ").strip():
                section.append(self._line(text))
        yield from ["\n".join(section)] if section else ()

    def ends(self) -> Iterator[str]:
        """How the day began, and how it ended."""
        both = (self.said[0], *self.said[1:][-1:])
        for found in (quote(message, ()) for message in both):
            if found:
                yield self._item(found)

    def _line(self, text: str) -> str:
        words = _ADDED.sub("", text)
        for message in self.said:
            if len(words) >= _LEAST and words in message.content:
                return self._item(Quotation(message, words, frozenset()))
        return f"- {inline(text)}"

    def _item(self, found: Quotation) -> str:
        self.quoted.append(found)
        return self.teller.item(found, where=day_address(self.label, found.message.id))


def _read(segment: str) -> Steps[Sequence[Json]]:
    """A day, page by page."""
    (page,) = yield [call("conversation_get", daySegmentId=segment)]
    pages = [page]
    while (after := pages[-1].get("nextAfterMessageId")) and len(pages) < _PAGES:
        (page,) = yield [call("conversation_get", daySegmentId=segment, afterMessageId=after)]
        pages.append(page)
    return pages


def _messages(page: Json, asked: Asked) -> Iterator[Message]:
    """What the user said: what the assistant says without a model is a quotation itself."""
    for one in page.get("messages", ()):
        if one["role"] == "user" and not one["truncated"]:
            yield Message(
                id=one["messageId"],
                conversation_id=asked.here,
                seq=0,
                role="user",
                content=one["content"],
                timestamp=one["createdAt"],
                turn_number=one["turnNumber"],
            )


def _stands_on(summary: Json) -> Iterator[Source]:
    for name in summary.get("messageIds") or ():
        yield Source(message_id=name)
