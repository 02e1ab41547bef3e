"""Principals: who is asking, and what they may do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from palaver.errors import BadValue, Forbidden

SCOPES = ("read", "chat", "write", "recall", "memory:read", "memory:write", "admin")
DEFAULT_SCOPES = tuple(scope for scope in SCOPES if scope != "admin")
"""What a token may do unless its maker says otherwise."""


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who has shown valid credentials."""

    user: str
    scopes: frozenset[str]
    credential: str = ""
    """Which credentials these are, by a name that is no secret: a token's id, or a browser's."""
    expires: str | None = None
    """When they end by themselves."""
    in_person: bool = False
    """Whether they signed in themselves, by a browser."""

    def require(self, scope: str) -> None:
        """Raises Forbidden unless the credentials carry `scope`."""
        if scope not in self.scopes:
            raise Forbidden(
                f"The credentials do not carry the scope {scope}.",
                remedy=f"Create a token that does: `palaver tokens create --scope {scope}`.",
            )


def check_scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    """`scopes` without repetitions, in their own order. Raises BadValue."""
    wanted = set(scopes)
    if unknown := sorted(wanted.difference(SCOPES)):
        raise BadValue(
            f"{unknown[0][:80]!r} is not a scope.", remedy=f"Use any of {', '.join(SCOPES)}."
        )
    if not wanted:
        raise BadValue("A token needs at least one scope.", remedy="Name one, such as read.")
    return tuple(scope for scope in SCOPES if scope in wanted)
