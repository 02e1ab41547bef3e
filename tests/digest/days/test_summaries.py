"""The days of the continuous conversation: when they are told, by whom, and when closed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from palaver.digest.apart import Aside
from palaver.digest.days import stories
from palaver.digest.days.offline import OfflineDays
from palaver.digest.days.port import DayPoint, DayStory
from palaver.errors import DigestUnusable, ModelTimeout, NotFound
from palaver.index.values import OFFLINE
from palaver.ledger.lines import Line, event
from palaver.ledger.port import Erasure
from tests.digest.days.conftest import Diary, Telling
from tests.digest.days.makers import PlainDays, quoting
from tests.digest.days.stories import DAY, count

FRIDAY, SATURDAY, SUNDAY, MONDAY = "2026-02-13", "2026-02-14", "2026-02-15", "2026-02-16"
BOOKS = "I still need to return the library books."
PAY = "I still need to pay the invoice of Dr. Okafor."


def chat(count: int, start: int = 0) -> list[str]:
    """So many messages in which nothing is asked or promised."""
    said = ("The weather of hour {} was fine.", "Good to hear about hour {}.")
    return [said[n % 2].format(start + n) for n in range(count)]


def haiku(**given: Any) -> PlainDays:
    return PlainDays(by="haiku", **given)


# -- when ----------------------------------------------------------------------------------------


async def test_ten_messages_are_told_and_nine_are_not(diary: Diary, telling: Telling) -> None:
    days = telling()
    await diary.live(SATURDAY, *chat(8))
    await diary.say("The ninth one.")
    await days.run(diary.name)
    assert await diary.events("day_summary") == []
    await diary.say("The tenth one.")
    for _ in range(3):
        await days.run(diary.name)
    (line,) = await diary.events("day_summary")
    assert (line.data["day"], line.data["reason"], line.data["by"]) == (
        SATURDAY,
        "messages",
        "offline",
    )
    said = await diary.palaver.fetch(diary.name, first=0, last=99)
    assert line.data["covers"] == max(one.seq for one in said)
    assert line.data["through"] == max(one.turn_number for one in said)
    assert not (await diary.day(SATURDAY)).closed
    assert (await diary.standing()).untold == 0
    texts = line.data["summary"].split("\n")
    by_id = {one.id: one for one in said}
    for source in line.data["sources"]:
        assert texts[source["point"]] == by_id[source["messageId"]].content
    await diary.say(*chat(10, 20))
    await days.run(diary.name)
    assert len(await diary.events("day_summary")) == 2


async def test_a_day_that_was_told_meanwhile_is_not_told_for_its_messages(
    diary: Diary, telling: Telling
) -> None:
    days = telling()
    await diary.live(SATURDAY, *chat(10))
    for _ in range(2):
        await days.make(diary.name, SATURDAY, "messages")
        await diary.say(*chat(2, 20))
    assert len(await diary.events("day_summary")) == 1


async def test_a_day_that_is_over_is_told_and_closed_once(diary: Diary, telling: Telling) -> None:
    days = telling()
    await diary.live(SATURDAY, *chat(4))
    diary.at(SUNDAY, 2.9)
    await days.run(diary.name)
    assert await diary.events("day_summary") == []
    diary.at(SUNDAY, 3)
    for _ in range(3):
        await days.run(diary.name)
    (told,) = await diary.events("day_summary")
    (closed,) = await diary.events("day_closed")
    assert told.data["reason"] == "night"
    assert (closed.data["day"], closed.data["through"]) == (SATURDAY, told.data["through"])
    assert closed.data["key"] == f"day_closed:{diary.name}:{SATURDAY}"
    assert (await diary.day(SATURDAY)).closed
    assert (await diary.standing()).over == ()


async def test_what_was_told_by_day_is_not_told_again_at_night(
    diary: Diary, telling: Telling
) -> None:
    days = telling()
    await diary.live(SATURDAY, *chat(10))
    await days.run(diary.name)
    diary.at(SUNDAY, 4)
    await days.run(diary.name)
    assert len(await diary.events("day_summary")) == 1
    assert len(await diary.events("day_closed")) == 1


async def test_missed_nights_are_made_up_for_the_oldest_first(
    diary: Diary, telling: Telling
) -> None:
    for label in (FRIDAY, SATURDAY, MONDAY):
        await diary.live(label, *chat(4))
    diary.at("2026-03-20")
    days = telling()
    await days.run(diary.name)
    told = [line.data["day"] for line in await diary.events("day_summary")]
    closed = [line.data["day"] for line in await diary.events("day_closed")]
    assert told == closed == [FRIDAY, SATURDAY, MONDAY]
    await days.run(diary.name)
    assert len(await diary.events("day_summary")) == 3


async def test_the_newest_day_stays_open_while_it_is_not_over(
    diary: Diary, telling: Telling
) -> None:
    await diary.live(SATURDAY, *chat(4))
    diary.at(SUNDAY, 0.5)
    await diary.say(*chat(2))
    diary.at(SUNDAY, 4)
    await telling().run(diary.name)
    assert [line.data["day"] for line in await diary.events("day_closed")] == [SATURDAY]
    assert await diary.events("day_summary", SUNDAY) == []


async def test_a_day_is_made_when_somebody_asks(diary: Diary, telling: Telling) -> None:
    days = telling()
    await diary.live(SATURDAY, *chat(2))
    await days.make(diary.name, SATURDAY, "asked")
    await days.make(diary.name, SATURDAY, "asked")
    await days.make(diary.name, SATURDAY, "tokens")  # all of it is told
    told = await diary.events("day_summary")
    assert [line.data["reason"] for line in told] == ["asked", "asked"]
    with pytest.raises(NotFound):
        await days.make(diary.name, SUNDAY, "asked")


async def test_what_is_said_on_a_closed_day_is_told_with_the_next(
    diary: Diary, telling: Telling
) -> None:
    """Whoever travels west goes on with a day that was closed already."""
    days = telling()
    await diary.live(SATURDAY, *chat(4))
    diary.at(SUNDAY, 4)
    await days.run(diary.name)
    diary.at(SATURDAY, 23)
    await diary.say("Still Saturday here in Lisbon.", "Indeed.")
    assert len(await diary.events("day_opened")) == 1
    await diary.live(SUNDAY, "Now it is Sunday.", "Yes.")
    diary.at(MONDAY, 4)
    await days.run(diary.name)
    assert "Lisbon" in await diary.text(SATURDAY)
    assert (await diary.day(SUNDAY)).closed


# -- what ----------------------------------------------------------------------------------------


async def test_an_open_loop_is_carried_over_and_its_closing_seen(
    diary: Diary, telling: Telling
) -> None:
    aside = Aside()
    days = telling(OfflineDays(aside, count))
    try:
        await diary.live(FRIDAY, PAY, "Noted.")
        await diary.live(SATURDAY, "The heron was back at the pond.", "Lovely.")
        await diary.live(SUNDAY, "I paid the invoice of Dr. Okafor.", "Good.")
        diary.at(MONDAY, 4)
        await days.run(diary.name)
    finally:
        aside.close()
    assert PAY in await diary.text(FRIDAY)
    assert f"- {PAY} (since 13 February)" in await diary.text(SATURDAY)
    assert f"- Closed: {PAY} (done, since 13 February)" in await diary.text(SUNDAY)
    (told,) = await diary.events("day_summary", SUNDAY)
    kinds = [source["kind"] for source in told.data["sources"]]
    assert {"closed", "closing"} <= set(kinds)


@pytest.mark.parametrize("late", [False, True])
async def test_a_day_is_told_the_same_at_once_and_much_later(
    diary: Diary, telling: Telling, late: bool
) -> None:
    aside = Aside()
    days = telling(OfflineDays(aside, count))
    try:
        await diary.live(FRIDAY, BOOKS, "Noted.", *DAY)
        if not late:
            diary.at(SATURDAY, 4)
            await days.run(diary.name)
        await diary.live(SATURDAY, "I returned the library books.", "Good.")
        await diary.live(SUNDAY, *chat(4))
        diary.at(MONDAY, 4)
        await days.run(diary.name)
    finally:
        aside.close()
    text = await diary.text(FRIDAY)
    assert f"- {BOOKS}" in text
    assert "4711-B" in text
    assert "Closed" not in text


async def test_a_long_day_is_told_in_parts_and_then_carried_on(
    diary: Diary, telling: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stories, "_PART", 4)
    maker = PlainDays()
    days = telling(maker)
    await diary.live(SATURDAY, *chat(18))
    await days.run(diary.name)
    assert [len(story.messages) for story in maker.stories] == [8, 8, 2]
    assert maker.stories[-1].before
    await diary.say(*chat(10, 50))
    await days.run(diary.name)
    assert all("hour 5" in one.content for one in maker.stories[-1].messages)
    summary = (await diary.day(SATURDAY)).summary
    assert summary
    assert summary.covers == (await diary.standing()).heard_seq


# -- words of the owner --------------------------------------------------------------------------


async def test_what_the_owner_wrote_stays_and_is_added_to(diary: Diary, telling: Telling) -> None:
    aside = Aside()
    days = telling(OfflineDays(aside, count))
    try:
        await diary.live(SATURDAY, *DAY)
        await days.run(diary.name)
        edited = "## Summary\nMy own words, and no more of the kitchen.\n\n## Open loops\n- Sleep"
        await diary.edit(SATURDAY, edited, sources=[])
        await days.make(diary.name, SATURDAY, "asked")
        assert await diary.text(SATURDAY) == edited
        await diary.say(PAY, "Noted.", "We decided on berth B-12.", "Good.")
        diary.at(SUNDAY, 4)
        await days.run(diary.name)
    finally:
        aside.close()
    text = await diary.text(SATURDAY)
    assert text == (
        "## Summary\nMy own words, and no more of the kitchen.\n\n"
        "## Decisions\n- We decided on berth B-12.\n\n"
        f"## Open loops\n- Sleep\n- {PAY}"
    )
    summary = (await diary.day(SATURDAY)).summary
    assert summary
    assert summary.by_hand
    assert (await diary.day(SATURDAY)).closed


async def test_what_was_made_of_something_open_gives_way_to_its_closing(
    diary: Diary, telling: Telling
) -> None:
    """On a page that its owner has written on; what the owner wrote of it stays."""
    aside = Aside()
    days = telling(OfflineDays(aside, count))
    asked = "Which berth do we take for the boat?"
    try:
        await diary.live(SATURDAY, *chat(4), asked, "I do not know.", *chat(4))
        await days.make(diary.name, SATURDAY, "asked")
        made = await diary.text(SATURDAY)
        assert f"## Open loops\n- {asked}" in made
        await diary.edit(SATURDAY, f"{made}\n- Mine: which berth?\n\n## Mine\n- Bread.")
        await diary.say("We take berth B-12 for the boat.", "Good, berth B-12 for the boat.")
        await days.make(diary.name, SATURDAY, "asked")
    finally:
        aside.close()
    text = await diary.text(SATURDAY)
    assert f"Closed: {asked}" in text
    assert f"\n- {asked}" not in text
    assert "- Mine: which berth?" in text
    assert text.endswith("## Mine\n- Bread.")


async def test_when_somebody_asks_only_the_lines_of_the_owner_stay_and_the_others_are_made_again(
    diary: Diary, telling: Telling
) -> None:
    """Also on a day of the past that was told to its end."""
    aside = Aside()
    days = telling(OfflineDays(aside, count))
    asked = "Which berth do we take for the boat?"
    own = "- Mine: which berth?\n\n## Mine\n- Bread."
    try:
        await diary.live(SATURDAY, *DAY, asked, "I do not know.")
        await days.make(diary.name, SATURDAY, "asked")
        made = await diary.text(SATURDAY)
        removed, worded = _lines(made, "Decisions")[0], _lines(made, "Summary")[0]
        text = made.replace(f"- {removed}\n", "").replace(worded, "The owner's words.")
        await diary.edit(SATURDAY, f"{text}\n{own}", sources=[])
        await diary.say("We take berth B-12 for the boat.", "Good, berth B-12 for the boat.")
        diary.at(SUNDAY, 4)
        await days.run(diary.name)
        both = await diary.text(SATURDAY)
        assert f"\n- {asked}" in both
        assert f"Closed: {asked}" in both
        await days.make(diary.name, SATURDAY, "asked")
        text = await diary.text(SATURDAY)
        await days.make(diary.name, SATURDAY, "asked")
        assert await diary.text(SATURDAY) == text
    finally:
        aside.close()
    assert f"\n- {asked}" not in text
    assert f"Closed: {asked}" in text
    assert "\n- Mine: which berth?\n" in text
    assert text.endswith("\n\n## Mine\n- Bread.")
    assert text.startswith("## Summary\nThe owner's words.\n")
    assert removed not in text
    assert worded not in text
    assert "\n\n\n" not in text
    summary = (await diary.day(SATURDAY)).summary
    assert summary
    assert summary.by_hand
    assert {one.point for one in summary.sources}  # lines that were made again stand on messages


DECIDED = (
    "We decided to take the 40 blue tiles from Krause.",
    "We decided on berth B-12 for the boat.",
    "We decided to sell the car to Marta for 900 euros.",
    "We decided that the party is on 7 May.",
)
REWORDED = (
    ("The tiles will be the 40 blue ones of Krause.", "the 40 blue tiles"),
    ("The boat gets berth B-12.", "on berth B-12"),
    ("Marta buys the car for 900 euros.", "car to Marta"),
    ("There is a party on 7 May.", "party is on 7 May"),
)


def reworded(*, quotes: bool) -> PlainDays:
    """A model that words it otherwise, and tells which words of the message it means, or not."""

    def told(story: DayStory) -> list[DayPoint]:
        found: list[DayPoint] = []
        for text, quote in REWORDED:
            point = quoting(story.messages[0], text)
            source = point.sources[0].model_copy(
                update={"quote": quote if quotes else None, "kind": "decision"}
            )
            found.append(DayPoint(section="Decisions", text=text, sources=[source]))
        return found

    return haiku(points=told)


@pytest.mark.parametrize(
    "model", [None, reworded(quotes=True), reworded(quotes=False)], ids=["none", "quotes", "bare"]
)
async def test_of_several_lines_on_one_message_those_that_the_owner_left_alone_are_made_again(
    diary: Diary, telling: Telling, model: PlainDays | None
) -> None:
    aside = Aside()
    try:
        offline = OfflineDays(aside, count)
        await diary.live(SATURDAY, " ".join(DECIDED), "Good.")
        await telling(offline).make(diary.name, SATURDAY, "asked")
        made = await diary.text(SATURDAY)
        assert {*_lines(made, "Decisions")} == {*DECIDED}
        mine = "We decided to take the 40 blue tiles, and not from Krause."
        text = made.replace(DECIDED[0], mine).replace(f"\n- {DECIDED[1]}", "")
        await diary.palaver.continuous.edit(SATURDAY, text)
        for _ in range(2):
            await telling(offline, model).make(diary.name, SATURDAY, "asked")
    finally:
        aside.close()
    left = [text for text, _ in REWORDED[2:]] if model else list(DECIDED[2:])
    decisions = _lines(await diary.text(SATURDAY), "Decisions")
    assert decisions[0] == mine
    assert {*left} <= {*decisions} <= {mine, *left, *DECIDED[2:]}


def _lines(markdown: str, heading: str) -> list[str]:
    """The lines under a heading."""
    section = markdown.partition(f"## {heading}\n")[2].partition("\n\n")[0]
    return [line.removeprefix("- ") for line in section.split("\n")]


async def test_what_the_owner_writes_while_it_is_told_is_not_lost(
    diary: Diary, telling: Telling
) -> None:
    async def meddle(story: DayStory) -> None:
        if len(maker.stories) == 1:
            await diary.edit(SATURDAY, "## Summary\nMine.", sources=[])

    maker = PlainDays(before=meddle)
    await diary.live(SATURDAY, *chat(10))
    await telling(maker).run(diary.name)
    text = await diary.text(SATURDAY)
    assert text.startswith("## Summary\nMine.\n")
    assert "hour 8" in text
    (summary,) = [one for one in await diary.events("day_summary") if one.data["by"] != "user"]
    assert summary.data["edited"] is True


class _Slips:
    """A ledger to which the owner writes a moment before something else is written."""

    def __init__(self, inner: Any, write: Callable[[], Awaitable[None]]) -> None:
        self._inner = inner
        self._write = write
        self._slipped = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    async def append(self, drafts: Any, **more: Any) -> Any:
        if not self._slipped:
            self._slipped = True
            await self._write()
        return await self._inner.append(drafts, **more)


async def test_what_the_owner_writes_at_the_last_moment_is_not_lost(
    diary: Diary, telling: Telling
) -> None:
    """Also when the lease is lost, and nothing else keeps the two apart."""

    async def write() -> None:
        await diary.edit(SATURDAY, "## Summary\nMine.", sources=[])

    await diary.live(SATURDAY, *chat(10))
    desk = replace(diary.desk, ledger=_Slips(diary.desk.ledger, write))
    await telling(desk=desk).run(diary.name)
    text = await diary.text(SATURDAY)
    assert text.startswith("## Summary\nMine.\n")
    assert "hour 8" in text


# -- twice, at once, and cut short ---------------------------------------------------------------


async def test_two_who_tell_the_same_write_it_once(diary: Diary, telling: Telling) -> None:
    both = asyncio.Barrier(2)

    async def meet(story: DayStory) -> None:
        async with asyncio.timeout(20):
            await both.wait()

    makers = [PlainDays(before=meet), PlainDays(before=meet)]
    await diary.live(SATURDAY, *chat(10))
    await asyncio.gather(*(telling(maker).run(diary.name) for maker in makers))
    assert [len(maker.stories) for maker in makers] == [1, 1]
    assert len(await diary.events("day_summary")) == 1
    diary.at(SUNDAY, 4)
    await asyncio.gather(telling().run(diary.name), telling().run(diary.name))
    assert len(await diary.events("day_closed")) == 1


async def test_what_was_made_of_less_never_takes_the_place_of_what_tells_more(
    diary: Diary, telling: Telling
) -> None:
    async def overtake(story: DayStory) -> None:
        if len(slow.stories) == 1:
            await diary.say(*chat(4, 30))
            await telling(quick).make(diary.name, SATURDAY, "tokens")

    slow, quick = PlainDays(before=overtake), PlainDays()
    await diary.live(SATURDAY, *chat(10))
    await telling(slow).run(diary.name)
    covers = [line.data["covers"] for line in await diary.events("day_summary")]
    assert covers == sorted(covers)
    assert len(covers) == 1
    assert "hour 32" in await diary.text(SATURDAY)


async def test_messages_that_come_meanwhile_do_not_keep_it_from_being_stored(
    diary: Diary, telling: Telling
) -> None:
    async def go_on(story: DayStory) -> None:
        await diary.say(*chat(2, 30))

    await diary.live(SATURDAY, *chat(10))
    await telling(PlainDays(before=go_on)).run(diary.name)
    (line,) = await diary.events("day_summary")
    assert (await diary.standing()).untold == 2
    assert "hour 30" not in line.data["summary"]


async def test_a_day_is_not_closed_before_all_of_it_is_told(diary: Diary, telling: Telling) -> None:
    async def go_on(story: DayStory) -> None:
        if len(maker.stories) == 1:
            diary.at(SATURDAY, 23)  # somewhere in the west
            await diary.say("One thing more.", "Yes?")
            diary.at(SUNDAY, 4)

    maker = PlainDays(before=go_on)
    days = telling(maker)
    await diary.live(SATURDAY, *chat(4))
    diary.at(SUNDAY, 4)
    await days.run(diary.name)
    assert await diary.events("day_closed") == []
    await days.run(diary.name)
    assert len(await diary.events("day_closed")) == 1
    assert "One thing more." in await diary.text(SATURDAY)


class _Killed(BaseException):
    """Ends whoever is at work, at once."""


class _Kills:
    """Ends the work at one of its steps: before or after something is asked of the books."""

    def __init__(self, inner: Any, at: list[int]) -> None:
        self._inner = inner
        self._at = at

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name not in {"append", "standing", "day", "days", "turns", "summary", "view", "erase"}:
            return found

        async def step(*given: Any, **more: Any) -> Any:
            self._tick()
            answer = await found(*given, **more)
            self._tick()
            return answer

        return step

    def _tick(self) -> None:
        self._at[0] -= 1
        if self._at[0] == 0:
            raise _Killed


async def test_whoever_is_killed_at_any_step_leaves_nothing_undone_and_nothing_twice(
    diary: Diary, telling: Telling
) -> None:
    await diary.live(FRIDAY, *chat(4))
    await diary.live(SATURDAY, *chat(12))
    diary.at(MONDAY, 4)
    steps, killed, desk = 0, True, diary.desk
    while killed:
        steps += 1
        at = [steps]
        dying = replace(desk, ledger=_Kills(desk.ledger, at), index=_Kills(desk.index, at))
        days = telling(desk=dying)
        try:
            await days.run(diary.name)
            killed = False
        except _Killed:
            continue
    assert steps > 20
    for label in (FRIDAY, SATURDAY):
        assert len(await diary.events("day_summary", label)) == 1
        assert len(await diary.events("day_closed", label)) == 1
        assert (await diary.day(label)).closed


# -- what is erased ------------------------------------------------------------------------------


async def test_a_day_that_has_lost_its_summary_is_told_again(
    diary: Diary, telling: Telling
) -> None:
    days = telling()
    for label in (FRIDAY, SATURDAY):
        await diary.live(label, f"A secret of {label}.", "I see.", *chat(4))
    diary.at(SUNDAY, 4)
    await days.run(diary.name)
    secret = (await diary.palaver.fetch(diary.name, first=1, last=1))[0]
    await diary.palaver.redact(diary.name, secret.id)
    assert await diary.text(FRIDAY) == ""
    assert (await diary.standing()).is_stale
    for _ in range(2):
        await days.run(diary.name)
    text = await diary.text(FRIDAY)
    assert "hour 2" in text
    assert "secret" not in text
    assert "secret" in await diary.text(SATURDAY)
    assert len(await diary.events("day_closed", FRIDAY)) == 1
    assert not (await diary.standing()).is_stale


async def test_a_day_that_loses_its_summary_again_while_another_is_told_is_told_once_more(
    diary: Diary, telling: Telling
) -> None:
    for label in (FRIDAY, SATURDAY):
        secrets = (f"The {name} secret of {label}." for name in ("first", "second"))
        await diary.live(label, *(text for one in secrets for text in (one, "I see.")), *chat(4))
    diary.at(SUNDAY, 4)
    await telling().run(diary.name)
    said = await diary.palaver.fetch(diary.name, first=1, last=99)
    first = [one for one in said if "first secret" in one.content]
    second = next(one for one in said if "second secret" in one.content)
    for message in first:
        await diary.palaver.redact(diary.name, message.id)

    async def erase(_: DayStory) -> None:
        if len(maker.stories) == 2:  # the first day is told, and this is the other
            await diary.palaver.redact(diary.name, second.id)

    maker = PlainDays(before=erase)
    await telling(maker).run(diary.name)
    assert "hour 2" in await diary.text(FRIDAY)
    assert "second secret" in await diary.text(SATURDAY)
    assert len(maker.stories) == 3


async def test_the_newest_day_is_told_again_when_it_has_lost_its_summary(
    diary: Diary, telling: Telling
) -> None:
    days = telling()
    await diary.live(SATURDAY, "A secret.", "I see.", *chat(8))
    await days.run(diary.name)
    secret = (await diary.palaver.fetch(diary.name, first=1, last=1))[0]
    await diary.palaver.redact(diary.name, secret.id)
    await days.run(diary.name)
    assert "secret" not in await diary.text(SATURDAY)
    assert "hour 6" in await diary.text(SATURDAY)


async def test_what_is_erased_is_carried_over_no_more(diary: Diary, telling: Telling) -> None:
    """Whoever told the days before still remembers how they ended."""
    aside = Aside()
    days = telling(OfflineDays(aside, count))
    try:
        await diary.live(FRIDAY, PAY, "Noted.", *chat(120))
        await diary.live(SATURDAY, *chat(4))
        await diary.live(SUNDAY, *chat(4))
        diary.at(SUNDAY, 10)
        await days.run(diary.name)
        assert PAY in await diary.text(SATURDAY)
        said = (await diary.palaver.fetch(diary.name, first=1, last=1))[0]
        await diary.palaver.redact(diary.name, said.id)
        gone = [line.seq for line in await diary.palaver.lines(diary.name) if _is_gone(line)]
        diary.at(MONDAY, 4)
        await days.run(diary.name)
    finally:
        aside.close()
    # Nor was it written again, and erased again.
    assert gone == [line.seq for line in await diary.palaver.lines(diary.name) if _is_gone(line)]
    for label in (FRIDAY, SATURDAY, SUNDAY):
        assert "Okafor" not in await diary.text(label)
        assert "hour 2" in await diary.text(label)


def _is_gone(line: Line) -> bool:
    return line.type == "tombstone"


async def test_what_is_erased_while_it_is_told_is_not_stored(
    diary: Diary, telling: Telling
) -> None:
    async def erase(story: DayStory) -> None:
        if len(maker.stories) == 1:
            await diary.palaver.redact(diary.name, story.messages[0].id)

    maker = PlainDays(before=erase)
    await diary.live(SATURDAY, "A secret.", "I see.", *chat(8))
    await telling(maker).run(diary.name)
    text = await diary.text(SATURDAY)
    assert "hour 6" in text
    assert "secret" not in text


async def test_a_day_of_which_nothing_is_left_is_closed(diary: Diary, telling: Telling) -> None:
    await diary.live(SATURDAY, "A secret.", "I see.")
    for message in await diary.palaver.fetch(diary.name, first=1, last=1):
        await diary.palaver.redact(diary.name, message.id)
    diary.at(SUNDAY, 4)
    days = telling()
    for _ in range(2):
        await days.run(diary.name)
    assert (await diary.day(SATURDAY)).closed
    assert await diary.text(SATURDAY) == "## Summary\nThere is nothing to tell."


async def test_a_closed_day_is_told_in_full_again_when_only_its_last_summary_is_erased(
    diary: Diary, telling: Telling
) -> None:
    days = telling()
    await diary.live(FRIDAY, *chat(10))
    await days.run(diary.name)  # at noon
    await diary.say("A secret.", "I see.", "The train leaves at seven.", "Noted.")
    await diary.live(SATURDAY, *chat(2))
    diary.at(SATURDAY, 10)
    await days.run(diary.name)
    whole = await diary.day(FRIDAY)
    assert whole.closed
    said = await diary.palaver.fetch(diary.name, first=1, last=10)
    secret = next(one for one in said if "secret" in one.content)
    await diary.palaver.redact(diary.name, secret.id)
    for _ in range(2):
        await days.run(diary.name)
    found = (await diary.day(FRIDAY)).summary
    assert found is not None
    assert whole.summary is not None
    assert found.covers == whole.summary.covers
    assert "train" in found.text
    assert "secret" not in found.text


async def test_a_day_is_told_again_however_often_something_is_erased_that_it_carried_over(
    diary: Diary, telling: Telling
) -> None:
    aside = Aside()
    days = telling(OfflineDays(aside, count))
    tasks = [f"Remind me to pay invoice {n} of Okafor by Monday." for n in range(7)]
    try:
        await diary.live(FRIDAY, *(text for task in tasks for text in (task, "Noted.")))
        await diary.live(SATURDAY, *chat(4))
        diary.at(SUNDAY, 4)
        await days.run(diary.name)
        said = await diary.palaver.fetch(diary.name, first=1, last=7)
        for message in [one for one in said if one.role == "user"]:
            assert message.content in await diary.text(SATURDAY)
            await diary.palaver.redact(diary.name, message.id)
            await days.run(diary.name)
            assert "hour 2" in await diary.text(SATURDAY)
    finally:
        aside.close()


# -- a model that fails --------------------------------------------------------------------------


async def test_a_model_goes_first(diary: Diary, telling: Telling) -> None:
    offline, model = PlainDays(), haiku()
    await diary.live(SATURDAY, *chat(4))
    diary.at(SUNDAY, 4)
    await telling(offline, model).run(diary.name)
    (line,) = await diary.events("day_summary")
    assert line.data["by"] == "haiku"
    assert offline.stories == []
    assert (await diary.day(SATURDAY)).closed


async def test_when_it_fails_another_stands_in_and_the_day_stays_due(
    diary: Diary, telling: Telling
) -> None:
    model = haiku(error=ModelTimeout())
    days = telling(PlainDays(), model)
    for label in (FRIDAY, SATURDAY):
        await diary.live(label, *chat(4))
    diary.at(MONDAY, 4)
    for _ in range(2):
        with pytest.raises(ModelTimeout):
            await days.run(diary.name)
    told = await diary.events("day_summary")
    assert [line.data["day"] for line in told] == [FRIDAY, SATURDAY]
    assert {line.data["standsInFor"] for line in told} == {"haiku"}
    assert {line.data["by"] for line in told} == {OFFLINE}
    assert await diary.events("day_closed") == []
    model.error = None
    await days.run(diary.name)
    assert [line.data["by"] for line in await diary.events("day_summary")] == [
        *[OFFLINE] * 2,
        *["haiku"] * 2,
    ]
    assert len(await diary.events("day_closed")) == 2


async def test_what_a_model_made_stays_when_it_fails(diary: Diary, telling: Telling) -> None:
    model = haiku()
    days = telling(PlainDays(), model)
    await diary.live(SATURDAY, *chat(10))
    await days.run(diary.name)
    await diary.say(*chat(2, 30))
    model.error = ModelTimeout()
    diary.at(SUNDAY, 4)
    with pytest.raises(ModelTimeout):
        await days.run(diary.name)
    assert [line.data["by"] for line in await diary.events("day_summary")] == ["haiku"]
    assert not (await diary.day(SATURDAY)).closed


async def test_a_worse_summary_of_a_model_is_refused(diary: Diary, telling: Telling) -> None:
    """It says nothing at all of what was told before."""
    model = haiku()
    days = telling(PlainDays(), model)
    await diary.live(SATURDAY, *[text for n in range(5) for text in (f"Offer {n}00.", "Yes.")])
    await days.run(diary.name)
    before = await diary.text(SATURDAY)
    model.points = lambda story: [_vague(story)]
    with pytest.raises(DigestUnusable):
        await days.make(diary.name, SATURDAY, "asked")
    assert await diary.text(SATURDAY) == before


def _vague(story: DayStory) -> DayPoint:
    return quoting(story.messages[-1], "Something was said.")


async def test_without_a_model_what_stands_in_for_one_is_as_good(
    diary: Diary, telling: Telling
) -> None:
    await diary.live(SATURDAY, *chat(4))
    diary.at(SUNDAY, 4)
    with pytest.raises(ModelTimeout):
        await telling(PlainDays(), haiku(error=ModelTimeout())).run(diary.name)
    await telling().run(diary.name)
    assert len(await diary.events("day_summary")) == 1
    assert (await diary.day(SATURDAY)).closed


# -- other people's events -----------------------------------------------------------------------


async def test_a_summary_of_another_program_is_no_hindrance(diary: Diary, telling: Telling) -> None:
    await diary.live(SATURDAY, *chat(4))
    foreign = {"day": SATURDAY, "summary": "Words.\n\n", "through": 1, "sources": "none"}
    await diary.desk.ledger.append([event(diary.name, "day_summary", **foreign)])
    diary.at(SUNDAY, 4)
    await telling().run(diary.name)
    assert "hour 2" in await diary.text(SATURDAY)
    line = (await diary.events("day_summary"))[-1]
    await diary.desk.ledger.erase(Erasure(lines={diary.name: [line.seq]}))
    await telling().run(diary.name)
    assert (await diary.day(SATURDAY)).closed
