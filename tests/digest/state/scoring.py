"""Scoring a fold against hand-written dialogues: which items stand open, and which were closed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from palaver.digest.state import State, fold_all
from palaver.index.records import Message

FOLDER = Path(__file__).parent / "dialogues"
FRESH = tuple(f"fresh_{number}" for number in range(1, 12))
"""Sets that were scored at first sight, before any rule was changed for them, in their order."""
SETS = ("tuning", "held_out", *FRESH)
_SPOKEN = re.compile(r"^([UA]): ", re.MULTILINE)
_LOOP, _CLARIFICATION, _JOB = "loop", "clarification", "job"


class Expected(NamedTuple):
    """An item: its kind, the number of the message it comes from, and how it stands."""

    kind: str
    message: int
    standing: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation, and what is expected of its state at the end."""

    name: str
    messages: list[Message]
    expected: list[list[Expected]]
    """Its items; one that may rightly be told from either of two messages has both."""

    def wanted(self, there: Counter[Expected]) -> Counter[Expected]:
        """What is expected, by the messages that `there` names where several are right."""
        return Counter(
            next((one for one in items if one in there), items[0]) for items in self.expected
        )


@dataclass(slots=True)
class Score:
    """How many items were found rightly, found wrongly and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0
    mistakes: list[str] = field(default_factory=list[str])

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    def add(self, name: str, expected: Counter[Expected], found: Counter[Expected]) -> None:
        self.right += (expected & found).total()
        self.wrong += (found - expected).total()
        self.missed += (expected - found).total()
        if expected != found:
            wrong, missed = list((found - expected).elements()), list((expected - found).elements())
            self.mistakes.append(f"{name}: found {wrong}, missed {missed}")


def dialogues(name: str) -> list[Dialogue]:
    """The dialogues of one set."""
    given: list[dict[str, Any]] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text())
    return [
        Dialogue(one["name"], spoken(one["said"]), [_expected(item) for item in one["expect"]])
        for one in given
    ]


def spoken(text: str) -> list[Message]:
    """The messages of a dialogue written with `U: ` and `A: ` before what each says."""
    parts = _SPOKEN.split(text)[1:]
    turn, messages = 0, list[Message]()
    for number, (who, content) in enumerate(zip(parts[::2], parts[1::2], strict=True), start=1):
        turn += who == "U"
        messages.append(said("user" if who == "U" else "assistant", content.strip(), number, turn))
    return messages


def said(role: Any, content: str, seq: int, turn: int, **fields: Any) -> Message:
    return Message(
        id=f"msg-{seq}",
        conversation_id="conv-1",
        seq=seq,
        role=role,
        content=content,
        timestamp="2026-02-14T09:00:00.000Z",
        turn_number=max(turn, 1),
        **fields,
    )


def found(state: State) -> Counter[Expected]:
    """The items of a state, as the dialogues name them."""
    items = [*state.open_loops, *state.pending_clarifications, *state.active_job_refs]
    return Counter(
        Expected(
            item.kind if item.kind in {_CLARIFICATION, _JOB} else _LOOP,
            int(item.message_id.removeprefix("msg-")),
            "closed" if item.closed else "open",
        )
        for item in [*items, *state.closed]
    )


def scored(name: str, only: str | None = None) -> Score:
    """The score of one set, over all items or only those of one kind or standing."""
    score = Score()
    for dialogue in dialogues(name):
        there = found(fold_all(dialogue.messages))
        score.add(dialogue.name, _only(dialogue.wanted(there), only), _only(there, only))
    return score


def _only(items: Counter[Expected], only: str | None) -> Counter[Expected]:
    return Counter(
        {item: n for item, n in items.items() if only in {None, item.kind, item.standing}}
    )


def _expected(text: str) -> list[Expected]:
    kind, messages, standing = text.split()
    return [Expected(kind, int(message), standing) for message in messages.split("/")]
