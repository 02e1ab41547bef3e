"""Loops: what a message asks, promises, puts off or leaves undone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from palaver.digest.state.content import content, plain, share
from palaver.digest.state.heard import BREAK, Heard
from palaver.digest.state.records import Floor, Item, Kind, Speaker
from palaver.digest.state.sentences import Sentence

_SAME = 0.6
"""What shares so much of its content with an open loop is that loop, said again."""
FEW = 2
"""With fewer words of its own, a sentence is about what was said before it."""
_NEAR = 3
"""For so many turns a pronoun may stand for what was left open."""
_SHORT = 5
_LONGEST = 10
"""A part of a list with more words is a sentence of its own."""
_ALSO = re.compile(
    r"(?:,|;)? (?:and|but|plus|und|et|y) "
    r"(?=(?:also |then )?(?:i|we|ich|wir|je|tengo|someone|somebody|one of us)\b)",
    re.IGNORECASE,
)
_LETS = re.compile(r"^(?:\w+[,.!]? )?let's\b")
_COMMA = re.compile(r"[,;] (?:and |und |et |y )?| (?:and|und|et|y) ")
_IT = re.compile(r"\b(?:it|that|this|them|those|will do|lo|la|los|las|le|les|es|das)\b")
ASKED = ("question", "request")
"""What a reply gives at once, as a rule."""


class _Found(NamedTuple):
    """A kind of loop, and the words that show it."""

    kind: Kind
    cue: re.Match[str] | None = None

    @property
    def owed_by(self) -> Speaker:
        return "user" if self.kind in {"task", "promise", "decision"} else "assistant"


def opened(heard: Heard, floor: Floor) -> list[Item]:
    """The loops that a message of the user opens."""
    return list(_of_user(heard, floor))


def is_said_before(item: Item, known: Sequence[Item]) -> bool:
    """Whether `item` is among the open loops already."""
    return any(_same(item, other) for other in known if other.terms)


def asked_again(opened: Sequence[Item], known: Sequence[Item]) -> list[Item]:
    """Those of the open questions and requests that are put once more in the same words."""
    said = {(one.kind, plain(one.text)) for one in opened if one.kind in ASKED}
    return [one for one in known if (one.kind, plain(one.text)) in said]


def is_excuse(item: Item, heard: Heard) -> bool:
    """Whether it only puts off an answer that the assistant waits for."""
    unready = item.kind == "task" and heard.cues.unready.search(plain(item.text))
    return item.kind in {"promise", "decision"} or bool(unready)


def _same(item: Item, other: Item) -> bool:
    if item.kind == other.kind == "decision" and _is_same_decision(item, other):
        return True
    if item.kind == "promise" and _is_same_deed(item, other):
        return True
    both = max(share(item.terms, other.terms), share(other.terms, item.terms))
    return both >= _SAME and len(set(item.terms).intersection(other.terms)) >= min(
        FEW, len(item.terms)
    )


def _is_same_deed(item: Item, other: Item) -> bool:
    """Whether a promise of few words is to do what is left undone already: "I'll do it later"."""
    undone = item.owed_by == "user" and (other.owed_by == "user" or other.kind == "question")
    near = undone and item.turn - other.turn <= _NEAR
    low = plain(item.text)
    few = low.count(" ") < _SHORT or len(content(low, "en")) <= FEW
    return near and few and bool(_IT.search(low))


def _is_same_decision(item: Item, other: Item) -> bool:
    """Whether a decision that is put off again is named, or meant by a pronoun."""
    low = plain(item.text)
    bare = bool(_IT.search(low)) or len(content(low, "en")) < FEW
    return (bare and item.turn - other.turn <= _NEAR) or not set(item.terms).isdisjoint(other.terms)


def is_request(heard: Heard, sentence: Sentence) -> bool:
    """Whether a sentence asks for something to be done."""
    cues = heard.cues
    return any(cue.search(sentence.low) for cue in (cues.request, cues.please, cues.wish))


def _of_user(heard: Heard, floor: Floor) -> Iterator[Item]:
    questions = list(heard.questions())
    asking = questions + [one for one in heard.statements if _only_asks(heard, one)]
    listing = False
    for sentence in heard.sentences:
        asks = any(_is_same_matter(sentence, one) for one in asking)
        if not sentence.asks and (parts := _undone_parts(heard, sentence, asks=asks)):
            yield from parts
            continue
        found = _asked(heard, sentence) if sentence.asks else _left(heard, sentence, asks=asks)
        if listing and sentence.listed and sentence.box not in {"x", "X"}:
            found = _Found("task")
        listing = listing and sentence.listed
        if found and found.kind == "task" and sentence.low.endswith(":"):
            listing = True
            continue
        if found is None or (found.kind in ASKED and _is_idle(heard, sentence, questions)):
            continue
        if found.kind in ASKED:
            yield from _each(heard, sentence, found)
            continue
        if found.kind in {"task", "decision"} and (parts := _listed(sentence)):
            yield from (heard.item("task", one, found.owed_by, one.terms) for one in parts)
            continue
        terms = _core(heard, sentence, found.cue) | _before(found.kind, sentence, floor)
        yield heard.item(found.kind, sentence, found.owed_by, terms)


def _is_idle(heard: Heard, sentence: Sentence, questions: list[Sentence]) -> bool:
    """Whether it only looks like asking: rhetoric, or a wish that a real question goes with."""
    if sentence.asks:
        return sentence not in questions
    cues, low = heard.cues, sentence.low
    wishes = not (cues.request.search(low) or cues.please.search(low))
    return wishes and bool(questions)


def _only_asks(heard: Heard, sentence: Sentence) -> bool:
    """Whether a statement is a request, and no duty of the speaker's own."""
    return is_request(heard, sentence) and not heard.cues.duty.search(sentence.low)


