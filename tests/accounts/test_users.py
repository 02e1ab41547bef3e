from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from argon2 import PasswordHasher

from palaver.accounts import Accounts, User
from palaver.accounts.passwords import Passwords
from palaver.errors import AlreadyExists, BadValue, NotFound, SignInRequired
from tests.accounts.clock import Clock
from tests.accounts.conftest import Open

PASSWORD = "correct horse"


@pytest.fixture
def accounts(opened: Open) -> Iterator[Accounts]:
    accounts = opened()
    accounts._passwords = Passwords(  # pyright: ignore[reportPrivateUsage]
        PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    )
    yield accounts
    accounts.close()


def test_somebody_who_is_added_can_sign_in(accounts: Accounts, other: Accounts):
    ann = accounts.add_user("Ann", PASSWORD)
    assert ann.id.startswith("usr-")
    assert (ann.name, ann.created, ann.has_password) == ("Ann", "2026-02-14T09:00:00.000Z", True)
    secret = accounts.sign_in_by_password("aNN", PASSWORD)
    assert secret is not None
    holder = other.browser_holder(secret)
    assert holder is not None
    assert holder.user == ann.id


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("ann", "correct horsf"), ("ann", ""), ("bob", PASSWORD), ("", PASSWORD),
        ("a\0b", PASSWORD), ("local", PASSWORD), ("tokens", PASSWORD), ("\ud800", "\ud800" * 8),
        ("x" * 100_000, PASSWORD),
    ],
)  # fmt: skip
def test_anything_else_signs_nobody_in(accounts: Accounts, name: str, password: str):
    accounts.add_user("ann", PASSWORD)
    accounts.add_user("tokens")
    assert accounts.sign_in_by_password(name, password) is None


def test_the_owner_is_always_there_and_may_have_a_password(accounts: Accounts):
    assert accounts.users() == [User("local", "local")]
    assert not accounts.somebody_has_password()
    accounts.set_password("local", PASSWORD)
    assert [(user.id, user.has_password) for user in accounts.users()] == [("local", True)]
    assert accounts.somebody_has_password()
    assert accounts.sign_in_by_password("Local", PASSWORD) is not None


def test_everybody_is_listed_as_they_came(accounts: Accounts, clock: Clock):
    for name in ("cat", "ann", "bob"):
        clock.move(seconds=1)
        accounts.add_user(name)
    accounts.set_password("local", PASSWORD)
    assert [user.name for user in accounts.users()] == ["local", "cat", "ann", "bob"]


def test_somebody_is_found_by_name_and_by_id(accounts: Accounts):
    ann = accounts.add_user("Ann")
    assert accounts.user_named("ann") == accounts.user_named(ann.id) == ann
    assert accounts.user_named("LOCAL").id == "local"
    for nobody in ("bob", "usr-nobody", "", "a\0b", "x" * 1000):
        with pytest.raises(NotFound):
            accounts.user_named(nobody)


@pytest.mark.parametrize("name", ["ann", "ANN", "ａｎｎ", "local", "Local"])
def test_a_name_is_given_once(accounts: Accounts, name: str):
    accounts.add_user("ann", PASSWORD)
    with pytest.raises(AlreadyExists):
        accounts.add_user(name, "another one")
    assert accounts.sign_in_by_password("ann", "another one") is None


def test_of_several_who_take_a_name_at_once_one_gets_it(opened: Open):
    nodes = [opened() for _ in range(4)]

    def take(node: Accounts) -> bool:
        try:
            node.add_user("ann")
        except AlreadyExists:
            return False
        return True

    with ThreadPoolExecutor(len(nodes)) as together:
        assert sum(together.map(take, nodes)) == 1
    assert [user.name for user in nodes[0].users()] == ["local", "ann"]
    for node in nodes:
        node.close()


@pytest.mark.parametrize(("name", "password"), [("", None), ("usr-x", None), ("ann", "short")])
def test_a_bad_account_is_not_made(accounts: Accounts, name: str, password: str | None):
    with pytest.raises(BadValue):
        accounts.add_user(name, password)
    assert len(accounts.users()) == 1


