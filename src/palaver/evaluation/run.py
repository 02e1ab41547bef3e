"""The run: each question is asked in a new scene with its history, by words and by meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal

from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.embedding import Embedder
from palaver.errors import IndexDegraded
from palaver.evaluation.longmemeval import Question, Said
from palaver.evaluation.metrics import (
    Scores,
    conversation_scores,
    mean_scores,
    percentile,
    round_scores,
)
from palaver.evaluation.scenes import Scene, new_scene
from palaver.settings import Settings

CONVERSATIONS = 10
ROUNDS = 50
_WARMING = "weather"

Mode = Literal["fullText", "hybrid"]
Place = tuple[str, int]
"""A round: its conversation as the data names it, and its turn."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Means over some questions; those that have nothing to find are not counted."""

    questions: int
    conversations: Scores
    rounds: Scores


@dataclass(frozen=True, slots=True)
class Asked:
    """How one question fared."""

    type: str
    conversations: Scores | None
    rounds: Scores | None
    seconds: float


@dataclass(slots=True)
class ModeReport:
    """How every question fared in one mode."""

    asked: list[Asked] = field(default_factory=list[Asked])

    def overall(self) -> Summary:
        return _summary(self.asked)

    def by_type(self) -> dict[str, Summary]:
        types = sorted({one.type for one in self.asked})
        return {name: _summary([one for one in self.asked if one.type == name]) for name in types}

    def latency(self, share: float) -> float:
        """The milliseconds within which that share of the searches was answered."""
        return percentile([one.seconds for one in self.asked], share) * 1000


@dataclass(slots=True)
class History:
    """Where the conversations of a question came to stand."""

    names: dict[str, str] = field(default_factory=dict[str, str])
    """From our id to the name in the data; a conversation may be there twice."""
    answers: set[Place] = field(default_factory=set[Place])


class Evaluation:
    """Asks questions, each in a scene of its own that is removed afterwards."""

    def __init__(self, settings: Settings, embedder: Embedder | None) -> None:
        """Without an `embedder`, nothing is looked for by meaning."""
        self._settings = settings
        self._embedder = embedder
        modes: tuple[Mode, ...] = ("fullText", "hybrid") if embedder else ("fullText",)
        self.reports = {mode: ModeReport() for mode in modes}

    async def run(self, questions: Sequence[Question], advance: Callable[[int, int], None]) -> None:
        """Asks every question; `advance` is told how many are done, and of how many.

        Raises InputError, StorageError, IndexUnavailable.
        """
        for done, question in enumerate(questions):
            advance(done, len(questions))
            with new_scene(self._settings) as scene:
                await self._ask(question, scene)

    async def _ask(self, question: Question, scene: Scene) -> None:
        """One question in every mode, on the same history: the words are stored once."""
        history: History | None = None
        for mode, report in self.reports.items():
            async with self._open(question, scene, meaning=mode == "hybrid") as palaver:
                history = history or await bring_in(palaver, question)
                await palaver.catch_up()
                if (health := palaver.health()).status != "ok":
                    raise IndexDegraded(health.detail)
                report.asked.append(await _asked(palaver, question, history))

    def _open(self, question: Question, scene: Scene, *, meaning: bool) -> Palaver:
        """The library at the time at which the question was asked."""
        return Palaver.open(
            settings=scene.settings,
            user=scene.user,
            clock=lambda: question.date,
            index_vectors=meaning,
            embedder=self._embedder,
            digests=False,
        )


async def bring_in(palaver: Palaver, question: Question) -> History:
    """Stores the history of a question, with its dates."""
    history = History()
    for name, date, said in zip(question.ids, question.dates, question.history, strict=True):
        spoken = [one for one in said if one.content.strip()]
        if not spoken:
            continue
        conversation = await palaver.start()
        messages = [
            NewMessage(role=one.role, content=one.content, timestamp=date) for one in spoken
        ]
        stored = await palaver.append_many(conversation.id, messages)
        history.names[conversation.id] = name
        turns = [message.turn_number for message in stored]
        history.answers |= _answers(name, spoken, turns)
    return history


def _answers(name: str, said: Iterable[Said], turns: Iterable[int]) -> set[Place]:
    return {(name, turn) for one, turn in zip(said, turns, strict=True) if one.has_answer}


async def _asked(palaver: Palaver, question: Question, history: History) -> Asked:
    await palaver.search(_WARMING)
    began = perf_counter()
    conversations = await palaver.search(question.text, limit=CONVERSATIONS)
    seconds = perf_counter() - began
    rounds = await palaver.search_messages(question.text, limit=ROUNDS)
    names = history.names
    found = list(dict.fromkeys(names[one.conversation_id] for one in conversations))
    places = list(dict.fromkeys((names[one.conversation_id], one.turn_number) for one in rounds))
    return Asked(
        question.type,
        conversation_scores(found, question.answers) if question.answers else None,
        round_scores(places, history.answers) if history.answers else None,
        seconds,
    )


def _summary(asked: Sequence[Asked]) -> Summary:
    return Summary(
        len(asked),
        mean_scores(one.conversations for one in asked if one.conversations is not None),
        mean_scores(one.rounds for one in asked if one.rounds is not None),
    )
