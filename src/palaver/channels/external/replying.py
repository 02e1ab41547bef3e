"""Replying: the owner answers an outsider in words of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palaver.channels.connection import Connection
from palaver.channels.external.said import back_until, said_in
from palaver.conversation.books import Books
from palaver.conversation.stored import API, message_of, namespaced
from palaver.errors import Conflict, KeyReused
from palaver.index.records import ExternalMeta, Message
from palaver.ledger import lines
from palaver.ledger.lines import Draft, Line


@dataclass(frozen=True, slots=True)
class Replies:
    """Sends what one user writes to outsiders."""

    books: Books
    connections: Mapping[str, Connection]

    async def send(
        self, meta: ExternalMeta, text: str, key: str | None, surface: str = API
    ) -> Message:
        """Has the owner's words sent, once for each key. Raises InputError, Conflict, KeyReused,
        Erased, StorageError, IndexUnavailable."""
        named = namespaced(surface, key)
        if named and (earlier := await self._earlier(meta, text, named)):
            return earlier
        question = await self.question(meta)
        seen = lines.event(meta.id, "seen", key=f"seen:{named}" if named else None)
        answer = _turn(meta, self.books.user, question, text, named)
        return message_of((await self.books.ledger.append([answer, seen]))[0].line)

    async def question(self, meta: ExternalMeta) -> Line:
        """The message that is answered: it says where an answer goes. Raises Conflict when none can
        be sent, StorageError."""
        if meta.channel not in self.connections:
            raise Conflict(
                f"The channel {meta.channel} is off.",
                remedy=f"Turn `channels.{meta.channel}` on in config.yaml, and restart Palaver.",
            )
        stored = await back_until(
            self.books.ledger, meta.id, lambda some: _proven(some) is not None
        )
        if (found := _proven(stored)) is None:
            raise Conflict(
                "Nothing here is proven to be theirs: who gets an answer may never have written.",
                remedy="Write to them by another way. Mail is proven if "
                "`channels.email.trustedAuthservIds` names your mail server.",
            )
        return found

    async def _earlier(self, meta: ExternalMeta, text: str, key: str) -> Message | None:
        """What the key was used for. Raises KeyReused when that was something else."""
        stream = await self.books.ledger.where(key)
        if stream is None:
            return None
        stored = await self.books.ledger.read(stream) if stream == meta.id else []
        line = next((one for one in stored if one.data.get("key") == key), None)
        if line is None or line.data.get("content") != text:
            raise KeyReused
        return message_of(line)


def _turn(meta: ExternalMeta, user: str, question: Line, text: str, key: str | None) -> Draft:
    return lines.turn(
        meta.id,
        "assistant",
        text,
        channel=meta.channel,
        author={"kind": "owner", "id": user},
        key=key,
        replyTo=question.id,
        deliver=question.data["respond"],
    )


def _proven(stored: Sequence[Line]) -> Line | None:
    """The last message that is certainly theirs, and was not taken back."""
    by_id = {line.id: line for line in stored if isinstance(line.data.get("respond"), dict)}
    for said in reversed(said_in(stored)):
        if said.id in by_id and said.author is not None and said.author.grade == "proven":
            return by_id[said.id]
    return None
