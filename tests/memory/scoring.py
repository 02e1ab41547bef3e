"""Scores an extractor, and the relation of memories, on labelled sayings.

Figures only: what the held-out files say is never shown.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palaver.embedding.port import Embedder
from palaver.memory.port import Candidate, Saying
from palaver.memory.sameness import Known, relation

LABELLED = Path(__file__).parent / "labelled"
Excerpt = dict[str, Any]
Find = Callable[[Sequence[Saying]], Sequence[Candidate]]
Sayings = Callable[[Excerpt], list[Saying]]


@dataclass
class Score:
    """What was found of some excerpts."""

    extracted: int = 0
    right: int = 0
    expected: int = 0
    matched: int = 0
    leaks: int = 0
    from_traps: int = 0
    """Excerpts that hold nothing, from which something was taken."""
    kinds: dict[str, Counter[str]] = field(default_factory=dict[str, "Counter[str]"])

    @property
    def precision(self) -> float:
        return self.right / self.extracted if self.extracted else 1.0

    @property
    def recall(self) -> float:
        return self.matched / self.expected if self.expected else 1.0


def load(name: str) -> list[Excerpt]:
    lines = (LABELLED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def owners_sayings(excerpt: Excerpt) -> list[Saying]:
    """What the owner has said, each with what the assistant said right before."""
    messages = excerpt["messages"]
    return [
        Saying(
            message_id=str(place),
            conversation_id=excerpt["id"],
            text=message["text"],
            said="2026-01-01T00:00:00Z",
            asked=_asked(messages, place),
        )
        for place, message in enumerate(messages)
        if message["by"] == "owner"
    ]


def all_sayings(excerpt: Excerpt) -> list[Saying]:
    """What anybody has said, as if it were the owner's: the fault that scoring has to find."""
    return [
        Saying(str(place), excerpt["id"], message["text"], "2026-01-01T00:00:00Z")
        for place, message in enumerate(excerpt["messages"])
    ]


def scored(excerpts: Sequence[Excerpt], find: Find, sayings: Sayings = owners_sayings) -> Score:
    score = Score()
    for excerpt in excerpts:
        found = find(sayings(excerpt))
        right = sum(any(_fits(one, wanted) for wanted in excerpt["expect"]) for one in found)
        matched = sum(any(_fits(one, wanted) for one in found) for wanted in excerpt["expect"])
        leaks = sum(_leaks(one, excerpt) for one in found)
        trapped = int(not excerpt["expect"] and bool(found))
        score.extracted += len(found)
        score.right += right
        score.expected += len(excerpt["expect"])
        score.matched += matched
        score.leaks += leaks
        score.from_traps += trapped
        score.kinds.setdefault(excerpt["kind"], Counter()).update(
            extracted=len(found),
            right=right,
            expected=len(excerpt["expect"]),
            matched=matched,
            leaks=leaks,
            trapped=trapped,
        )
    return score


def _asked(messages: Sequence[dict[str, str]], place: int) -> str:
    before = messages[place - 1] if place else None
    return before["text"] if before and before["by"] == "assistant" else ""


def _fits(one: Candidate, wanted: dict[str, Any]) -> bool:
    content = one.content.casefold()
    return (
        one.message_id == str(wanted["message"])
        and one.type in wanted["types"]
        and all(word.casefold() in content for word in wanted["words"])
    )


def _leaks(one: Candidate, excerpt: Excerpt) -> bool:
    return any(never.casefold() in one.content.casefold() for never in excerpt["never"])


@dataclass
class PairScore:
    """How many relations of pairs were told."""

    pairs: int = 0
    right: int = 0
    told: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    """By what is right, and what was told."""

    @property
    def share(self) -> float:
        return self.right / self.pairs if self.pairs else 1.0


def scored_pairs(pairs: Sequence[Excerpt], similarities: Sequence[float | None]) -> PairScore:
    score = PairScore()
    for pair, similarity in zip(pairs, similarities, strict=True):
        told = relation(Known(pair["first"], "fact"), Known(pair["second"], "fact"), similarity)
        score.pairs += 1
        score.right += told == pair["relation"]
        score.told[pair["relation"], told] += 1
    return score


def similarities(pairs: Sequence[Excerpt], model: Embedder) -> list[float | None]:
    """The cosines of the two sayings of each pair."""
    first = _unit(model.embed([pair["first"] for pair in pairs]))
    second = _unit(model.embed([pair["second"] for pair in pairs]))
    return [float(one) for one in np.sum(first * second, axis=1)]


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
