"""Digests without a model: what they cost, and whether conversations are found by them.

The second part reads a file of LongMemEval, named by PALAVER_TEST_LONGMEMEVAL or as in
`python -m benchmarks.digest PATH`; without one it is left out. Nothing of the data is kept.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.result import Result
from benchmarks.sentences import sentences
from benchmarks.vectors import CACHE
from palaver.context.tokens import EstimatedTokens
from palaver.digest.offline.making import made
from palaver.digest.offline.task import Task
from palaver.digest.offline.weighing import pieces_of
from palaver.digest.port import MOST_TOKENS, Made, Want
from palaver.embedding import load_embedder
from palaver.evaluation import Question, Remembered, read_questions
from palaver.evaluation.metrics import any_at
from palaver.index.records import Message
from palaver.text import LONG, SHORT, pieces

DATA = "PALAVER_TEST_LONGMEMEVAL"
BOTH: frozenset[Want] = frozenset({"abbreviation", "title"})
TURNS, REPLY, ROUNDS = 50, 24, 10
WITHIN = 5
count = EstimatedTokens().count

Texts = Mapping[str, str]
Vectors = NDArray[np.float32]


def run() -> list[Result]:
    path = os.environ.get(DATA)
    return [cost(), *([quality(Path(path))] if path else [])]


# -- what it costs ---------------------------------------------------------------------------


def cost() -> Result:
    """CPU time of one conversation with replies of usual length, and any vectors."""
    how = (
        f"A conversation of {TURNS} turns with replies of {REPLY} sentences; CPU time, the median."
    )
    result = Result("Digest without a model", how)
    told = iter(sentences(TURNS * (REPLY + 2) * ROUNDS))
    talks = [
        [_message(n, " ".join(islice(told, REPLY if n % 2 else 2))) for n in range(2 * TURNS)]
        for _ in range(ROUNDS)
    ]
    tasks = [Task(talk, (), (), _any_vectors(talk), BOTH) for talk in talks]
    made(tasks[0], count)
    taken = [_seconds(task) for task in tasks[1:]]
    result.at_most("abbreviation and title", float(np.median(taken)) * 1000, "ms", 100)
    return result


def _seconds(task: Task) -> float:
    began = time.thread_time()
    made(task, count)
    return time.thread_time() - began


def _any_vectors(messages: Sequence[Message]) -> dict[str, Vectors]:
    texts = [text for one in messages for text in pieces_of(one)]
    drawn = np.random.default_rng(1).normal(size=(len(texts), 384)).astype(np.float32)
    return dict(zip(texts, drawn / np.linalg.norm(drawn, axis=1, keepdims=True), strict=True))


def _message(number: int, text: str, role: str = "") -> Message:
    return Message.model_validate(
        {
            "id": f"msg-{number}",
            "conversationId": "conv-1",
            "seq": number,
            "role": role or ("assistant" if number % 2 else "user"),
            "content": text,
            "timestamp": "2026-03-14T09:30:00.000Z",
            "turnNumber": number // 2 + 1,
        }
    )


# -- whether conversations are found by it ---------------------------------------------------


def quality(path: Path) -> Result:
    """How often the conversation that is asked for is among the first by its abbreviation alone."""
    questions = read_questions(path)
    how = (
        f"{len(questions)} questions of LongMemEval. The only text of each conversation is its "
        f"abbreviation, or its first {MOST_TOKENS} tokens; the nearest piece of it counts. "
        f"Found: one with the answer is among the first {WITHIN}, of the user's own conversations "
        "or of those of all users."
    )
    result = Result("Digest: found by it", how)
    talks = {
        name: _talk([(one.role, one.content) for one in said if one.content.strip()])
        for question in questions
        for name, said in zip(question.ids, question.history, strict=True)
    }
    model = Remembered(load_embedder(CACHE))
    digests = {name: _digest(talk, model) for name, talk in talks.items()}
    texts = {name: one.abbreviation.text for name, one in digests.items() if one.abbreviation}
    first = {name: _beginning(talk) for name, talk in talks.items()}
    for short, named in ((True, "pieces of 30 words"), (False, "pieces of 90 words")):
        for pooled in (False, True):
            among = "all" if pooled else "own"
            was = _found(questions, _cut(first, short=short), model, pooled=pooled)
            now = _found(questions, _cut(texts, short=short), model, pooled=pooled)
            result.note(f"{among} conversations, {named}: first tokens", was, "%")
            result.note(f"{among} conversations, {named}: abbreviation", now, "%")
    _titles(result, questions, digests)
    return result


def _talk(said: Sequence[tuple[str, str]]) -> list[Message]:
    return [_message(number, text, role) for number, (role, text) in enumerate(said)]


def _digest(talk: Sequence[Message], model: Remembered) -> Made:
    texts = [text for one in talk for text in pieces_of(one)]
    vectors = dict(zip(texts, model.embed(texts), strict=True))
    return made(Task(talk, (), (), vectors, BOTH), count)


def _beginning(talk: Sequence[Message]) -> str:
    """As much of a conversation as an abbreviation may have."""
    text = "\n".join(one.content for one in talk)[: MOST_TOKENS * 8]
    while count(text) > MOST_TOKENS:
        text = text[: len(text) * 98 // 100]
    return text


def _cut(texts: Texts, *, short: bool) -> dict[str, list[str]]:
    size = SHORT if short else LONG
    return {
        name: [text[start:end] for start, end in pieces(text, size)] for name, text in texts.items()
    }


def _found(
    questions: Sequence[Question],
    parts: Mapping[str, Sequence[str]],
    model: Remembered,
    *,
    pooled: bool,
) -> float:
    vectors = {name: model.embed(some) for name, some in parts.items() if some}
    hits: list[float] = []
    for question in questions:
        asked = model.embed([question.text])[0]
        names = vectors if pooled else [name for name in question.ids if name in vectors]
        nearest = sorted(names, key=lambda name: -float((vectors[name] @ asked).max()))
        hits.append(any_at(nearest, question.answers, WITHIN))
    return 100 * sum(hits) / len(hits)


def _titles(result: Result, questions: Sequence[Question], digests: Mapping[str, Made]) -> None:
    shares: list[float] = []
    for question in questions:
        taken: set[str] = set()
        own = [digests[name].naming for name in question.ids]
        for naming in own:
            free = (one for one in (naming.titles if naming else ()) if one.casefold() not in taken)
            taken.add(next(free, "").casefold())
        shares.append(len(taken - {""}) / len(own))
    result.at_least("titles that no other has", 100 * sum(shares) / len(shares), "%", 95)


if __name__ == "__main__":
    print(quality(Path(sys.argv[1])).table())
