"""Signing: whether a call is the provider's, by the bytes as they came."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from secrets import token_bytes

from pydantic import SecretStr

from palaver.errors import WebhookRefused

SIGNATURE = "x-hub-signature-256"
_NOBODYS = token_bytes(32)
"""Nobody signs with it: without a secret, all that is done with one is done all the same."""
_LONGEST_CHALLENGE = 200


def is_signed(secret: SecretStr | None, body: bytes, headers: Mapping[str, str]) -> bool:
    """It takes as long to say no as to say yes."""
    key = secret.get_secret_value().encode() if secret else _NOBODYS
    wanted = f"sha256={hmac.new(key, body, 'sha256').hexdigest()}".encode()
    given = headers.get(SIGNATURE, "").encode("utf-8", "surrogatepass")
    return hmac.compare_digest(wanted, given) and secret is not None


def challenge(token: SecretStr | None, query: Mapping[str, str]) -> str:
    """The answer to somebody who knows the token. Raises WebhookRefused."""
    wanted = token.get_secret_value().encode() if token else _NOBODYS
    given = query.get("hub.verify_token", "").encode("utf-8", "surrogatepass")
    answer = query.get("hub.challenge", "")
    is_known = hmac.compare_digest(wanted, given) and token is not None
    is_asked = query.get("hub.mode") == "subscribe"
    is_answer = answer.isascii() and answer.isalnum() and len(answer) <= _LONGEST_CHALLENGE
    if not (is_known and is_asked and is_answer):
        raise WebhookRefused(
            remedy="Give the provider the same token as `channels.whatsapp.verifyToken`."
        )
    return answer
