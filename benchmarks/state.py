"""The state of a conversation: how much of it is right, and what a message costs."""

from __future__ import annotations

import time

from benchmarks.result import Result
from palaver.digest.state import fold_all
from palaver.index.records import Message
from tests.digest.state.scoring import SETS, dialogues, scored

KINDS = ("loop", "clarification", "job")
ROUNDS = 5


def run() -> list[Result]:
    return [*(items(name) for name in SETS), cost()]


def items(half: str) -> Result:
    """Precision and recall over the items of one half of the dialogues."""
    name = half.replace("_", "-")
    traps = sum(not dialogue.expected for dialogue in dialogues(name))
    how = (
        f"{len(dialogues(name))} hand-written dialogues; in {traps} of them nothing is to be found."
    )
    result = Result(f"State: the {name} dialogues", how)
    score = scored(name)
    result.at_least("precision", score.precision, "", 0.9)
    result.at_least("recall", score.recall, "", 0.8)
    for kind in KINDS:
        part = scored(half, kind)
        result.note(f"{kind}: items", part.right + part.missed, "")
        result.note(f"{kind}: precision", part.precision, "")
        result.note(f"{kind}: recall", part.recall, "")
    return result


def cost() -> Result:
    """The fold alone, over all dialogues, with everything compiled."""
    result = Result("State: cost of a message", "CPU time of the fold, over all dialogues.")
    said = [one.messages for name in SETS for one in dialogues(name)]
    _fold(said)
    started = time.process_time()
    for _ in range(ROUNDS):
        _fold(said)
    spent = time.process_time() - started
    result.at_most("a message", spent / ROUNDS / sum(map(len, said)) * 1000, "ms", 1)
    return result


def _fold(conversations: list[list[Message]]) -> None:
    for messages in conversations:
        fold_all(messages)
