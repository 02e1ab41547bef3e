"""Passwords are checked two at a time, and a flood of them leaves everybody else alone."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from palaver.accounts import Accounts
from palaver.errors import LimitReached, SignInRequired, StorageFailed
from palaver.server.passwords import AT_A_TIME, MOST_WAITING, PasswordDesk


class Slow(Accounts):
    """Checks no password before it is let."""

    gate: threading.Event
    running = most = 0
    lock: threading.Lock

    def sign_in_by_password(self, name: str, password: str) -> str | None:
        with self.lock:
            self.running += 1
            self.most = max(self.most, self.running)
        self.gate.wait(20)
        with self.lock:
            self.running -= 1
        if password == "unlucky":
            raise StorageFailed
        return "secret" if password == "right" else None


@pytest.fixture
def accounts(tmp_path: Path) -> Iterator[Slow]:
    accounts = Slow.in_file(tmp_path / "accounts.db")
    assert isinstance(accounts, Slow)
    accounts.gate, accounts.lock = threading.Event(), threading.Lock()
    yield accounts
    accounts.gate.set()
    accounts.close()


async def test_no_more_than_two_are_checked_at_a_time(accounts: Slow):
    desk = PasswordDesk(accounts)
    names = [f"name {number}" for number in range(AT_A_TIME + MOST_WAITING)]
    trying = [asyncio.create_task(desk.sign_in(name, "right", None)) for name in names]
    await asyncio.sleep(0)
    with pytest.raises(LimitReached, match="Too many"):
        await desk.sign_in("one more", "right", None)
    await asyncio.to_thread(lambda: None)  # the threads of everybody else are free
    accounts.gate.set()
    assert set(await asyncio.gather(*trying)) == {"secret"}
    assert accounts.most == AT_A_TIME
    assert await desk.sign_in("one more", "right", None) == "secret"


async def test_a_wrong_one_counts_and_a_right_one_does_not(accounts: Slow):
    accounts.gate.set()
    desk = PasswordDesk(accounts)
    for _ in range(10):
        assert await desk.sign_in("ann", "right", None) == "secret"
        with pytest.raises(SignInRequired):
            await desk.sign_in("ann", "wrong", None)
    with pytest.raises(LimitReached):
        await desk.sign_in("ann", "right", None)


async def test_what_could_not_be_checked_does_not_count(accounts: Slow):
    accounts.gate.set()
    desk = PasswordDesk(accounts)
    for _ in range(20):
        with pytest.raises(StorageFailed):
            await desk.sign_in("ann", "unlucky", None)
    assert await desk.sign_in("ann", "right", None) == "secret"
