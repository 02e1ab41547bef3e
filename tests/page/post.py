"""Post: a server with a channel, and people who write by it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from palaver.app import Palaver
from palaver.channels.connection import Connection
from palaver.channels.port import Person, Place, Received
from tests.server.dove import Dove, connected
from tests.server.exchange import Exchange, exchanged
from tests.server.site import Site, running_site

NAME = "whatsapp"
"""As which the channel of the test is shown."""
OWNER, OTHER = Person("ann", "Ann"), Person("bob", "Bob")


@dataclass
class Post:
    """What comes by the channel, and what is sent."""

    site: Site
    dove: Dove
    by: Connection
    numbers: count[int] = field(default_factory=lambda: count(1))

    def write(self, text: str, sender: Person = OTHER, **given: Any) -> None:
        """Somebody writes, and whoever is to be answered is answered."""
        given.setdefault("id", f"m{next(self.numbers)}")
        given.setdefault("place", Place("contact", sender.id, sender.name))
        received = Received(sender=sender, text=text, **given)

        async def take(palaver: Palaver) -> None:
            await palaver.correspondence.take(self.by, received)
            await palaver.correspondence.settle()
            await palaver.finish_replies()
            await palaver.correspondence.deliver()

        self.site.within(take)

    def exchange(self, words: str) -> Exchange:
        """Somebody asked, a reply could not be delivered, and a draft waits."""
        return self.site.within(lambda palaver: exchanged(palaver, words, channel=NAME))

    @property
    def sent(self) -> list[str]:
        return [one.text for one in self.dove.sent]


@contextmanager
def posted(root: Path, **given: Any) -> Generator[Post]:
    """A server with one channel, of which Ann is the owner."""
    dove = Dove(name=NAME)
    by = connected(dove, **given)
    with running_site(root, channels=[by]) as site:
        yield Post(site, dove, by)
