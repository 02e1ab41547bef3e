"""The retriever: a round is worth its relevance, what is open in it, and a little its recency."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from palaver.app import Palaver
from palaver.context.retriever import Retriever, Wanted
from palaver.context.sections import Piece, Purse
from palaver.context.tokens import EstimatedTokens
from palaver.index.port import Reach
from palaver.index.records import Message
from palaver.recall.ranking import FoundRound
from palaver.recall.scope import Scope
from palaver.recall.search import Search
from tests.context.makers import talk


class Scored(Search):
    """A search that finds what it is told, and remembers where it looked."""

    def __init__(self, found: list[FoundRound]) -> None:
        self.found = found
        self.scopes: list[Scope] = []

    async def glance(
        self, query: str, scope: Scope, *, limit: int, reach: Reach
    ) -> list[FoundRound]:
        self.scopes.append(scope)
        return self.found


class Asking:
    """A conversation of twelve turns, and what a retriever finds in it."""

    def __init__(self, palaver: Palaver, messages: list[Message]) -> None:
        self.palaver = palaver
        self.said = [one for one in messages if one.role == "user"]

    async def rounds(
        self, scores: dict[int, float], *, budget: int = 2000, **wanted: Any
    ) -> list[int]:
        """The turns that are shown when recall scores them so."""
        index = self.palaver._index  # pyright: ignore[reportPrivateUsage]
        search = Scored([_found(self.said[turn - 1], score) for turn, score in scores.items()])
        conversation = await self.palaver.conversation(self.said[0].conversation_id)
        retriever = Retriever(search, index, self.palaver.user, lambda: UTC)
        found = await retriever.find(conversation, wanted.pop("text", "boats"))
        given: dict[str, Any] = {"found": found, "turn": 13, "seen": dict[str, int](), "open": {}}
        piece = await retriever.rounds(
            conversation, Wanted(**{**given, **wanted}), Purse("rounds", budget, EstimatedTokens())
        )
        assert {scope.conversation_id for scope in search.scopes} <= {conversation.id}
        return _turns(piece)


def _found(message: Message, score: float) -> FoundRound:
    places = [(message.conversation_id, message.seq)]
    return FoundRound(message.conversation_id, message.turn_number, score, places, (0, 1), {})


def _turns(piece: Piece | None) -> list[int]:
    lines = piece.text.split("\n") if piece else []
    return [int(line.split()[3]) for line in lines if line.startswith("> Turn number")]


async def asking(palaver: Palaver) -> Asking:
    texts = [f"Turn number {n // 2 + 1} of it." if n % 2 == 0 else "Yes." for n in range(24)]
    conversation = await talk(palaver, *texts)
    return Asking(palaver, (await palaver.messages(conversation, limit=200)).messages)


async def test_only_rounds_worth_it_are_shown_in_order_of_time(palaver: Palaver) -> None:
    asked = await asking(palaver)
    assert await asked.rounds({9: 0.5, 3: 0.7, 5: 0.15}) == [3, 9]
    assert await asked.rounds({5: 0.15}) == []
    many = {turn: 0.3 + turn / 100 for turn in range(1, 12)}
    assert await asked.rounds(many) == [6, 7, 8, 9, 10, 11]


async def test_what_is_open_lifts_a_round(palaver: Palaver) -> None:
    asked = await asking(palaver)
    assert await asked.rounds({}, open={4: asked.said[3].id}) == [4]
    assert await asked.rounds({4: 0.1, 6: 0.9}, open={4: asked.said[3].id}) == [4, 6]


async def test_the_newer_of_equal_rounds_is_preferred(palaver: Palaver) -> None:
    asked = await asking(palaver)
    assert await asked.rounds({2: 0.4, 11: 0.4}, budget=90) == [11]


async def test_what_is_seen_is_not_shown(palaver: Palaver) -> None:
    asked = await asking(palaver)
    seen = {asked.said[2].id: asked.said[2].seq}
    assert await asked.rounds({3: 0.7, 9: 0.5}, seen=seen) == [9]
    assert await asked.rounds({}, seen=seen, open={3: asked.said[2].id}) == []
    first = {one.id: one.seq for one in asked.said[:8]}  # they take nobody's place
    scores = dict.fromkeys(range(1, 9), 0.9) | {10: 0.4}
    assert await asked.rounds(scores, seen=first) == [10]


async def test_a_message_without_a_word_is_not_looked_for(palaver: Palaver) -> None:
    asked = await asking(palaver)
    assert await asked.rounds({3: 0.7}, text="…!") == []


async def test_a_message_that_is_erased_meanwhile_is_passed_over(palaver: Palaver) -> None:
    asked = await asking(palaver)
    gone = asked.said[2]
    assert await asked.rounds({9: 0.5}, open={3: "msg-01HQXK5J7G8M3N4P5R6S7T8V9W"}) == [9]
    await asked.palaver.redact(gone.conversation_id, gone.id)
    assert await asked.rounds({3: 0.7, 9: 0.5}) == [9]
