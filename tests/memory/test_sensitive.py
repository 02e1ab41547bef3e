"""What is sensitive, what is secret, and what only sounds like it."""

from __future__ import annotations

import pytest

from palaver.digest.state.secrets import is_secret
from palaver.memory.sensitive import sensitive_kind


@pytest.mark.parametrize(
    "text",
    [
        "my password is hunter2x",
        "the wifi password is Tr0mbone-Gravel-88",
        "Das Passwort lautet geheim123",
        "le mot de passe est Soleil44",
        "my PIN is 4821",
        "the alarm code is 4471",
        "My card is 4111 1111 1111 1111",
        "here's the api key for the weather thing: wx-9f3kq02LmZt77",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "-----BEGIN RSA PRIVATE KEY-----",
        "use AKIAIOSFODNN7EXAMPLE there",
        "my seed phrase: " + "apple river stone cloud " * 3,
    ],
)
def test_a_secret_is_known(text: str) -> None:
    assert is_secret(text)
    assert sensitive_kind(text) == "credential"


@pytest.mark.parametrize(
    "text",
    [
        "my password manager is Bitwarden",
        "my password is too long",
        "I work in health care",
        "I'm a nurse on a cancer ward",
        "I work as a paralegal at Vestergaard",
        "our order number is 1234 5678 9012 3456",
        "I live at Elmegade 14, 2200 Copenhagen",
        "We use postgresql-16.2-alpine in production",
        "I prefer the left side of the bed",
        "I'm writing an app for people with diabetes",
        "the status of job 3f2b9c1e-77aa-4c0e-9d1b-5a8e0c2f6d11",
    ],
)
def test_what_only_sounds_like_it_is_not(text: str) -> None:
    assert sensitive_kind(text) is None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'm allergic to penicillin", "health"),
        ("Ich habe Diabetes", "health"),
        ("I've been signed off with depression", "health"),
        ("my IBAN is DE89 3704 0044 0532 0130 00", "identifier"),
        ("my passport number is 533380006", "identifier"),
        ("national insurance number QQ 12 34 56 C", "identifier"),
        ("I'm a practising Catholic", "belief"),
        ("I always vote for the greens", "belief"),
        ("I'm gay", "intimate"),
        ("We haven't slept together since", "intimate"),
    ],
)
def test_what_is_sensitive_has_a_kind(text: str, kind: str) -> None:
    assert sensitive_kind(text) == kind
