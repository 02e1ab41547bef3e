"""Judging a summary: a worse one never takes the place of a better one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from palaver.digest.condensing import KEPT_SHARE, Condensed, Material, is_binding, written
from palaver.digest.notes import Note, flat, marks_of, taken


def completed(made: Condensed, material: Material) -> Condensed:
    """The summary with what it must not lack, word for word."""
    lacking = list(missing(made.text, _required(material)))
    if not lacking:
        return made
    added = written(lacking)
    text = f"{made.text}\n\n{added}" if made.text else added
    return replace(made, text=text, notes=[*made.notes, *lacking])


def faults(made: Condensed, material: Material) -> list[str]:
    """Why the summary is refused, in sentences; none when it is as good as it has to be."""
    return list(_faults(made.text, material))


def kept(text: str, before: Sequence[Note]) -> int:
    """How many of the notes before are still told: word for word, or by all their marks."""
    words, marks = flat(text), marks_of(text)
    return sum(flat(one.text) in words or bool(one.marks and one.marks <= marks) for one in before)


def _faults(text: str, material: Material) -> Iterator[str]:
    if not text.strip():
        yield "It is empty."
        return
    for note in missing(text, _required(material)):
        what = "Something open" if note.kind == "open" else "A name or number of a decision"
        yield f"{what} is missing: turn {note.turn}."
    told = kept(text, material.before)
    if told < KEPT_SHARE * len(material.before):
        yield f"Of {len(material.before)} notes of the summary before it tells only {told}."


def _required(material: Material) -> list[Note]:
    return [*material.open, *(note for note in taken(material.messages) if is_binding(note))]


def missing(text: str, required: Sequence[Note]) -> Iterator[Note]:
    """What a text does not tell of what it must not lack."""
    words, marks = flat(text), marks_of(text)
    for note in required:
        by_marks = note.kind == "decision" and note.marks <= marks
        if not by_marks and flat(note.text) not in words:
            yield note
