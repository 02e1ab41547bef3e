"""Users: what they are called, and where in a home their files lie."""

from __future__ import annotations

import re
from pathlib import Path

from palaver.errors import BadValue
from palaver.ledger.files import Home

LOCAL = "local"
_USER = re.compile(r"usr-[0-9A-Za-z]{1,64}")


def check_user(user: str) -> str:
    """`user`, if somebody can be called that. Raises BadValue."""
    if user != LOCAL and not _USER.fullmatch(user):
        raise BadValue(
            f"{user[:80]!r} is not a user.",
            remedy=f"Use the user {LOCAL}, or a name such as usr-ann.",
        )
    return user


def home_of(root: Path, user: str) -> Home:
    """The folder of a user: the home itself for `local`. Raises BadValue."""
    return Home(root) if check_user(user) == LOCAL else Home(root / "users" / user)
