"""Sameness: what a later memory does to an earlier one. A pure function of the two.

The same again, in other words; in its place, because there is only one of it or because it says
that the earlier one has ended; or beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from palaver.digest.state.content import plain
from palaver.memory.port import MemoryType
from palaver.memory.slots import Meaning, Placed, meaning

Relation = Literal["same", "supersedes", "both"]

_ALIKE = 0.55
"""From this similarity on, two that share most of their words say the same."""
_MORE_ALIKE = 0.62
"""From this one on, two that share half of them."""
_VERY_ALIKE = 0.7
"""From this one on, two that share any."""
_EQUAL = 0.75
"""From this one on, any two."""
_ALL_BUT_EQUAL = 0.88
"""From this one on, also two that have a word of their own each."""
_CLOSE = 0.4
_MOST, _HALF, _THIRD = 0.6, 0.5, 0.3
"""Shares of words in common."""
_MORE = 2
"""With so many other words, and another slot, something is said besides."""
_FEW = 1
"""With so many other words, or fewer, something else is said in the same way."""
_MANY = frozenset({"language", "origin"})
"""Slots of which there can be several."""
_SAID_DIFFERENTLY = frozenset({"job", "diet", "school", "office", "home"})
"""Slots whose values have many words for the same."""
_STEM = 5
"""So many letters in common make two words one."""
_SPELT = 0.85
"""From this likeness on, two words are one that is spelt differently."""
_FELT = frozenset({"stand", "hate", "disgust", "like", "love", "prefer", "enjoy", "bear", "awful"})
"""Words for liking, of which there are many: they tell nothing apart."""
_NUMBER = re.compile(r"\b\d+(?:[.,:]\d+)*")
"""Also that of "11th"."""
_NAMES = re.compile(r"(?<=[\w,;] )(?!I\b)[A-Z\u00c0-\u00de][\w'-]+")
_WORD = re.compile(r"[\w'-]+")
_WITH_ME = re.compile(r"\b(?:and i|und ich|et moi|y yo|e io|e eu|en ik)\b")
"""What is said of somebody together with the owner is about the owner, too."""


@dataclass(frozen=True, slots=True)
class Known:
    """A memory, as far as it is compared."""

    content: str
    type: MemoryType
    slot: str | None = None


def relation(old: Known, new: Known, similarity: float | None = None) -> Relation:
    """What `new` does to `old`. `similarity` is the cosine of their vectors, if there are any."""
    if plain(old.content).strip(" .!") == plain(new.content).strip(" .!"):
        return "same"
    pair = _Pair(meaning(old.content), meaning(new.content), similarity)
    if pair.of_others:
        return "both"
    how = pair.by_slot(old, new) or pair.by_words()
    return "both" if how == "same" and _names_more(old.content, new.content) else how


def says_again(old: Known, new: Known) -> bool:
    """Whether both say the same, or fill one slot with the same, whatever else `new` says."""
    if relation(old, new) == "same":
        return True
    pair = _Pair(meaning(old.content), meaning(new.content), None)
    return any(
        first.slot == second.slot and not second.ends and _common(first.value, second.value)
        for first in _places(pair.old, old)
        for second in _places(pair.new, new)
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    old: Meaning
    new: Meaning
    similarity: float | None

    def by_slot(self, old: Known, new: Known) -> Relation | None:
        """What the slots say, if both fill the same."""
        for first in _places(self.old, old):
            for second in _places(self.new, new):
                if first.slot == second.slot:
                    return self._in_one_slot(first, second)
        return None

    def by_words(self) -> Relation:
        """What the words say."""
        if self.replaces and not self.of_strangers:
            return "supersedes"
        if self.adds or self.of_another or not self.of_one or not self.alike:
            return "both"
        if self.counts:
            return "supersedes"
        return "both" if self.substitutes else "same"

    def _in_one_slot(self, first: Placed, second: Placed) -> Relation:
        common = _common(first.value, second.value)
        if second.ends or (self._ends and not common):
            return "supersedes"
        if not first.value or not second.value:
            return "supersedes" if self._ends or self._changed else "same"
        if common:
            if self._ends:
                return "supersedes"
            return "both" if self.says_more else "same"
        base = first.slot.partition(":")[0]
        said_differently = base in _SAID_DIFFERENTLY and not self._alike_but_for(first, second)
        if said_differently and not self._changed and (self.similarity or 0) >= _EQUAL:
            return "same"
        return "both" if base in _MANY or self.adds else "supersedes"

    def _alike_but_for(self, first: Placed, second: Placed) -> bool:
        """Whether all is the same but what is in the slot: then they are alike in what they say
        around it, and their similarity tells nothing of that."""
        return self.old.terms - first.value == self.new.terms - second.value

    @property
    def counts(self) -> bool:
        """Whether they give different numbers, or dates, of the same."""
        first, second = _numbers(self.old.low), _numbers(self.new.low)
        return bool(first and second) and first != second and self.old.who == self.new.who

    @property
    def says_more(self) -> bool:
        """Whether the later one says something besides: it fills another slot, too."""
        filled = {place.slot for place in self.old.places}
        more = {place.slot for place in self.new.places} - filled
        return bool(more) and len(self.new.terms - self.old.terms) >= _MORE

    @property
    def substitutes(self) -> bool:
        """Whether they say the same of two things: all is alike but for a word or two of each."""
        first, second = self.old.terms, self.new.terms
        own, others = first - second - _FELT, second - first - _FELT
        few = 0 < len(own) <= _FEW and 0 < len(others) <= _FEW
        another = few and self.shared >= _HALF and not _common(own, others)
        return another and (self.similarity or 0.0) < _ALL_BUT_EQUAL

    @property
    def adds(self) -> bool:
        """Whether the later one says that something is so besides."""
        return _says(self.new, "added") and not _says(self.old, "added")

    @property
    def of_one(self) -> bool:
        """Whether they do not say the same of different people."""
        first = {place.slot.partition(":")[::2] for place in self.old.places}
        second = {place.slot.partition(":")[::2] for place in self.new.places}
        kinds = {base for base, _ in first} & {base for base, _ in second}
        return not kinds or any(base in kinds for base, _ in first & second)

    @property
    def of_another(self) -> bool:
        """Whether one is about the owner, and the other about somebody else."""
        first, second = self.old.about, self.new.about
        return first is not None and second is not None and first != second

    @property
    def of_strangers(self) -> bool:
        """Whether one is about the owner, and does not name those whom the other is about."""
        if not self.of_another:
            return False
        theirs, mine = (self.old, self.new) if self.old.about else (self.new, self.old)
        named = mine.terms | mine.who | mine.names
        return not (theirs.who | theirs.names) & named and not _WITH_ME.search(theirs.low)

    @property
    def of_others(self) -> bool:
        """Whether they speak of different people."""
        first, second = self.old.who, self.new.who
        if self.old.names and self.new.names and not self.old.names & self.new.names:
            return True
        if first and second:
            return not first & second and not self.old.names & self.new.terms
        return False

    @property
    def replaces(self) -> bool:
        """Whether the later one says that something has changed which the earlier one is about."""
        near = self.similarity or 0.0
        # Without a word in common, only what is close is about the same.
        related = self.shared > 0 or near >= _CLOSE
        if self._ends:
            return related
        if self.adds:
            return False
        if self._changes:
            return related
        if self._changed:
            return self.shared >= _THIRD or near >= _CLOSE
        if self.similarity is None:
            return self._denies and self.shared >= _MOST
        return self._denies and self.shared >= _THIRD and near >= _CLOSE

    @property
    def alike(self) -> bool:
        """Whether they say the same in other words."""
        if self.similarity is None:
            return self.shared >= _MOST
        if self.similarity >= _EQUAL:
            return True
        return self.shared > 0 and self.similarity >= self._least

    @property
    def _least(self) -> float:
        if self.shared >= _MOST:
            return _ALIKE
        return _MORE_ALIKE if self.shared >= _HALF else _VERY_ALIKE

    @property
    def shared(self) -> float:
        """How much of the shorter one is in the other."""
        first, second = self.old.terms, self.new.terms
        return len(first & second) / max(1, min(len(first), len(second)))

    @property
    def _ends(self) -> bool:
        return _says(self.new, "ended") and not _says(self.old, "ended")

    @property
    def _changes(self) -> bool:
        return _says(self.new, "changed")

    @property
    def _changed(self) -> bool:
        return self._changes or (_says(self.new, "now") and not _says(self.old, "now"))

    @property
    def _denies(self) -> bool:
        return _says(self.new, "negation") != _says(self.old, "negation")


def _common(first: frozenset[str], second: frozenset[str]) -> bool:
    """Whether two values have a word in common, or the beginning of one."""
    return any(
        one == other
        or (len(one) >= _STEM and other.startswith(one[:_STEM]))
        or SequenceMatcher(None, one, other).ratio() >= _SPELT
        for one in first
        for other in second
    )


def _says(one: Meaning, kind: str) -> bool:
    pattern: re.Pattern[str] = getattr(one.cues, kind)
    return pattern.search(one.low) is not None


def _places(one: Meaning, known: Known) -> tuple[Placed, ...]:
    """The slots of a memory: those in its words, and the one that it was given."""
    if known.slot is None or any(place.slot == known.slot for place in one.places):
        return one.places
    return (Placed(known.slot, one.terms, ends=False), *one.places)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def _names_more(first: str, second: str) -> bool:
    """Whether the later one names somebody, something or a number that the earlier one does not:
    whatever else they say, that would be lost."""
    if _numbers(second) - _numbers(first):
        return True
    known = frozenset(_WORD.findall(plain(first)))
    return any(not _common(frozenset({plain(one)}), known) for one in _NAMES.findall(second))
