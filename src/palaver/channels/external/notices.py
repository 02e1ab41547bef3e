"""Notices: what an outsider is told without a model, and what the owner is told of an outsider."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from palaver.agent.markdown import inline
from palaver.text import quoted

ACKNOWLEDGED = (
    "Thank you for your message. It has been received, and will be read. "
    "This is an automatic reply."
)
_NAMES = {"whatsapp": "WhatsApp", "email": "e-mail", "telegram": "Telegram"}
_SHOWN = 600
_NAME = 60


@dataclass(frozen=True, slots=True)
class Writer:
    """Who wrote, as the owner is told."""

    channel: str
    name: str | None
    """What they call themselves."""
    party: str
    """What the channel knows them by."""
    is_claimed: bool = False

    @property
    def subject(self) -> str:
        """In plain text, on one line."""
        return self._told(str)

    @property
    def sentence(self) -> str:
        """The same in Markdown, in which what they chose means nothing."""
        return self._told(inline)

    def _told(self, shown: Callable[[str], str]) -> str:
        name = shown(_one_line(self.name or "")[:_NAME])
        party = shown(_one_line(self.party))
        proven = ", merely claimed" if self.is_claimed else ""
        who = f"{name} ({party}{proven})" if name else f"{party}{proven}"
        return f"{who} wrote by {spoken(self.channel)}"


def wrote(writer: Writer, text: str, code: str | None) -> str:
    """Somebody wrote, and the owner is to decide what becomes of it. `code` is how they answer by
    command, if they can."""
    told = f"{writer.sentence}:\n\n{excerpt(text)}\n\nNobody has answered."
    return f"{told} `/answer {code} your words` sends them yours." if code else told


def drafted(writer: Writer, text: str, draft: str, code: str) -> str:
    """A reply waits for the owner's word."""
    return (
        f"{writer.sentence}:\n\n{excerpt(text)}\n\nA reply is drafted:\n\n"
        f"{excerpt(draft)}\n\n`/approve {code}` sends it, `/edit {code} other words` sends those, "
        f"`/reject {code}` sends nothing."
    )


def excerpt(text: str) -> str:
    """The beginning of what somebody wrote, quoted, so that it cannot pass for anybody else's."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
    return quoted(shown)


def _one_line(text: str) -> str:
    """With nothing in it that cannot be seen, or that turns around what stands beside it."""
    return "".join(one for one in " ".join(text.split()) if one.isprintable())


def spoken(channel: str) -> str:
    return _NAMES.get(channel, channel)
