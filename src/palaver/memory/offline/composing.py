"""Composing: a candidate, of what a clause says."""

from __future__ import annotations

import re
from dataclasses import replace

from palaver.digest.state.secrets import is_secret
from palaver.memory.categories import category_of
from palaver.memory.cues import Cues
from palaver.memory.frames import Said, read, written_out
from palaver.memory.offline.clauses import Stretch
from palaver.memory.port import MAX_CONTENT, Candidate, MemoryType, Saying
from palaver.memory.sensitive import sensitive_kind

_LONGEST = 400
_LISTED = 0.85
_PET = re.compile(
    r"\b(?:dogs?|cats?|puppy|kitten|horses?|rabbits?|hamsters?|parrot|hens?|goldfish|fish|hund|hunde|katzen?|kater|hond|kat|chienn?e?|chats?"
    r"|perr[oa]|gat[oa]|can[ei]|gatt[oaie]|cao|cadela|cachorr[oa])\b"
)
_HUMAN = frozenset({"employer", "job", "language", "school", "remote", "partner", "commute"})
_CONTINUED = 0.75
_NAMED = 0.75


class Composer:
    """Makes candidates of one message."""

    def __init__(self, saying: Saying, cues: Cues) -> None:
        self._saying = saying
        self._cues = cues

    def said(self, clause: Stretch, said: Said) -> Candidate | None:
        """Something the owner has said by the way. What no animal does is a joke, and what others
        decide is theirs."""
        if said.who and said.frame.type == "decision":
            return None
        if said.frame.slot in _HUMAN and _PET.search(said.who):
            return None
        return self._made(clause.start, clause.end, said, said.frame.sure)

    def decided(self, sentence: Stretch) -> Candidate | None:
        """What is said to be decided."""
        one = self._made(sentence.start, sentence.end, None, _NAMED)
        return one and _typed(one, "decision")

    def asked_for(self, clause: Stretch, said: Said | None) -> Candidate | None:
        """Something that the owner wants to have remembered."""
        return self._made(clause.start, clause.end, said, 1.0, explicit=True)

    def listed(self, item: Stretch, *, explicit: bool) -> Candidate | None:
        """An item of a list about the owner."""
        said = read(self._saying.text[item.start : item.end], self._cues, bare=True)
        sure = 1.0 if explicit else _LISTED
        return self._made(item.start, item.end, said, sure, explicit=explicit)

    def named(self, start: int, end: int) -> Candidate | None:
        """Somebody of the owner's, by name."""
        one = self._made(start, end, None, _NAMED)
        return one and _typed(one, "entity")

    def widened(self, one: Candidate, start: int | None, end: int) -> Candidate | None:
        """The same, with what was said before and that it points to."""
        if start is None or end - start > _LONGEST:
            return None
        quote = self._saying.text[start:end].strip()
        return None if sensitive_kind(quote) else replace(one, quote=quote, content=_capital(quote))

    def continued(self, sentence: Stretch, before: Candidate) -> Candidate | None:
        """What is said of something that was named right before: both sentences together."""
        start = self._saying.text.find(before.quote)
        if start < 0 or before.type not in {"entity", "project", "fact"}:
            return None
        return self._together(start, sentence, before.type)

    def told_of(self, sentence: Stretch, before: Stretch) -> Candidate | None:
        """What is said of somebody of the owner's, of whom the sentence before only speaks."""
        if not self._cues.pronoun.match(sentence.low):
            return None
        places = [one.start() for each in self._cues.whose for one in each.finditer(before.low)]
        if len(places) != 1:
            return None
        return self._together(before.start + places[0], sentence, "entity")

    def _together(self, start: int, sentence: Stretch, kind: MemoryType) -> Candidate | None:
        pronoun = self._cues.pronoun.match(sentence.low)
        if sentence.asks or pronoun is None:
            return None
        low = written_out(self._saying.text[sentence.start : sentence.end], self._cues)
        rest = low[pronoun.end() :].strip()
        said = read(rest, self._cues, bare=True)
        if said is None and not self._cues.of_it.match(rest):
            return None
        if self._cues.passing.search(low) or sentence.end - start > _LONGEST:
            return None
        both = self._made(start, sentence.end, said, _CONTINUED)
        return both and _typed(both, kind)

    def _made(
        self, start: int, end: int, said: Said | None, sure: float, *, explicit: bool = False
    ) -> Candidate | None:
        quote = self._saying.text[start:end].strip()
        kind = sensitive_kind(quote)
        if kind == "credential" or is_secret(self._saying.text[start : end + 80]):
            return None
        if (kind and not explicit) or len(quote) > (MAX_CONTENT if explicit else _LONGEST):
            return None
        return Candidate(
            type=_type(said),
            content=_capital(quote),
            message_id=self._saying.message_id,
            quote=quote,
            category=category_of(quote, self._cues, said),
            confidence=sure,
            explicit=explicit,
            sensitive=kind,
            slot=said.slot if said else None,
            ends=said.ends if said else None,
        )


def _type(said: Said | None) -> MemoryType:
    if said is None:
        return "fact"
    return "entity" if said.who and said.frame.type in {"fact", "preference"} else said.frame.type


def _typed(one: Candidate, kind: MemoryType) -> Candidate:
    return replace(one, type=kind, slot=None, ends=None)


def _capital(quote: str) -> str:
    return quote[:1].upper() + quote[1:]
