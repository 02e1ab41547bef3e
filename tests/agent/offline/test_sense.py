"""What people say to an assistant: it answers what it can, and says of the rest that it cannot."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from palaver.agent.offline import texts
from palaver.agent.offline.texts import (
    CANNOT,
    EMPTY,
    FORGETTING,
    HELP,
    NO_DECISION,
    NOTED,
    NOTHING,
    OTHER_WORDS,
)
from palaver.app import Palaver
from palaver.digest.state import fold_all
from palaver.settings import Settings
from tests.agent.answering import Desk, offline
from tests.agent.offline.test_asking import Folded, told
from tests.library import BagOfWords, Clock


@pytest.fixture
def openings(palaver: Palaver) -> Folded:
    return Folded(palaver)


@pytest.fixture
def desk(palaver: Palaver, clock: Clock, openings: Folded) -> Desk:
    return offline(palaver, clock, openings)


async def quotes(desk: Desk, question: str) -> list[str | None]:
    return [source.quote for source in (await desk.send(question)).sources or ()]


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("Hi, how are you?", "Hello!"),
        ("Wie geht's?", "Hello!"),
        ("Danke schön!", "You are welcome."),
        ("Ok thanks, that helped", "You are welcome."),
        ("ok", "All right."),
        ("Good night", "Goodbye."),
        ("Tschüss!", "Goodbye."),
    ],
)
async def test_it_is_polite(palaver: Palaver, desk: Desk, said: str, answer: str):
    await told(palaver, "Schon gut, the nights are good, ok.", "Good.")
    assert (await desk.send(said)).content == f"{answer} {HELP}"


@pytest.mark.parametrize(
    "said",
    [
        "Tell me a joke",
        "Remind me to buy milk tomorrow",
        "Erinnere mich morgen an die Milch",
        "What is 2+2?",
        "12 * (3 - 4)",
        "Send Petra an email",
        "Help me with a letter",
    ],
)
async def test_it_says_what_it_cannot_do(palaver: Palaver, desk: Desk, said: str):
    await told(palaver, "Version 2.4 has a joke about milk, 2 of them.", "Good.")
    assert (await desk.send(said)).content.startswith(CANNOT)


@pytest.mark.parametrize("said", ["Delete everything", "Vergiss alles", "Forget about the boiler"])
async def test_it_does_not_note_what_it_is_told_to_forget(desk: Desk, said: str):
    assert (await desk.send(said)).content.endswith(FORGETTING)


@pytest.mark.parametrize(
    "said",
    [
        "What is 2026-11-14?",
        "What did we say about 2+2?",
        "Remind me what we said about tea",
        "Forget it",
    ],
)
async def test_it_does_not_refuse_what_only_sounds_alike(desk: Desk, said: str):
    assert (await desk.send(said)).content in (NOTHING, NOTED)


@pytest.mark.parametrize(
    ("sentence", "decides"),
    [
        ("I decided to plant tomatoes and not potatoes this year.", True),
        ("We decided not to buy the house.", True),
        ("We agreed with the neighbours that the hedge stays.", True),
        ("Wir haben beschlossen, den Steuerberater zu nehmen.", True),
        ("Wir haben uns nicht für das rote, sondern für das blaue Auto entschieden.", True),
        ("We have not really decided anything.", False),
        ("If we decided on the house, we would have to move.", False),
        ("Wir haben noch nichts beschlossen, glaube ich.", False),
    ],
)
async def test_it_knows_decisions(palaver: Palaver, desk: Desk, sentence: str, decides: bool):
    await told(palaver, sentence, "Good.")
    reply = await desk.send("What did I decide yesterday?")
    assert reply.content.startswith(NO_DECISION) is not decides
    assert (sentence in reply.content) is True


async def test_it_sums_up_this_conversation_only_when_asked_for_it(palaver: Palaver, desk: Desk):
    for said in ("Summarise this conversation", "Fasse dieses Gespräch zusammen", "tl;dr"):
        assert (await desk.send(said)).content == EMPTY
    await told(palaver, "The solar panels come in the summer.", "Good.")
    for said in ("Summarise the solar project", "Recap the conversation about the summer"):
        assert await quotes(desk, said) == ["The solar panels come in the summer."]


async def test_what_is_open_about_something_is_not_all_that_is_open(
    palaver: Palaver, desk: Desk, openings: Folded
):
    for text in ("I have to pay the rent by Monday.", "I have to water the tomatoes by Friday."):
        said = await told(palaver, text, "Good.")
        openings.conversations.append(said[0].conversation_id)
    assert await quotes(desk, "What is open about the tomatoes?") == [
        "I have to water the tomatoes by Friday."
    ]
    assert len(await quotes(desk, "Mach mir eine Liste mit allen Aufgaben")) == 2
    assert len(await quotes(desk, "What should I do today?")) == 2


async def test_what_it_says_itself_leaves_nothing_open(palaver: Palaver, desk: Desk):
    spoken = [text for text in vars(texts).values() if isinstance(text, str) and " " in text]
    assert NOTED in spoken
    for text in spoken:
        said = await told(palaver, "The bike is new.", text)
        assert fold_all(said).open_items == (), text


async def test_it_tells_who_somebody_is(palaver: Palaver, desk: Desk):
    await told(palaver, "My name is Tom Berger.", "Hello Tom.")
    for question in ("Who am I?", "Wer bin ich?", "Wie heiße ich?"):
        assert await quotes(desk, question) == ["My name is Tom Berger."]


class Alike(BagOfWords):
    """A model to which everything means the same."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return super().embed(["something"] * len(texts))


@pytest.fixture
async def meant(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    """A library that finds things by meaning, too."""
    settings = Settings.load(tmp_path / "meant", user__timezone="UTC")
    async with Palaver.open(settings=settings, clock=clock, embedder=Alike()) as opened:
        yield opened


async def test_it_finds_words_that_were_mistyped_and_says_so(meant: Palaver, clock: Clock):
    await told(meant, "The boiler rattles.", "Oh.")
    await meant.settle()
    desk = offline(meant, clock)
    reply = await desk.send("what did we say about the boilr")
    assert OTHER_WORDS in reply.content
    assert "> The boiler rattles." in reply.content


async def test_a_title_tells_what_a_conversation_is_about(meant: Palaver, clock: Clock):
    said = "Die Steuererklärung muss ich bis Ende November abgeben. Das dauert."
    await told(meant, said, "Gut.", title="Steuer")
    await meant.settle()
    assert said in await quotes(offline(meant, clock), "Was haben wir über die Steuer gesagt?")


async def test_of_a_time_each_conversation_is_told_and_of_me_my_own_words(
    palaver: Palaver, desk: Desk
):
    await told(palaver, "The tea is green. It is good.", "Nice.", title="Tea")
    await told(palaver, "The car is red.", "Fast.", title="Car")
    assert {"Nice.", "Fast."} <= set((await quotes(desk, "What did we talk about yesterday?"))[:2])
    assert set(await quotes(desk, "What did I say yesterday?")) == {
        "The tea is green. It is good.",
        "The car is red.",
    }


async def test_how_much_is_not_what_is_looked_for(palaver: Palaver, desk: Desk):
    await told(palaver, "He charges 90 euros an hour.", "Who, the plumber?")
    assert await quotes(desk, "How much does the plumber charge?") == [
        "He charges 90 euros an hour."
    ]


async def test_a_word_in_common_is_no_reason_to_bring_something_up(palaver: Palaver, desk: Desk):
    await told(palaver, "The hotel is near the metro.", "Good.")
    assert await quotes(desk, "A new hotel opened in our street.") == []
