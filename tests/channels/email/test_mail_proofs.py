"""The short forms of the proofs about mail, each with planted faults that it must catch."""

from __future__ import annotations

from typing import Any

import pytest

from palaver.channels.email import (
    addresses,
    authentication,
    headers,
    html,
    quoting,
    reading,
    threads,
)
from palaver.channels.email.authentication import Trusted
from palaver.channels.email.headers import Header
from palaver.channels.port import Person
from tests.proofs import mail


def test_no_forged_mail_is_the_owners() -> None:
    report = mail.prove_spoofs(3)
    assert report.held, str(report)
    assert report.tried >= 300


def _first(values: list[bytes]) -> Person | None:
    return next(iter(addresses.named(values)), None)


def _everybody(self: Trusted, server: str | None) -> str | None:
    return server or "anybody"


def _everywhere(self: Trusted, host: str) -> bool:
    return True


def _always(*_: object) -> bool:
    return True


def _folded(text: str) -> str:
    return text.casefold()


def _sound(block: bytes, really: Any = headers.read) -> Header:
    return Header(really(block).fields, True)


def _related(result: authentication.Result, name: str, domain: str) -> bool:
    return result.result == "pass" and domain in result.properties.get(name, "")


@pytest.mark.parametrize(
    ("room", "name", "fault"),
    [
        (reading, "only", _first),
        (Trusted, "believed", _everybody),
        (Trusted, "owns", _everywhere),
        (authentication, "_is_ours", _always),
        (authentication, "_passed", _related),
        (authentication, "_by_dkim", _always),
        (headers, "read", _sound),
        (addresses, "_local", _folded),
    ],
)
def test_a_forged_mail_is_noticed(
    monkeypatch: pytest.MonkeyPatch, room: Any, name: str, fault: Any
) -> None:
    monkeypatch.setattr(room, name, fault)
    assert not mail.prove_spoofs().held


def test_genuine_mail_is_known() -> None:
    report = mail.prove_genuine()
    assert report.held, str(report)
    assert report.tried >= 100


def test_genuine_mail_that_is_not_known_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authentication, "_NAMELESS", "nobody.invalid")
    assert not mail.prove_genuine().held


def test_threads_are_kept_together() -> None:
    report = mail.prove_threads(200)
    assert report.held, str(report)


@pytest.mark.parametrize("name", ["ids", "subject_key"])
def test_a_thread_that_falls_apart_is_noticed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    faults: dict[str, Any] = {"ids": lambda text: text.split()[:1], "subject_key": str}  # type: ignore[dict-item]
    monkeypatch.setattr(threads, name, faults[name])
    assert not mail.prove_threads(200).held


def test_no_mail_costs_more_than_its_length() -> None:
    report = mail.prove_bombs(400)
    assert report.held, str(report)


@pytest.mark.parametrize(
    ("room", "names"), [(quoting, ["_MOST_JOINED"]), (html, ["_MOST_DEPTH", "_MOST_BACK"])]
)
def test_a_mail_that_costs_too_much_is_noticed(
    monkeypatch: pytest.MonkeyPatch, room: Any, names: list[str]
) -> None:
    for name in names:
        monkeypatch.setattr(room, name, 1_000_000)
    assert not mail.prove_bombs(200).held
