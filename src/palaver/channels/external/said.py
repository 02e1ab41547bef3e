"""What was said in an exchange."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.conversation.stored import message_of
from palaver.index.records import Message
from palaver.ledger.lines import Line

_CODE = 6


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
