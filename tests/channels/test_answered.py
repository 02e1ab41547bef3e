"""Messages come from providers to a server and are answered there, by everything that is real."""

from __future__ import annotations

from pathlib import Path
from threading import Event

import httpx
import yaml

from tests.channels.local import Answer, Call, LocalProvider
from tests.channels.telegram import provider as telegram
from tests.channels.telegram.provider import TelegramProvider
from tests.channels.whatsapp.provider import (
    NUMBER_ID,
    SECRET,
    TOKEN,
    VERIFY,
    WhatsAppProvider,
    calling,
    payload,
)
from tests.server.process import Process

OWNERS = {"whatsapp": ["+49 151 12345678"], "telegram": ["501"]}


def configure(home: Path, name: str, **given: str) -> None:
    stated = {"enabled": True, "debounce": "0s", "ownerIdentities": OWNERS[name], **given}
    (home / "config.yaml").write_text(yaml.safe_dump({"channels": {name: stated}}))


def replied(provider: LocalProvider) -> Event:
    """Set when something was sent to the provider."""
    done, answer = Event(), provider.answer

    def watching(call: Call) -> Answer:
        found = answer(call)
        if call.path.endswith(("/messages", "/sendMessage")):
            done.set()
        return found

    provider.answer = watching
    return done


def test_whatsapp(tmp_path: Path) -> None:
    with WhatsAppProvider() as provider:
        done = replied(provider)
        configure(
            tmp_path,
            "whatsapp",
            phoneNumberId=NUMBER_ID,
            accessToken=TOKEN,
            appSecret=SECRET,
            verifyToken=VERIFY,
            apiBase=provider.url,
        )
        with Process(tmp_path) as server, httpx.Client(base_url=server.url) as client:
            asked = {"hub.mode": "subscribe", "hub.verify_token": VERIFY, "hub.challenge": "4711"}
            assert client.get("/channels/whatsapp", params=asked).text == "4711"
            asked["hub.verify_token"] = "guess"
            assert client.get("/channels/whatsapp", params=asked).status_code == 403
            body, headers = calling(payload("text"))
            refused = client.post("/channels/whatsapp", content=body + b" ", headers=headers)
            assert refused.status_code == 403
            for _ in range(2):  # providers tell things twice
                taken = client.post("/channels/whatsapp", content=body, headers=headers)
                assert taken.status_code == 200
            assert done.wait(30)
        (shown,) = provider.shown
        assert shown["to"] == "4915112345678"
        assert shown["context"]["message_id"] in body.decode()


def test_telegram(tmp_path: Path) -> None:
    with TelegramProvider() as provider:
        done = replied(provider)
        configure(tmp_path, "telegram", token=telegram.TOKEN, apiBase=provider.url)
        provider.write(telegram.payload("text"))
        with Process(tmp_path):
            assert done.wait(30)
        (shown,) = provider.shown
        assert shown["chat_id"] == "501"
