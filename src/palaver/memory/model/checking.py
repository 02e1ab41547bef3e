"""Checking memories: each stands on one message, quotes it word for word, and invents nothing.

Small things are mended: marks around a quotation, a wish that nobody has uttered. What somebody
else says inside a message is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from palaver.digest.model.answer import UNREADABLE, Fault, read
from palaver.digest.model.checking import bare, line
from palaver.memory.model.answer import NOTHING, SENSITIVE, Answer, Noted
from palaver.memory.model.transcript import Transcript
from palaver.memory.model.witness import Witness
from palaver.memory.port import (
    MAX_CATEGORY,
    MAX_CONTENT,
    MEMORY_TYPES,
    Candidate,
    MemoryType,
    Saying,
    Sensitive,
)
from palaver.text import fold

_TYPES: dict[str, MemoryType] = {kind: kind for kind in MEMORY_TYPES}
_SENSITIVE: dict[str, Sensitive] = {kind: kind for kind in SENSITIVE}


@dataclass(frozen=True, slots=True)
class Checked:
    """What an answer is worth."""

    candidates: Sequence[Candidate] = ()
    faults: Sequence[Fault] = ()


def check(text: str, transcript: Transcript) -> Checked:
    """What a model has found, oldest message first, and everything that is wrong with it."""
    answer = read(text, Answer)
    if answer is None:
        return Checked(faults=[UNREADABLE])
    witnesses = [Witness(saying) for saying in transcript.sayings]
    found: dict[tuple[str, str, str], Candidate] = {}
    faults: list[Fault] = []
    for number, noted in sorted(enumerate(answer.memories, 1), key=lambda one: one[1].message):
        saying = transcript.saying(noted.message)
        if saying is None:
            faults.append(_no_message(number, transcript))
            continue
        witness = witnesses[noted.message - 1]
        faults += _faults(noted, number, witness)
        if one := _candidate(noted, saying, witness):
            found.setdefault((one.message_id, one.type, fold(one.content)), one)
    return Checked(list(found.values()), faults)


def _candidate(noted: Noted, saying: Saying, witness: Witness) -> Candidate | None:
    """What is to be remembered; None of somebody else's words that nobody has asked to
    have remembered, or when something is wrong."""
    kind = _TYPES.get(_plain(noted.type))
    quotation = witness.quotation(bare(noted.quote))
    explicit = noted.explicit and witness.asks
    if kind is None or not quotation or not (explicit or witness.is_own(quotation)):
        return None
    return Candidate(
        type=kind,
        content=line(noted.content),
        message_id=saying.message_id,
        quote=quotation,
        category=_plain(noted.category) or None,
        confidence=noted.confidence,
        explicit=explicit,
        sensitive=_SENSITIVE.get(_plain(noted.sensitive)),
        slot=_plain(noted.slot) or None,
        ends=_plain(noted.ends) or None,
    )


def _faults(noted: Noted, number: int, witness: Witness) -> Iterator[Fault]:
    yield from _shape_faults(noted, number)
    quotation = witness.quotation(bare(noted.quote))
    told = line(noted.content)
    if not quotation:
        copy = "Copy it from the message that it names."
        yield Fault(f"The quotation of memory {number} does not stand in its message.", copy)
    elif not witness.bears(told, quotation):
        own = "Say it in the user's own words, or leave it out."
        yield Fault(f"Memory {number} does not say what its quotation says.", own)
    if invented := witness.lacks(told):
        listed = f"Write them as that message has them, or leave them out: {', '.join(invented)}."
        yield Fault(f"Memory {number} has numbers or names that its message has not.", listed)


def _shape_faults(noted: Noted, number: int) -> Iterator[Fault]:
    if _plain(noted.type) not in _TYPES:
        yield Fault(f"The type of memory {number} is none of {', '.join(MEMORY_TYPES)}.")
    told = line(noted.content)
    if len(told) > MAX_CONTENT or not any(map(str.isalnum, told)):
        yield Fault(f"The content of memory {number} is empty or over {MAX_CONTENT} characters.")
    if not 0 <= noted.confidence <= 1:
        yield Fault(f"The confidence of memory {number} is not between 0 and 1.")
    if _plain(noted.sensitive) not in {"", NOTHING, *_SENSITIVE}:
        yield Fault(f"Memory {number} is sensitive in a way that is none of those listed.")
    if max(len(_plain(one)) for one in (noted.category, noted.slot, noted.ends)) > MAX_CATEGORY:
        most = f"over {MAX_CATEGORY} characters"
        yield Fault(f"The category, slot or end of memory {number} is {most}.")


def _no_message(number: int, transcript: Transcript) -> Fault:
    there = f"The numbers go from 1 to {len(transcript.sayings)}."
    return Fault(f"Memory {number} does not name a message that exists.", there)


def _plain(value: str | None) -> str:
    return " ".join((value or "").split()).lower()
