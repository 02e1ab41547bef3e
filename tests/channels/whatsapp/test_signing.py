"""Whose a call is, and whose the address."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from palaver.channels.whatsapp.signing import SIGNATURE, challenge, is_signed
from palaver.errors import WebhookRefused
from tests.channels.whatsapp.provider import SECRET, VERIFY, calling, payload, signed

KEY = SecretStr(SECRET)
ASKED = {"hub.mode": "subscribe", "hub.verify_token": VERIFY, "hub.challenge": "1158201444"}


def test_a_signature_is_over_the_bytes_as_they_came() -> None:
    body, headers = calling(payload("text"))
    assert is_signed(KEY, body, headers)
    assert not is_signed(KEY, body.replace(b",", b", "), headers)
    assert not is_signed(KEY, body + b" ", headers)


@pytest.mark.parametrize("secret", ["other", SECRET.upper(), SECRET + " ", VERIFY])
def test_another_secret_signs_nothing(secret: str) -> None:
    assert not is_signed(KEY, b"{}", signed(b"{}", secret))


def test_without_a_secret_nothing_is_signed() -> None:
    for headers in ({}, {SIGNATURE: ""}, signed(b"{}", ""), signed(b"{}", "None")):
        assert not is_signed(None, b"{}", headers)
        assert not is_signed(SecretStr(""), b"{}", headers)


@pytest.mark.parametrize(
    "spelling",
    [
        *("SHA256={}", "sha256={}0", "sha256={0}, sha256={0}", "{}", "sha1={}", " sha256={}"),
        *("sha256={} ", "sha256 = {}", "sha256=", "", "\ud800", "sha256={}\0"),
    ],
)
def test_a_signature_is_spelt_in_one_way(spelling: str) -> None:
    digest = signed(b"{}")[SIGNATURE].removeprefix("sha256=")
    assert is_signed(KEY, b"{}", {SIGNATURE: f"sha256={digest}"})
    assert not is_signed(KEY, b"{}", {SIGNATURE: spelling.format(digest)})
    for other in (digest.upper(), digest[:-1], digest.translate({ord("4"): "٤"})):
        assert not is_signed(KEY, b"{}", {SIGNATURE: f"sha256={other}"})


def test_whoever_knows_the_token_is_answered() -> None:
    assert challenge(SecretStr(VERIFY), ASKED) == "1158201444"


@pytest.mark.parametrize(
    "change",
    [
        *({"hub.mode": "unsubscribe"}, {"hub.mode": ""}, {"hub.verify_token": "guess"}),
        *({"hub.verify_token": ""}, {"hub.verify_token": "\ud800"}, {"hub.challenge": ""}),
        *({"hub.challenge": "<script>"}, {"hub.challenge": "1" * 201}, {"hub.challenge": "١"}),
    ],
)
def test_whoever_does_not_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(WebhookRefused):
        challenge(SecretStr(VERIFY), ASKED | change)
    with pytest.raises(WebhookRefused):
        challenge(SecretStr(VERIFY), {k: v for k, v in ASKED.items() if k not in change})


def test_without_a_token_everybody_is_refused() -> None:
    for token in ("", "None", VERIFY):
        with pytest.raises(WebhookRefused):
            challenge(None, ASKED | {"hub.verify_token": token})
