"""Passwords: kept as argon2id hashes, which take time and memory to make on purpose.

Nobody can turn one back, and whoever steals the file can try few of them in a second.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING
from unicodedata import normalize

from palaver.errors import BadText, BadValue

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 8, 1000
"""How many characters a password has."""


def check_password(password: str) -> str:
    """`password`, if it may be one. Raises BadValue, BadText."""
    if len(password) < SHORTEST:
        raise BadValue(
            f"A password needs at least {SHORTEST} characters.",
            remedy="Take a longer one; a few words that only you would put together are good.",
        )
    if len(password) > LONGEST:
        raise BadValue(f"A password has at most {LONGEST:,} characters.", remedy="Shorten it.")
    if any("\ud800" <= character <= "\udfff" for character in password):
        raise BadText
    return password


class Passwords:
    """Hashes and compares, off the event loop: each takes a tenth of a second and 64 MiB."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        """`hasher` is one with other parameters than those the library thinks right today."""
        self._given = hasher

    @cached_property
    def _hasher(self) -> PasswordHasher:
        from argon2 import PasswordHasher

        return self._given or PasswordHasher()

    def hash(self, password: str) -> str:
        """What is kept of a password."""
        return self._hasher.hash(_typed(password))

    def matches(self, kept: str | None, password: str) -> bool:
        """Whether `password` is the one that was kept; without one, it takes as long to say no."""
        from argon2.exceptions import VerificationError

        if kept is None:
            self.hash(password)
            return False
        try:
            return self._hasher.verify(kept, _typed(password))
        except VerificationError:
            return False

    def is_outdated(self, kept: str) -> bool:
        """Whether it would be hashed in another way today."""
        return self._hasher.check_needs_rehash(kept)


def _typed(password: str) -> bytes:
    """The same bytes, whichever keyboard and system it was typed on."""
    return normalize("NFKC", password).encode(errors="surrogatepass")
