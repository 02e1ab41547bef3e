"""Lines: what a stream is made of, and the drafts they are made from.

A `Draft` is what somebody wants written. The ledger stamps it (`v`, `seq`, `pos`, `id`, `at`,
`turnNumber`, `salt`, `chain`) and it becomes a `Line`, which never changes again.
`docs/reference/ledger-format.md` is the specification.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, cast

import orjson
from ulid import ULID

from palaver.errors import BadId, BadValue, EmptyMessage, PalaverError, TooLarge
from palaver.ledger import chain, strict

VERSION = 1
MAX_KEY = 512
USER_STREAM = "user"
MAX_CONTENT = 1024 * 1024
MESSAGE_TOO_LARGE = "The message is larger than 1 MiB."
MAX_LINE = 8 * 1024 * 1024
ROLES = ("user", "assistant", "system", "tool")
STAMPED = frozenset({"v", "seq", "pos", "at", "salt", "chain"})
"""Fields that only the ledger writes."""

_WRITTEN = ("meta", "turn", "event")
_RESERVED = ("redacted", "deleted", "adopted")
_DEFAULTED = frozenset({"id", "timestamp", "created", "turnNumber"})
"""Fields that the ledger fills in when they are not given."""

STREAM_NAME = r"(?:conv|ext)-[0-9A-Za-z]{1,64}"
_STREAM = re.compile(STREAM_NAME)
_MESSAGE = re.compile(r"msg-[0-9A-Za-z]{1,64}")
_DAY = re.compile(r"day-[0-9A-Za-z]{1,64}")
_MEMORY = re.compile(r"mem-[0-9A-Za-z]{1,64}")
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass(frozen=True, slots=True)
class Draft:
    """A line somebody wants written to `stream`."""

    stream: str
    body: Mapping[str, Any]
    debounced: bool = False
    """A user line that belongs to the turn before it while that turn has no reply."""
    here: bool = False
    """Its key may repeat a message of this stream only, not one of another stream."""
    numbered: bool = False
    """An event that stands before a turn: it is stamped with the number of that, unless it says
    one itself."""

    @property
    def type(self) -> str:
        return self.body["type"]

    @property
    def key(self) -> str | None:
        return self.body.get("key")

    @property
    def only_begins(self) -> bool:
        """Whether it is there for what follows it: it is dropped when that is a repetition."""
        return self.type == "meta" or self.numbered


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it is stored: its exact bytes (without the newline) and what they say."""

    stream: str
    seq: int
    offset: int
    raw: bytes
    data: dict[str, Any]
    """Empty when the bytes cannot be read as a JSON object."""

    @property
    def readable(self) -> bool:
        return bool(self.data)

    @property
    def type(self) -> str:
        return _string(self.data.get("type"))

    @property
    def event(self) -> str:
        """The event's name; S1 also wrote `meta_update` as a type of its own."""
        if self.type == "meta_update":
            return "meta_update"
        return _string(self.data.get("event")) if self.type == "event" else ""

    @property
    def pos(self) -> int:
        """Its place among everything of its user; 0 for an adopted line."""
        pos = self.data.get("pos")
        return pos if isinstance(pos, int) and not self.adopted else 0

    @property
    def id(self) -> str:
        """The line's own id, or one derived from its place if it has none."""
        return _string(self.data.get("id")) or derived_id(self.stream, self.seq)

    @property
    def end(self) -> int:
        """The offset of the line after it."""
        return self.offset + len(self.raw) + 1

    @property
    def adopted(self) -> bool:
        """Whether somebody else wrote it: it carries no chain value."""
        return chain.chain_of(self.raw) is None

    def replace(self, raw: bytes) -> Line:
        """The line with other bytes in its place."""
        return read_line(self.stream, self.seq, self.offset, raw)


def read_line(stream: str, seq: int, offset: int, raw: bytes) -> Line:
    """The line that `raw` holds. Never raises: what cannot be read has no `data`."""
    data: Any = None
    with suppress(orjson.JSONDecodeError, PalaverError):  # it is kept; `verify` names it
        # A chained line was checked strictly when it was written; others are checked now.
        data = orjson.loads(raw) if chain.chain_of(raw) else strict.loads(raw)
    if not isinstance(data, dict):
        data = {}
    return Line(stream, seq, offset, raw, cast("dict[str, Any]", data))


