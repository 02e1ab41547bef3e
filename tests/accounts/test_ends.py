"""How somebody who was let in is told that their credentials have ended."""

from __future__ import annotations

from datetime import timedelta

from palaver.accounts import Accounts, Principal
from tests.accounts.clock import Clock


def held(found: Principal | None) -> Principal:
    assert found is not None
    return found


def test_a_principal_names_its_credentials_and_no_secret(accounts: Accounts):
    made = accounts.create_token("local")
    token = held(accounts.token_holder(made.secret))
    assert (token.credential, token.expires) == (made.token.id, None)
    cookie = accounts.sign_in("local")
    browser = held(accounts.browser_holder(cookie))
    assert browser.credential not in {"", cookie}
    assert browser.expires == "2026-03-16T09:00:00.000Z"


def test_the_version_moves_with_whatever_another_process_ends(accounts: Accounts, other: Accounts):
    made, cookie = other.create_token("local"), other.sign_in("local")
    seen = [accounts.version()]
    other.revoke_token("local", made.token.id)
    seen.append(accounts.version())
    other.sign_out(cookie)
    seen.append(accounts.version())
    assert len(set(seen)) == 3


def test_the_version_moves_with_what_is_ended_here(accounts: Accounts):
    made, cookie = accounts.create_token("local"), accounts.sign_in("local")
    seen = [accounts.version()]
    accounts.revoke_token("local", made.token.id)
    seen.append(accounts.version())
    accounts.sign_out(cookie)
    seen.append(accounts.version())
    assert len(set(seen)) == 3


def test_the_version_stays_while_nothing_happens(accounts: Accounts):
    made = accounts.create_token("local")
    accounts.token_holder(made.secret)
    before = accounts.version()
    accounts.token_holder(made.secret)
    assert accounts.version() == before


def test_only_what_still_opens_something_is_valid(accounts: Accounts, clock: Clock):
    ends = clock() + timedelta(hours=1)
    kept, revoked, short = (accounts.create_token("local", expires=e) for e in (None, None, ends))
    cookies = [accounts.sign_in("usr-ann") for _ in range(2)]
    browsers = [held(accounts.browser_holder(cookie)).credential for cookie in cookies]
    everybody = [kept.token.id, revoked.token.id, short.token.id, *browsers, "tok-nobody", "", "ab"]
    accounts.revoke_token("local", revoked.token.id)
    accounts.sign_out(cookies[1])
    assert accounts.valid(everybody) == {kept.token.id, short.token.id, browsers[0]}
    clock.move(hours=1)
    assert accounts.valid(everybody) == {kept.token.id, browsers[0]}
    clock.move(days=30)
    assert accounts.valid(everybody) == {kept.token.id}
    assert accounts.valid([]) == set()
