"""An exchange with somebody who is not the owner, as it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.app import Palaver
from palaver.ledger import lines
from palaver.ledger.lines import Draft, new_id


@dataclass(frozen=True, slots=True)
class Exchange:
    """Somebody asked, a reply could not be delivered, and another waits for the owner's word."""

    id: str
    asked: str
    """The message that came in."""
    failed: str
    """The reply that could not be delivered."""
    draft: str

    @classmethod
    def made(cls) -> Exchange:
        return cls(new_id("ext"), new_id("msg"), new_id("msg"), new_id("draft"))

    def drafts(self, words: str, *, user: str, channel: str, party: str) -> list[Draft]:
        """The lines that make it, in which `words` are said."""
        place = {"kind": "contact", "id": party, "name": words}
        respond = {"channel": channel, "place": place, "answers": "m1"}
        author = {"kind": "participant", "id": party, "grade": "proven"}
        refused = {"code": "channel_refused", "message": "No.", "remedy": "None.", "attempt": 1}
        return [
            lines.meta(self.id, user=user, channel=channel, party={"id": party, "name": words}),
            lines.turn(
                self.id,
                "user",
                words,
                id=self.asked,
                channel=channel,
                author=author,
                respond=respond,
            ),
            lines.turn(
                self.id,
                "assistant",
                f"No {words}.",
                id=self.failed,
                channel=channel,
                author={"kind": "assistant"},
                deliver=respond,
            ),
            lines.event(self.id, "delivery_failed", messageId=self.failed, **refused),
            lines.event(
                self.id,
                "draft",
                draftId=self.draft,
                text=f"Yes, {words}.",
                messageId=self.asked,
                respond=respond,
            ),
        ]


async def exchanged(palaver: Palaver, words: str, *, channel: str = "dove") -> Exchange:
    """Has an exchange with somebody new."""
    made = Exchange.made()
    party = made.id[-8:].lower()
    drafts = made.drafts(words, user=palaver.user, channel=channel, party=party)
    await palaver._ledger.append(drafts)  # pyright: ignore[reportPrivateUsage]
    return made
