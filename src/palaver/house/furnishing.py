"""Furnishing: the rooms of one user, one after another, from what is kept to how it comes and goes.
The only module that knows every room."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.agent.tools.past import Archive as LookedBackAt
from palaver.channels.correspondence import Correspondence
from palaver.channels.external.externals import Externals
from palaver.channels.external.searching import ExternalSearch
from palaver.conversation.continuous import Continuous
from palaver.conversation.watching import Watching
from palaver.house.agent import Agent, Below, furnish_agent
from palaver.house.archive import Archive, furnish_archive
from palaver.house.channels import furnish_channels
from palaver.house.context import Context, furnish_context
from palaver.house.days import furnish_days
from palaver.house.ground import Ground
from palaver.house.memory import Memory, furnish_memory


@dataclass(frozen=True, slots=True)
class House:
    """Every room of one user."""

    archive: Archive
    memory: Memory
    context: Context
    continuous: Continuous
    external: Externals
    external_search: ExternalSearch
    agent: Agent
    correspondence: Correspondence
    watching: Watching


def furnish(ground: Ground, palaver: LookedBackAt) -> House:
    """`palaver` is what the agent's tools look back with. Raises BadSetting."""
    archive = furnish_archive(ground)
    memory = furnish_memory(ground, archive)
    context = furnish_context(ground, archive, memory)
    external = Externals(ground.books, ground.channels)
    below = Below(archive, memory, context, external)
    agent = furnish_agent(ground, below, palaver)
    return House(
        archive=archive,
        memory=memory,
        context=context,
        continuous=furnish_days(ground, archive, context),
        external=external,
        external_search=ExternalSearch(
            ground.books, ground.channels, zone=ground.zone, clock=ground.clock
        ),
        agent=agent,
        correspondence=furnish_channels(ground, below, agent),
        watching=Watching(ground.orders.left),
    )
