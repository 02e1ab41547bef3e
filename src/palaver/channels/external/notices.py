"""Notices: what an outsider is told without a model, and what the owner is told of an outsider."""

from __future__ import annotations

from palaver.agent.markdown import inline
from palaver.text import quoted

ACKNOWLEDGED = (
    "Thank you for your message. It has been received, and will be read. "
    "This is an automatic reply."
)
_NAMES = {"whatsapp": "WhatsApp", "email": "e-mail", "telegram": "Telegram"}
_SHOWN = 600
_NAME = 60


def wrote(who: str, channel: str, text: str, code: str | None) -> str:
    """Somebody wrote, and the owner is to decide what becomes of it. `code` is how they answer by
    command, if they can."""
    told = f"{who} wrote by {spoken(channel)}:\n\n{excerpt(text)}\n\nNobody has answered."
    return f"{told} `/answer {code} your words` sends them yours." if code else told


def drafted(who: str, channel: str, text: str, draft: str, code: str) -> str:
    """A reply waits for the owner's word."""
    return (
        f"{who} wrote by {spoken(channel)}:\n\n{excerpt(text)}\n\nA reply is drafted:\n\n"
        f"{excerpt(draft)}\n\n`/approve {code}` sends it, `/edit {code} other words` sends those, "
        f"`/reject {code}` sends nothing."
    )


def who(name: str | None, party: str, *, claimed: bool = False) -> str:
    """Somebody, by the name they give themselves and by what the channel knows them by."""
    called = inline(" ".join((name or "").split())[:_NAME])
    proven = ", merely claimed" if claimed else ""
    return f"{called} ({inline(party)}{proven})" if called else f"{inline(party)}{proven}"


def excerpt(text: str) -> str:
    """The beginning of what somebody wrote, quoted, so that it cannot pass for anybody else's."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
    return quoted(shown)


def spoken(channel: str) -> str:
    return _NAMES.get(channel, channel)
