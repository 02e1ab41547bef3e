"""What the tools gave, read again: conversations that were found, and the messages in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from palaver.agent.offline.plan import Call, call
from palaver.index.records import Author, Json, Message
from palaver.recall.results import Hit

_RANGES = 8
"""So many stretches of conversations are read."""
_FADING = 0.95
"""What the score of a conversation is worth at its second best turn, and so on."""


@dataclass(frozen=True, slots=True)
class Result:
    """A conversation in which something was found."""

    conversation_id: str
    score: float
    turns: Sequence[int]
    """Those that matched, best first."""

    def hits(self, messages: Iterable[Message]) -> Iterator[Hit]:
        """Those of its messages that stand in a turn that matched."""
        ranks = {turn: rank for rank, turn in enumerate(self.turns)}
        for message in messages:
            rank = ranks.get(message.turn_number)
            if rank is not None and message.conversation_id == self.conversation_id:
                yield Hit(message, self.score * _FADING**rank)


def results_in(found: Json) -> list[Result]:
    """What `search_conversations` gave."""
    return [
        Result(one["conversationId"], one["score"], one["matchedTurns"])
        for one in found.get("results", ())
    ]


def reading(results: Sequence[Result]) -> list[Call]:
    """The calls that read what was found: the best stretch of each conversation comes first."""
    calls = [
        [fetch(one.conversation_id, first, last) for first, last in _stretches(one.turns)]
        for one in results
    ]
    return [one for one in chain.from_iterable(zip_longest(*calls)) if one][:_RANGES]


def fetch(conversation_id: str, first: int, last: int) -> Call:
    span = {"from": first, "to": last}
    return call("fetch_context", conversationId=conversation_id, turnRange=span)


def messages_in(fetched: Iterable[Json]) -> list[Message]:
    """The messages that calls of `fetch_context` gave; none twice."""
    found: dict[str, Message] = {}
    for one in fetched:
        for turn in one.get("turns", ()):
            found.setdefault(turn["messageId"], _message(one["conversationId"], turn))
    return list(found.values())


def titles_in(given: Iterable[Json]) -> dict[str, str | None]:
    """The titles of the conversations that calls of `fetch_context` gave."""
    return {one["conversationId"]: one["conversationName"] for one in given if one}


def _message(conversation_id: str, turn: Json) -> Message:
    author = turn["author"]
    return Message(
        id=turn["messageId"],
        conversation_id=conversation_id,
        seq=0,
        role=turn["role"],
        content=turn["content"],
        timestamp=turn["timestamp"],
        turn_number=turn["turnNumber"],
        sender=turn["sender"],
        author=Author.model_validate(author) if author else None,
        model=turn["model"],
    )


def _stretches(turns: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of turns without a gap, the one with the best turn first."""
    best = {turn: rank for rank, turn in reversed(list(enumerate(turns)))}
    runs: list[list[int]] = []
    for turn in sorted(best):
        if runs and runs[-1][-1] == turn - 1:
            runs[-1].append(turn)
        else:
            runs.append([turn])
    runs.sort(key=lambda run: min(best[turn] for turn in run))
    return [(run[0], run[-1]) for run in runs]
