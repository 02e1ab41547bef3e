"""How often a password may be wrong, for whom, and from where."""

from __future__ import annotations

import pytest

from palaver.errors import LimitReached
from palaver.server import attempts as module
from palaver.server.attempts import EVERY, MOST, Attempts, network

HERE, THERE = "192.0.2.1", "198.51.100.7"


class Now:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def attempts(now: Now) -> Attempts:
    return Attempts(now)


def fail(attempts: Attempts, name: str, peer: str | None, times: int = MOST) -> None:
    for _ in range(times):
        attempts.begin(name, peer)


def test_a_name_has_ten_and_one_comes_back_every_half_minute(attempts: Attempts, now: Now):
    fail(attempts, "ann", None)
    with pytest.raises(LimitReached) as refused:
        attempts.begin("ANN", None)
    assert refused.value.retry_after == EVERY
    now.seconds += EVERY - 1
    with pytest.raises(LimitReached):
        attempts.begin("ann", None)
    now.seconds += 1
    attempts.begin("ann", None)
    with pytest.raises(LimitReached):
        attempts.begin("ann", None)
    now.seconds += MOST * EVERY
    fail(attempts, "ann", None)


@pytest.mark.parametrize("spaces", [1, 60, 62, 64, 100])
def test_however_a_name_is_typed_it_is_one_name(attempts: Attempts, spaces: int):
    """The accounts find somebody by all of these."""
    fail(attempts, "ann\u00e9" + "x" * 60, None)
    with pytest.raises(LimitReached):
        attempts.begin("anne\u0301" + "x" * 60, None)
    fail(attempts, "ann", None)
    with pytest.raises(LimitReached):
        attempts.begin(" " * spaces + "ann", None)


def test_an_address_has_ten_whatever_the_names(attempts: Attempts):
    for number in range(MOST):
        attempts.begin(f"name {number}", HERE)
    with pytest.raises(LimitReached):
        attempts.begin("another", HERE)
    attempts.begin("another", THERE)


def test_what_is_refused_does_not_count(attempts: Attempts, now: Now):
    fail(attempts, "ann", None)
    for _ in range(100):
        with pytest.raises(LimitReached):
            attempts.begin("ann", None)
    now.seconds += EVERY
    attempts.begin("ann", None)


def test_many_at_once_are_no_way_round(attempts: Attempts):
    begun = [attempts.begin("ann", None) for _ in range(MOST)]
    with pytest.raises(LimitReached):
        attempts.begin("ann", None)
    begun[0].succeeded()
    attempts.begin("ann", None)


def test_right_passwords_are_not_counted(attempts: Attempts):
    for _ in range(5 * MOST):
        attempts.begin("ann", HERE).succeeded()


def test_a_right_password_does_not_excuse_wrong_ones(attempts: Attempts):
    """Otherwise somebody with an account would guess those of others between their own."""
    fail(attempts, "ann", HERE, MOST - 1)
    attempts.begin("mallory", HERE).succeeded()
    attempts.begin("ann", HERE)
    with pytest.raises(LimitReached):
        attempts.begin("mallory", HERE)


def test_whoever_hammers_a_name_does_not_keep_its_owner_out(attempts: Attempts):
    attempts.begin("ann", HERE).succeeded()
    fail(attempts, "ann", THERE)
    attempts.begin("ann", HERE).succeeded()
    with pytest.raises(LimitReached):
        attempts.begin("ann", "203.0.113.9")


def test_a_known_place_has_ten_of_its_own(attempts: Attempts):
    attempts.begin("ann", HERE).succeeded()
    fail(attempts, "ann", HERE)
    with pytest.raises(LimitReached):
        attempts.begin("ann", HERE)
    attempts.begin("ann", THERE)


@pytest.mark.parametrize(
    "peer", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "testclient"]
)
def test_this_machine_is_nobody_s_place(peer: str):
    assert network(peer) is None


def test_a_place_is_what_one_person_has():
    assert network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::9")
    assert network("2001:db8:1:2::1") != network("2001:db8:1:3::1")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") != network("192.0.2.2")


def test_memory_is_bounded(attempts: Attempts, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "REMEMBERED", 50)
    for number in range(500):
        attempts.begin(f"name {number}", f"2001:db8:{number:x}::1").succeeded()
        attempts.begin(f"other {number}" * 1000, f"2001:db8:{number:x}::1")
    assert len(attempts._spent) == len(attempts._places) == 50  # pyright: ignore[reportPrivateUsage]
