"""Telegram on this machine: the part of the Bot API that we use."""

from __future__ import annotations

import html
import json
import re
from itertools import count
from pathlib import Path
from threading import Condition
from typing import Any

from palaver.channels.splitting import units
from palaver.settings.channels import TelegramSettings
from tests.channels.local import Answer, Call, Json, LocalProvider

PAYLOADS = Path(__file__).parent / "payloads"
TOKEN = "7000000001:AAExampleExampleExampleExampleExampl"
SECRET = "a-secret_of-our-own"
ME = {"id": 7000000001, "is_bot": True, "first_name": "Ada's agent", "username": "ada_agent_bot"}
_TAG = re.compile(r"<(/?)([a-z]+)((?: [a-z]+=\"[^\"<>]*\")?)>")
_TAGS = frozenset({"b", "i", "s", "code", "pre", "a", "blockquote"})


class TelegramProvider(LocalProvider):
    """One bot, and what was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[Json] = []
        self.updates: list[Json] = []
        """What was not confirmed yet."""
        self.told: list[Json] = []
        self.webhook: Json = {"url": "", "has_custom_certificate": False, "pending_update_count": 0}
        self._numbers = count(1000)
        self._coming = Condition()

    def settings(self, **more: Any) -> TelegramSettings:
        return TelegramSettings.model_validate({"token": TOKEN, "apiBase": self.url, **more})

    def write(self, *updates: Json) -> None:
        with self._coming:
            self.updates += updates
            self.told += updates
            self._coming.notify_all()

    def repeat(self) -> None:
        """All that was ever told is told again."""
        with self._coming:
            self.updates = list(self.told)
            self._coming.notify_all()

    def wait_until_confirmed(self) -> None:
        with self._coming:
            assert self._coming.wait_for(lambda: not self.updates, 20)

    def stop(self) -> None:
        super().stop()
        with self._coming:
            self._coming.notify_all()

    def answer(self, call: Call) -> Answer:
        folder, _, method = call.path.rpartition("/")
        if folder != f"/bot{TOKEN}":
            return refusal(401, "Unauthorized")
        match method:
            case "getMe":
                return done(ME)
            case "getWebhookInfo":
                return done(self.webhook)
            case "getUpdates":
                return self._updates(call.form)
            case "sendMessage":
                return self._sent(call.form)
            case _:
                return refusal(404, "Not Found")

    def _updates(self, asked: dict[str, str]) -> Answer:
        if self.webhook["url"]:
            return refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        with self._coming:
            first = int(asked.get("offset", 0))
            self.updates = [one for one in self.updates if one["update_id"] >= first]
            self._coming.notify_all()
            self._coming.wait_for(
                lambda: self.updates or self.stopping.is_set(), float(asked.get("timeout", 0))
            )
            return done(self.updates[: int(asked.get("limit", 100))])

    def _sent(self, asked: dict[str, str]) -> Answer:
        text = asked["text"]
        if asked.get("parse_mode") == "HTML":
            wrong = unbalanced(text)
            if wrong:
                return refusal(400, f"Bad Request: can't parse entities: {wrong}")
            text = html.unescape(_TAG.sub("", text))
        if not text.strip():
            return refusal(400, "Bad Request: message text is empty")
        if units(text) > 4096:
            return refusal(400, "Bad Request: message is too long")
        self.shown.append({**asked, "seen": text})
        chat = {"id": int(asked["chat_id"]), "type": "private", "first_name": "Ada"}
        number = next(self._numbers)
        return done(
            {"message_id": number, "from": ME, "chat": chat, "date": 1771060000, "text": text}
        )


def unbalanced(text: str) -> str | None:
    """What is wrong with the tags of a text, as Telegram reads them."""
    open_tags: list[str] = []
    if re.search(r"<(?!/?[a-z])|&(?!(?:lt|gt|amp|quot|#x27|#[0-9]+);)", text):
        return "unescaped character"
    for closing, tag, _ in _TAG.findall(text):
        if tag not in _TAGS:
            return f'unsupported start tag "{tag}"'
        if not closing:
            open_tags.append(tag)
        elif not open_tags or open_tags.pop() != tag:
            return f"unmatched end tag {tag}"
    if text.count("<") != len(_TAG.findall(text)):
        return "unsupported start tag"
    return f"can't find end tag of {open_tags}" if open_tags else None


def done(result: Any) -> Answer:
    return 200, {"ok": True, "result": result}


def refusal(code: int, description: str, **parameters: Any) -> Answer:
    told: Json = {"ok": False, "error_code": code, "description": description}
    return code, {**told, **({"parameters": parameters} if parameters else {})}


def payload(name: str) -> Json:
    return json.loads((PAYLOADS / f"{name}.json").read_text())
