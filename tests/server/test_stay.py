"""Whoever stays has to leave: when their credentials end, by whichever process, and at the end."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import ExitStack, suppress
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from starlette.types import Message

from palaver.accounts import Accounts, NewToken
from palaver.engines import open_accounts
from palaver.errors import LimitReached, SignInRequired, Stopping, StorageFailed
from palaver.server import streams, watchman
from palaver.server.guests import Guests, Stay
from palaver.server.watchman import Watchman
from palaver.settings import LimitSettings, Settings
from tests.accounts.clock import Clock
from tests.server.site import Site, running_site
from tests.server.speaker import Model, events, stream

SOON = 20.0


# -- the watchman ------------------------------------------------------------------------------


class House:
    """Accounts, those who stay, and the watchman, by the clock of the test."""

    def __init__(self, path: Path) -> None:
        self.clock = Clock()
        self.path = path
        self.accounts = self.another()
        self.guests = Guests()
        self._staying = ExitStack()
        self.watchman = Watchman(self.accounts, self.guests, self.clock)

    def another(self) -> Accounts:
        """As another process has them."""
        return Accounts.in_file(self.path, self.clock)

    def token(self, lasts: timedelta | None = None) -> NewToken:
        expires = self.clock() + lasts if lasts else None
        return self.accounts.create_token("local", expires=expires)

    def stay(self, token: NewToken) -> Stay:
        principal = self.accounts.token_holder(token.secret)
        assert principal is not None
        return self._staying.enter_context(self.guests.stay(principal))


@pytest.fixture
async def house(tmp_path: Path) -> House:
    return House(tmp_path / "accounts.db")


async def is_over(stay: Stay) -> bool:
    """Whether they have been told already."""
    told = asyncio.ensure_future(stay.over())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    if not told.done():
        told.cancel()
        return False
    with pytest.raises(SignInRequired):
        await told
    return True


async def test_who_shows_what_was_revoked_has_to_leave_and_nobody_else(house: House):
    first, second = house.token(), house.token()
    stays = [house.stay(token) for token in (first, first, second)]
    await house.watchman.look()
    assert [await is_over(stay) for stay in stays] == [False] * 3
    other = house.another()
    other.revoke_token("local", first.token.id)
    other.close()
    await house.watchman.look()
    assert [await is_over(stay) for stay in stays] == [True, True, False]


async def test_a_revocation_between_the_door_and_the_stay_is_seen(house: House):
    here, token = house.stay(house.token()), house.token()
    principal = house.accounts.token_holder(token.secret)
    assert principal is not None
    house.accounts.revoke_token("local", token.token.id)
    await house.watchman.look()
    with house.guests.stay(principal) as late:
        await house.watchman.look()
        assert await is_over(late)
    assert not await is_over(here)


async def test_who_has_a_time_has_to_leave_when_it_is_over(house: House):
    stays = [house.stay(house.token(timedelta(hours=1))), house.stay(house.token())]
    await house.watchman.look()
    house.clock.move(minutes=59)
    await house.watchman.look()
    assert [await is_over(stay) for stay in stays] == [False, False]
    house.clock.move(minutes=1)
    await house.watchman.look()
    assert [await is_over(stay) for stay in stays] == [True, False]


async def test_those_of_whom_all_is_known_are_not_asked_about_again(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    asked: list[set[str]] = []
    valid = house.accounts.valid

    def noted(credentials: list[str]) -> set[str]:
        asked.append(set(credentials))
        return valid(credentials)

    monkeypatch.setattr(house.accounts, "valid", noted)
    tokens = [house.token(), house.token()]
    await house.watchman.look()
    stays = [house.stay(token) for token in tokens * 50]
    for _ in range(3):
        await house.watchman.look()
    assert asked == [{token.token.id for token in tokens}]
    assert len(stays) == 100


@pytest.mark.parametrize("what", ["version", "valid"])
async def test_while_nobody_can_tell_nobody_is_thrown_out(
    house: House, monkeypatch: pytest.MonkeyPatch, what: str
):
    token = house.token()
    stay = house.stay(token)
    await house.watchman.look()
    house.accounts.revoke_token("local", token.token.id)

    def broken(*_: object) -> None:
        raise StorageFailed

    with monkeypatch.context() as patch:
        patch.setattr(house.accounts, what, broken)
        with pytest.raises(StorageFailed):
            await house.watchman.look()
        assert not await is_over(stay)
    await house.watchman.look()
    assert await is_over(stay)


async def test_a_watchman_goes_on_after_trouble_and_closes_when_he_ends(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(watchman, "LOOK_EVERY", 0.01)
    token = house.token()
    stay = house.stay(token)
    failed = asyncio.Event()
    version = house.accounts.version

    def broken() -> int:
        monkeypatch.setattr(house.accounts, "version", version)
        loop.call_soon_threadsafe(failed.set)
        raise StorageFailed

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(house.accounts, "version", broken)
    watching = asyncio.create_task(house.watchman.watch())
    async with asyncio.timeout(SOON):
        await failed.wait()
        house.accounts.revoke_token("local", token.token.id)
        with pytest.raises(SignInRequired):
            await stay.over()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    with pytest.raises(Stopping), house.guests.stay(stay.principal):
        pass


async def test_where_nobody_watches_nobody_stays(house: House, monkeypatch: pytest.MonkeyPatch):
    """A mistake of ours lets nobody stay who may have to leave; afterwards all is as before."""
    monkeypatch.setattr(watchman, "LOOK_EVERY", 0.01)
    first, token = house.stay(house.token()), house.token()

    def mistaken() -> int:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(house.accounts, "version", mistaken)
        watching = asyncio.create_task(house.watchman.watch())
        async with asyncio.timeout(SOON):
            with pytest.raises(Stopping):
                await first.over()
    assert not watching.done()
    second = house.stay(token)
    house.accounts.revoke_token("local", token.token.id)
    async with asyncio.timeout(SOON):
        with pytest.raises(SignInRequired):
            await second.over()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


async def test_whoever_does_not_take_the_last_words_is_broken_off(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(streams, "_FAREWELL_SECONDS", 0.01)
    stay = house.stay(house.token())

    async def never() -> AsyncGenerator[bytes]:
        stay.end(SignInRequired())
        await asyncio.Event().wait()
        yield b""

    async def send(message: Message) -> None:
        if message.get("body") == b"why":
            await asyncio.Event().wait()

    answer = streams.Stream(never(), stay, media_type="text/plain", farewell=lambda _: b"why")
    with pytest.raises(ConnectionAbortedError):
        await answer.stream_response(send)


async def test_what_is_ended_here_is_seen_at_once(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(watchman, "LOOK_EVERY", 3600.0)
    token = house.token()
    stay = house.stay(token)
    watching = asyncio.create_task(house.watchman.watch())
    house.accounts.revoke_token("local", token.token.id)
    house.watchman.wake()
    async with asyncio.timeout(SOON):
        with pytest.raises(SignInRequired):
            await stay.over()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


async def test_work_is_broken_off_when_a_stay_ends(house: House):
    stay = house.stay(house.token())
    assert await stay.during(asyncio.sleep(0, "done")) == "done"
    broken_off = asyncio.Event()

    async def work() -> None:
        try:
            stay.end(SignInRequired())
            await asyncio.Event().wait()
        finally:
            broken_off.set()

    with pytest.raises(SignInRequired):
        await stay.during(work())
    assert broken_off.is_set()


# -- over HTTP ---------------------------------------------------------------------------------


@pytest.fixture(params=["home", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    return request.getfixturevalue("database_url") if request.param == "postgres" else None


@pytest.fixture
def site(tmp_path: Path, url: str | None, model: Model) -> Iterator[Site]:
    few = LimitSettings(sockets=2)
    with running_site(tmp_path / "home", database_url=url, limits=few) as site:
        yield site


@pytest.fixture
def elsewhere(tmp_path: Path, url: str | None) -> Iterator[Accounts]:
    """The accounts as another process has them."""
    accounts = open_accounts(Settings.load(tmp_path / "home", database__url=url))
    yield accounts
    accounts.close()


def by_another_process(site: Site, elsewhere: Accounts, token: NewToken) -> None:
    elsewhere.revoke_token("local", token.token.id)


def by_the_server(site: Site, elsewhere: Accounts, token: NewToken) -> None:
    with site.browser() as browser:
        assert browser.delete(f"/api/tokens/{token.token.id}").status_code == 200


@pytest.mark.parametrize("end", [by_another_process, by_the_server])
def test_a_revoked_token_ends_its_stream_and_the_reply_is_made(
    site: Site, elsewhere: Accounts, model: Model, end: Callable[[Site, Accounts, NewToken], None]
):
    model.words = ["It ", "…", "is blue."]
    token = site.accounts.create_token("local")
    with (
        site.client(Authorization=f"Bearer {token.secret}") as client,
        stream(client, message="What colour?", key="k") as answer,
    ):
        told = events(answer)
        assert next(told)[0] == "message_accepted"
        assert model.reached.wait(SOON)
        end(site, elsewhere, token)
        *_, (name, last) = told
    assert (name, last["code"]) == ("error", "sign_in_required")
    model.go_on.set()
    with site.program() as other:
        again = other.post("/api/chat", json={"message": "What colour?", "key": "k"}).json()
    assert (again["reply"]["content"], again["reply"]["status"]) == ("It is blue.", "complete")


def test_signing_out_ends_the_streams_of_the_browser(site: Site, model: Model):
    model.words = ["It ", "…"]
    with site.browser() as browser, stream(browser, message="What colour?") as answer:
        told = events(answer)
        assert next(told)[0] == "message_accepted"
        with site.client(Origin=site.url) as same:
            same.cookies = browser.cookies
            assert same.post("/api/logout").status_code == 204
        *_, (name, last) = told
    assert (name, last["code"]) == ("error", "sign_in_required")
    model.go_on.set()


def test_a_server_that_stops_tells_its_streams(tmp_path: Path, model: Model):
    model.words = ["It ", "…"]
    with running_site(tmp_path / "other") as site, site.program() as client:
        streaming = stream(client, message="What colour?")
        told = events(streaming.__enter__())
        assert next(told)[0] == "message_accepted"
        assert model.reached.wait(SOON)
        site.stop()
        *_, (name, last) = told
    assert (name, last["code"]) == ("error", "stopping")


def test_streams_are_counted_and_no_more_are_let_in_than_may_be(site: Site, model: Model):
    model.words = ["It ", "…"]
    with site.program() as client, site.program(["admin"]) as admin:
        open_streams = [stream(client, message="What colour?") for _ in range(2)]
        told = [events(one.__enter__()) for one in open_streams]
        assert [next(one)[0] for one in told] == ["message_accepted"] * 2
        assert "palaver_open 2.0" in admin.get("/metrics").text
        with stream(client, message="One more?") as refused:
            assert refused.status_code == LimitReached.status
            assert "retry-after" in refused.headers
        for one in open_streams:
            one.__exit__(None, None, None)
        until_none_is_open(admin)
        with stream(client, message="Now?") as answer:
            assert answer.status_code == 200
            model.go_on.set()


def until_none_is_open(admin: httpx.Client) -> None:
    deadline = time.monotonic() + SOON
    while "palaver_open 0.0" not in admin.get("/metrics").text:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_export_ends_with_the_credentials(
    site: Site, elsewhere: Accounts, caplog: pytest.LogCaptureFixture
):
    """What has been sent before stays; what would be missing shows, and is no trouble of ours."""
    token = site.accounts.create_token("local")
    with site.client(Authorization=f"Bearer {token.secret}") as client:
        conversation = client.post("/api/conversations", json={}).json()["id"]
        path = f"/api/conversations/{conversation}"
        for _ in range(16):
            body = {"role": "user", "content": "x" * 1_000_000}
            assert client.post(f"{path}/messages", json=body).is_success
        with socket.create_connection((site.address.host, site.address.port), SOON) as slow:
            slow.sendall(
                f"GET {path}/export HTTP/1.1\r\nHost: {site.address.host}:{site.address.port}\r\n"
                f"Authorization: Bearer {token.secret}\r\n\r\n".encode()
            )
            assert slow.recv(15) == b"HTTP/1.1 200 OK"
            elsewhere.revoke_token("local", token.token.id)
            with site.program(["admin"]) as admin:
                until_none_is_open(admin)
            rest = bytearray()
            with suppress(ConnectionError):
                while piece := slow.recv(1 << 20):
                    rest += piece
    assert not rest.endswith(b"0\r\n\r\n")
    assert len(rest) < 16_000_000
    assert "Exception" not in caplog.text
