from collections.abc import AsyncIterator, Iterator

import pytest

from tests.channels.telegram.harness import TelegramHarness
from tests.channels.telegram.provider import TelegramProvider


@pytest.fixture
def provider() -> Iterator[TelegramProvider]:
    with TelegramProvider() as started:
        yield started


@pytest.fixture
async def harness(provider: TelegramProvider) -> AsyncIterator[TelegramHarness]:
    made = TelegramHarness(provider)
    yield made
    await made.channel.close()
