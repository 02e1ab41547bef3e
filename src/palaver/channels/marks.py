"""Marks: how a message of a provider is known here, for ever.

The provider's id makes the key of the line, so that a message that is given again is known, and the
id of the message, so that an edit or a reaction finds it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, cast

from palaver.channels.port import Received
from palaver.index.records import Json
from palaver.ledger.lines import MAX_CONTENT, derived_id

_PLAIN = re.compile(r"[!-~]{1,200}")
_CUT = "\n\n[The rest of this message is too long to be kept.]"
EMPTY = "[Empty message]"


def key_of(channel: str, provider_id: str) -> str:
    """The key of a message that came in."""
    return f"{channel}:{_name(provider_id)}"


def sent_key(channel: str, provider_id: str) -> str:
    """The key of what records that a message was sent."""
    return f"{channel}-sent:{_name(provider_id)}"


def mark_of(received: Received) -> str:
    """What a message is known by: the provider's id. Of one that merely claims its sender, anybody
    may have chosen that; it must not take the place of the true one."""
    return received.id if received.proof == "proven" else _claimed(received)


def keys_of(channel: str, received: Received) -> tuple[str, str]:
    """The keys under which a message may be known: what proves its sender may be set otherwise
    between two times that it is given."""
    return key_of(channel, received.id), key_of(channel, _claimed(received))


def _claimed(received: Received) -> str:
    return f"{received.id} claimed by {received.sender.id}: {received.text}"


def message_id(channel: str, user: str, provider_id: str) -> str:
    """The id that a message has here."""
    return derived_id(f"{user} {key_of(channel, provider_id)}", 0)


def readable(text: str) -> str:
    """What somebody wrote, as it can be kept: no NUL, no half characters, and not too long."""
    clean = text.replace("\0", "\ufffd").encode(errors="replace").decode()
    raw = clean.encode()
    if len(raw) > MAX_CONTENT:
        clean = raw[: MAX_CONTENT - len(_CUT)].decode(errors="ignore") + _CUT
    return clean if clean.strip() else EMPTY


def cleaned(value: Any) -> Any:
    """What a channel keeps with a message, with every text in it as it can be kept."""
    if isinstance(value, str):
        return readable(value) if value else value
    if isinstance(value, Mapping):
        return {str(name): cleaned(one) for name, one in cast("Json", value).items()}
    if isinstance(value, list | tuple):
        return [cleaned(one) for one in cast("list[Any]", value)]
    return value


def _name(provider_id: str) -> str:
    """An id as it can stand in a key: what is long or odd is told by its hash."""
    if _PLAIN.fullmatch(provider_id):
        return provider_id
    given = provider_id.encode(errors="surrogatepass")
    return f"#{blake2b(given, digest_size=20).hexdigest()}"
