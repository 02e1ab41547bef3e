from __future__ import annotations

import pytest
from argon2 import PasswordHasher

from palaver.accounts.passwords import Passwords, check_password
from palaver.errors import BadText, BadValue

LIGHT = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


def test_a_password_is_kept_as_argon2id():
    kept = Passwords().hash("correct horse")
    assert kept.startswith("$argon2id$")
    assert "horse" not in kept
    assert Passwords().matches(kept, "correct horse")
    assert not Passwords().matches(kept, "correct hors")


def test_the_same_password_from_another_keyboard_is_the_same():
    passwords = Passwords(LIGHT)
    assert passwords.matches(passwords.hash("caf\u00e9 noir"), "cafe\u0301 noir")


def test_nobody_s_password_takes_as_much_work():
    done: list[str | bytes] = []

    class Counting(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            done.append(password)
            return super().hash(password, salt=salt)

    counting = Counting(time_cost=1, memory_cost=8, parallelism=1)
    assert not Passwords(counting).matches(None, "whatever it is")
    assert done == [b"whatever it is"]


def test_other_parameters_are_noticed():
    assert Passwords().is_outdated(LIGHT.hash("x"))
    assert not Passwords(LIGHT).is_outdated(LIGHT.hash("x"))


@pytest.mark.parametrize("password", ["", "1234567", "x" * 1001])
def test_a_password_is_long_enough_and_not_too_long(password: str):
    with pytest.raises(BadValue, match=r"at least 8|at most 1,000"):
        check_password(password)


def test_a_password_is_text():
    with pytest.raises(BadText):
        check_password("\ud800" * 8)
