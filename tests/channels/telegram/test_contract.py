"""Telegram keeps the contract of channels, whether it is asked or calls."""

from collections.abc import AsyncIterator

import pytest

from tests.channels.contract import ChannelContract, WebhookContract
from tests.channels.telegram.harness import CalledTelegramHarness
from tests.channels.telegram.provider import TelegramProvider


class TestTelegramAsked(ChannelContract):
    """By the harness of this folder."""


class TestTelegramCalled(ChannelContract, WebhookContract):
    @pytest.fixture
    async def harness(self, provider: TelegramProvider) -> AsyncIterator[CalledTelegramHarness]:
        made = CalledTelegramHarness(provider)
        yield made
        await made.channel.close()
