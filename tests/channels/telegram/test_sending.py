"""Sending by the real python-telegram-bot, to a provider on this machine."""

from __future__ import annotations

import asyncio
import json

import pytest

from palaver.channels.port import Channel, Outgoing, Place
from palaver.channels.telegram import TelegramChannel
from palaver.errors import ChannelError, ChannelRefused, ChannelUncertain, ChannelUnreachable
from tests.channels.contract import Taken, Told, message
from tests.channels.local import LocalProvider
from tests.channels.over_http import OverHttp
from tests.channels.telegram.harness import CalledTelegramHarness, TelegramHarness
from tests.channels.telegram.provider import TOKEN, TelegramProvider, refusal
from tests.channels.waiting import at_once

ADA = Place("contact", "501")


class TestSending(OverHttp):
    introduced = "@ada_agent_bot"
    library, extra = "telegram.request", "telegram"
    shapeless = ({}, {"ok": True}, {"ok": True, "result": {}})

    def hasty(self, provider: LocalProvider) -> Channel:
        assert isinstance(provider, TelegramProvider)
        return TelegramChannel(provider.settings(), seconds=0.3)


async def test_a_text_without_a_preview(harness: TelegramHarness) -> None:
    assert await harness.channel.send(message(ADA, "See https://example.org")) == "501:1000"
    (shown,) = harness.provider.shown
    assert shown["chat_id"] == "501"
    assert shown["parse_mode"] == "HTML"
    assert json.loads(shown["link_preview_options"]) == {"is_disabled": True}


async def test_only_the_first_part_answers(harness: TelegramHarness) -> None:
    for first in (True, False):
        await harness.channel.send(Outgoing("out-1", ADA, "Hi", first=first, answers="501:7"))
    first, second = harness.provider.shown
    assert json.loads(first["reply_parameters"]) == {
        "message_id": 7,
        "allow_sending_without_reply": True,
    }
    assert "reply_parameters" not in second


async def test_a_topic_is_answered_in_it(harness: TelegramHarness) -> None:
    await harness.channel.send(message(Place("group", "-1001234567890:77"), "Hi"))
    (shown,) = harness.provider.shown
    assert (shown["chat_id"], shown["message_thread_id"]) == ("-1001234567890", "77")


@pytest.mark.parametrize("identity", ["", "ada", "1:2:3", "٥٠١"])
async def test_what_is_no_place_is_refused(harness: TelegramHarness, identity: str) -> None:
    with pytest.raises(ChannelRefused):
        await harness.channel.send(message(Place("contact", identity), "Hi"))


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("**bold** and *italics*", "<b>bold</b> and <i>italics</i>"),
        ("~~gone~~ and `a < b`", "<s>gone</s> and <code>a &lt; b</code>"),
        ("# Title\n\nText", "<b>Title</b>\n\nText"),
        (
            "```python\nif a < b: ...\n```",
            '<pre><code class="language-python">if a &lt; b: ...</code></pre>',
        ),
        ('```"><script>\nx\n```', "<pre>x</pre>"),
        (
            "[here](https://example.org/?a=1&b=2)",
            '<a href="https://example.org/?a=1&amp;b=2">here</a>',
        ),
        ("[here](file:///etc/passwd)", "[here](file:///etc/passwd)"),
        ("[here](/relative)", "here (/relative)"),
        ('[x](https://a.b/"><b>)', '<a href="https://a.b/%22%3E%3Cb%3E">x</a>'),
        ("<b>not ours</b> & more", "&lt;b&gt;not ours&lt;/b&gt; &amp; more"),
        ("> said\n> > before", "<blockquote>said\n\nbefore</blockquote>"),
        ("- one\n- two", "- one\n- two"),
        (
            "[**bold** link](https://example.org)",
            '<a href="https://example.org"><b>bold</b> link</a>',
        ),
    ],
)
async def test_markdown_is_written_as_html(
    harness: TelegramHarness, markdown: str, shown: str
) -> None:
    await harness.channel.send(message(ADA, markdown))
    assert [one["text"] for one in harness.provider.shown] == [shown]


