"""Sending by the real pywa, to a provider on this machine."""

from __future__ import annotations

import asyncio

import pytest

from palaver.channels.port import Channel, Outgoing, Place
from palaver.channels.whatsapp import WhatsAppChannel
from palaver.errors import ChannelError, ChannelRefused, ChannelUncertain, ChannelUnreachable
from tests.channels.contract import Taken, Told, message
from tests.channels.local import LocalProvider
from tests.channels.over_http import OverHttp
from tests.channels.waiting import at_once
from tests.channels.whatsapp.harness import WhatsAppHarness
from tests.channels.whatsapp.provider import WhatsAppProvider, refusal

ADA = Place("contact", "4915112345678")


class TestSending(OverHttp):
    introduced = "Ada's agent, +1 555-078-3881"
    library, extra = "pywa_async.client", "whatsapp"
    shapeless = ({"messaging_product": "whatsapp"},)

    def hasty(self, provider: LocalProvider) -> Channel:
        assert isinstance(provider, WhatsAppProvider)
        return WhatsAppChannel(provider.settings(), seconds=0.3)


async def test_a_text_without_a_preview(harness: WhatsAppHarness) -> None:
    identity = await harness.channel.send(message(ADA, "See https://example.org"))
    assert identity == "wamid.SENT1"
    assert harness.provider.shown == [
        {
            "messaging_product": "whatsapp",
            "recipient_type": "individual",
            "type": "text",
            "to": "4915112345678",
            "text": {"body": "See https://example.org", "preview_url": False},
        }
    ]


async def test_only_the_first_part_answers(harness: WhatsAppHarness) -> None:
    for first in (True, False):
        await harness.channel.send(
            Outgoing("out-1", ADA, "Hello", first=first, answers="wamid.ASKED")
        )
    contexts = [one.get("context") for one in harness.provider.shown]
    assert contexts == [{"message_id": "wamid.ASKED"}, None]


@pytest.mark.parametrize(
    ("place", "wanted"),
    [
        (Place("group", "Y2FwaV9ncm91cDox"), {"to": "Y2FwaV9ncm91cDox", "recipient_type": "group"}),
        (
            Place("group", "120363404694233820"),
            {"to": "120363404694233820@g.us", "recipient_type": "group"},
        ),
        (
            Place("contact", "US.13491208655302741918"),
            {"recipient": "US.13491208655302741918", "recipient_type": "individual"},
        ),
    ],
)
async def test_groups_and_people_who_hide_their_number(
    harness: WhatsAppHarness, place: Place, wanted: dict[str, str]
) -> None:
    await harness.channel.send(message(place, "Hello"))
    (shown,) = harness.provider.shown
    assert wanted.items() <= shown.items()


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        (
            "**bold** and *italics*, __bold__ and _italics_",
            "*bold* and _italics_, *bold* and _italics_",
        ),
        ("~~gone~~ and `code`", "~gone~ and `code`"),
        ("# Title\n\nText", "*Title*\n\nText"),
        ("```python\nprint(1)\n```", "```print(1)```"),
        ("[here](https://example.org)", "here (https://example.org)"),
        ("<https://example.org>", "https://example.org"),
        ("![a cat](https://example.org/cat.png)", "a cat (https://example.org/cat.png)"),
        ("- one\n- two\n  - three", "- one\n- two\n  - three"),
        ("3. three\n4. four", "3. three\n4. four"),
        ("> said\n> so", "> said\n> so"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "*a | b*\n1 | 2"),
        ("**two\nlines**", "*two*\n*lines*"),
        ("# **both**", "*both*"),
        ("one\n\n---\n\ntwo", "one\n\n———\n\ntwo"),
        ("<b>not ours</b>", "<b>not ours</b>"),
        ("2 * 3 * 4 and snake_case_name", "2 * 3 * 4 and snake_case_name"),
        ("#", "#"),
        ("```\n```", "```\n```"),
    ],
)
async def test_markdown_is_written_as_whatsapp_does(
    harness: WhatsAppHarness, markdown: str, shown: str
) -> None:
    await harness.channel.send(message(ADA, markdown))
    assert harness.shown() == [shown]


@pytest.mark.parametrize(
    ("status", "code", "kind", "words"),
    [
        (401, 190, ChannelRefused, "accessToken"),
        (401, 0, ChannelRefused, "accessToken"),
        (403, 10, ChannelRefused, "accessToken"),
        (403, 200, ChannelRefused, "accessToken"),
        (400, 131047, ChannelRefused, "24 hours"),
        (400, 131026, ChannelRefused, ""),
        (400, 100, ChannelRefused, ""),
        (429, 130429, ChannelUnreachable, ""),
        (400, 130429, ChannelUnreachable, ""),
        (429, 80007, ChannelUnreachable, ""),
        (400, 131056, ChannelUnreachable, ""),
        (429, 4, ChannelUnreachable, ""),
        (500, 131000, ChannelUnreachable, ""),
        (503, 131016, ChannelUnreachable, ""),
        (502, 1, ChannelUnreachable, ""),
        (504, 2, ChannelUncertain, ""),
    ],
)
async def test_what_refusals_mean(
    harness: WhatsAppHarness, status: int, code: int, kind: type[ChannelError], words: str
) -> None:
    harness.provider.lay_out(*refusal(status, code, "It was not sent."))
    with pytest.raises(kind) as raised:
        await harness.channel.send(message(ADA, "Hello"))
    assert type(raised.value) is kind
    assert raised.value.message == f"WhatsApp says: It was not sent ({code})."
    assert words in raised.value.remedy


@pytest.mark.parametrize("body", [{}, {"error": {}}, {"error": "no"}, {"error": {"code": "x"}}])
async def test_a_failure_without_its_shape(
    harness: WhatsAppHarness, body: dict[str, object]
) -> None:
    harness.provider.lay_out(500, body)
    with pytest.raises((ChannelUnreachable, ChannelUncertain)):
        await harness.channel.send(message(ADA, "Hello"))


async def test_a_wrong_token_ends_it(provider: WhatsAppProvider) -> None:
    channel = WhatsAppChannel(provider.settings(accessToken="other"), wait=at_once)
    told = Told()
    with pytest.raises(ChannelRefused):
        await asyncio.wait_for(channel.run(Taken(), told), 20)
    assert told.states == [("waiting", None)]
    found = await channel.test()
    assert found.remedy
    assert "accessToken" in found.remedy
    await channel.close()


async def test_no_error_shows_the_token(provider: WhatsAppProvider) -> None:
    channel = WhatsAppChannel(provider.settings(accessToken="EAAsecretsecret"))
    with pytest.raises(ChannelRefused) as refused:
        await channel.send(message(ADA, "Hello"))
    assert "EAAsecret" not in f"{refused.value} {refused.value.remedy} {refused.value!r}"
    assert "EAAsecret" not in repr(channel) + str(vars(channel))
    await channel.close()
