"""What tests of this room say."""

from __future__ import annotations

from palaver.app import Palaver
from palaver.conversation.records import NewMessage


async def talk(palaver: Palaver, *texts: str, conversation_id: str | None = None) -> str:
    """A conversation in which user and assistant take turns, or more of one."""
    named = conversation_id or (await palaver.start()).id
    roles = ("user", "assistant")
    messages = [NewMessage(role=roles[n % 2], content=text) for n, text in enumerate(texts)]
    await palaver.append_many(named, messages)
    return named


def turns(count: int, start: int = 0) -> list[str]:
    """So many turns in which nothing is asked or promised."""
    said = ("The weather of day {} was fine.", "Good to hear about day {}.")
    return [text.format(start + number) for number in range(count) for text in said]
