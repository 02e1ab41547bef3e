"""A store of memories does not grow from its own echoes, and holds no junk.

The owner talks, mostly about nothing, and tells something about themselves now and then, often what
they have told before. The assistant is shown the memories that have to do with each message and
repeats them, in the owner's words, in its own, as lists, as what a tool has found. Some of that the
owner quotes back. After the same words with an assistant that says nothing, the store is the same.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from palaver import Palaver
from palaver.conversation.records import NewMessage
from palaver.index.port import MemoryFilter
from palaver.index.records import Memory
from palaver.settings import Settings
from tests.library import BagOfWords
from tests.proofs.report import Report

JUNK = 0.02
"""Not more of the store than this may be junk."""
_TURNS = 50
"""Of a conversation."""
_SHOWN = 5

_NAMES = (
    *("Anna", "Boris", "Carla", "David", "Elena", "Farid", "Greta", "Hugo", "Irene", "Jonas"),
    *("Katja", "Liam", "Mona", "Nils", "Olga"),
)
_KIN = ("sister", "brother", "cousin", "neighbour", "colleague", "aunt", "boss", "roommate")
_JOBS = ("baker", "nurse", "carpenter", "teacher", "pilot", "dentist", "gardener", "plumber")
_CITIES = ("Berlin", "Oslo", "Rome", "Lisbon", "Prague", "Vienna", "Ghent", "Turin")
_TASTES = (
    *("green tea", "black coffee", "window seats", "early flights", "short answers"),
    "metric units",
)
_SMALL = (
    "Good morning!",
    "Thanks, that helps.",
    "What is the weather like today?",
    "I am tired today.",
    "Can you tell me a joke?",
    "Lol, nice one.",
    "How do I boil an egg?",
    "I might go for a walk later.",
    "If I were rich, I would buy an island.",
    "It is raining here right now.",
    "Translate 'good night' into French, please.",
    "What did we talk about yesterday?",
    "Okay, and what else?",
    "She said she would call me back.",
    "Can you make that shorter?",
    "I just had lunch.",
    "Imagine I am a pirate and I live on a ship.",
    "What do you know about me?",
    "See you tomorrow!",
    "Do I like tea?",
)
_GUESSES = (
    "I live in a data centre, as it were.",
    "My favourite colour is blue. What is yours?",
    "I think you are vegetarian.",
    "My sister Zoe is a chef. Is yours, too?",
    "I work as an assistant for a software company.",
)
"""What an assistant says of itself, and of others."""
_ECHOES = (
    "As you told me: {}",
    "{} That is what I remember.",
    "Here is what I know about you:\n- {}",
    "I remember: {} Anything else?",
    "{}",
)


def facts(chance: random.Random) -> list[str]:
    """What the owner has to tell, in the order of a life."""
    people = [
        f"My {chance.choice(_KIN)} {name} is a {job}."
        for name, job in zip(_NAMES, chance.choices(_JOBS, k=len(_NAMES)), strict=True)
    ]
    homes = [f"I live in {city}." for city in chance.sample(_CITIES, 3)]
    tastes = [f"I prefer {taste}." for taste in _TASTES]
    return [homes[0], *people[:8], *tastes, homes[1], *people[8:], homes[2]]


def prove(turns: int, seed: int = 1) -> Report:
    report = Report("no echoes, no junk", "turns", tried=turns)
    root = Path(tempfile.mkdtemp(prefix="palaver-echoes-"))
    try:
        echoed = asyncio.run(_talk(report, root / "echoed", turns, seed, echoes=True))
        silent = asyncio.run(_talk(report, root / "silent", turns, seed, echoes=False))
    finally:
        shutil.rmtree(root)
    grown = {one.content for one in echoed} - {one.content for one in silent}
    if grown:
        report.fail(f"{len(grown)} memories are echoes: {sorted(grown)[:3]}")
    if {one.content for one in silent} - {one.content for one in echoed}:
        report.fail("memories are missing because of echoes")
    return report


async def _talk(report: Report, home: Path, turns: int, seed: int, *, echoes: bool) -> list[Memory]:
    chance, noise = random.Random(seed), random.Random(seed + 1)
    told = facts(chance)
    settings = Settings.load(home, user__timezone="UTC")
    async with Palaver.open(settings=settings, embedder=BagOfWords(), digests=False) as palaver:
        for start in range(0, turns, _TURNS):
            known = told[: 1 + len(told) * start // turns]
            count = min(_TURNS, turns - start)
            said = [_said(chance, known) for _ in range(count)]
            messages: list[NewMessage] = []
            for text in said:
                shown = await _shown(palaver, text)
                messages.append(NewMessage(role="user", content=_quoting(chance, text, shown)))
                if echoes:
                    messages += _answers(noise, shown)
                else:
                    messages.append(NewMessage(role="assistant", content="I see."))
            conversation = (await palaver.start()).id
            await palaver.append_many(conversation, messages)
            await palaver.memories.extract(conversation)
        await _judge(report, palaver, echoes=echoes)
        return await palaver.memories.every()


def _said(chance: random.Random, known: Sequence[str]) -> str:
    if chance.random() < 0.85:
        return chance.choice(_SMALL)
    fact = chance.choice(known)
    if fact.startswith("I live") and fact != [one for one in known if "I live" in one][-1]:
        return chance.choice(_SMALL)  # it is not so any more
    return chance.choice(("{}", "By the way, {}", "{} Just so you know.")).format(fact)


def _quoting(chance: random.Random, text: str, shown: Sequence[Memory]) -> str:
    """Now and then the owner quotes what they were told."""
    dice = chance.random()
    if dice < 0.05 and shown:
        return f"> You: {shown[0].content}\n\nWhy do you say that?"
    return text


async def _shown(palaver: Palaver, text: str) -> list[Memory]:
    found = await palaver.memories.find(text, MemoryFilter(), limit=_SHOWN)
    return [one.memory for one in found]


def _answers(noise: random.Random, shown: Sequence[Memory]) -> list[NewMessage]:
    if not shown:
        return [NewMessage(role="assistant", content=noise.choice(_GUESSES))]
    echoed = [noise.choice(_ECHOES).format(one.content) for one in shown]
    found = NewMessage(role="tool", content="\n".join(one.content for one in shown))
    return [found, NewMessage(role="assistant", content="\n\n".join(echoed))]


async def _judge(report: Report, palaver: Palaver, *, echoes: bool) -> None:
    audit = await palaver.memories.audit()
    every = await palaver.memories.every()
    junk = [one.memories[0].content for one in audit.findings if one.kind == "junk"]
    if audit.shares.junk > JUNK:
        report.fail(f"{audit.shares.junk:.1%} are junk: {junk[:3]}")
    if audit.shares.duplicate > JUNK:
        report.fail(f"{audit.shares.duplicate:.1%} are duplicates")
    if not every:
        report.fail("nothing was remembered")
    how = "with echoes" if echoes else "without"
    shares = ", ".join(f"{kind} {share:.1%}" for kind, share in audit.shares.to_json().items())
    report.notes.append(f"{how}: {len(every)} memories, {audit.total} of them current; {shares}")
