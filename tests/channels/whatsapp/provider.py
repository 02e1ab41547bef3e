"""WhatsApp on this machine: the part of the Cloud API that we use, and the calls it makes."""

from __future__ import annotations

import hmac
import json
from itertools import count
from pathlib import Path
from typing import Any

from palaver.channels.splitting import units
from palaver.channels.whatsapp.signing import SIGNATURE
from palaver.settings.channels import WhatsAppSettings
from tests.channels.local import Answer, Call, Json, LocalProvider

PAYLOADS = Path(__file__).parent / "payloads"
NUMBER_ID = "106540352242922"
DISPLAY = "15550783881"
TOKEN = "EAAJBexampletoken"
SECRET = "41678a4fexamplesecret"
VERIFY = "my-own-token"


class WhatsAppProvider(LocalProvider):
    """Takes messages for one number."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Json] = []
        self._numbers = count(1)

    def settings(self, **more: Any) -> WhatsAppSettings:
        given = {
            "appSecret": SECRET,
            "verifyToken": VERIFY,
            "accessToken": TOKEN,
            "phoneNumberId": NUMBER_ID,
            "apiBase": self.url,
        }
        return WhatsAppSettings.model_validate({**given, **more})

    def answer(self, call: Call) -> Answer:
        if call.headers.get("authorization") != f"Bearer {TOKEN}":
            return refusal(401, 190, "Invalid OAuth access token.")
        _, version, number, *rest = call.path.split("/")
        assert version.startswith("v")
        assert number == NUMBER_ID
        if call.method == "GET":
            return 200, {
                "id": NUMBER_ID,
                "display_phone_number": "+1 555-078-3881",
                "verified_name": "Ada's agent",
            }
        assert rest == ["messages"]
        return self._sent(call.json)

    def _sent(self, message: Json) -> Answer:
        if not 0 < units(message["text"]["body"]) <= 4096 or not message["text"]["body"].strip():
            return refusal(400, 100, "Invalid parameter: the text has 1 to 4096 characters.")
        self.shown.append(message)
        to = message.get("to") or message["recipient"]
        return 200, {
            "messaging_product": "whatsapp",
            "contacts": [{"input": to, "wa_id": to}],
            "messages": [{"id": f"wamid.SENT{next(self._numbers)}"}],
        }


def refusal(status: int, code: int, message: str, **more: Any) -> Answer:
    error = {"message": message, "type": "OAuthException", "code": code, "fbtrace_id": "AxYz"}
    return status, {"error": {**error, **more}}


def payload(name: str) -> Json:
    return json.loads((PAYLOADS / f"{name}.json").read_text())


def signed(body: bytes, secret: str = SECRET) -> dict[str, str]:
    """The headers of a call."""
    digest = hmac.new(secret.encode(), body, "sha256").hexdigest()
    return {"content-type": "application/json", SIGNATURE: f"sha256={digest}"}


def calling(told: object) -> tuple[bytes, dict[str, str]]:
    """A call as the provider makes it: its JSON escapes whatever is not ASCII."""
    body = json.dumps(told, separators=(",", ":")).encode()
    return body, signed(body)
