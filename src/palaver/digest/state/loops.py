"""Loops: what a message asks, promises, puts off or leaves undone."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.digest.state.content import share
from palaver.digest.state.heard import Heard
from palaver.digest.state.records import Floor, Item, Kind
from palaver.digest.state.sentences import Sentence

_SAME = 0.6
"""What shares so much of its content with an open loop is that loop, said again."""
_FEW = 2
"""With fewer words of its own, a sentence is about what was said before it."""


def opened(heard: Heard, floor: Floor) -> list[Item]:
    """The loops that a message opens."""
    return list(_of_assistant(heard, floor) if heard.speaker == "assistant" else _of_user(heard, floor))


def is_said_before(item: Item, known: tuple[Item, ...]) -> bool:
    """Whether `item` is among the open loops already."""
    return any(share(item.terms, other.terms) >= _SAME for other in known if item.terms)


def is_request(heard: Heard, sentence: Sentence) -> bool:
    """Whether a sentence asks for something to be done."""
    cues = heard.cues
    return bool(cues.request.search(sentence.low) or cues.please.search(sentence.low))


def _of_user(heard: Heard, floor: Floor) -> Iterator[Item]:
    questions = list(heard.questions())
    asks = bool(questions) or any(is_request(heard, one) for one in heard.statements)
    for sentence in heard.sentences:
        kind = _asked(heard, sentence) if sentence.asks else _left(heard, sentence, asks=asks)
        if kind in {"question", "request"} and sentence.asks and sentence not in questions:
            continue
        if kind:
            yield heard.item(kind, sentence, _owed_by(kind), _about(kind, sentence, floor))


def _asked(heard: Heard, sentence: Sentence) -> Kind:
    """What a question of the user is."""
    cues = heard.cues
    if cues.reminder.search(sentence.low):
        return "reminder"
    if cues.notify.search(sentence.low):
        return "notice"
    return "request" if cues.need.search(sentence.low) else "question"


def _left(heard: Heard, sentence: Sentence, *, asks: bool) -> Kind | None:
    """What a statement of the user leaves open."""
    cues, low = heard.cues, sentence.low
    if sentence.box:
        return "task" if sentence.box == " " else None
    if cues.reminder.search(low):
        return "reminder"
    if cues.notify.search(low):
        return "notice"
    if cues.hypothetical.search(low) or cues.withdrawn.search(low):
        return None
    if cues.put_off.search(low):
        return "decision"
    if cues.task.search(low) or (not asks and cues.duty.search(low) and cues.deadline.search(low)):
        return "task"
    if _promised_by_user(heard, low):
        return "promise"
    return "request" if is_request(heard, sentence) else None


def _promised_by_user(heard: Heard, low: str) -> bool:
    cues = heard.cues
    return bool(
        cues.will.search(low) and cues.user_mark.search(low) and not cues.idle_will.search(low)
    )


def _of_assistant(heard: Heard, floor: Floor) -> Iterator[Item]:
    if floor.drafting and len(heard.sentences) > 2:
        return
    for place, sentence in enumerate(heard.sentences):
        if sentence.asks or heard.cues.hypothetical.search(sentence.low):
            continue
        if _promised(heard, place):
            yield heard.item("promise", sentence, "assistant", ())


def _promised(heard: Heard, place: int) -> bool:
    """Whether a sentence of the assistant promises something that does not follow at once."""
    cues, low = heard.cues, heard.sentences[place].low
    if not cues.will.search(low) or cues.idle_will.search(low):
        return False
    if cues.defer.search(low):
        return True
    follows = any(not cues.agreed.search(after.low) for after in heard.sentences[place + 1 :])
    return not follows and ":" not in low and bool(cues.check.search(low))


def _owed_by(kind: Kind) -> str:
    return "user" if kind in {"task", "promise", "decision"} else "assistant"


def _about(kind: Kind, sentence: Sentence, floor: Floor) -> tuple[str, ...]:
    """What a sentence of few words refers back to."""
    return floor.terms if kind in {"decision", "notice"} and len(sentence.terms) <= _FEW else ()
