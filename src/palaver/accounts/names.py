"""Names: what users are called when they sign in."""

from __future__ import annotations

import re
from unicodedata import category, normalize

from palaver.errors import BadValue

LOCAL = "local"
"""The user who is always there: the owner of the home."""
USER_ID = re.compile(r"usr-[0-9A-Za-z]{1,64}")
LONGEST = 64
MOST_TYPED = 2 * LONGEST
"""So many characters may be typed for a name: with spaces around it, or accents by themselves."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Characters that nobody sees, or that change how others are shown."""


def folded(name: str) -> str:
    """The same for names that people take for the same: Ann, ANN and ａｎｎ."""
    return normalize("NFKC", normalize("NFKC", name).casefold()).strip()


def check_name(name: str) -> str:
    """`name`, if somebody can be called that. Raises BadValue."""
    name = name.strip()
    if not 1 <= len(name) <= LONGEST or not folded(name):
        raise _bad(f"A name has 1 to {LONGEST} characters.")
    if not is_readable(name):
        raise _bad("A name holds only characters that can be seen.")
    if folded(name).startswith("usr-"):
        raise _bad("A name does not begin with usr-, which ids of users do.")
    return name


def is_readable(name: str) -> bool:
    """Whether it could be anybody's name or id at all."""
    return len(name) <= MOST_TYPED and not any(category(one) in _UNSEEN for one in name)


def is_id(name: str) -> bool:
    """Whether that is the id of a user, and not a name."""
    return name == LOCAL or USER_ID.fullmatch(name) is not None


def _bad(message: str) -> BadValue:
    return BadValue(message, remedy="Choose another name, such as ann.")
