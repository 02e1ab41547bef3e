"""Entities: what "that task", "the second one" and "it" stand for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palaver.digest.state.confided import tells_secret
from palaver.digest.state.heard import Heard
from palaver.digest.state.records import MAX_ENTITIES, Referent, State

MAX_CHOICES = 10
_ORDINALS = {
    word: place
    for place, listed in enumerate(
        (
            "first former erste ersten premier premiere primero primera primo prima eerste",
            "second zweite zweiten deuxieme segundo segunda secondo seconda tweede",
            "third dritte dritten troisieme tercero tercera terzo terza derde",
            "fourth vierte vierten quatrieme cuarto cuarta quarto quarta vierde",
            "fifth funfte funften cinquieme quinto quinta vijfde",
        )
    )
    for word in listed.split()
}
_LATEST = """
last latter letzte letzten dernier derniere ultimo ultima laatste
"""
_LAST = frozenset(_LATEST.split())
_THE = r"(?:the|der|die|das|den|le|la|el|il|o|a|de|het)"
_ORDINAL = re.compile(
    rf"\b{_THE} ({'|'.join([*_ORDINALS, *_LAST])})"
    r"(?: (?:one|option|item|job|task|point|suggestion|idea|choice)\b|(?=\W*$))"
)
_NUMBER = re.compile(r"\b(?:option|number|nummer|numero|opcion|opzione) (\d{1,2})\b")
_JOB = re.compile(r"\b(?:that|this|the|same) (?:job|task|ticket|issue|bug|one)\b(?! \d)")
_IT = re.compile(r"\bit\b")
_INLINE = re.compile(r"(?:^|\s)\d{1,2}[.)] (.{3,200}?)(?=[,;.]? \d{1,2}[.)] |[.?!](?: |$)|$)")
_UNDONE = ("task", "reminder", "decision")


def choices(heard: Heard, jobs: list[str]) -> tuple[Referent, ...]:
    """The things that a message lists, for a later message to choose from."""
    listed = [one.text for one in heard.sentences if one.listed]
    if len(listed) < 2:
        inline = _INLINE.findall(heard.message.content[:2000])
        listed = [one for one in inline if not tells_secret(one)]
    if len(listed) >= 2:
        return tuple(_referent(heard, "item", text) for text in listed[:MAX_CHOICES])
    if len(jobs) >= 2:
        return tuple(_referent(heard, "job", ref) for ref in jobs[:MAX_CHOICES])
    return ()


def resolved(heard: Heard, state: State) -> dict[str, Referent]:
    """What is known to stand for what, after a message of the user; the newest last."""
    known = dict(state.resolved_entities)
    for sentence in heard.sentences:
        for words, referent in _mentions(sentence.low, heard, state):
            known.pop(words, None)
            known[words] = referent
    return dict(list(known.items())[-MAX_ENTITIES:])


def job_referent(heard: Heard, ref: str) -> Referent:
    return _referent(heard, "job", ref)


def _mentions(low: str, heard: Heard, state: State) -> Iterator[tuple[str, Referent]]:
    choices, job = state.floor.choices, state.floor.job
    for found in _ORDINAL.finditer(low):
        place = len(choices) - 1 if found[1] in _LAST else _ORDINALS[found[1]]
        if 0 <= place < len(choices):
            yield found[0], choices[place]
    for found in _NUMBER.finditer(low):
        if 1 <= int(found[1]) <= len(choices):
            yield found[0], choices[int(found[1]) - 1]
    thing = job or _undone(state)
    if thing and (found := _JOB.search(low)):
        yield found[0], thing
    if job and heard.message.turn_number - job.turn <= 1 and _IT.search(low):
        yield "it", job


def _undone(state: State) -> Referent | None:
    """The newest thing that is left to do."""
    for item in reversed(state.open_loops):
        if item.kind in _UNDONE:
            return Referent(kind="loop", text=item.text, message_id=item.message_id, turn=item.turn)
    return None


def _referent(heard: Heard, kind: str, text: str) -> Referent:
    message = heard.message
    return Referent.model_validate(
        {"kind": kind, "text": text, "message_id": message.id, "turn": message.turn_number}
    )
