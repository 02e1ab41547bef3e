"""Reading: the calls of WhatsApp, in the words of the port."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from palaver.channels import calls
from palaver.channels.calls import each, id_of, inner, label, text
from palaver.channels.port import (
    Edited,
    Person,
    Place,
    Reach,
    Reacted,
    Received,
    Reported,
    Retracted,
    Update,
)
from palaver.channels.whatsapp import numbers
from palaver.channels.whatsapp.saying import UNKNOWN, files, words
from palaver.errors import BadValue
from palaver.index.records import Json

_OBJECT = "whatsapp_business_account"
_FIELD = "messages"
_REACHES: dict[str, Reach] = {
    "sent": "sent",
    "delivered": "delivered",
    "read": "read",
    "played": "read",
    "failed": "failed",
}
_SILENT = frozenset({"system", "errors"})
"""Notices of the provider's: somebody has another number."""
_HIDDEN = "WhatsApp does not pass on what it says."
_FORWARDS = ("forwarded", "frequently_forwarded")


@dataclass(frozen=True, slots=True)
class Reading:
    """Reads what concerns one number of ours."""

    phone_number_id: str | None
    name: str | None = None
    """What the number goes by, if that is known."""

    def updates(self, call: Json) -> Iterator[Update]:
        if text(call, "object") != _OBJECT:
            return
        for entry in each(call, "entry"):
            for change in each(entry, "changes"):
                value = inner(change, "value")
                ours = id_of(inner(value, "metadata"), "phone_number_id")
                if text(change, "field") == _FIELD and ours == (self.phone_number_id or "-"):
                    yield from self._of(value)

    def _of(self, value: Json) -> Iterator[Update]:
        own = digits(text(inner(value, "metadata"), "display_phone_number"))
        for message in each(value, "messages"):
            sender = _sender(message, value)
            if sender and sender.id != own and (identity := id_of(message, "id")):
                yield from self._update(message, identity, sender, own)
        for status in each(value, "statuses"):
            reach = _REACHES.get(text(status, "status"))
            if reach and (identity := id_of(status, "id")):
                yield Reported(identity, reach, _why(status) if reach == "failed" else None)

    def _update(self, message: Json, identity: str, sender: Person, own: str) -> Iterator[Update]:
        match text(message, "type"):
            case kind if kind in _SILENT:
                return
            case "reaction":
                reaction = inner(message, "reaction")
                if target := id_of(reaction, "message_id"):
                    yield Reacted(identity, target, sender, label(reaction, "emoji"))
            case "revoke":
                if target := id_of(inner(message, "revoke"), "original_message_id"):
                    yield Retracted(identity, target, sender)
            case "edit":
                edit = inner(message, "edit")
                if target := id_of(edit, "original_message_id"):
                    yield Edited(identity, target, sender, words(inner(edit, "message")))
            case _:
                yield self._received(message, identity, sender, own)

    def _received(self, message: Json, identity: str, sender: Person, own: str) -> Received:
        context = inner(message, "context")
        said = words(message)
        is_forwarded = any(context.get(name) is True for name in _FORWARDS)
        group = numbers.group(id_of(message, "group_id"))
        place = Place("group", group) if group else Place("contact", sender.id, sender.name)
        return Received(
            id=identity,
            place=place,
            sender=sender,
            text=calls.forwarded(said) if is_forwarded else said,
            timestamp=calls.moment(message, "timestamp"),
            addressed=not group or (not is_forwarded and self._is_addressed(said, context, own)),
            unanswerable=_HIDDEN if said == UNKNOWN else None,
            answers=id_of(context, "id") or None,
            parts=list(files(message)),
        )

    def _is_addressed(self, said: str, context: Json, own: str) -> bool:
        """By a command, by an answer to what the agent wrote, by its number or its name."""
        if said.startswith("/") or (own and digits(text(context, "from")) == own):
            return True
        is_called = bool(self.name) and re.search(
            rf"(?<!\w){re.escape(self.name or '')}(?!\w)", said, re.IGNORECASE
        )
        return bool(is_called) or bool(own and re.search(rf"(?<![0-9]){own}(?![0-9])", said))


def digits(number: str) -> str:
    """A number of ours as it is compared; nothing if it is none."""
    try:
        return numbers.person(number)
    except BadValue:
        return ""


def _sender(message: Json, value: Json) -> Person | None:
    """Who wrote it: the number, or the id of somebody who hides theirs."""
    given = [text(message, name) for name in ("from", "from_user_id")]
    contacts = list(each(value, "contacts"))
    if not any(given) and len(contacts) == 1:
        given = [text(contacts[0], name) for name in ("wa_id", "user_id")]
    found = next((one for one in map(digits, given) if one), None)
    return Person(found, _name(contacts, found)) if found else None


def _name(contacts: list[Json], identity: str) -> str | None:
    for contact in contacts:
        if identity in (digits(text(contact, "wa_id")), digits(text(contact, "user_id"))):
            profile = inner(contact, "profile")
            return label(profile, "name") or label(profile, "username") or None
    return None


def _why(status: Json) -> str | None:
    """What the provider says of a failure."""
    for error in each(status, "errors"):
        told = [label(error, "title"), label(inner(error, "error_data"), "details", 300)]
        code = calls.number(error, "code")
        said = ": ".join(dict.fromkeys(one for one in told if one)) or label(error, "message")
        return f"{said} ({code})" if code is not None else said or None
    return None
