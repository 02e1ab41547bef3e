"""A diary: what was said in the continuous conversation, day by day, and what tells of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from palaver.app import Palaver
from palaver.conversation.records import Choices, NewMessage
from palaver.index.records import Message
from palaver.ledger.lines import event
from tests.library import Clock


@dataclass(frozen=True, slots=True)
class Diary:
    """Writes the continuous conversation of one user."""

    palaver: Palaver
    clock: Clock

    async def on(self, moment: str, *texts: str) -> list[Message]:
        """The user and the assistant say some texts in turn, from a moment on."""
        self.clock.now = datetime.fromisoformat(moment)
        conversation = await self.palaver.continuous.ensure()
        found: list[Message] = []
        for number, text in enumerate(texts):
            new = NewMessage(role=("user", "assistant")[number % 2], content=text)
            found += await self.palaver.append_many(conversation.id, [new])
        return found

    async def lives_in(self, zone: str) -> None:
        await self.palaver.set_me(Choices(timezone=zone))

    async def tell(
        self, label: str, text: str, covers: Message, sources: Sequence[dict[str, Any]] = ()
    ) -> None:
        """A summary of a day, as whoever makes them stores it."""
        told = event(
            covers.conversation_id,
            "day_summary",
            day=label,
            summary=text,
            covers=covers.seq,
            through=covers.turn_number,
            sources=list(sources),
            by="offline",
            reason="messages",
        )
        await self.palaver._ledger.append([told])  # pyright: ignore[reportPrivateUsage]


def source(message: Message, point: int, kind: str = "said", quote: str | None = None) -> Any:
    """What a line of a summary stands on."""
    named = {"messageId": message.id, "turn": message.turn_number, "kind": kind, "point": point}
    return named | ({"quote": quote} if quote else {})
