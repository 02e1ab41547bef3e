"""Sentences as somebody might say them: many, all different, about many things."""

from __future__ import annotations

import random
from collections.abc import Iterator

_WHO = """I|we|my sister|my brother Jonas|the neighbour|our landlord|Dr. Okafor|the new manager|
    my mother|Aunt Ruth|the plumber|Priya from accounting|the kids|my old roommate|the coach|
    our tutor|the baker|grandpa|Lucía|the vet|my therapist|the electrician|Tomasz|the librarian"""
_DID = """bought|returned|lost|repaired|painted|forgot|sold|borrowed|ordered|broke|cleaned|found|
    photographed|recommended|complained about|dreamt of|read about|paid for|cancelled|planned|
    postponed|measured|compared|tasted|gave away|wrote about|argued about|learned about"""
_WHAT = """the blue bicycle|a sourdough starter|the tax return|two concert tickets|a used piano|
    the kitchen sink|a flight to Lisbon|the marathon training plan|an allergy test|a mortgage offer|
    the garden fence|a Python script for invoices|the wedding speech|a mechanical keyboard|
    the dishwasher|a vegetarian lasagna|the chess tournament|a rescue dog|the solar panels|
    a chapter on the Roman Republic|the insurance claim|an espresso machine|the hiking boots|
    a novel by Ursula Le Guin|the car battery|a yoga class|the school play|a jazz record|
    the router settings|a job interview in Hamburg|the spare keys|a birthday cake with lemons|
    the physiotherapy exercises|a telescope|the rent increase|a sewing machine|the broken window|
    a course in statistics|the tomato plants|a budget for the winter|the passport photos|
    a podcast on volcanoes|the recycling bins|a trip to the dentist|the violin lessons"""
_WHEN = """last Tuesday|in March|the day before yesterday|after the storm|during the holidays|
    on a rainy Sunday|at seven in the morning|before the move|when the power went out|in 2019|
    between two meetings|last summer|on my birthday|at the end of the month|while travelling|
    over the weekend|right after lunch|on the way to Prague|in the first week of school"""
_WHY = """it was far too expensive|nobody else wanted to|the doctor insisted|the old one leaked|
    I had promised it|we needed the space|the deadline moved|it looked like fun|the app crashed|
    the price had dropped by half|we could not agree|it made too much noise|winter was coming|
    the instructions were wrong|everybody talked about it|the colour was not right|
    there was a discount|my back hurt|the train was late|it had to fit in a suitcase"""
_ASK = """Do you remember|Remind me why|Could you explain how|Tell me again when|Please note that|
    I still wonder why|It turns out that|Honestly,|By the way,|Good news:|I am worried because|
    As I said before,|What do you think now that|For the record,|Between us,|Funny story:"""
_THEN = """how much it cost|what to do next|whether it was worth it|who should be told|
    how long it will last|where to keep it|which one is better|what the others said|
    how to explain it to the team|whether we can cancel|how to do it without help|
    what it means for the plan|how many are left|when it is due|what could go wrong"""


def _choices(words: str) -> list[str]:
    return [choice.strip() for choice in words.split("|")]


_WHO_, _DID_, _WHAT_, _WHEN_ = (_choices(words) for words in (_WHO, _DID, _WHAT, _WHEN))
_WHY_, _ASK_, _THEN_ = (_choices(words) for words in (_WHY, _ASK, _THEN))


def sentences(count: int, seed: int = 1) -> list[str]:
    """So many different sentences, always the same ones."""
    found: dict[str, None] = {}
    for sentence in _endless(random.Random(seed)):
        found[sentence] = None
        if len(found) == count:
            return list(found)
    return []


def _endless(rng: random.Random) -> Iterator[str]:
    while True:
        said = f"{rng.choice(_WHO_)} {rng.choice(_DID_)} {rng.choice(_WHAT_)}"
        match rng.randrange(4):
            case 0:
                yield f"{rng.choice(_ASK_)} {said} {rng.choice(_WHEN_)}?"
            case 1:
                yield f"{said.capitalize()} because {rng.choice(_WHY_)}."
            case 2:
                yield f"{rng.choice(_WHEN_).capitalize()} {said}; now tell me {rng.choice(_THEN_)}."
            case _:
                yield f"{rng.choice(_ASK_)} {said}, and {rng.choice(_WHAT_)} as well."
