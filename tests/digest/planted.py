"""A long conversation with facts and open questions planted in it, and what is asked about them.

The names are chosen to be confused: each fact has neighbours that differ in a word and a number.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.sentences import sentences
from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.embedding import Embedder
from palaver.settings import Settings

_AT_ONCE = 5
_HITS = 10
"""As many as a search gives unless told otherwise."""

_PLACES = (
    "harbour|boathouse|boat shed|north barn|south barn|cellar|attic|greenhouse|workshop|chapel"
)
_PEOPLE = "Marta|Marten|Martha|Jonas|Johanna|Johan|Priya|Petra|Tomasz|Thomas"
_THINGS = """espresso machine|sewing machine|dishwasher|washing machine|water heater|space heater|
    piano|projector|telescope|microscope"""
_TOWNS = "Lisbon|Lyon|Leipzig|Linz|Lund|Porto|Parma|Prague|Padua|Poznan"
_DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday"
_MONTHS = "January|March|April|June|July|September|October|December"
_REPLIES = """Understood.|Thanks, that is good to know.|All right, I have that.|Noted, thank you.|
    Good. Anything else?|That makes sense.|I see, thank you for telling me.|Fine, got it."""

_FACTS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        (
            "The door code of the {place} in {town} is {code}.",
            "For the {place} in {town}, you have to type {code} at the door.",
            "They changed the lock of the {place} in {town}: the code is {code} now.",
        ),
        (
            "What is the door code of the {place} in {town}?",
            "Which code opens the {place} in {town}?",
        ),
        "code",
    ),
    (
        (
            "{person} in {town} can be reached at extension {code}.",
            "By the way, {person}'s extension in {town} is {code}.",
            "If it is urgent, call {person} in {town}, extension {code}.",
        ),
        (
            "What is {person}'s extension in {town}?",
            "Under which extension can {person} in {town} be reached?",
        ),
        "code",
    ),
    (
        (
            "The serial number of {person}'s {thing} is {serial}.",
            "I looked at the back of {person}'s {thing}: its serial number is {serial}.",
        ),
        (
            "What is the serial number of {person}'s {thing}?",
            "Serial number of {person}'s {thing}?",
        ),
        "serial",
    ),
    (
        (
            "My train to {town} leaves on {date} at {time}.",
            "I have a seat on the train to {town}, {date}, {time}.",
        ),
        ("When does my train to {town} leave?", "At what time is the train to {town}?"),
        "time",
    ),
    (
        (
            "We decided to pay {price} euros for {person}'s {thing}.",
            "We settled on {price} euros for {person}'s {thing}.",
            "Let's go with the offer of {price} euros for {person}'s {thing}.",
        ),
        (
            "How much did we decide to pay for {person}'s {thing}?",
            "What price did we settle on for {person}'s {thing}?",
        ),
        "price",
    ),
    (
        (
            "{person}'s birthday is on {date}.",
            "Do not let me plan anything on {date}, that is {person}'s birthday.",
        ),
        ("When is {person}'s birthday?", "On which day is the birthday of {person}?"),
        "date",
    ),
)
_OPEN = (
    "Remind me to send the photos to {person} in {town}.",
    "I still need to return the {thing} to {person}.",
    "Don't let me forget to ask {person} about the {place} key.",
    "I still have to book a room in {town} for {person}.",
)
_ASKED = "What is still to be done about {subject}?"


@dataclass(frozen=True, slots=True)
class Planted:
    """Something that was said once, and what is asked about it."""

    turn: int
    said: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in which user and assistant take turns, and what is planted in them."""

    texts: list[str]
    planted: list[Planted]


