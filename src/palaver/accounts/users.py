"""Users: those who may sign in by a name and a password, or have tokens made for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ulid import ULID

from palaver.accounts.names import LOCAL, check_name, folded, is_id, is_readable
from palaver.accounts.passwords import Passwords, check_password
from palaver.accounts.port import Rows
from palaver.errors import AlreadyExists, BadValue, NotFound
from palaver.times import Clock, iso


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with an account."""

    id: str
    """What is theirs is kept under it: `local`, or `usr-…`."""
    name: str
    """What they sign in with."""
    created: str | None = None
    has_password: bool = False


class Users:
    """Adds, finds and removes users; safe from several threads and processes."""

    def __init__(self, rows: Rows, clock: Clock, passwords: Passwords | None = None) -> None:
        self._rows = rows
        self._clock = clock
        self._passwords = passwords or Passwords()

    def users(self) -> list[User]:
        """Everybody with an account: `local` first, then those who came first."""
        found = [_user(row) for row in self._rows.read("users")]
        known = [user for user in found if user.id == LOCAL] or [User(LOCAL, LOCAL)]
        return known + [user for user in found if user.id != LOCAL]

    def user_named(self, name: str) -> User:
        """Who is called `name`, or has it as their id. Raises NotFound."""
        found = self._found(name)
        if found is None:
            raise NotFound(
                f"There is no user {name[:80]!r}.",
                remedy="`palaver users list` tells who there is; `palaver users add` adds one.",
            )
        return found

    def name_of(self, user: str) -> str:
        """What somebody is called; their id, if they have no account."""
        found = self._found(user)
        return found.name if found else user

    def add_user(self, name: str, password: str | None = None) -> User:
        """A new user; without a password they have tokens only. Raises BadValue, AlreadyExists."""
        chosen, user = self.check_free(name), f"usr-{ULID()}"
        kept = self._kept(password) if password is not None else None
        values = {"user": user, "name": chosen, "folded": folded(chosen), "password": kept}
        self._rows.write(("add_account", {**values, "created": iso(self._clock())}))
        added = self.user_named(chosen)
        if added.id != user:  # somebody else was faster
            raise _taken(chosen)
        return added

    def check_free(self, name: str) -> str:
        """`name`, if somebody can be called that and nobody is. Raises BadValue, AlreadyExists."""
        chosen = check_name(name)
        if self._found(chosen) is not None:
            raise _taken(chosen)
        return chosen

    def set_password(self, user: str, password: str) -> None:
        """Signs them out everywhere; tokens stay. Raises BadValue, NotFound."""
        found = self.user_named(user)
        values = {"user": found.id, "password": self._kept(password)}
        self._rows.write(
            ("put_password", {**values, "created": iso(self._clock())}),
            ("end_links_of", {"user": found.id}),
            ("end_sign_ins_of", {"user": found.id}),
        )

    def remove_user(self, user: str) -> User:
        """Ends whatever they sign in with. What they said is kept. Raises NotFound, BadValue."""
        found = self.user_named(user)
        if found.id == LOCAL:
            raise BadValue(
                f"The user {LOCAL} is the owner of all this and cannot be removed.",
                remedy="Remove somebody else, or change the password: `palaver users password`.",
            )
        self._rows.write(
            ("remove_account", {"user": found.id, "now": iso(self._clock())}),
            # Links first: somebody may be using one at this moment.
            ("end_links_of", {"user": found.id}),
            ("end_sign_ins_of", {"user": found.id}),
            ("end_tokens_of", {"user": found.id}),
        )
        return found

    def somebody_has_password(self) -> bool:
        """Whether anybody can sign in without a link."""
        return bool(self._rows.read("passwords"))

    def _kept(self, password: str) -> str:
        return self._passwords.hash(check_password(password))

    def _found(self, name: str) -> User | None:
        if not is_readable(name):
            return None
        by_id = self._rows.read("user_by_id", user=name) if is_id(name) else []
        rows = by_id or self._rows.read("user_by_name", folded=folded(name))
        if not rows and folded(name) == LOCAL:
            return User(LOCAL, LOCAL)
        return _user(rows[0]) if rows else None

    def _check(self, name: str, password: str) -> tuple[str, str] | None:
        """The id of whoever has this name and this password, and what is kept of the latter.

        A name that nobody has takes as long as a wrong password.
        """
        rows = is_readable(name) and self._rows.read("password_by_name", folded=folded(name))
        user, kept = rows[0] if rows else ("", None)
        if not self._passwords.matches(kept, password) or kept is None:
            return None
        if self._passwords.is_outdated(kept):
            better = self._passwords.hash(password)
            self._rows.write(("rehash", {"user": user, "old": kept, "new": better}))
            kept = better
        return user, kept


def _taken(name: str) -> AlreadyExists:
    return AlreadyExists(
        f"There is a user {name!r} already.",
        remedy=f"Choose another name, or change the password: `palaver users password {name}`.",
    )


def _user(row: tuple[Any, ...]) -> User:
    identity, name, created, password = row
    return User(identity, name, created, password is not None)
