"""Condensing: turns of a conversation become a summary that carries on the one before it.

The maker here is offline and deterministic: it keeps the sentences that are worth most, word for
word, each with its turn, so that every line of a summary can be looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from palaver.digest.notes import KINDS, Kind, Note, taken
from palaver.digest.state.confided import tells_secret
from palaver.index.records import Message
from palaver.index.values import OFFLINE

KEPT_SHARE = 0.8
"""So much of what the summary before has kept is kept again."""
_TITLES: dict[Kind, str] = {"decision": "Decisions", "open": "Open", "said": "Details"}
_NEWER = 0.5
"""How much less the oldest is worth than the newest."""
_SHORTEST = 12
"""A message that tells nothing of note is told by its first words, if there are so many letters."""
_BEGINNING = 200

Count = Callable[[str], int]
"""How many tokens a text is."""


@dataclass(frozen=True, slots=True)
class Material:
    """What is to be said in fewer words."""

    before: Sequence[Note]
    """What the summary before has kept, without what was open and is closed now."""
    messages: Sequence[Message]
    """What was said since, up to the turn that the summary is to cover."""
    open: Sequence[Note]
    """What is left open in all of it."""
    budget: int
    """About how many tokens the summary may have."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """A summary in Markdown, and the notes that stand in it word for word."""

    text: str
    notes: Sequence[Note]
    offered: int
    """How many notes there were to choose from."""


class Condenser(Protocol):
    """Whoever says it in fewer words."""

    name: str

    def condense(self, material: Material) -> Condensed:
        """A summary of all of it. Never raises for want of words: then it is empty."""
        ...


class OfflineCondenser:
    """Chooses sentences by what is in them. Needs no model."""

    name = OFFLINE

    def __init__(self, count: Count) -> None:
        self._count = count

    def condense(self, material: Material) -> Condensed:
        fresh = list(taken(material.messages)) or list(_beginnings(material.messages))
        known = {_same(note) for note in (*material.open, *material.before)}
        new = [note for note in _once(fresh) if _same(note) not in known]
        chosen = self._chosen(material, new)
        return Condensed(written(chosen), chosen, len(material.before) + len(new))

    def _chosen(self, material: Material, new: Sequence[Note]) -> list[Note]:
        """What has to be kept, then what is worth most, as long as there is room."""
        last = material.messages[-1].turn_number if material.messages else 1
        must = [*material.open, *(note for note in new if is_binding(note))]
        still_open = {_same(note) for note in material.open}
        old = _by_worth((one for one in material.before if _same(one) not in still_open), last)
        sure = ceil(KEPT_SHARE * len(old))
        others = [note for note in new if not is_binding(note)]
        chosen = [*must, *old[:sure]]
        room = material.budget - sum(map(self._cost, chosen))
        for note in _by_worth([*old[sure:], *others], last):
            cost = self._cost(note)
            if cost <= room:
                room -= cost
                chosen.append(note)
        return chosen

    def _cost(self, note: Note) -> int:
        return self._count(f"> {_line(note)}\n")  # as it is shown


def is_binding(note: Note) -> bool:
    """Whether it is a decision with a name or a number in it: nothing can stand for that."""
    return note.kind == "decision" and bool(note.marks)


def written(notes: Iterable[Note]) -> str:
    """The notes as Markdown, by kind, in the order in which they were said."""
    ordered = sorted(notes, key=lambda note: note.turn)
    parts = ((_TITLES[kind], [one for one in ordered if one.kind == kind]) for kind in KINDS)
    told = ("\n".join([f"## {title}", *map(_line, listed)]) for title, listed in parts if listed)
    return "\n\n".join(told)


def _line(note: Note) -> str:
    who = "" if note.by == "user" else f", {note.by}"
    return f"- Turn {note.turn}{who}: {' '.join(note.text.split())}"


def _same(note: Note) -> str:
    return " ".join(note.text.casefold().split())


def _once(notes: Sequence[Note]) -> list[Note]:
    """Of what was said several times, the last."""
    return list({_same(note): note for note in notes}.values())


def _by_worth(notes: Iterable[Note], last: int) -> list[Note]:
    def value(note: Note) -> float:
        age = 1 - note.turn / max(last, 1)
        return note.worth * (1 - _NEWER * age)

    return sorted(notes, key=lambda note: (-value(note), -note.turn))


def _beginnings(messages: Sequence[Message]) -> Iterator[Note]:
    """How each message of the user begins, when nothing in any of them is worth more."""
    for message in messages:
        first = message.content.strip().partition("\n")[0][: 2 * _BEGINNING]
        text = first[:_BEGINNING].strip()
        is_told = message.role == "user" and message.status == "complete"
        if is_told and len(text) >= _SHORTEST and not tells_secret(first):
            yield Note(message.id, message.turn_number, "user", text, "said", 0.1)
