"""Packets that were sent: what a model was given for a reply, kept with the reply."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from palaver.context.packet import ContextPacket
from palaver.context.references import PacketReferences
from palaver.context.showing import PacketReader
from palaver.conversation.books import Books
from palaver.errors import NotFound


@dataclass(frozen=True, slots=True)
class SentPackets:
    """Shows the packets that replies of one user were made from."""

    books: Books
    reader: PacketReader

    async def show(
        self, conversation_id: str, turn: int, *, memories: bool = True
    ) -> ContextPacket:
        """The packet of the current reply in a turn. Raises NotFound, IndexUnavailable."""
        found = await self.books.index.turns(self.books.user, conversation_id, turn, turn)
        replies = [one for one in found if one.role == "assistant"]
        kept = await self._kept(conversation_id, replies[-1].seq) if replies else None
        if kept is None:
            raise NotFound(
                f"No context was kept for turn {turn}.",
                remedy="It is kept with each reply that Palaver makes.",
            )
        return await self.reader.show(conversation_id, kept, memories=memories)

    async def _kept(self, conversation_id: str, seq: int) -> PacketReferences | None:
        lines = await self.books.ledger.read(conversation_id, after=seq - 1, limit=1)
        try:
            return PacketReferences.model_validate(lines[0].data.get("packet")) if lines else None
        except ValidationError:
            return None
