"""What was said in an exchange."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from palaver.conversation.stored import message_of
from palaver.index.records import Message
from palaver.ledger.lines import Line
from palaver.ledger.port import Ledger

_CODE = 6
_LATEST = 50


async def back_until(
    ledger: Ledger, stream: str, enough: Callable[[Sequence[Line]], bool], turns: int = _LATEST
) -> list[Line]:
    """The last lines of an exchange, as many as are enough; all of them if none are. It costs what
    it gives. Raises NotFound."""
    while True:
        stored = await ledger.tail(stream, turns)
        if not stored or stored[0].seq == 0 or enough(stored):
            return stored
        turns *= 4


def said_in(stored: Sequence[Line]) -> list[Message]:
    """What was said in an exchange, as it was said last; nothing of what was taken back."""
    said = {line.id: message_of(line) for line in stored if line.type == "turn"}
    for line in stored:
        about = line.data.get("messageId")
        if not isinstance(about, str) or about not in said:
            continue
        if line.event == "retracted":
            del said[about]
        elif line.event == "edited" and isinstance(text := line.data.get("content"), str):
            said[about] = said[about].model_copy(update={"content": text})
    return list(said.values())


def is_claimed(message: Message) -> bool:
    """Whether somebody else may have written it: it is shown to nobody but the owner."""
    return message.author is not None and message.author.grade == "claimed"


def is_owners(line: Line) -> bool:
    """Whether the owner has written it themselves."""
    author = message_of(line).author if line.type == "turn" else None
    return author is not None and author.kind == "owner"


def code_of(stored_id: str) -> str:
    """What a draft or an exchange is called in commands."""
    return stored_id[-_CODE:].lower()
