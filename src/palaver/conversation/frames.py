"""Frames: the record of tools with an effect, written before and after each is used.

An attempt that finds a frame of an earlier one knows that the tool was begun, and perhaps what came
of it. Frames name the message and the reply they belong to, so erasure takes them with either.
"""

from __future__ import annotations

from dataclasses import dataclass

from palaver.agent.answering import Frame
from palaver.agent.language import ToolCall
from palaver.agent.toolbox import Output
from palaver.conversation.books import Books
from palaver.index.records import Json, Message
from palaver.ledger import lines

STARTED, FINISHED = "tool_started", "tool_finished"


@dataclass(frozen=True, slots=True)
class LedgerFrames:
    """The Frames of one attempt to answer a message."""

    books: Books
    question: Message
    reply_id: str

    async def started(self, call: ToolCall) -> None:
        await self._write(STARTED, callId=call.id, toolName=call.name, input=call.input)

    async def finished(self, call: ToolCall, output: Output) -> None:
        await self._write(FINISHED, callId=call.id, output=output.kept)

    async def _write(self, event: str, **fields: object) -> None:
        own: Json = {
            "messageId": self.question.id,
            "replyId": self.reply_id,
            "sources": [{"messageId": one} for one in (self.question.id, self.reply_id)],
        }
        draft = lines.event(self.question.conversation_id, event, **own, **fields)
        await self.books.ledger.append([draft])


async def earlier_frames(books: Books, question: Message) -> list[Frame]:
    """The tools with an effect that were begun for a message, in order. Raises NotFound."""
    found: dict[tuple[object, object], Frame] = {}
    for line in await books.ledger.read(question.conversation_id, after=question.seq):
        if line.event not in (STARTED, FINISHED) or line.data.get("messageId") != question.id:
            continue
        data = line.data
        place = (data.get("replyId"), data.get("callId"))
        if line.event == STARTED:
            call = ToolCall(str(data["callId"]), str(data["toolName"]), data.get("input") or {})
            found[place] = Frame(call)
        elif place in found:
            found[place] = Frame(found[place].call, data.get("output"), finished=True)
    return list(found.values())
