"""Tokens: what programs show to use the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PREFIX = "pal_"
ID_PREFIX = "tok-"
MAX_NAME = 255


@dataclass(frozen=True, slots=True)
class Token:
    """A token as it is remembered; the secret itself is not."""

    id: str
    name: str
    user: str
    scopes: tuple[str, ...]
    created: str
    expires: str | None = None
    last_used: str | None = None
    revoked: str | None = None

    def valid(self, now: str) -> bool:
        """Whether it opens anything at the time `now`."""
        return self.revoked is None and (self.expires is None or now < self.expires)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token and its secret, which is shown this once."""

    token: Token
    secret: str


def from_row(row: tuple[Any, ...]) -> Token:
    identity, name, user, scopes, *times = row
    return Token(identity, name, user, tuple(scopes.split()), *times)
