"""The channel in memory keeps the contract."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from palaver.channels.memory import MemoryChannel, make
from palaver.channels.port import Channel, Place, Take, Update
from palaver.settings.channels import PluginSettings
from palaver.times import system_clock
from tests.channels.contract import ChannelContract, Fault, Harness, message
from tests.channels.waiting import at_once, hear


class MemoryHarness:
    channel: Channel
    place = Place("contact", "ada")
    people: Sequence[Sequence[str]] = (("ada", "@ada", " ADA "), ("ben",))
    nobody: Sequence[str] = ("ada b", "é", "a" * 65)

    def __init__(self) -> None:
        self._memory = self.channel = MemoryChannel(system_clock, wait=at_once)
        self._told: list[Update] = []

    def shown(self) -> list[str]:
        return [one.text for one in self._memory.sent]

    def fail(self, fault: Fault | None) -> None:
        self._memory.fault = fault

    def write(self, text: str) -> None:
        self._told.append(self._memory.write(text, sender="ada"))

    def again(self) -> None:
        for update in self._told:
            self._memory.give(update)

    async def hear(self, take: Take) -> None:
        await hear(self.channel, take, len(self._told))


class TestMemory(ChannelContract):
    @pytest.fixture
    async def harness(self) -> Harness:
        return MemoryHarness()


async def test_a_group_is_one_place_and_only_commands_address_the_agent() -> None:
    channel = make(PluginSettings(), system_clock)
    said, asked = (channel.write(text, sender="Ben", group="garden") for text in ("Hi all", "/new"))
    assert said.place == asked.place == Place("group", "garden")
    assert (said.addressed, asked.addressed) == (False, True)
    assert said.sender.id == "ben"


async def test_a_message_is_shown_once_however_often_it_is_sent() -> None:
    channel = make(PluginSettings(), system_clock)
    sent = {await channel.send(message(Place("contact", "ada"), "Hello")) for _ in range(3)}
    assert len(sent) == len(channel.sent) == 1
