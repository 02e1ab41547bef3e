"""From drafts to lines: numbers, times and proofs, the same for every adapter.

Pure: everything it needs to know of a stream is its `Head`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from palaver.errors import AlreadyExists, KeyReused, NotFound
from palaver.ledger import chain
from palaver.ledger.lines import VERSION, Draft, Line, new_id, read_line, same_message

NEWLINE = b"\n"


@dataclass(frozen=True, slots=True)
class Turns:
    """How far the turns of a stream have been counted."""

    number: int = 0
    answered: bool = True
    """Whether the last turn has a reply."""

    def place(self, data: Mapping[str, Any], *, debounced: bool = False) -> int:
        """The turn that the message `data` belongs to."""
        stated = data.get("turnNumber")
        if isinstance(stated, int):
            return stated
        match data.get("role"):
            case "user":
                joins = debounced and not self.answered and self.number > 0
                return self.number if joins else self.number + 1
            case "assistant":
                return max(self.number, 1)
            case _:
                return self.number

    def after(self, data: Mapping[str, Any], number: int) -> Turns:
        """The count once the message `data` stands in turn `number`."""
        role = data.get("role")
        if role not in ("user", "assistant"):
            return self
        return Turns(max(self.number, number), role == "assistant")


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a stream: all that is needed to write its next line."""

    stream: str
    size: int = 0
    lines: int = 0
    chain: bytes = chain.ORIGIN
    turns: Turns = Turns()
    unsealed: int | None = None
    """The offset of the first line since our last one that somebody else wrote, if there is one."""
    unsealed_lines: int = 0


@dataclass(slots=True)
class Stamper:
    """Turns the drafts of one commit into lines."""

    pos: int
    now: str

    def stamp(self, head: Head, draft: Draft) -> tuple[Line, Head]:
        """The line for `draft` at `head`, and the head after it. Raises NotFound, AlreadyExists."""
        if draft.type == "meta" and head.lines:
            raise AlreadyExists(f"{draft.stream} is there already.")
        if draft.type != "meta" and not head.lines:
            raise NotFound(f"There is no conversation {draft.stream}.")
        self.pos += 1
        turns = head.turns
        data = self._data(head, draft)
        if draft.type == "turn":
            number = turns.place(draft.body, debounced=draft.debounced)
            data["turnNumber"] = number
            turns = turns.after(draft.body, number)
        elif draft.numbered:
            data.setdefault("turnNumber", turns.number + 1)
        data["salt"] = chain.new_salt()
        raw, link = chain.seal(data, head.chain)
        line = read_line(draft.stream, head.lines, head.size, raw)
        return line, Head(draft.stream, line.end, head.lines + 1, link, turns)

    def _data(self, head: Head, draft: Draft) -> dict[str, Any]:
        data: dict[str, Any] = {
            "type": draft.type,
            "v": VERSION,
            "seq": head.lines,
            "pos": self.pos,
        }
        if draft.type == "turn":
            data["id"] = new_id("msg")
        data.update(draft.body)
        data.setdefault("created" if draft.type == "meta" else "timestamp", self.now)
        data["at"] = self.now
        return data


def adoption(stream: str, first: int, foreign: bytes, erased: Container[int] = ()) -> Draft:
    """Seals lines that somebody else wrote, from line `first` on, as they read without `erased`.

    The salt of the seal goes when the event goes, so an erased line cannot be guessed from it.
    """
    lines = foreign.split(NEWLINE)[:-1]
    kept = (
        chain.tombstone(len(raw), seq, None, None) if seq in erased else raw
        for seq, raw in enumerate(lines, first)
    )
    salt = chain.new_salt()
    sealed = b"".join(raw + NEWLINE for raw in kept)
    body = {
        "type": "event",
        "event": "adopted",
        "firstSeq": first,
        "lines": len(lines),
        "sealSalt": salt,
        "seal": chain.text(chain.body_hash(salt, sealed)),
    }
    return Draft(stream, body)


def follow(head: Head, lines: Iterable[Line]) -> Head:
    """The head after lines that stand in the stream already."""
    for line in lines:
        head = _advance(head, line)
    return head


def _advance(head: Head, line: Line) -> Head:
    turns = head.turns
    if line.type == "turn":
        turns = turns.after(line.data, turns.place(line.data))
    elif line.event == "redacted":
        turns = _with_erased(turns, line)
    link = chain.chain_of(line.raw)
    if link is None:
        return replace(
            head,
            size=line.end,
            lines=line.seq + 1,
            turns=turns,
            unsealed=line.offset if head.unsealed is None else head.unsealed,
            unsealed_lines=head.unsealed_lines + 1,
        )
    return Head(head.stream, line.end, line.seq + 1, link, turns)


def _with_erased(turns: Turns, event: Line) -> Turns:
    """An erased message keeps its turn: its number is never given again."""
    for target in event.data.get("targets", ()):
        number = target.get("turnNumber")
        if isinstance(number, int) and number > turns.number:
            turns = turns.after(target, number)
    return turns


def nothing_to_begin(drafts: Sequence[Draft], known: Sequence[Line | None]) -> set[str]:
    """Streams whose every message is a repetition: what only begins something is dropped there."""
    said = {draft.stream for draft in drafts if not draft.only_begins}
    repetitions = {id(d) for d, hit in zip(drafts, known, strict=True) if hit is not None}
    new = {d.stream for d in drafts if not d.only_begins and id(d) not in repetitions}
    return said - new


def repeated(draft: Draft, stored: Line) -> Line:
    """The stored line, if `draft` says the same. Raises KeyReused."""
    elsewhere = draft.here and stored.stream != draft.stream
    if elsewhere or not same_message(draft, stored.data):
        raise KeyReused
    return stored
