"""Accounts: who holds which credentials, in the `accounts.db` of a home or in a database."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from json import dumps
from pathlib import Path

from ulid import ULID

from palaver.accounts.database import Database
from palaver.accounts.names import LOCAL
from palaver.accounts.passwords import Passwords
from palaver.accounts.port import Rows
from palaver.accounts.principals import DEFAULT_SCOPES, SCOPES, Principal, check_scopes
from palaver.accounts.secrets import digest, new_secret
from palaver.accounts.tokens import ID_PREFIX, MAX_NAME, PREFIX, NewToken, Token, from_row
from palaver.accounts.users import Users
from palaver.errors import BadValue, NotFound, SignInRequired
from palaver.times import Clock, iso, parse, system_clock

SIGN_IN_LIFETIME = timedelta(days=30)
LINK_LIFETIME = timedelta(hours=24)
_TOUCH_EVERY = timedelta(minutes=1)


class Accounts(Users):
    """Creates, checks and ends credentials; safe from several threads and processes."""

    def __init__(
        self, rows: Rows, clock: Clock = system_clock, passwords: Passwords | None = None
    ) -> None:
        super().__init__(rows, clock, passwords)

    @classmethod
    def in_file(cls, path: Path, clock: Clock = system_clock) -> Accounts:
        """Opens `accounts.db` at `path`, or makes it. Raises HomeUnusable."""
        return cls(Database(path), clock)

    def create_token(
        self,
        user: str,
        *,
        name: str = "",
        scopes: Iterable[str] = DEFAULT_SCOPES,
        expires: datetime | None = None,
    ) -> NewToken:
        """A new token; its secret is nowhere else. Raises BadValue, SignInRequired."""
        now = self._clock()
        if expires is not None and expires <= now:
            raise BadValue("The token would have ended already.", remedy="Name a later time.")
        if len(name) > MAX_NAME:
            raise BadValue(f"The name is longer than {MAX_NAME} characters.")
        ends = iso(expires) if expires else None
        token = Token(f"{ID_PREFIX}{ULID()}", name, user, check_scopes(scopes), iso(now), ends)
        secret = new_secret(PREFIX)
        self._rows.write(("add_token", _row(token, secret)))
        if not self._rows.read("token_by_id", user=user, id=token.id):
            raise SignInRequired("The user has been removed.", remedy="Sign in as somebody else.")
        return NewToken(token, secret)

    def tokens(self, user: str) -> list[Token]:
        """Every token of `user`, newest first, with those that have ended."""
        return [from_row(row) for row in self._rows.read("tokens_of_user", user=user)]

    def revoke_token(self, user: str, token_id: str) -> Token:
        """Ends a token for good. Raises NotFound."""
        named = {"user": user, "id": token_id}
        self._rows.write(("revoke_token", {**named, "now": self._now()}))
        rows = self._rows.read("token_by_id", **named)
        if not rows:
            raise NotFound(
                "There is no token with that id.",
                remedy="List them with `palaver tokens list`.",
            )
        return from_row(rows[0])

    def token_holder(self, secret: str) -> Principal | None:
        """Who shows `secret`, or None if it opens nothing."""
        rows = self._rows.read("token_by_digest", digest=digest(secret))
        if not rows or not (token := from_row(rows[0])).valid(self._now()):
            return None
        self._touch(token)
        return Principal(token.user, frozenset(token.scopes), token.id, token.expires)

    def sign_in(self, user: str) -> str:
        """Signs a browser in; returns the secret for its cookie."""
        secret, values = self._new_sign_in()
        self._rows.write(
            ("end_old_sign_ins", {"now": values["created"]}),
            ("add_sign_in", {**values, "user": user}),
        )
        return secret

    def create_link(self, user: str) -> str:
        """The code of a link that signs `user` in, once, within a day."""
        code = new_secret()
        now = self._clock()
        values = {"code": digest(code), "user": user, "expires": iso(now + LINK_LIFETIME)}
        self._rows.write(("end_old_links", {"now": iso(now)}), ("add_link", values))
        return code

    def sign_in_by_link(self, code: str) -> str | None:
        """Signs a browser in; None if the code was used, has ended or never was.

        When this fails, the code has not been used.
        """
        used = {"code": digest(code)}
        if not self._rows.read("link_by_digest", **used):
            return None  # anybody may try any code: nothing is written for that
        secret, values = self._new_sign_in()
        self._rows.write(
            ("end_old_sign_ins", {"now": values["created"]}),
            ("sign_in_by_link", {**values, **used}),
            ("end_link", used),
        )
        return secret if self.browser_holder(secret) else None

    def sign_in_by_password(self, name: str, password: str) -> str | None:
        """Signs a browser in; None if nobody has this name and this password. It takes long."""
        found = self._check(name, password)
        if found is None:
            return None
        user, kept = found
        secret, values = self._new_sign_in()
        self._rows.write(
            ("end_old_sign_ins", {"now": values["created"]}),
            ("sign_in_by_password", {**values, "user": user, "password": kept}),
        )
        return secret if self.browser_holder(secret) else None  # it may have just been changed

    def end_link(self, code: str) -> None:
        """A link that was not used works no more, if that can be written."""
        self._rows.note("end_link", code=digest(code))

    def browser_holder(self, secret: str) -> Principal | None:
        """Who is signed in with this cookie, or None. The owner of all this has every scope, others
        all but `admin`, which is about everybody."""
        shown = digest(secret)
        rows = self._rows.read("sign_in_by_digest", digest=shown, now=self._now())
        if not rows:
            return None
        ((user, expires),) = rows
        scopes = SCOPES if user == LOCAL else DEFAULT_SCOPES
        return Principal(user, frozenset(scopes), shown.hex(), expires, in_person=True)

    def sign_out(self, secret: str) -> None:
        """Ends a browser's sign-in; one that is not there is fine."""
        self._rows.write(("end_sign_in", {"digest": digest(secret)}))

    def version(self) -> int:
        """Another number whenever credentials have ended since, by whichever process."""
        ((found,),) = self._rows.read("ended")
        return found

    def valid(self, credentials: Iterable[str]) -> set[str]:
        """Which of these, as principals name them, still open something."""
        tokens, browsers = list[str](), list[str]()
        for credential in credentials:
            (tokens if credential.startswith(ID_PREFIX) else browsers).append(credential)
        named = {"tokens": dumps(tokens), "browsers": dumps(browsers)}
        return {name for (name,) in self._rows.read("valid_credentials", **named, now=self._now())}

    def close(self) -> None:
        self._rows.close()

    def _new_sign_in(self) -> tuple[str, dict[str, object]]:
        secret, now = new_secret(), self._clock()
        times = {"created": iso(now), "expires": iso(now + SIGN_IN_LIFETIME)}
        return secret, {"digest": digest(secret), **times}

    def _touch(self, token: Token) -> None:
        """Remembers that the token was used, at most once a minute, if that can be written."""
        now = self._clock()
        if token.last_used is None or now - parse(token.last_used) >= _TOUCH_EVERY:
            self._rows.note("touch_token", id=token.id, now=iso(now))

    def _now(self) -> str:
        return iso(self._clock())


def _row(token: Token, secret: str) -> dict[str, object]:
    return {
        "id": token.id,
        "digest": digest(secret),
        "name": token.name,
        "user": token.user,
        "scopes": " ".join(token.scopes),
        "created": token.created,
        "expires": token.expires,
    }
