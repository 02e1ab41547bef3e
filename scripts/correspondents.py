"""Example channels, and people who write by them: to the agent, and to its owner."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

from palaver.app import Palaver
from palaver.channels.connection import Connection, connection_of
from palaver.channels.directory import Directory
from palaver.channels.memory import MemoryChannel
from palaver.channels.port import Person, Place, Proof, Received
from palaver.settings import ChannelSettings
from palaver.times import Clock

OWNER = Person("351910000001", "Ana")
STRANGER = Person("4915112345678", "Grete")
_FRIEND = Person("7000000042", "Rui")
_SPOOF = Person("billing@bank.example", "Bank of Tavira")
_OPEN = "They may know when the workshop is open: nine to five, Monday to Friday."
_CHANNELS: Mapping[str, dict[str, Any]] = {
    "whatsapp": {"owner_identities": [OWNER.id]},
    "telegram": {"trust": {_FRIEND.id: "known"}, "policy": {"known": "draft", "scope": _OPEN}},
    "email": {"role": "personal"},
}


class SetClock(Protocol):
    """A clock that can be set."""

    now: datetime

    def __call__(self) -> datetime: ...


class Example(MemoryChannel):
    """A channel under the name of a real one: nothing leaves this process."""

    def __init__(self, name: str, clock: Clock) -> None:
        super().__init__(clock)
        self.name = name

    def person(self, identity: str) -> str:
        return identity


def examples(clock: Clock) -> Directory:
    """The channels, connected to nobody."""
    return Directory(
        connection_of(Example(name, clock), ChannelSettings(enabled=True, debounce="0s", **given))
        for name, given in _CHANNELS.items()
    )


async def correspond(palaver: Palaver, channels: Directory, clock: SetClock, now: datetime) -> None:
    """What the owner and others have written by the channels, up to now."""
    whatsapp, telegram, email = (channels[name] for name in _CHANNELS)
    clock.now = now - timedelta(minutes=50)
    await _write(palaver, whatsapp, OWNER, "What did we decide about the kitchen?")
    words = "Is the workshop open on Friday? I would bring the oars."
    await _write(palaver, telegram, _FRIEND, words)
    (friend,) = (await palaver.external.page(channel="telegram")).external
    clock.now = now - timedelta(minutes=41)
    await palaver.external.reply(friend.id, "Yes, from nine. Ring at the gate, the bell is loud.")
    await palaver.correspondence.deliver()
    clock.now = now - timedelta(minutes=33)
    words = "Your account will be closed today. Confirm your password at once."
    await _write(palaver, email, _SPOOF, words, proof="claimed")
    clock.now = now - timedelta(minutes=21)
    words = "Hello! Is the dinghy still for sale? I could come and look at it on Saturday."
    await _write(palaver, whatsapp, STRANGER, words)


async def _write(
    palaver: Palaver, by: Connection, sender: Person, text: str, proof: Proof = "proven"
) -> None:
    """Somebody writes, and whoever is to be answered is answered."""
    received = Received(
        id=f"{sender.id}-1",
        place=Place("contact", sender.id, sender.name),
        sender=sender,
        text=text,
        proof=proof,
    )
    await palaver.correspondence.take(by, received)
    await palaver.correspondence.settle()
    await palaver.finish_replies()
    await palaver.correspondence.deliver()
