"""What channels write: lines to be sent, and exchanges with outsiders."""

from __future__ import annotations

from typing import Any

from palaver.ledger.lines import meta
from tests.index.worlds import USER, World

X, Y, Z = "ext-X", "ext-Y", "ext-Z"


def deliver(place: str, channel: str = "whatsapp") -> dict[str, Any]:
    """To which place a line is to be sent."""
    return {"channel": channel, "place": {"kind": "contact", "id": place, "name": None}}


async def exchange(
    world: World,
    stream: str = X,
    *contents: str,
    party: str = "sarah@example.org",
    name: str | None = "Sarah",
    channel: str = "email",
) -> None:
    """An exchange in which an outsider and the assistant take turns."""
    given: dict[str, Any] = {"channel": channel, "party": {"id": party, "name": name}}
    await world.write(meta(stream, user=USER, **given))
    for number, content in enumerate(contents):
        role = ("user", "assistant")[number % 2]
        author = {"kind": "participant", "id": party, "grade": "proven"}
        await world.say(stream, role, content, author=None if number % 2 else author)