def _is_same_matter(sentence: Sentence, asking: Sentence) -> bool:
    """Whether a question is about what a sentence says: what both name, or nothing of its own."""
    return len(asking.terms) < FEW or not sentence.terms.isdisjoint(asking.terms)


def _undone_parts(heard: Heard, sentence: Sentence, *, asks: bool) -> list[Item]:
    """The things that a sentence leaves undone, if its clauses leave several."""
    texts = _ALSO.split(sentence.text)
    if len(texts) < FEW:
        return []
    parts = [replace(sentence, text=text, low=plain(text)) for text in texts]
    left = [(part, _undone(heard, part.low, asks=asks)) for part in parts]
    items = [
        heard.item(found.kind, part, found.owed_by, part.terms)
        for part, found in left
        if found and len(part.terms) >= FEW
    ]
    return items if len(items) >= FEW else []


def _listed(sentence: Sentence) -> list[Sentence]:
    """The things that a sentence lists after a colon, if there are several."""
    _, colon, rest = sentence.text.partition(": ")
    parts = [part.strip(" .!") for part in _COMMA.split(rest)] if colon else []
    if len(parts) < FEW or not all(0 < part.count(" ") + 1 <= _LONGEST for part in parts):
        return []
    return [replace(sentence, text=part, low=plain(part)) for part in parts]


def _each(heard: Heard, sentence: Sentence, found: _Found) -> Iterator[Item]:
    """The things that one sentence asks for."""
    for part in heard.cues.another.split(sentence.low):
        terms = content(part, heard.language)
        yield heard.item(found.kind, sentence, found.owed_by, terms)


def _asked(heard: Heard, sentence: Sentence) -> _Found:
    """What a question of the user is."""
    cues, low = heard.cues, sentence.low
    if cue := cues.reminder.search(low):
        return _Found("reminder", cue)
    if cue := cues.notify.search(low):
        return _Found("notice", cue)
    return _Found("request" if is_request(heard, sentence) else "question")


def _left(heard: Heard, sentence: Sentence, *, asks: bool) -> _Found | None:
    """What a statement of the user leaves open."""
    cues, low = heard.cues, sentence.low
    if sentence.box:
        return _Found("task") if sentence.box == " " else None
    if cue := cues.reminder.search(low):
        return _Found("reminder", cue)
    if cue := cues.notify.search(low):
        return _Found("notice", cue)
    if cues.hypothetical.search(low):
        return None
    undone = None if cues.withdrawn.search(low) else _undone(heard, low, asks=asks)
    asked = is_request(heard, sentence) and not (_LETS.search(low) and cues.decided.search(low))
    return undone or (_Found("request") if asked else None)


def _undone(heard: Heard, low: str, *, asks: bool) -> _Found | None:
    """What the user puts off, has to do or promises."""
    cues = heard.cues
    if cue := cues.put_off.search(low):
        return _Found("decision", cue)
    if cue := cues.task.search(low):
        return _Found("task", cue)
    if not asks and (cue := cues.duty.search(low)) and _is_due(heard, low):
        return _Found("task", cue)
    if (cue := cues.will.search(low) or cues.we_will.search(low)) and _is_meant(heard, low):
        return _Found("promise", cue)
    return None


def _is_due(heard: Heard, low: str) -> bool:
    """Whether something that has to be done has a date, or is the user's own errand."""
    cues = heard.cues
    due = cues.deadline.search(low) or cues.errand.search(low)
    return bool(due) and not cues.habit.search(low)


def _is_meant(heard: Heard, low: str) -> bool:
    cues = heard.cues
    if cues.returns.search(low):
        return True
    return bool(cues.user_mark.search(low)) and not cues.idle_will.search(low)


def _core(heard: Heard, sentence: Sentence, cue: re.Match[str] | None) -> frozenset[str]:
    """What the clause with the cue is about; if it tells too little, the whole sentence."""
    if cue is None:
        return sentence.terms
    start = cue.start()
    ends = BREAK.search(sentence.low, cue.end())
    own = content(sentence.low[start : ends.start() if ends else None], heard.language)
    return own if len(own) >= FEW else sentence.terms


def _before(kind: Kind, sentence: Sentence, floor: Floor) -> frozenset[str]:
    """What a sentence of few words refers back to."""
    few = kind in {"decision", "notice", "promise"} and len(sentence.terms) < FEW + (
        kind != "promise"
    )
    return frozenset(floor.terms) if few else frozenset()
