"""Asking Telegram for messages: what is confirmed, and when."""

from __future__ import annotations

import asyncio

import pytest

from palaver.channels.port import Update
from palaver.channels.telegram import TelegramChannel
from palaver.errors import StorageFull, WebhookRefused
from tests.channels.contract import Taken, Told
from tests.channels.telegram.harness import ADDRESS, TelegramHarness
from tests.channels.telegram.provider import TelegramProvider, payload, refusal
from tests.channels.waiting import at_once, hear


async def confirmed(harness: TelegramHarness, taken: Taken) -> None:
    """Runs the channel until the provider has forgotten what it told."""
    running = asyncio.create_task(harness.channel.run(taken, Told()))
    await asyncio.to_thread(harness.provider.wait_until_confirmed)
    running.cancel()
    await asyncio.wait([running])


async def test_what_was_taken_is_confirmed(harness: TelegramHarness) -> None:
    taken = Taken()
    for text in ("One", "Two"):
        harness.write(text)
    await confirmed(harness, taken)
    assert [one.text for one in taken.messages] == ["One", "Two"]


async def test_what_was_not_taken_is_not_confirmed(harness: TelegramHarness) -> None:
    """The second is not taken: neither it nor the third may be forgotten by the provider."""
    told = [harness.written(text) for text in ("One", "Two", "Three")]
    harness.provider.write(*told)
    failed = asyncio.Event()
    seen: list[str] = []

    async def take(update: Update) -> None:
        seen.append(getattr(update, "text", ""))
        if seen[-1] == "Two":
            failed.set()
            raise StorageFull

    running = asyncio.create_task(harness.channel.run(take, Told()))
    await asyncio.wait_for(failed.wait(), 20)
    running.cancel()
    await asyncio.wait([running])
    assert "Three" not in seen
    assert [one["message"]["text"] for one in harness.provider.updates[-2:]] == ["Two", "Three"]
    taken = Taken()
    await confirmed(harness, taken)
    assert [one.text for one in taken.messages][-2:] == ["Two", "Three"]


async def test_only_what_is_read_is_asked_for(harness: TelegramHarness) -> None:
    harness.write("Hello")
    await hear(harness.channel, Taken(), 1)
    first = next(one for one in harness.provider.calls if one.path.endswith("/getUpdates"))
    assert first.form["allowed_updates"] == '["message", "edited_message", "message_reaction"]'


async def test_an_update_that_cannot_be_read_does_not_stop_the_others(
    harness: TelegramHarness,
) -> None:
    deep: object = "deep"
    for _ in range(60):
        deep = [deep]
    broken = {"update_id": 870000, "message": {"message_id": 5, "text": deep}}
    strange = {"update_id": 870001, "poll": {"id": 1}}
    harness.provider.write(broken, strange, harness.written("Hello"))
    taken = Taken()
    await confirmed(harness, taken)
    assert [one.text for one in taken.messages] == ["Hello"]


async def test_somebody_else_who_asks_is_told_as_a_failure(
    provider: TelegramProvider, harness: TelegramHarness
) -> None:
    provider.webhook["url"] = ADDRESS
    told = Told()
    running = asyncio.create_task(harness.channel.run(Taken(), told))
    why = await told.until("failing")
    assert why
    assert "webhook is active" in why
    assert "deleteWebhook" in why
    provider.webhook["url"] = ""
    assert await told.until("connected") is None
    running.cancel()
    await asyncio.wait([running])


@pytest.mark.filterwarnings("ignore:.*timedelta.*")
async def test_it_waits_as_long_as_telegram_wants(provider: TelegramProvider) -> None:
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)
        await at_once(seconds)

    channel = TelegramChannel(provider.settings(), wait=wait, seconds=20)
    for after in (30, 1):
        wanted = f"Too Many Requests: retry after {after}"
        provider.lay_out(*refusal(429, wanted, retry_after=after))
    provider.lay_out(*refusal(500, "Internal Server Error"))
    provider.write(payload("text"))
    await hear(channel, Taken(), 1)
    assert waits == [30, 2, 4]
    await channel.close()


async def test_a_bot_that_asks_refuses_all_calls(provider: TelegramProvider) -> None:
    channel = TelegramChannel(provider.settings(secretToken="a-secret"))
    with pytest.raises(WebhookRefused):
        channel.read(b"{}", {"x-telegram-bot-api-secret-token": "a-secret"})
