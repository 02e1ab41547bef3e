"""Mails for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from palaver.channels.email.reading import Reader
from palaver.channels.port import Received
from palaver.settings.channels import EmailSettings

OWN = "agent@palaver.test"
OWNER = "owner@example.com"
SERVER = "mx.palaver.test"
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def clock() -> datetime:
    return NOW


def settings(**more: object) -> EmailSettings:
    given = {"address": OWN, "trustedAuthservIds": [SERVER], "ownerIdentities": [OWNER]}
    return EmailSettings.model_validate(given | more)


def read(raw: bytes | str, *, ids: list[str] | None = None) -> Received:
    """A mail as the channel reads it."""
    data = raw if isinstance(raw, bytes) else raw.encode()
    return Reader(settings(trustedAuthservIds=ids or [SERVER]), clock).read(data)


def mail(text: str = "Hello", **fields: str) -> bytes:
    """A plain mail; fields are named as `in_reply_to`."""
    given = {
        "from": OWNER,
        "to": OWN,
        "subject": "Hello",
        "message_id": "<1@example.com>",
        "date": "Mon, 2 Mar 2026 08:00:00 +0000",
        "content_type": "text/plain; charset=utf-8",
    } | fields
    header = "".join(
        f"{name.replace('_', '-').title()}: {value}\r\n" for name, value in given.items()
    )
    return f"{header}\r\n{text}".encode()
