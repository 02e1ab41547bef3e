"""Cursors: opaque to whoever passes them on, refused when they are not ours."""

from __future__ import annotations

import binascii
import secrets
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from hashlib import blake2b
from hmac import compare_digest

from palaver.errors import BadCursor, BadId, BadValue, InputError
from palaver.ledger import strict
from palaver.times import iso, parse

_MAX_LENGTH = 32 * 1024
"""Two hundred names of the longest kind fit in."""
_SIGNATURE = 16


def encode(values: Sequence[str]) -> str:
    return _text(strict.dumps(list(values)))


def decode(cursor: str) -> list[str]:
    """The texts that `encode` was given. Raises BadCursor."""
    return _values(_bytes(cursor))


def position(cursor: str, check: Callable[[str], str]) -> tuple[str, str]:
    """Where a list goes on: after what was said at a moment, in whatever has an id that `check`
    lets through. Raises BadCursor."""
    match decode(cursor):
        case [moment, name]:
            try:
                exact, name = iso(parse(moment)), check(name)
            except (BadId, BadValue):
                raise BadCursor from None
            if exact == moment:
                return exact, name
        case _:
            pass
    raise BadCursor


class SignedCursors:
    """Cursors that nobody else can make: each is signed, and belongs to one question.

    The key lives as long as this object. A cursor from before is refused, with the remedy to ask
    again.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def write(self, asked: str, values: Sequence[str]) -> str:
        """A cursor for what comes next in the answer to `asked`."""
        content = strict.dumps(list(values))
        return _text(self._signature(asked, content) + content)

    def read(self, cursor: str, asked: str) -> list[str]:
        """The texts that `write` was given for the same question. Raises BadCursor."""
        raw = _bytes(cursor)
        signature, content = raw[:_SIGNATURE], raw[_SIGNATURE:]
        if not compare_digest(signature, self._signature(asked, content)):
            raise BadCursor(
                "The cursor does not belong to this search.",
                remedy="Search again without a cursor. A cursor is good for the same query with "
                "the same filters, and until Palaver is started again.",
            )
        return _values(content)

    def _signature(self, asked: str, content: bytes) -> bytes:
        signed = blake2b(key=self._key, digest_size=_SIGNATURE)
        signed.update(asked.encode() + b"\0" + content)
        return signed.digest()


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")


def _bytes(cursor: str) -> bytes:
    if len(cursor) > _MAX_LENGTH:
        raise BadCursor
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        return b64decode(padded, altchars=b"-_", validate=True)
    except (UnicodeEncodeError, binascii.Error):
        raise BadCursor from None


def _values(raw: bytes) -> list[str]:
    try:
        value: object = strict.loads(raw)
    except InputError:
        raise BadCursor from None
    match value:
        case list() if all(isinstance(item, str) for item in value):  # pyright: ignore[reportUnknownVariableType]
            return [str(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            raise BadCursor
