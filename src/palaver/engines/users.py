"""Users: what they are called, and where in a home their files lie."""

from __future__ import annotations

from pathlib import Path

from palaver.accounts.names import LOCAL, is_id
from palaver.errors import BadValue
from palaver.ledger.files import Home

__all__ = ["LOCAL", "check_user", "home_of"]


def check_user(user: str) -> str:
    """`user`, if somebody can be called that. Raises BadValue."""
    if not is_id(user):
        raise BadValue(
            f"{user[:80]!r} is not a user.",
            remedy=f"Use the user {LOCAL}, or an id such as usr-01HQXK5J7G8M3N4P5R6S7T8V9W.",
        )
    return user


def home_of(root: Path, user: str) -> Home:
    """The folder of a user: the home itself for `local`. Raises BadValue."""
    return Home(root) if check_user(user) == LOCAL else Home(root / "users" / user)
