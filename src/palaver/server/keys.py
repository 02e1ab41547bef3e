"""Keys: what makes a retry harmless."""

from __future__ import annotations

from typing import Annotated

from fastapi import Header

from palaver.conversation.stored import MAX_KEY
from palaver.errors import BadValue

KeyHeader = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="Another place for `key`.",
        json_schema_extra={"minLength": 1, "maxLength": MAX_KEY},
    ),
]


def one_key(*given: str | None) -> str | None:
    """The key a request gives, in one place or the same in several. Raises BadValue."""
    keys = {key for key in given if key is not None}
    if len(keys) > 1:
        raise BadValue("The request carries two different keys.", remedy="Send one key.")
    return keys.pop() if keys else None
