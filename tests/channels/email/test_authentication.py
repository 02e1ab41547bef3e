"""Which servers are one's own: only those that strangers cannot be."""

from __future__ import annotations

import pytest

from palaver.channels.email.authentication import Trusted


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("mx.example.org", True),
        ("localhost", True),
        ("10.1.2.3", True),
        ("[127.0.0.1]", True),
        ("2002:a05:6e04:4a2:b0:29c:76ff:c9ab", True),  # 10.5.… within Google
        ("8.8.8.8", False),
        ("2a00:1450:4864:20::1", False),
        ("cafe.de", False),
        ("dead.be", False),
        ("mail.example.com", False),
    ],
)
def test_whose_a_server_is(host: str, *, own: bool) -> None:
    assert Trusted(["mx.example.org"]).owns(host) is own
