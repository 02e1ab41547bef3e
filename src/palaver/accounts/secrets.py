"""Secrets: made from the system's randomness, shown once, kept only as a digest."""

from __future__ import annotations

import secrets
from hashlib import sha256

_BYTES = 32


def new_secret(prefix: str = "") -> str:
    """A secret nobody can guess, safe in a link or a header."""
    return prefix + secrets.token_urlsafe(_BYTES)


def digest(secret: str) -> bytes:
    """What is stored: the secret has 256 random bits, so a plain hash cannot be turned back."""
    return sha256(secret.encode(errors="surrogatepass")).digest()