async def test_what_telegram_cannot_read_is_sent_as_plain_text(harness: TelegramHarness) -> None:
    wrong = 'Bad Request: can\'t parse entities: Unsupported start tag "x" at byte offset 0'
    harness.provider.lay_out(*refusal(400, wrong))
    await harness.channel.send(message(ADA, "**bold** & [here](https://example.org)"))
    (shown,) = harness.provider.shown
    assert "parse_mode" not in shown
    assert shown["text"] == "bold & here (https://example.org)"


async def test_a_group_that_has_moved_is_written_to_where_it_is(harness: TelegramHarness) -> None:
    gone = "Bad Request: group chat was upgraded to a supergroup chat"
    harness.provider.lay_out(*refusal(400, gone, migrate_to_chat_id=-1001234567890))
    for _ in range(2):
        identity = await harness.channel.send(message(Place("group", "-4004004"), "Hi"))
        assert identity.startswith("-1001234567890:")
    assert [one["chat_id"] for one in harness.provider.shown] == ["-1001234567890"] * 2


@pytest.mark.parametrize(
    ("code", "description", "kind"),
    [
        (401, "Unauthorized", ChannelRefused),
        (404, "Not Found", ChannelRefused),
        (403, "Forbidden: bot was blocked by the user", ChannelRefused),
        (400, "Bad Request: chat not found", ChannelRefused),
        (500, "Internal Server Error", ChannelUnreachable),
        (502, "Bad Gateway", ChannelUnreachable),
        (504, "Gateway Timeout", ChannelUncertain),
    ],
)
async def test_what_refusals_mean(
    harness: TelegramHarness, code: int, description: str, kind: type[ChannelError]
) -> None:
    harness.provider.lay_out(*refusal(code, description))
    with pytest.raises(kind) as raised:
        await harness.channel.send(message(ADA, "Hello"))
    assert type(raised.value) is kind
    assert TOKEN not in f"{raised.value} {raised.value.remedy}"


@pytest.mark.filterwarnings("ignore:.*timedelta.*")
async def test_too_many_messages_are_tried_again(harness: TelegramHarness) -> None:
    wait = "Too Many Requests: retry after 14"
    harness.provider.lay_out(*refusal(429, wait, retry_after=14))
    with pytest.raises(ChannelUnreachable, match="14 seconds"):
        await harness.channel.send(message(ADA, "Hello"))


async def test_a_proxy_that_answers_for_telegram(harness: TelegramHarness) -> None:
    harness.provider.lay_out(502, "<html>Bad Gateway</html>")
    with pytest.raises(ChannelUnreachable) as raised:
        await harness.channel.send(message(ADA, "Hello"))
    assert raised.value.message == "Telegram says: Bad Gateway (502)."


async def test_no_error_shows_the_token(provider: TelegramProvider) -> None:
    for address in (f"{provider.url}/elsewhere", "http://127.0.0.1:1", "http://[::1]:1/%"):
        channel = TelegramChannel(provider.settings(apiBase=address))
        with pytest.raises(ChannelError) as raised:
            await channel.send(message(ADA, "Hello"))
        assert TOKEN not in f"{raised.value!r} {raised.value.remedy}"
        assert TOKEN not in (await channel.test()).message
        await channel.close()


async def test_the_connection_test_looks_at_the_webhook(provider: TelegramProvider) -> None:
    harness = CalledTelegramHarness(provider)
    assert (await harness.channel.test()).ok
    provider.webhook["last_error_message"] = "Wrong response from the webhook: 403 Forbidden"
    found = await harness.channel.test()
    assert "403 Forbidden" in found.message
    provider.webhook = {**provider.webhook, "url": ""}
    found = await harness.channel.test()
    assert not found.ok
    await harness.channel.close()


@pytest.mark.parametrize("token", ["other", "7000000001:wrong", None])
async def test_a_wrong_token_ends_it(provider: TelegramProvider, token: str | None) -> None:
    channel = TelegramChannel(provider.settings(token=token), wait=at_once)
    with pytest.raises(ChannelRefused) as refused:
        await asyncio.wait_for(channel.run(Taken(), Told()), 20)
    assert "channels.telegram.token" in refused.value.remedy
    assert not (await channel.test()).ok
    await channel.close()
