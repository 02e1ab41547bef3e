"""A mail as a message that came in. Whatever its bytes are, it can be read, and in little time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from palaver.channels.email import body, threads
from palaver.channels.email.addresses import named, normalised, only
from palaver.channels.email.authentication import Trusted, proof
from palaver.channels.email.automatic import why_unanswerable
from palaver.channels.email.body import weight
from palaver.channels.email.charsets import one_line
from palaver.channels.email.headers import Header
from palaver.channels.email.mime import Budget, Part, tree
from palaver.channels.port import Person, Place, Received
from palaver.index.records import Json
from palaver.settings.channels import EmailSettings
from palaver.times import Clock

NOBODY = "unknown@invalid"
"""Who wrote a mail that does not say so."""
NOTHING_NEW = "[No new text]"
_EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(minutes=5)


class Reader:
    """Reads mail for one address."""

    def __init__(self, settings: EmailSettings, clock: Clock) -> None:
        self._own = normalised(settings.address or NOBODY)
        self._trusted = Trusted(settings.trusted_authserv_ids)
        self._clock = clock

    def read(self, raw: bytes, size: int | None = None) -> Received:
        """The message that a mail is. `size`: how large it is, if this is not all of it."""
        budget = Budget()
        mail = tree(raw, budget)
        header = mail.header
        certain = only(header.all("from"))
        sender = certain or next(iter(named(header.all("from"))), Person(NOBODY))
        own_id = threads.own_id(header, mail.data)
        answered = threads.ids(header.text("in-reply-to"))
        before = threads.references(header)
        subject = one_line(header.text("subject"), threads.MOST_SUBJECT)
        written = body.read(mail, budget)
        others = self._others(header, sender)
        return Received(
            id=own_id,
            place=Place("thread", [*before, *answered, own_id][0], threads.bare(subject) or None),
            sender=sender,
            text=_text(written, subject, mail, size),
            timestamp=self._timestamp(header),
            proof=proof(header, certain, self._own, self._trusted),
            others=others,
            addressed=not others or self._own in {one.id for one in named(header.all("to"))},
            unanswerable=why_unanswerable(header, certain, self._own),
            answers=answered[0] if answered else None,
            thread=threads.nearest_first(answered, before),
            parts=written.parts,
            details=_details(header, sender, subject, before),
        )

    def _others(self, header: Header, sender: Person) -> list[Person]:
        known = (self._own, sender.id)
        return [one for one in named(header.all("to") + header.all("cc")) if one.id not in known]

    def _timestamp(self, header: Header) -> datetime | None:
        """When it was written, as far as that can be true."""
        try:
            said = parsedate_to_datetime(header.text("date")[:100])
            moment = (said if said.tzinfo else said.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
        return moment if _EARLIEST < moment < self._clock() + _AHEAD else None


def _text(written: body.Body, subject: str, mail: Part, size: int | None) -> str:
    """What is new. A mail that says nothing else says its subject."""
    notes = list(written.notes)
    if size is not None:
        notes.append(f"[This mail is {weight(size)} large: only its beginning was read.]")
    new = written.new
    if not new and not threads.has_reply_prefix(subject):
        new = threads.bare(subject)
    return "\n\n".join(filter(None, [new, "\n".join(notes)])) or NOTHING_NEW


def _details(header: Header, sender: Person, subject: str, before: list[str]) -> Json:
    return {
        "to": sender.id,
        "subject": subject,
        "subjectKey": threads.subject_key(subject),
        "replyPrefix": threads.has_reply_prefix(subject),
        "messageId": threads.message_id(header.text("message-id")),
        "references": threads.fitting(before),
    }
