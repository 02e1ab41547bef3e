from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from palaver.accounts import DEFAULT_SCOPES, SCOPES, Accounts, Principal
from tests.accounts.clock import Clock
from tests.accounts.conftest import Open


def who(found: Principal | None) -> tuple[str, frozenset[str]] | None:
    return (found.user, found.scopes) if found else None


def test_a_browser_stays_signed_in_over_a_restart(accounts: Accounts, other: Accounts):
    secret = accounts.sign_in("local")
    assert who(other.browser_holder(secret)) == ("local", frozenset(SCOPES))


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


def test_a_link_works_once_wherever_it_is_used(accounts: Accounts, other: Accounts):
    code = accounts.create_link("usr-ann")
    assert other.sign_in_by_link(code + "x") is None
    secret = other.sign_in_by_link(code)
    assert secret is not None
    assert who(accounts.browser_holder(secret)) == ("usr-ann", frozenset(DEFAULT_SCOPES))
    assert accounts.sign_in_by_link(code) is None
    assert other.sign_in_by_link(code) is None


def test_of_several_who_use_a_link_at_once_one_is_signed_in(opened: Open):
    nodes = [opened() for _ in range(4)]
    with ThreadPoolExecutor(len(nodes)) as together:
        for _ in range(10):
            code = nodes[0].create_link("local")
            tried = together.map(Accounts.sign_in_by_link, nodes, [code] * len(nodes))
            assert sum(secret is not None for secret in tried) == 1
    for node in nodes:
        node.close()


def test_a_link_ends_after_a_day(accounts: Accounts, clock: Clock):
    codes = [accounts.create_link("local") for _ in range(2)]
    clock.move(hours=24, seconds=-1)
    assert accounts.sign_in_by_link(codes[0]) is not None
    clock.move(seconds=1)
    assert accounts.sign_in_by_link(codes[1]) is None


def test_a_link_can_be_ended(accounts: Accounts, other: Accounts):
    code = accounts.create_link("local")
    accounts.end_link(code)
    assert other.sign_in_by_link(code) is None


def test_a_code_is_no_cookie_and_a_cookie_no_code(accounts: Accounts):
    assert accounts.browser_holder(accounts.create_link("local")) is None
    assert accounts.sign_in_by_link(accounts.sign_in("local")) is None
