"""A diary: days of the continuous conversation, as they stand in the ledger of a home."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from typing import Any

from palaver.ledger.lines import Draft, day_id, event, meta, new_id, turn
from palaver.times import iso
from tests.server.site import Site

LOOP = "I will call the harbour office about the berth."
CLOSING = "I called the harbour office: the berth is ours."


def label(ago: int) -> str:
    """The day so many days ago."""
    return (datetime.now(UTC) - timedelta(days=ago)).date().isoformat()


@dataclass(slots=True)
class Diary:
    """Writes days, the oldest first; `messages` has the ids of each."""

    site: Site
    id: str = field(default_factory=lambda: new_id("conv"))
    messages: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _turn: int = 0
    _seq: int = 1
    """Of the next line."""
    _drafts: list[Draft] = field(default_factory=list[Draft])

    def __post_init__(self) -> None:
        created = f"{label(400)}T08:00:00.000Z"
        begun = meta(self.id, user="local", channel="web", mode="continuous", created=created)
        self._drafts = [begun]

    def day(self, ago: int, *said: str, summary: str | None = None, covers: int = 0) -> str:
        """A day on which each of `said` was said and answered. Its summary covers the first so many
        turns, all by default; each line stands on the first message. Returns its label."""
        here = label(ago)
        self._drafts += self._opened(here)
        self.messages[here] = []
        first = self._turn + 1
        for number, words in enumerate(said):
            self._drafts += self._turned(here, number, words)
        through = covers or len(said)
        if summary is not None:
            self._drafts.append(self._summed(here, summary, first + through - 1, 2 * through))
        if ago > 0:
            closed = event(self.id, "day_closed", day=here, through=self._turn)
            self._drafts.append(closed)
            self._seq += 1
        return here

    def write(self) -> Diary:
        self.site.append(*self._drafts)
        self._drafts = []
        return self

    def source(self, day: str, message: int, kind: str, point: int, **more: Any) -> dict[str, Any]:
        """What a line of a summary stands on."""
        named = {"messageId": self.messages[day][message], "kind": kind, "point": point}
        return {**named, "turn": 1, **more}

    def _opened(self, here: str) -> Iterator[Draft]:
        over = datetime.combine(datetime.fromisoformat(here) + timedelta(days=1), time(3), UTC)
        opened = event(
            self.id,
            "day_opened",
            day=here,
            daySegmentId=day_id(self.id, here),
            zone="Etc/UTC",
            until=iso(over),
        )
        self._seq += 1
        yield Draft(opened.stream, opened.body, numbered=True)

    def _turned(self, here: str, number: int, words: str) -> Iterator[Draft]:
        self._turn += 1
        for half, (role, content) in enumerate((("user", words), ("assistant", f"Noted: {words}"))):
            name = new_id("msg")
            self.messages[here].append(name)
            self._seq += 1
            at = f"{here}T00:{number:02}:{30 * half:02}.000Z"
            yield turn(self.id, role, content, id=name, channel="web", timestamp=at)

    def _summed(self, here: str, summary: str, through: int, covers: int) -> Draft:
        """`covers` counts messages of the day: its turns stand in the ledger one after another."""
        last = self._seq - 1 - 2 * (self._turn - through)
        sources = [
            self.source(here, 0, "said", point, quote=None)
            for point, line in enumerate(summary.splitlines())
            if line and not line.startswith("#")
        ]
        self._seq += 1
        return event(
            self.id,
            "day_summary",
            day=here,
            summary=summary,
            covers=last,
            through=through,
            sources=sources,
            by="offline",
            reason="messages",
        )
