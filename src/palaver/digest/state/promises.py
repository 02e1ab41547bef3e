"""Promises: what a reply says will be done or told later."""

from __future__ import annotations

from collections.abc import Iterator

from palaver.digest.state.content import kept, plain
from palaver.digest.state.heard import Heard
from palaver.digest.state.loops import FEW, is_said_before
from palaver.digest.state.records import Floor, Item
from palaver.digest.state.sentences import Sentence

_BRIEF = 20
"""In a longer reply, what the assistant says it will do has been done."""
_MERE = 4
"""So few words ("Will do.") promise what was asked, and nothing of their own."""
_DUE = ("task", "reminder")
_STANDING = ("reminder", "notice")


def promised(heard: Heard, floor: Floor, asked: list[Item], known: list[Item]) -> list[Item]:
    """The new promises of a reply. What was asked before is what they are about."""
    if any(one.kind in _STANDING and one.seq > floor.replied for one in known):
        return []  # it only says yes to what is open already
    new = [one for one in _of_assistant(heard, floor) if not is_said_before(one, known)]
    if any(one.kind in _DUE for one in known):
        new = [one for one in new if not heard.cues.reminds.search(plain(one.text))]
    return new


def about(promise: Item, asked: list[Item], heard: Heard, floor: Floor) -> Item:
    """A promise with what it is about: what was asked before it, else what it says."""
    wanted = {term for item in asked for term in item.terms}
    if asked and len(wanted) < FEW:
        wanted = {*wanted, *floor.terms}
    if not wanted and len(promise.terms) <= FEW:
        wanted = {*promise.terms, *heard.last_terms}
    return promise.model_copy(update={"terms": kept(wanted or promise.terms)})


def is_mere(promised: list[Item], asked: list[Item], heard: Heard) -> bool:
    """Whether promises add little to what was asked: that stays open, in the user's words."""
    wanted = {term for item in asked for term in item.terms}
    few = all(len(set(one.terms) - wanted) <= FEW for one in promised)
    return len(wanted) >= FEW and few and all(_says_nothing(heard, one) for one in heard.statements)


def _says_nothing(heard: Heard, sentence: Sentence) -> bool:
    """Whether a sentence of a reply gives nothing yet."""
    cues, low = heard.cues, sentence.low
    return any(cue.search(low) for cue in (cues.agreed, cues.will, cues.busy, cues.non_answer))


def _of_assistant(heard: Heard, floor: Floor) -> Iterator[Item]:
    if floor.drafting and len(heard.sentences) > 2:
        return
    for place, sentence in enumerate(heard.sentences):
        if sentence.asks or sentence.listed or sentence.size <= _MERE:
            continue
        if _promised(heard, place) and not heard.cues.hypothetical.search(sentence.low):
            yield heard.item("promise", sentence, "assistant", sentence.terms)


def _promised(heard: Heard, place: int) -> bool:
    """Whether a sentence of the assistant promises something that does not follow at once."""
    cues, low = heard.cues, heard.sentences[place].low
    if not (cues.will.search(low) or cues.busy.search(low)) or cues.need.search(low):
        return False
    if cues.returns.search(low):
        return True
    if cues.idle_will.search(low):
        return False
    if cues.defer.search(low) or cues.busy.search(low):
        return True
    last = all(cues.agreed.search(after.low) for after in heard.sentences[place + 1 :])
    return last and heard.told <= _BRIEF and ":" not in low and bool(cues.check.search(low))
