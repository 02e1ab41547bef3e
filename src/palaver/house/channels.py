"""The channels: how messages come and go."""

from __future__ import annotations

from palaver.channels.correspondence import Correspondence, Rooms
from palaver.channels.external.auditing import Auditor
from palaver.house.agent import Agent, Below
from palaver.house.ground import Ground


def furnish_channels(ground: Ground, below: Below, agent: Agent) -> Correspondence:
    rooms = Rooms(
        ground.books,
        below.archive.conversations,
        agent.turns,
        below.context.builder,
        agent.models,
        Auditor(below.archive.search, below.memory.finding),
        ground.engine.leases,
        ground.telemetry,
        ground.clock,
        ground.settings.agent.name,
        ground.settings.server.public_url,
    )
    return Correspondence(rooms, ground.channels)
