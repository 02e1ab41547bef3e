"""Kinds of cues: what the turns of phrase of the files stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from palaver.memory.port import MemoryType


@dataclass(frozen=True, slots=True)
class Frame:
    """A way to say something that lasts."""

    type: MemoryType
    slot: str
    value: str
    """What it says of the slot, if the words do not."""
    ends: bool
    category: str
    sure: float
    dated: bool
    loose: bool
    """Whether only the form of what is said tells that it lasts."""
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Question:
    """A question whose short answer lasts."""

    slot: str
    category: str
    answer: str
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Patterns:
    """One pattern for each kind of cue."""

    lead: re.Pattern[str]
    """What opens a sentence and says nothing."""
    adverbial: re.Pattern[str]
    """What may stand before the subject."""
    self: re.Pattern[str]
    """The owner, as a subject."""
    adverb: re.Pattern[str]
    """What may stand between a subject and its verb."""
    elided: re.Pattern[str]
    """How a sentence about the owner begins that leaves its subject out."""
    pronoun: re.Pattern[str]
    """A subject that was named in the sentence before."""
    of_it: re.Pattern[str]
    """How that is said what somebody or something is."""
    condition: re.Pattern[str]
    """How a sentence begins that says how it is to be if something is so."""
    polite: re.Pattern[str]
    """A wish for good that is put as a question."""
    joint: re.Pattern[str]
    """Where the next clause begins."""
    runon: re.Pattern[str]
    """Where the next one begins in a long sentence that has no signs."""
    question: re.Pattern[str]
    """Where a question begins after something else."""
    deictic: re.Pattern[str]
    """Points to what was said right before."""
    remember_that: re.Pattern[str]
    """Asks to have remembered what was said right before."""
    settled: re.Pattern[str]
    """Says that what was said right before is decided."""
    not_remember: re.Pattern[str]
    """Speaks of remembering, and asks for nothing, or for a reminder."""
    offrecord: re.Pattern[str]
    """Asks to have it kept nowhere."""
    about: re.Pattern[str]
    """Announces what is to be known of the owner."""
    fiction: re.Pattern[str]
    roleplay: re.Pattern[str]
    acted: re.Pattern[str]
    """How the assistant plays a part."""
    unpretend: re.Pattern[str]
    """Ends a game."""
    joke: re.Pattern[str]
    jest: re.Pattern[str]
    """Says that nothing of all this was meant."""
    nojoke: re.Pattern[str]
    hypothetical: re.Pattern[str]
    wish: re.Pattern[str]
    reported: re.Pattern[str]
    """What others say."""
    passing: re.Pattern[str]
    fleeting: re.Pattern[str]
    """Says that it does not last, where nothing but its form says that it does."""
    at_hand: re.Pattern[str]
    """Speaks of what is being worked on."""
    instant: re.Pattern[str]
    """Says that it is so only at this very time."""
    choose: re.Pattern[str]
    """Asks for a preference."""
    unsaid: re.Pattern[str]
    """How an answer begins that tells nothing."""
    ended: re.Pattern[str]
    """Says that something does not hold any more."""
    changed: re.Pattern[str]
    """Says that something has taken the place of something else."""
    now: re.Pattern[str]
    """Says that something has not always been so."""
    added: re.Pattern[str]
    """Says that something is so besides."""
    group: re.Pattern[str]
    """No person, but several."""
    unique: re.Pattern[str]
    """Of whom there is one at a time."""
    negation: re.Pattern[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues(Patterns):
    """All that is looked for in a text."""

    own: Sequence[re.Pattern[str]]
    """Somebody of the owner's, as a subject: `rel` is what they are to the owner."""
    whose: Sequence[re.Pattern[str]]
    """The same, anywhere."""
    inverted: Sequence[re.Pattern[str]]
    """A `verb` before its subject; what is said follows."""
    remember: Sequence[re.Pattern[str]]
    """Asks to have `what` remembered."""
    written_out: tuple[tuple[re.Pattern[str], str], ...]
    """Short forms, and what they stand for."""
    alias: Sequence[tuple[re.Pattern[str], str]]
    """Words for the same people, and the one that stands for them in a slot."""
    categories: Sequence[tuple[re.Pattern[str], str]]
    standing: Sequence[Frame]
    """How it is to be from now on."""
    plain: Sequence[Frame]
    """Said of a subject of its own."""
    frames: Sequence[Frame]
    """Said of the owner, or of somebody of theirs."""
    loose: Sequence[Frame]
    """Said of a subject of its own, less surely: only its form tells that it lasts."""
    habits: Sequence[Frame]
    """The same, of the owner, or of somebody of theirs."""
    ask: Sequence[Question]
    alone: Sequence[Cues]
    """Each language by itself: a subject of one is not looked for with a verb of another."""
