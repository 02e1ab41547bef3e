"""What sending by HTTP comes to, whoever the provider is: one suite for each of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from threading import Event

import pytest

from palaver.channels.port import Channel
from palaver.errors import ChannelRefused, ChannelUncertain
from tests.channels.contract import Harness, message
from tests.channels.local import Json, LocalProvider


class OverHttp:
    """Subclasses say who the provider is."""

    introduced: str
    """As whom it is connected."""
    library: str
    """The module that speaks to the provider."""
    extra: str
    """What is installed to have it."""
    shapeless: Sequence[Json]
    """Answers that say neither that it was sent nor that it was not."""

    def hasty(self, provider: LocalProvider) -> Channel:
        """A channel that waits for a moment only."""
        raise NotImplementedError

    async def test_the_connection_test_says_as_whom(self, harness: Harness) -> None:
        assert (await harness.channel.test()).message == f"Connected as {self.introduced}."
        assert harness.shown() == []

    async def test_an_answer_without_its_shape_leaves_it_open(
        self, harness: Harness, provider: LocalProvider
    ) -> None:
        for body in self.shapeless:
            provider.lay_out(200, body)
            with pytest.raises(ChannelUncertain):
                await harness.channel.send(message(harness.place, "Hello"))

    async def test_a_provider_that_takes_too_long_leaves_it_open(
        self, harness: Harness, provider: LocalProvider
    ) -> None:
        provider.silent = Event()
        channel = self.hasty(provider)
        with pytest.raises(ChannelUncertain):
            await channel.send(message(harness.place, "Hello"))
        assert not (await channel.test()).ok
        await channel.close()

    async def test_without_the_library_it_says_what_to_install(
        self, harness: Harness, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, self.library, None)
        with pytest.raises(ChannelRefused) as refused:
            await harness.channel.send(message(harness.place, "Hello"))
        assert f"palaver[{self.extra}]" in refused.value.remedy