def new_id(prefix: str) -> str:
    return f"{prefix}-{ULID()}"


def derived_id(stream: str, seq: int) -> str:
    """The id of an adopted message that has none: the same at every reading."""
    return f"msg-{_derived(f'{stream}:{seq}')}"


def day_id(stream: str, label: str) -> str:
    """The id of a day of a conversation: the same whoever opens it."""
    return f"day-{_derived(f'{stream}:{label}')}"


def _derived(text: str) -> str:
    number = int.from_bytes(blake2b(text.encode(), digest_size=16).digest())
    return "".join(_CROCKFORD[(number >> shift) & 31] for shift in range(125, -1, -5))


def check_stream(name: str) -> str:
    """`name`, if it can name a stream. Raises BadId: no other name ever reaches a path."""
    if name != USER_STREAM and not _STREAM.fullmatch(name):
        raise BadId(f"{name[:80]!r} is not the id of a conversation.")
    return name


def check_message_id(name: str) -> str:
    if not _MESSAGE.fullmatch(name):
        raise BadId(f"{name[:80]!r} is not the id of a message.")
    return name


def check_day_id(name: str) -> str:
    if not _DAY.fullmatch(name):
        raise BadId(f"{name[:80]!r} is not the id of a day.")
    return name


def check_memory_id(name: str) -> str:
    if not _MEMORY.fullmatch(name):
        raise BadId(f"{name[:80]!r} is not the id of a memory.")
    return name


def key_digest(key: str) -> str:
    """How a key is remembered where the key itself must not be: after an erasure."""
    return blake2b(key.encode(), digest_size=16).hexdigest()


def meta(stream: str, *, user: str, **fields: Any) -> Draft:
    """The first line of a stream."""
    return Draft(stream, {"type": "meta", "id": stream, "user": user, **_given(fields)})


def turn(stream: str, role: str, content: str, *, debounced: bool = False, **fields: Any) -> Draft:
    """A message. Raises EmptyMessage, TooLarge, BadText or BadValue."""
    if role not in ROLES:
        raise BadValue(f"{role!r} is not a role.", remedy=f"Use one of {', '.join(ROLES)}.")
    body = {"type": "turn", "role": role, "content": content, **_given(fields)}
    cut_off = body.get("status") == "interrupted"  # a reply may be, before it says anything
    if not (content.strip() or body.get("parts") or body.get("toolCalls") or cut_off):
        raise EmptyMessage
    if len(content.encode(errors="surrogatepass")) > MAX_CONTENT:
        raise TooLarge(MESSAGE_TOO_LARGE)
    return Draft(stream, body, debounced)


def event(stream: str, name: str, /, **fields: Any) -> Draft:
    """Something that happened to a conversation or to messages in it."""
    return Draft(stream, {"type": "event", "event": name, **_given(fields)})


def check_draft(draft: Draft) -> None:
    """Raises InputError unless `draft` can be stored and read back as it is."""
    check_stream(draft.stream)
    if draft.body.get("type") not in _WRITTEN or draft.body.get("event") in _RESERVED:
        raise BadValue("Only the ledger itself writes lines of that kind.")
    if stamped := STAMPED & draft.body.keys():
        raise BadValue(f"The ledger itself writes {', '.join(sorted(stamped))}.")
    strict.check_value(dict(draft.body))
    key: object = draft.body.get("key")
    if key is not None and not (isinstance(key, str) and 0 < len(key) <= MAX_KEY):
        raise BadValue("A key is a text of 1 to 512 characters.")
    if len(strict.dumps(dict(draft.body))) > MAX_LINE:
        raise TooLarge("The message with all its parts is larger than 8 MiB.")


def same_message(draft: Draft, stored: Mapping[str, Any]) -> bool:
    """Whether a repeated key repeats the message it was first used for."""
    given: dict[str, Any] = orjson.loads(strict.dumps(dict(draft.body)))
    chosen = given.keys() | (stored.keys() - STAMPED - _DEFAULTED)
    return all(given.get(name) == stored.get(name) for name in chosen - {"id"})


def sources_of(data: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What a derived line stands on: `[{messageId, quote?}]`."""
    found = data.get("sources")
    items = cast("list[object]", found) if isinstance(found, list) else []
    sources = [cast("dict[str, Any]", item) for item in items if isinstance(item, dict)]
    return [source for source in sources if isinstance(source.get("messageId"), str)]


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