def conversation(turns: int, facts: int, loops: int, seed: int = 7) -> Conversation:
    """So many turns, with facts and open questions spread over the first nine tenths."""
    rng = random.Random(seed)
    told = [*_facts(rng, facts), *_loops(rng, loops)]
    rng.shuffle(told)
    places = sorted(rng.sample(range(1, turns * 9 // 10), len(told)))
    planted = {turn: Planted(turn + 1, *one) for turn, one in zip(places, told, strict=True)}
    idle = iter(sentences(5 * turns, seed))
    texts: list[str] = []
    for turn in range(turns):
        said = planted[turn].said if turn in planted else ""
        texts += [_user(rng, said, idle), _assistant(rng, idle)]
    return Conversation(texts, list(planted.values()))


def _user(rng: random.Random, said: str, idle: Iterator[str]) -> str:
    around = [_telling(next(idle)) for _ in range(rng.randint(1, 2))]
    if said:
        around.insert(rng.randint(0, len(around)), said)
    return " ".join(around)


def _assistant(rng: random.Random, idle: Iterator[str]) -> str:
    more = [_telling(next(idle)) for _ in range(rng.randint(0, 2))]
    return " ".join([_pick(rng, _REPLIES), *more])


def _telling(sentence: str) -> str:
    """Nothing is asked beside what is planted."""
    return sentence.replace("?", ".")


def _facts(rng: random.Random, count: int) -> Iterator[tuple[str, str, str]]:
    seen: set[str] = set()
    while len(seen) < count:
        said, asked, wanted = rng.choice(_FACTS)
        given = _given(rng)
        question = rng.choice(asked).format(**given)
        subject = asked[0].format(**given)
        if subject not in seen:
            seen.add(subject)
            yield rng.choice(said).format(**given), question, given[wanted]


def _loops(rng: random.Random, count: int) -> Iterator[tuple[str, str, str]]:
    seen: set[str] = set()
    while len(seen) < count:
        given = _given(rng)
        said = rng.choice(_OPEN).format(**given)
        if given["person"] not in said or said in seen:
            continue
        seen.add(said)
        yield said, _ASKED.format(subject=_subject(said, given)), said


def _subject(said: str, given: dict[str, str]) -> str:
    named = [given[kind] for kind in ("thing", "town", "place", "person") if given[kind] in said]
    return " and ".join(named[:2])


def _given(rng: random.Random) -> dict[str, str]:
    return {
        "place": _pick(rng, _PLACES),
        "person": _pick(rng, _PEOPLE),
        "thing": _pick(rng, _THINGS),
        "town": _pick(rng, _TOWNS),
        "code": str(rng.randint(1000, 9999)),
        "serial": f"{rng.choice('ABKQX')}{rng.choice('RSTZ')}-{rng.randint(1000, 9999)}",
        "price": str(rng.randint(110, 990)),
        "date": f"{rng.randint(1, 28)} {_pick(rng, _MONTHS)}",
        "time": f"{rng.randint(6, 21)}:{rng.randint(0, 59):02}",
    }


def _pick(rng: random.Random, listed: str) -> str:
    return rng.choice([one.strip() for one in listed.split("|")])


# -- asking about it ------------------------------------------------------------------------------


@dataclass(slots=True)
class Known:
    """How many of what was planted can be answered, and from where."""

    compressions: int = 0
    rolled: int = 0
    slowest: float = 0.0
    packet: int = 0
    recall: int = 0
    either: int = 0
    in_summary: int = 0
    missed: list[Planted] = field(default_factory=list[Planted])


async def measure(
    home: Path, turns: int, facts: int, loops: int, budget: int, *, embedder: Embedder | None = None
) -> Known:
    """Holds the conversation, then asks about everything that was planted in it."""
    settings = Settings.load(home, conversations__max_context_tokens=budget)
    told = conversation(turns, facts, loops)
    known = Known()
    meaning = embedder is not None
    async with Palaver.open(settings=settings, index_vectors=meaning, embedder=embedder) as palaver:
        name = (await palaver.start()).id
        for start in range(0, len(told.texts), 2 * _AT_ONCE):
            await _say(palaver, name, told.texts[start : start + 2 * _AT_ONCE])
            await _follow_up(palaver, name, known)
        await palaver.settle()
        for planted in told.planted:
            await _ask(palaver, name, planted, known)
    return known


async def _say(palaver: Palaver, name: str, texts: list[str]) -> None:
    roles = ("user", "assistant")
    said = [NewMessage(role=roles[number % 2], content=text) for number, text in enumerate(texts)]
    await palaver.append_many(name, said)


async def _follow_up(palaver: Palaver, name: str, known: Known) -> None:
    await palaver._context.states.keep(name)  # pyright: ignore[reportPrivateUsage]
    started = time.perf_counter()
    known.compressions += await palaver._context.compression.run_if_due(name)  # pyright: ignore[reportPrivateUsage]
    known.rolled += await palaver._context.rolling.run_if_due(name)  # pyright: ignore[reportPrivateUsage]
    known.slowest = max(known.slowest, time.perf_counter() - started)


async def _ask(palaver: Palaver, name: str, planted: Planted, known: Known) -> None:
    packet = await palaver.context(name, planted.question)
    shown = "\n".join(str(one["content"]) for one in packet.messages)
    in_packet = _holds(shown, planted)
    in_recall = _holds(await _recalled(palaver, planted.question), planted)
    known.packet += in_packet
    known.recall += in_recall
    if not (in_packet or in_recall):
        known.missed.append(planted)
    known.either += in_packet or in_recall
    known.in_summary += _holds(packet.rolling_summary or "", planted)


async def _recalled(palaver: Palaver, question: str) -> str:
    """What one search shows: its best conversation, and the turns of its first hits."""
    hits = await palaver.search_messages(question, limit=_HITS)
    places = [(one.conversation_id, one.turn_number) for one in hits]
    turns = [await palaver.fetch(name, first=turn, last=turn) for name, turn in places]
    return "\n".join(message.content for turn in turns for message in turn)


def _holds(text: str, planted: Planted) -> bool:
    return " ".join(planted.answer.split()) in " ".join(text.replace("> ", " ").split())