def test_another_password_signs_out_everywhere(accounts: Accounts, other: Accounts):
    ann, bob = accounts.add_user("ann", PASSWORD), accounts.add_user("bob", PASSWORD)
    secret = accounts.sign_in_by_password("ann", PASSWORD) or ""
    bobs = accounts.sign_in_by_password("bob", PASSWORD) or ""
    link, token = accounts.create_link(ann.id), accounts.create_token(ann.id)
    other.set_password("ann", "another one")
    assert accounts.browser_holder(secret) is None
    assert accounts.sign_in_by_link(link) is None
    assert accounts.sign_in_by_password("ann", PASSWORD) is None
    assert accounts.sign_in_by_password("ann", "another one") is not None
    assert accounts.token_holder(token.secret) is not None
    holder = accounts.browser_holder(bobs)
    assert holder is not None
    assert holder.user == bob.id


def test_a_password_that_changes_while_somebody_signs_in_lets_nobody_in(
    accounts: Accounts, other: Accounts, monkeypatch: pytest.MonkeyPatch
):
    accounts.add_user("ann", PASSWORD)
    checked = accounts._check("ann", PASSWORD)  # pyright: ignore[reportPrivateUsage]

    def check(name: str, password: str) -> tuple[str, str] | None:
        return checked

    monkeypatch.setattr(accounts, "_check", check)
    other.set_password("ann", "another one")
    assert accounts.sign_in_by_password("ann", PASSWORD) is None


def test_removing_somebody_ends_everything_they_have(accounts: Accounts, other: Accounts):
    ann = accounts.add_user("ann", PASSWORD)
    secret = accounts.sign_in_by_password("ann", PASSWORD) or ""
    link, token = accounts.create_link(ann.id), accounts.create_token(ann.id)
    assert other.remove_user("ANN") == ann
    assert accounts.browser_holder(secret) is None
    assert accounts.sign_in_by_link(link) is None
    assert accounts.token_holder(token.secret) is None
    assert accounts.tokens(ann.id) == []
    assert accounts.sign_in_by_password("ann", PASSWORD) is None
    assert [user.name for user in accounts.users()] == ["local"]
    with pytest.raises(NotFound):
        accounts.remove_user("ann")


def test_somebody_who_was_removed_gets_nothing_new(accounts: Accounts):
    """A request of theirs may be under way while they are removed."""
    ann = accounts.add_user("ann", PASSWORD)
    accounts.remove_user("ann")
    with pytest.raises(SignInRequired):
        accounts.create_token(ann.id)
    assert accounts.browser_holder(accounts.sign_in(ann.id)) is None
    assert accounts.sign_in_by_link(accounts.create_link(ann.id)) is None
    with pytest.raises(NotFound):
        accounts.set_password(ann.id, PASSWORD)


def test_a_name_is_free_again_and_leads_to_somebody_else(accounts: Accounts):
    first = accounts.add_user("ann")
    accounts.remove_user("ann")
    assert accounts.add_user("ann").id != first.id


def test_the_owner_cannot_be_removed(accounts: Accounts):
    accounts.set_password("local", PASSWORD)
    with pytest.raises(BadValue, match="cannot be removed"):
        accounts.remove_user("local")
    assert accounts.sign_in_by_password("local", PASSWORD) is not None


def test_an_old_hash_is_made_anew_when_somebody_signs_in(accounts: Accounts, other: Accounts):
    accounts.add_user("ann", PASSWORD)

    def kept() -> str:
        return accounts._rows.read("password_by_name", folded="ann")[0][1]  # pyright: ignore[reportPrivateUsage]

    before = kept()
    assert other.sign_in_by_password("ann", "wrong one") is None
    assert kept() == before
    assert other.sign_in_by_password("ann", PASSWORD) is not None
    assert kept() != before
    assert not Passwords().is_outdated(kept())
    assert other.sign_in_by_password("ann", PASSWORD) is not None
