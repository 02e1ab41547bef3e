from __future__ import annotations

from palaver.accounts import SCOPES, Accounts, Principal, SignInLinks
from palaver.errors import StorageFull
from tests.accounts.clock import Clock


def used(links: SignInLinks, code: str) -> str | None:
    with links.use(code) as user:
        return user


def test_a_browser_stays_signed_in_over_a_restart(accounts: Accounts, other: Accounts):
    secret = accounts.sign_in("local")
    assert other.browser_holder(secret) == Principal("local", frozenset(SCOPES))


def test_a_sign_in_lasts_thirty_days(accounts: Accounts, clock: Clock):
    secret = accounts.sign_in("local")
    clock.move(days=30, seconds=-1)
    assert accounts.browser_holder(secret) is not None
    clock.move(seconds=1)
    assert accounts.browser_holder(secret) is None


def test_signing_out_ends_one_browser(accounts: Accounts):
    first, second = accounts.sign_in("local"), accounts.sign_in("local")
    accounts.sign_out(first)
    accounts.sign_out(first)
    assert accounts.browser_holder(first) is None
    assert accounts.browser_holder(second) is not None


def test_signing_out_holds_everywhere(accounts: Accounts, other: Accounts):
    secret = accounts.sign_in("usr-ann")
    assert other.browser_holder(secret) is not None
    accounts.sign_out(secret)
    assert other.browser_holder(secret) is None


def test_a_token_is_no_cookie_and_a_cookie_no_token(accounts: Accounts):
    assert accounts.browser_holder(accounts.create_token("local").secret) is None
    assert accounts.token_holder(accounts.sign_in("local")) is None


def test_a_link_works_once(clock: Clock):
    links = SignInLinks(clock)
    code = links.create("local")
    assert used(links, code + "x") is None
    assert used(links, code) == "local"
    assert used(links, code) is None


def test_a_link_ends_after_a_day(clock: Clock):
    links = SignInLinks(clock)
    code = links.create("local")
    clock.move(hours=24)
    assert used(links, code) is None


def test_a_link_is_not_used_up_when_signing_in_fails(clock: Clock):
    called: list[str] = []
    links = SignInLinks(clock)
    code = links.create("local", used=lambda: called.append("used"))
    attempt = links.use(code)
    assert attempt.__enter__() == "local"
    assert used(links, code) is None  # nobody else has it meanwhile
    assert not attempt.__exit__(StorageFull, StorageFull(), None)
    assert called == []
    assert used(links, code) == "local"
    assert called == ["used"]
