from collections.abc import AsyncIterator, Iterator

import pytest

from tests.channels.whatsapp.harness import WhatsAppHarness
from tests.channels.whatsapp.provider import WhatsAppProvider


@pytest.fixture
def provider() -> Iterator[WhatsAppProvider]:
    with WhatsAppProvider() as started:
        yield started


@pytest.fixture
async def harness(provider: WhatsAppProvider) -> AsyncIterator[WhatsAppHarness]:
    made = WhatsAppHarness(provider)
    yield made
    await made.channel.close()
