"""The agent: who answers, with which tools, and how a turn is taken."""

from __future__ import annotations

from dataclasses import dataclass

from palaver.agent.loop import Agent as Loop
from palaver.agent.models import ModelRegistry
from palaver.agent.offline import OfflineModel
from palaver.agent.prompt import SystemPrompt
from palaver.agent.tools.making import recall_tools
from palaver.agent.tools.past import Archive as LookedBackAt
from palaver.agent.tools.past import Past
from palaver.channels.external.deciding import ExternalCommands
from palaver.channels.external.externals import Externals
from palaver.conversation.changing import Changes
from palaver.conversation.commands import Commands
from palaver.conversation.forgetting import Forgetting
from palaver.conversation.making import Maker
from palaver.conversation.recovery import Recovery
from palaver.conversation.saying import Door
from palaver.conversation.turn import Turns
from palaver.house.archive import Archive
from palaver.house.context import Context
from palaver.house.ground import Ground
from palaver.house.memory import Memory
from palaver.index.records import Message


@dataclass(frozen=True, slots=True)
class Agent:
    models: ModelRegistry
    turns: Turns
    changes: Changes
    recovery: Recovery


@dataclass(frozen=True, slots=True)
class Below:
    """The rooms that the agent uses."""

    archive: Archive
    memory: Memory
    context: Context
    external: Externals


def furnish_agent(ground: Ground, below: Below, palaver: LookedBackAt) -> Agent:
    """`palaver` is what the agent's tools look back with."""
    books, archive, learning = ground.books, below.archive, below.memory.learning
    name, zone, clock = ground.settings.agent.name, ground.zone, ground.clock
    models = ModelRegistry(
        ground.catalogue, ground.connections, OfflineModel(name=name, zone=zone, clock=clock)
    )

    async def before_reply(question: Message) -> None:
        await ground.preferences.look()
        await learning.before(question)

    turns = Turns(
        books,
        Door(books, archive.conversations, archive.streams, models, archive.calendar),
        _maker(ground, below, models, palaver),
        ground.engine.leases,
        _commands(ground, below, models),
        relay=ground.engine.relay,
        before=before_reply,
        after=below.context.follow_up.after,
        telemetry=ground.telemetry,
    )
    return Agent(
        models=models,
        turns=turns,
        changes=Changes(books, archive.messages, archive.streams, turns, learning),
        recovery=Recovery(books, turns, clock),
    )


def _maker(ground: Ground, below: Below, models: ModelRegistry, palaver: LookedBackAt) -> Maker:
    settings, zone, archive = ground.settings.agent, ground.zone, below.archive
    prompt = SystemPrompt(
        name=settings.name, zone=zone, clock=ground.clock, persona=settings.system_prompt
    )
    past = Past(palaver, zone, by=settings.name)
    tools = [*recall_tools(past, below.context.states), *ground.tools]
    agent = Loop(models, tools, prompt, ground.telemetry)
    conversations, sources = archive.conversations, archive.sources
    return Maker(ground.books, conversations, sources, below.context.builder, agent)


def _commands(ground: Ground, below: Below, models: ModelRegistry) -> Commands:
    books, archive, memory = ground.books, below.archive, below.memory
    forgetting = Forgetting(books, memory.erasures, archive.search, ground.zone, memory.forgetting)
    others = ExternalCommands(below.external) if ground.channels else None
    return Commands(
        books, archive.conversations, archive.streams, models, forgetting, others=others
    )
