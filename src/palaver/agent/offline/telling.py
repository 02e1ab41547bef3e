"""Telling: who said something, when and where, with a link to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo

from palaver.agent.markdown import blockquote, inline, link
from palaver.agent.offline.quotation import Quotation
from palaver.agent.offline.texts import UNNAMED
from palaver.index.records import Message
from palaver.times import MONTHS, parse


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells what was said to somebody who is in a conversation."""

    name: str
    """What the assistant goes by."""
    zone: tzinfo
    here: str = ""
    """The conversation in which it is told."""

    def tell(self, quotation: Quotation, title: str | None) -> str:
        """A quotation under a line that says who said it, when and where."""
        message = quotation.message
        place = self._place(message, title)
        said = f"{self._speaker(message)} said on {self.when(message.timestamp)}, {place}:"
        return f"{said}\n\n{blockquote(quotation.text)}"

    def item(
        self,
        quotation: Quotation,
        title: str | None = None,
        label: str = "",
        *,
        where: str | None = None,
    ) -> str:
        """A quotation as a line of a list, with a link to it, or to `where` it is shown."""
        message = quotation.message
        when = link(self.when(message.timestamp), where or address(message))
        place = "" if message.conversation_id == self.here else f", in {inline(title or UNNAMED)}"
        return f"- {label}{inline(quotation.text)} ({self._speaker(message)}, {when}{place})"

    def when(self, timestamp: str) -> str:
        return spoken_time(parse(timestamp).astimezone(self.zone))

    def _speaker(self, message: Message) -> str:
        if message.role == "assistant":
            return inline(self.name)
        if message.author and message.author.kind == "participant":
            return inline(message.sender or "Somebody")
        return "You"

    def _place(self, message: Message, title: str | None) -> str:
        """Where it was said, as a link to it."""
        if message.conversation_id == self.here:
            return link("earlier in this conversation", address(message))
        return f"in {link(title or UNNAMED, address(message))}"


def address(message: Message) -> str:
    return f"/c/{message.conversation_id}#{message.id}"


def day_address(label: str, message_id: str = "") -> str:
    """Where a day of the continuous conversation is shown, or a message of it."""
    return f"/continuous/{label}#{message_id}" if message_id else f"/continuous/{label}"


def spoken_time(moment: datetime) -> str:
    """A point in time as people write it: 14 February 2026, 09:00."""
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}, {moment:%H:%M}"
