"""Sections: what stands before the history, in words, within what each may cost."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta, tzinfo

from palaver.context.clipping import clipped, longest_cut
from palaver.context.policy import SectionName
from palaver.context.ports import Open, Standing, Summary
from palaver.context.quoting import NOTE, local_time
from palaver.context.tokens import PER_MESSAGE, TokenCounter
from palaver.index.records import Json, Memory
from palaver.text import quoted
from palaver.times import spoken_day

_ONE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Piece:
    """A section that is in the packet."""

    name: SectionName
    text: str
    tokens: int
    budget: int
    ids: Sequence[str] = ()
    """The messages it stands on."""
    left_out: str = ""
    """What is missing in it, in a sentence."""
    seq: int | None = None
    """The line it was taken from, or up to which the conversation was read for it."""
    day: str | None = None
    shown_on: str | None = None
    """The day of which it tells, and the one on which it is shown."""
    memories: Sequence[Memory] = ()
    """The memories it shows."""

    @property
    def message(self) -> Json:
        return {"role": "system", "content": self.text}


@dataclass(frozen=True, slots=True)
class Entry:
    """One of the things that a section tells."""

    text: str
    ids: tuple[str, ...]
    place: int
    """Those with a lower one are told first."""


@dataclass(frozen=True, slots=True)
class Purse:
    """What a section may cost, and who counts."""

    name: SectionName
    budget: int
    counter: TokenCounter

    def pay(
        self, text: str, ids: Sequence[str], left_out: str = "", seq: int | None = None
    ) -> Piece | None:
        """The section that says `text`; None when that costs too much."""
        cost = PER_MESSAGE + self.counter.count(text)
        fits = cost <= self.budget
        return Piece(self.name, text, cost, self.budget, ids, left_out, seq) if fits else None

    def afford(self, heading: str, entries: Iterable[Entry]) -> list[Entry]:
        """Those of the entries that fit under a heading; the first ones are wanted most."""
        left = self.budget - PER_MESSAGE - self.counter.count(heading)
        chosen: list[Entry] = []
        for entry in entries:
            cost = self.counter.count(f"\n\n{entry.text}")
            if cost <= left:
                left -= cost
                chosen.append(entry)
        return sorted(chosen, key=lambda entry: entry.place)


def told(heading: str, entries: Iterable[Entry]) -> str:
    return "\n\n".join([heading, *(entry.text for entry in entries)])


def summary_piece(summary: Summary, purse: Purse, zone: tzinfo) -> Piece | None:
    """A summary; of one that is too long, its head and tail."""
    told_of = _subject(summary.day, summary.shown_on)
    title = f"A summary of {told_of}, made {local_time(summary.made, zone)}. {NOTE}"
    whole = f"{title}\n{quoted(summary.text)}"
    piece = purse.pay(whole, summary.sources, seq=summary.seq)
    if piece is None:
        room = purse.budget - PER_MESSAGE - purse.counter.count(f"{title}\n")
        cut = longest_cut(quoted(summary.text), room, purse.counter)
        if cut is None:
            return None
        text = f"{title}\n{clipped(quoted(summary.text), cut)}"
        piece = purse.pay(text, summary.sources, "It is shown head and tail.", summary.seq)
    return piece and replace(piece, day=summary.day, shown_on=summary.shown_on)


def _subject(day: str | None, shown_on: str | None) -> str:
    """What a summary tells of, as it is said on the day on which it is shown."""
    if day is None or shown_on is None:
        return "this conversation"
    if day == shown_on:
        return f"today, {spoken_day(day)}"
    if date.fromisoformat(day) + _ONE_DAY == date.fromisoformat(shown_on):
        return f"yesterday, {spoken_day(day)}"
    return f"the last day before today, {spoken_day(day)}"


def state_piece(
    standing: Standing, purse: Purse, seen: Collection[str] = (), *, topics: bool = True
) -> Piece | None:
    """What is going on and what is left open; the newest, if not all of it fits.

    Messages that are `seen` tell it themselves.
    """
    heading = f"Where this conversation stands. {NOTE}"
    open_items = [entry for entry in _open_entries(standing) if entry.ids[0] not in seen]
    entries = [*(_topics(standing) if topics else ()), *open_items]
    chosen = purse.afford(heading, sorted(entries, key=lambda entry: -entry.place))
    if not chosen:
        return None
    missing = len(entries) - len(chosen)
    ids = [message_id for entry in chosen for message_id in entry.ids]
    left_out = f"Older items that do not fit: {missing}." if missing else ""
    return purse.pay(told(heading, chosen), ids, left_out, standing.covers)


def _topics(standing: Standing) -> Iterator[Entry]:
    if standing.active_topics:
        yield Entry(f"Topics:\n{quoted(', '.join(standing.active_topics))}", (), 0)


def _open_entries(standing: Standing) -> Iterator[Entry]:
    for item in standing.open_loops:
        yield _entry("Open", item)
    for item in standing.pending_clarifications:
        yield _entry("Asked, and not answered yet", item)
    for item in standing.active_job_refs:
        yield _entry("Under way", item)


def _entry(label: str, item: Open) -> Entry:
    text = f"{label}, turn {item.turn}:\n{quoted(item.text)}"
    return Entry(text, (item.message_id,), item.turn)
