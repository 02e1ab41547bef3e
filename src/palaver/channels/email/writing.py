"""A mail that is sent, as bytes. Whatever its subject or its text holds, it is one mail."""

from __future__ import annotations

import quopri
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime
from hashlib import sha256
from typing import Any, cast

from palaver.channels.email import threads
from palaver.channels.email.addresses import same
from palaver.channels.email.automatic import LOOP, MARK
from palaver.channels.email.charsets import cleaned, one_line
from palaver.channels.email.flowed import flowed
from palaver.channels.port import Outgoing
from palaver.errors import ChannelRefused
from palaver.index.records import Json

_ID = re.compile(r"[A-Za-z0-9-]{1,100}")
_REFERENCE = re.compile(r"[!-;=?-~]{1,200}")
_MOST_LINE = 900
_MOST_TITLE = 80


@dataclass(frozen=True, slots=True)
class Letter:
    """What is handed to the server."""

    id: str
    to: str
    content: bytes


def letter(message: Outgoing, own: str, moment: datetime) -> Letter:
    """The mail that a message becomes. Raises ChannelRefused if nobody would get it."""
    to = _recipient(message)
    own_id = _own_id(message, own)
    text, encoding = _encoded(message.text)
    fields = [
        ("From", own),
        ("To", to),
        ("Subject", _subject(message)),
        *_references(message.details),
        ("Date", format_datetime(moment)),
        ("Message-ID", f"<{own_id}>"),
        *_origin(message),
        (LOOP.title(), own),
        ("MIME-Version", "1.0"),
        ("Content-Type", "text/plain; charset=utf-8; format=flowed"),
        ("Content-Transfer-Encoding", encoding),
    ]
    header = "".join(f"{name}: {value}\r\n" for name, value in fields)
    return Letter(own_id, to, header.encode() + b"\r\n" + text)


def _origin(message: Outgoing) -> list[tuple[str, str]]:
    """That a program wrote it, if one did: then nothing answers it by itself."""
    if message.by_hand:
        return []
    return [
        ("Auto-Submitted", "auto-replied" if message.answers else "auto-generated"),
        ("X-Auto-Response-Suppress", "OOF, AutoReply"),
    ]


def _recipient(message: Outgoing) -> str:
    """Who wrote the mail that is answered; never somebody that the mail merely names."""
    contact = message.place.id if message.place.kind == "contact" else ""
    to = same(str(message.details.get("to") or contact))
    if to is None:
        raise ChannelRefused(
            "The message has no address that it could be sent to.",
            remedy="Answer a mail whose sender can be read.",
        )
    return to


def _own_id(message: Outgoing, own: str) -> str:
    """The same for the same message: whoever gets it twice sees it once."""
    given = message.id
    named = given if _ID.fullmatch(given) else sha256(given.encode()).hexdigest()
    return f"{MARK}{named}@{own.rpartition('@')[2]}"


def _subject(message: Outgoing) -> str:
    title = threads.bare(str(message.details.get("subject") or message.place.name or ""))
    if message.answers:
        title = f"Re: {title}".strip()
    title = title or one_line(message.text, _MOST_TITLE)
    charset = "us-ascii" if title.isascii() and "=?" not in title else "utf-8"
    return Header(title, charset, header_name="Subject").encode(linesep="\r\n")


def _references(details: Json) -> list[tuple[str, str]]:
    """The ids of what is answered, and of what was said before it."""
    answered = _known([details.get("messageId")])
    listed = details.get("references")
    before = _known(cast("list[Any]", listed) if isinstance(listed, list) else [])
    chain = threads.fitting(list(dict.fromkeys([*before, *answered])))
    return [
        (name, "\r\n ".join(f"<{one}>" for one in ids))
        for name, ids in (("In-Reply-To", answered), ("References", chain))
        if ids
    ]


def _known(ids: Sequence[Any]) -> list[str]:
    """Those ids that somebody else knows, too."""
    found = [one for one in ids if isinstance(one, str) and _REFERENCE.fullmatch(one)]
    return [one for one in found if not one.endswith(threads.MADE_UP)]


def _encoded(text: str) -> tuple[bytes, str]:
    """A text as it is sent, and how that is encoded."""
    body = flowed(cleaned(text)).rstrip("\n") + "\n"
    if body.isascii() and all(len(line) <= _MOST_LINE for line in body.split("\n")):
        return body.replace("\n", "\r\n").encode(), "7bit"
    return quopri.encodestring(body.encode()).replace(b"\n", b"\r\n"), "quoted-printable"
