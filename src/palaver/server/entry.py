"""Entry: who sends a request, by a bearer token or by the cookie of a signed-in browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

from fastapi import Depends, Request
from starlette.requests import HTTPConnection
from starlette.responses import Response

from palaver.accounts import Accounts, Principal
from palaver.accounts.store import SIGN_IN_LIFETIME
from palaver.app import Palaver
from palaver.errors import Forbidden, SignInRequired
from palaver.server.addresses import Address
from palaver.server.guests import Guests, Stay
from palaver.server.hosting import Host
from palaver.server.libraries import Libraries
from palaver.server.limits import Limits
from palaver.server.passwords import PasswordDesk
from palaver.server.watchman import Watchman
from palaver.telemetry.metrics import Metrics

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OWN_SITE = frozenset({"same-origin", "none"})
"""How a browser says that its own page, or its user, sends the request."""


class _KindOfCookie(TypedDict):
    httponly: bool
    samesite: Literal["strict"]
    secure: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """What decides who may come in; one per application."""

    libraries: Libraries
    accounts: Accounts
    address: Address
    used: Callable[[str], None]
    """Told the code of a link that has been used."""
    metrics: Metrics
    limits: Limits
    guests: Guests
    passwords: PasswordDesk
    watchman: Watchman
    channels: Host

    @contextmanager
    def stay(self, principal: Principal) -> Generator[Stay]:
        """Somebody who was let in stays until the block ends. Raises LimitReached, Stopping."""
        with self.limits.open(principal.user), self.guests.stay(principal) as stay:
            yield stay

    async def admit(self, request: HTTPConnection) -> Principal:
        """Raises SignInRequired, or Forbidden for another site."""
        self.check_origin(request)
        holder = await self._holder(request)
        if holder is None:
            raise SignInRequired
        return holder

    async def _holder(self, request: HTTPConnection) -> Principal | None:
        if (stated := request.headers.get("authorization")) is not None:
            scheme, _, secret = stated.partition(" ")
            bearer = secret.strip() if scheme.lower() == "bearer" else ""
            return await asyncio.to_thread(self.accounts.token_holder, bearer)
        if cookie := request.cookies.get(self.address.cookie):
            _require_own_page(request)
            return await asyncio.to_thread(self.accounts.browser_holder, cookie)
        return None

    async def sign_in_by_link(self, code: str, response: Response) -> None:
        """Trades a link's code for a cookie. Raises SignInRequired."""
        secret = await asyncio.to_thread(self.accounts.sign_in_by_link, code)
        if secret is None:
            raise SignInRequired(
                "This sign-in link has been used already, or it is too old.",
                remedy="Stop Palaver and start it again: it prints a new link.",
            )
        self.used(code)
        self._set_cookie(secret, response)

    async def sign_in_by_password(
        self, name: str, password: str, request: Request, response: Response
    ) -> None:
        """Trades a name and a password for a cookie. Raises SignInRequired, LimitReached."""
        peer = request.client.host if request.client else None
        is_proxy = self.address.public_url is not None
        secret = await self.passwords.sign_in(name, password, None if is_proxy else peer)
        self._set_cookie(secret, response)

    async def sign_out(self, request: Request, response: Response) -> None:
        if cookie := request.cookies.get(self.address.cookie):
            await asyncio.to_thread(self.accounts.sign_out, cookie)
            self.watchman.wake()
        response.delete_cookie(self.address.cookie, **self._kind_of_cookie())

    def check_origin(self, request: HTTPConnection) -> None:
        """Raises Forbidden when the page of another site sends the request."""
        own = self.address.origins[request.headers["host"].lower()]
        if [origin.lower() for origin in request.headers.getlist("origin")] not in ([], [own]):
            raise _foreign()
        if request.scope.get("method") not in _SAFE:
            _require_own_site(request)

    def _set_cookie(self, secret: str, response: Response) -> None:
        lasts = int(SIGN_IN_LIFETIME.total_seconds())
        response.set_cookie(self.address.cookie, secret, max_age=lasts, **self._kind_of_cookie())

    def _kind_of_cookie(self) -> _KindOfCookie:
        return {"httponly": True, "samesite": "strict", "secure": self.address.is_encrypted}


def _require_own_page(request: HTTPConnection) -> None:
    """A browser always names the origin of a WebSocket, and of a request that changes something."""
    if request.scope.get("method") not in _SAFE and "origin" not in request.headers:
        raise _foreign()
    _require_own_site(request)


def _require_own_site(request: HTTPConnection) -> None:
    if not _OWN_SITE.issuperset(request.headers.getlist("sec-fetch-site")):
        raise _foreign()


def _foreign() -> Forbidden:
    return Forbidden(
        "The request does not come from Palaver's own page.",
        remedy="Use the page at the address `palaver serve` printed, or a token.",
    )


async def entry_of(request: Request) -> Entry:
    return request.app.state.entry


async def principal_of(request: Request) -> Principal:
    return request.state.principal


async def palaver_of(request: Request) -> AsyncGenerator[Palaver]:
    """The library of whoever sent a request that has been admitted, until it is answered."""
    entry: Entry = request.app.state.entry
    principal: Principal = request.state.principal
    async with entry.libraries.of(principal.user) as palaver:
        yield palaver


CurrentEntry = Annotated[Entry, Depends(entry_of)]
CurrentPrincipal = Annotated[Principal, Depends(principal_of)]
CurrentPalaver = Annotated[Palaver, Depends(palaver_of)]
