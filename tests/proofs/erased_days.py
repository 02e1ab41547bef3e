"""Days of the continuous conversation with words on their pages, for the proofs of erased words."""

from __future__ import annotations

from palaver import Palaver
from palaver.index.records import Message
from tests.library import Clock
from tests.proofs.report import Report

BY_HAND = "Written by hand: the heron is back."
KEPT = ("The gate of the garden is green.", "Yes.")
"""What stays of what was said."""
_DAYS = 3


async def live(palaver: Palaver, clock: Clock, words: list[str]) -> list[Message]:
    """Some days, each with some of the words, and told: what is open is carried over, one page is
    written by hand, and a search has looked at all of them. What goes is given back."""
    conversation = (await palaver.continuous.ensure()).id
    going: list[Message] = []
    for number in range(_DAYS):
        await palaver.append(conversation, "user", KEPT[0])
        await palaver.append(conversation, "assistant", KEPT[1])
        for word in words[number::_DAYS]:
            text = f"We decided to take {word} to the harbour. Remind me to pay for {word}."
            going.append(await palaver.append(conversation, "user", text))
            await palaver.append(conversation, "assistant", KEPT[1])
        await _told(palaver)
        clock.advance(days=1)
    await palaver.append(conversation, "user", KEPT[0])
    await palaver.append(conversation, "assistant", KEPT[1])
    await _told(palaver)
    first = (await palaver.continuous.days()).days[-1]
    mine = f"{first.summary_markdown}\n- {BY_HAND}\n- Mine: {words[0]}, of all things."
    await palaver.continuous.edit(first.day_label, mine)
    await palaver.continuous.search(words[0], recency_days=0)
    return going


async def erase(palaver: Palaver, report: Report, going: list[Message], words: list[str]) -> None:
    """Each page had words on it, and has none when the messages are gone."""
    pages = await _pages(palaver)
    if len(pages) != _DAYS + 1 or not all(_holds(page, words) for page in pages):
        report.fail("no word was on the page of a day")
    for message in going:
        await palaver.redact(message.conversation_id, message.id)
    if any(_holds(page, words) for page in await _pages(palaver)):
        report.fail("an erased word is on the page of a day")
    await palaver.settle()
    if not any(BY_HAND in page for page in await _pages(palaver)):
        report.fail("what was written by hand is gone")
    if not all(await _pages(palaver)):
        report.fail("the page of a day was not made again")


async def _told(palaver: Palaver) -> None:
    await palaver.continuous.regenerate((await palaver.continuous.today()).day)
    await palaver.settle()


async def _pages(palaver: Palaver) -> list[str]:
    return [day.summary_markdown for day in (await palaver.continuous.days()).days]


def _holds(page: str, words: list[str]) -> bool:
    return any(word in page for word in words)
