"""A diary: what somebody says day by day, with a fact for each day that is asked for later.

It is made from a seed: people, places and numbers are drawn, things are decided, promised, and done
days later, and now and then the night is long. Each fact is told once.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_NAMES = """
Ada Ben Carla David Elif Farid Greta Hugo Ines Jonas Karim Lena Mateo Nora Oskar Paula Quentin Rosa
Samir Tilda Umut Vera Walter Xenia Yusuf Zoe Amara Bruno Chiara Dmitri
"""
_THINGS = """
garage locker allotment workshop cellar boathouse archive greenhouse attic studio bakery library
cabin stable pharmacy
"""
NAMES, THINGS = _NAMES.split(), _THINGS.split()
KINDS = {
    "code": "The code of the {thing} of {name} is {value}.",
    "rent": "{name} pays {value} euros of rent for the {thing}.",
    "key": "The key of {name}'s {thing} hangs on hook {value}.",
}
ASKED = {
    "code": "What is the code of the {thing} of {name}?",
    "rent": "How much rent does {name} pay for the {thing}?",
    "key": "On which hook hangs the key of {name}'s {thing}?",
}
_TASKS = (
    """
call the dentist|order new filters|return the ladder|renew the passport|write to the landlord
book the ferry|fix the bicycle|send the invoice|water the beans|cancel the magazine
pick up the parcel|sort the photographs|repair the fence|visit the aquarium|bake the rye bread
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
_SUBJECTS = (
    """
the tiles in the kitchen|the trip to the coast|the budget of the choir|the new database
the birthday of the twins|the leak under the sink|the talk about beetles|the old piano
the move to the second floor|the translation of the letters|the marathon|the solar panels
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
_SAYINGS = (
    "I spoke with {name} about {subject} and it took {minutes} minutes.",
    "{subject_} is on my mind again; {name} sent {number} pages about it.",
    "Today it rained on the way to {name}, and we were {minutes} minutes late for {subject}.",
    "Could you remind me what {name} thinks of {subject}?",
    "We decided to leave {subject} to {name} until the {day}th.",
    "We agreed that {name} gets {number} euros for {subject}.",
    "I read {number} pages, then {subject} came up, and {name} laughed.",
    "What would you do about {subject} if you had {minutes} minutes?",
)
_ANSWERS = (
    "Noted: {subject}, with {name}.",
    "That sounds like a good plan for {subject}.",
    "I would ask {name} about {subject} first, and then take {minutes} minutes for it.",
    "Understood. {subject_} stays on the list.",
    "There are {number} ways to go about {subject}; the simplest one is to begin with {name}.",
)
_LONG_DAYS, _LONG_TEXTS = 10, 8
"""On one day of so many, so many long texts are pasted."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is told on one day only."""

    told: str
    asked: str
    value: str


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the user says, when, and the answer."""

    at: datetime
    zone: str
    """Where the user is."""
    text: str
    answer: str

    @property
    def date(self) -> str:
        """The date there."""
        return self.at.astimezone(ZoneInfo(self.zone)).date().isoformat()


@dataclass(frozen=True, slots=True)
class Page:
    """What happens from one morning to the next."""

    date: date
    zone: str
    """Where the user is in the evening."""
    spoken: Sequence[Spoken]
    fact: Fact
    slept: bool
    """Whether nothing runs in the night that follows."""

    @property
    def night(self) -> datetime:
        """When the day is over for everybody who was there."""
        return _local(self.date + timedelta(days=1), time(3, 10), self.zone)


@dataclass(frozen=True, slots=True)
class Diary:
    """Everything that is said."""

    pages: Sequence[Page]

    def labels(self) -> list[list[str]]:
        """The day to which each thing said belongs, by the rule and nothing else: the date where
        the user is, unless a later one has begun."""
        newest, found = "", list[list[str]]()
        for page in self.pages:
            found.append([])
            for one in page.spoken:
                newest = max(newest, one.date)
                found[-1].append(newest)
        return found


def written(
    days: int,
    turns: int,
    *,
    begin: date,
    moves: Mapping[int, str],
    slept: int,
    pasted: int = 40,
    seed: int = 1,
) -> Diary:
    """A diary of so many days, each of so many turns; `moves` tells on which of them the user is in
    another zone from then on, `slept` in how many nights nothing runs, `pasted` how many sentences
    a long text has."""
    rng = random.Random(seed)
    facts = _facts(days, rng)
    nights = set(rng.sample(range(days - 1), slept))
    promised: list[tuple[int, str]] = []
    pages: list[Page] = []
    zone = moves[0]
    for number in range(days):
        before, zone = zone, moves.get(number, zone)
        here = begin + timedelta(days=number)
        texts = [*_talk(rng, turns - 3), facts[number].told, *_promises(rng, number, promised)]
        rng.shuffle(texts)
        if number % _LONG_DAYS == _LONG_DAYS - 1:
            texts[:_LONG_TEXTS] = [
                f"{text} {_minutes(rng, pasted)}" for text in texts[:_LONG_TEXTS]
            ]
        said = [
            Spoken(at, where, text, _filled(rng.choice(_ANSWERS), rng))
            for (at, where), text in zip(
                _times(rng, here, (before, zone), len(texts)), texts, strict=True
            )
        ]
        pages.append(Page(here, zone, said, facts[number], number in nights))
    return Diary(pages)


def _facts(count: int, rng: random.Random) -> list[Fact]:
    """Each is about something else, and many are about something alike."""
    every = [(kind, name, thing) for kind in KINDS for name in NAMES for thing in THINGS]
    values = rng.sample(range(1000, 9999), count)
    return [
        Fact(
            KINDS[kind].format(name=name, thing=thing, value=value),
            ASKED[kind].format(name=name, thing=thing),
            f"{value}",
        )
        for (kind, name, thing), value in zip(rng.sample(every, count), values, strict=True)
    ]


def _talk(rng: random.Random, count: int) -> list[str]:
    return [_filled(rng.choice(_SAYINGS), rng) for _ in range(count)]


def _minutes(rng: random.Random, sentences: int) -> str:
    """What somebody pastes."""
    return "These are the minutes. " + " ".join(_talk(rng, sentences))


def _promises(rng: random.Random, number: int, promised: list[tuple[int, str]]) -> Iterator[str]:
    """Something that is to be done, and something that was to be done and is done now."""
    task = rng.choice(_TASKS)
    promised.append((number + rng.randint(1, 9), task))
    yield f"I still have to {task}."
    due = [one for one in promised if one[0] <= number]
    if due:
        promised.remove(due[0])
        yield f"I had to {due[0][1]}: that is done now."
    else:
        yield _filled(rng.choice(_SAYINGS), rng)


def _times(
    rng: random.Random, here: date, zones: tuple[str, str], count: int
) -> list[tuple[datetime, str]]:
    """In order, from the morning on; in one night of ten it gets late. Whoever moves speaks before
    they leave, and right after: where they come to, it may still be the day before."""
    before, zone = zones
    left = _local(here, time(4, 30), before)
    moving = [(left, before), (left + timedelta(minutes=5), zone)] if before != zone else []
    begin = _local(here, time(rng.randint(6, 9), rng.randint(0, 59)), zone)
    begin = max(begin, left + timedelta(hours=1)) if moving else begin
    end = _local(here, time(21, 30), zone)
    if rng.random() < 0.1:
        end += timedelta(hours=3, minutes=20)
    span = (end - begin).total_seconds()
    steps = sorted(rng.random() for _ in range(count - len(moving) - 1))
    return moving + [(begin + timedelta(seconds=span * step), zone) for step in (0.0, *steps)]


def _local(here: date, at: time, zone: str) -> datetime:
    return datetime.combine(here, at, ZoneInfo(zone)).astimezone(UTC)


def _filled(template: str, rng: random.Random) -> str:
    subject = rng.choice(_SUBJECTS)
    return template.format(
        name=rng.choice(NAMES),
        subject=subject,
        subject_=subject[:1].upper() + subject[1:],
        minutes=rng.randint(5, 95),
        number=rng.randint(2, 480),
        day=rng.randint(4, 28),
    )
