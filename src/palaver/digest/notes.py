"""Notes: sentences of a conversation that are worth keeping, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from palaver.digest.state import Item
from palaver.digest.state.heard import Heard, hear
from palaver.digest.state.sentences import Sentence
from palaver.index.records import Json, Message, SummarySource
from palaver.index.rows import UNSEEN
from palaver.index.values import is_echo

Kind = Literal["decision", "open", "said"]
KINDS: tuple[Kind, ...] = ("decision", "open", "said")
_KINDS: dict[str, Kind] = {kind: kind for kind in KINDS}

_NAMED_THING = re.compile(
    r"https?://\S+[\w/]|(?<![\w.+-])[\w.+-]+@[\w-]+\.\w[\w.-]*\w"
    r"|\b(?=[\w-]{0,80}\d)(?=[\w-]{0,80}[^\W\d_])\w[\w-]*\w\b|\b[A-Z]{2}[A-Z0-9_-]*\b"
)
"""Addresses, names with digits in them, capitals. Nothing is looked for twice in a long run of
letters: a message that is one would take minutes."""
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_NAME = re.compile(r"(?<=[^.!?\n] )(?!I\b)[A-Z][^\W\d_]+")
"""A capital inside a sentence."""
_FACT = re.compile(
    r"\b(?:my|our|the|his|her|their|mein\w*|unser\w*) (?:\w+ ){1,4}?(?:is|are|was|ist)\b"
)
_OWN = {"user": 1.0, "assistant": 0.6}
_FEW = 3
_USUAL = 5
"""In a longer message each sentence is worth less."""


@dataclass(frozen=True)
class Note:
    """A sentence, where it was said and by whom."""

    message_id: str
    turn: int
    by: str
    text: str
    kind: Kind
    worth: float = 0.0

    @cached_property
    def marks(self) -> frozenset[str]:
        """The names and numbers in it that no other words can stand for."""
        return marks_of(self.text)

    def to_source(self) -> Json:
        return {
            "messageId": self.message_id,
            "quote": self.text,
            "turn": self.turn,
            "kind": self.kind,
            "by": self.by,
        }


def marks_of(text: str) -> frozenset[str]:
    """The identifiers and numbers in a text."""
    things = {found[0].casefold() for found in _NAMED_THING.finditer(text)}
    return frozenset(things | {found[0] for found in _NUMBER.finditer(text)})


def notes_of(sources: Iterable[SummarySource]) -> list[Note]:
    """The notes that an earlier summary has kept."""
    return [_note(one, one.quote) for one in sources if one.quote]


def _note(source: SummarySource, quote: str) -> Note:
    kind = _KINDS.get(source.kind, "said")
    worth = _worth(quote, kind, source.by)
    return Note(source.message_id, source.turn, source.by, quote, kind, worth)


def open_note(item: Item) -> Note:
    """What is left open, as a note."""
    return Note(item.message_id, item.turn, item.said_by, item.text, "open")


def taken(messages: Iterable[Message]) -> Iterator[Note]:
    """What is worth keeping of the messages; the worth of each note says how much."""
    spoken = "en"
    for message in messages:
        if not is_told(message):
            continue
        heard = hear(message, spoken)
        spoken = heard.language
        yield from _of_message(heard)


def is_told(message: Message) -> bool:
    """Whether a message is told of: not what others wrote, nor what only repeats something."""
    if message.role not in _OWN or message.status in UNSEEN:
        return False
    ours = message.author is None or message.author.kind in {"owner", "assistant"}
    return ours and not is_echo(message.role, message.model)  # those only repeat what was said


def _of_message(heard: Heard) -> Iterator[Note]:
    crowd = min(1.0, _USUAL / max(len(heard.sentences), 1))
    for sentence in heard.sentences:
        kind, worth = weighed(heard, sentence)
        if not sentence.asks and worth > 0 and sentence.size >= _FEW:
            message = heard.message
            own = crowd if kind == "said" else 1.0
            yield Note(
                message.id, message.turn_number, heard.speaker, sentence.text, kind, worth * own
            )


def weighed(heard: Heard, sentence: Sentence) -> tuple[Kind, float]:
    """What kind of note a sentence is, and what it is worth."""
    kind: Kind = "decision" if _decides(heard, sentence) else "said"
    return kind, _worth(sentence.text, kind, heard.speaker) + _leaves(heard, sentence)


def _decides(heard: Heard, sentence: Sentence) -> bool:
    """Whether the user decides something; what the assistant suggests is no decision."""
    cues, low = heard.cues, sentence.low
    if sentence.asks or heard.speaker != "user" or not cues.decided.search(low):
        return False
    return not cues.hypothetical.search(low)


def _leaves(heard: Heard, sentence: Sentence) -> float:
    """What a promise, a task or a date is worth."""
    cues, low = heard.cues, sentence.low
    found = (cues.will, cues.task, cues.reminder, cues.deadline)
    return 0.4 * sum(bool(cue.search(low)) for cue in found)


def _worth(text: str, kind: Kind, by: str) -> float:
    """How much is lost with a sentence: names and numbers cannot be said in other words."""
    worth = 2.0 * (kind == "decision")
    worth += min(len(marks_of(text)), 3) * 0.6
    worth += min(len(_NAME.findall(text)), 2) * 0.4
    worth += 0.5 * bool(_FACT.search(text.casefold()))
    return worth * _OWN.get(by, 0.5)


def flat(text: str) -> str:
    """`text` in one line: white space is no part of what was said."""
    return " ".join(text.split())
