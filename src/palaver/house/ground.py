"""The ground: what every room of one user stands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from palaver.agent.models import Catalogue, Connections
from palaver.agent.toolbox import Tool
from palaver.channels.directory import Directory
from palaver.conversation.books import Books
from palaver.conversation.preferences import Preferences
from palaver.engines import Engine
from palaver.house.orders import Orders
from palaver.settings import Settings
from palaver.telemetry import Telemetry
from palaver.times import Clock, Zone


@dataclass(frozen=True, slots=True)
class Ground:
    """What there is before any room."""

    settings: Settings
    clock: Clock
    telemetry: Telemetry
    engine: Engine
    books: Books
    orders: Orders
    preferences: Preferences
    catalogue: Catalogue
    connections: Connections
    tools: Sequence[Tool]
    """What the agent may use besides its own."""
    channels: Directory

    @property
    def user(self) -> str:
        return self.books.user

    @property
    def zone(self) -> Zone:
        return self.preferences.zone
