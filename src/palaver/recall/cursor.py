"""Cursors: opaque to whoever passes them on, refused when they are not ours."""

from __future__ import annotations

import binascii
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Sequence

from palaver.errors import BadCursor, InputError
from palaver.ledger import strict

_MAX_LENGTH = 16 * 1024


def encode(values: Sequence[str]) -> str:
    return urlsafe_b64encode(strict.dumps(list(values))).decode().rstrip("=")


def decode(cursor: str) -> list[str]:
    """The texts that `encode` was given. Raises BadCursor."""
    if len(cursor) > _MAX_LENGTH:
        raise BadCursor
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        raw = b64decode(padded, altchars=b"-_", validate=True)
        return _texts(strict.loads(raw))
    except (UnicodeEncodeError, binascii.Error, InputError):
        raise BadCursor from None


def _texts(value: object) -> list[str]:
    match value:
        case list() if all(isinstance(item, str) for item in value):  # pyright: ignore[reportUnknownVariableType]
            return [str(item) for item in value]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case _:
            raise BadCursor
