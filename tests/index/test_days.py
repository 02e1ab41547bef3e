"""The days of a continuous conversation, on every engine."""

from __future__ import annotations

from typing import Any

import pytest

from palaver.index.connection import Row
from palaver.index.port import Day, OwedFilter, SearchFilter
from palaver.index.rows import SummaryRow
from palaver.index.stored import tables
from palaver.index.stored.places import read_summary
from palaver.index.summary_fold import day_kind, day_of
from palaver.ledger.lines import Draft, Line, event, turn
from tests.index.worlds import USER, A, B, World

FRIDAY, SATURDAY, MONDAY = "2026-02-13", "2026-02-14", "2026-02-16"


def opening(label: str, **fields: Any) -> Draft:
    until = f"{label[:-2]}{int(label[-2:]) + 1:02}T02:00:00.000Z"
    given = {"daySegmentId": f"day-{label[-2:]}", "zone": "Europe/Berlin", "until": until}
    body = event(A, "day_opened", day=label, **(given | fields)).body
    return Draft(A, body, numbered=True)


async def live(world: World, label: str, *contents: str, **fields: Any) -> list[Line]:
    """A day on which user and assistant take turns; the lines of the messages."""
    said = [turn(A, ("user", "assistant")[n % 2], text) for n, text in enumerate(contents)]
    return (await world.write(opening(label, **fields), *said))[1:]


async def tell(world: World, label: str, text: str = "- They spoke.", **fields: Any) -> Line:
    given = {"summary": text, "through": 1, "by": "offline", **fields}
    return await world.happen(A, "day_summary", day=label, **given)


async def days(world: World, limit: int = 50, before: str | None = None) -> list[Day]:
    return await world.index.days(USER, A, before=before, limit=limit)


async def owed(world: World, now: str = "", untold: int = 10) -> bool:
    wanted = OwedFilter("", 5, 60.0, stand_ins=False, now=now, untold=untold)
    return bool(await world.index.owed(USER, wanted, limit=1))


@pytest.fixture
async def lived(world: World) -> World:
    """Two days of two turns each, and one that has just begun."""
    await world.begin(A, mode="continuous")
    await live(world, FRIDAY, "tea", "yes", "milk", "no")
    await live(world, SATURDAY, "bread", "yes", "butter", "no")
    await live(world, MONDAY, "jam")
    return world


# -- which turns are whose -----------------------------------------------------------------------


async def test_a_day_is_the_turns_from_its_first_one_on(lived: World) -> None:
    monday, saturday, friday = await days(lived)
    assert [one.label for one in (friday, saturday, monday)] == [FRIDAY, SATURDAY, MONDAY]
    assert [(one.first_turn, one.last_turn) for one in (friday, saturday)] == [(1, 2), (3, 4)]
    assert (monday.first_turn, monday.last_turn) == (5, None)
    assert [one.messages for one in (friday, saturday, monday)] == [4, 4, 1]
    assert (friday.id, friday.zone, friday.closed) == ("day-13", "Europe/Berlin", False)
    assert friday.summary is None


async def test_days_are_found_by_label_by_turn_and_page_by_page(lived: World) -> None:
    index = lived.index
    assert [one.label for one in await days(lived, limit=2)] == [MONDAY, SATURDAY]
    assert [one.label for one in await days(lived, before=SATURDAY)] == [FRIDAY]
    found = await index.day(USER, A, SATURDAY)
    assert found == (await days(lived))[1]
    assert await index.day(USER, A, "2026-02-15") is None
    assert await index.day(USER, A, "2027-01-01") is None
    for number, label in ((1, FRIDAY), (2, FRIDAY), (3, SATURDAY), (5, MONDAY), (9, MONDAY)):
        day = await index.day_of_turn(USER, A, number)
        assert day is not None
        assert day.label == label
    assert await index.day_of_turn(USER, A, 0) is None


async def test_a_reply_belongs_to_the_day_of_its_question(world: World) -> None:
    await world.begin(A, mode="continuous")
    await live(world, FRIDAY, "late question")
    await live(world, SATURDAY, "next morning")
    await world.say(A, "assistant", "late answer", turnNumber=1)
    saturday, friday = await days(world)
    assert (friday.messages, saturday.messages) == (2, 1)


async def test_a_day_that_is_not_later_does_not_begin(lived: World) -> None:
    await live(lived, FRIDAY, "again")
    await live(lived, MONDAY, "again")
    assert [one.label for one in await days(lived)] == [MONDAY, SATURDAY, FRIDAY]
    assert (await days(lived))[0].messages == 3


@pytest.mark.parametrize(
    "fields", [{"day": "Monday"}, {"day": 7}, {"day": None}, {"day": "2026-02-20 "}]
)
async def test_what_is_no_day_opens_none(lived: World, fields: dict[str, Any]) -> None:
    await lived.write(Draft(A, event(A, "day_opened", **fields).body, numbered=True))
    assert len(await days(lived)) == 3


async def test_only_a_continuous_conversation_has_days(world: World) -> None:
    await world.begin(A, "x")
    await live(world, FRIDAY, "y")
    assert await days(world) == []
    assert (await world.index.standing(USER, A)).day is None


async def test_days_do_not_move_when_messages_are_erased_or_rows_are_made_again(
    lived: World,
) -> None:
    before = await days(lived)
    said = await lived.messages()
    last = [one.seq for one in said if one.turn_number == 2]
    await lived.erase(
        lines={A: last}, ids={(A, one.seq): one.id for one in said if one.seq in last}
    )
    for _ in range(2):
        now = await days(lived)
        assert [(one.label, one.first_turn, one.last_turn) for one in now] == [
            (one.label, one.first_turn, one.last_turn) for one in before
        ]
        assert [one.messages for one in now] == [1, 4, 2]
        await lived.index.rebuild()
    assert not [one for one in await lived.index.verify() if one.damage]


async def test_what_opens_a_day_is_dropped_when_the_message_is_a_repetition(world: World) -> None:
    await world.begin(A, mode="continuous")
    said = turn(A, "user", "x", key="api:k")
    await world.write(opening(FRIDAY), said)
    await world.write(opening(SATURDAY), said)
    assert [one.label for one in await days(world)] == [FRIDAY]


# -- what tells of them --------------------------------------------------------------------------


async def test_the_newest_summary_tells_of_a_day(lived: World) -> None:
    await tell(lived, FRIDAY, "- First.", covers=3, edited=True)
    last = await tell(lived, FRIDAY, "- Second.", covers=5, standsInFor="haiku")
    await tell(lived, SATURDAY, "- Other.")
    found = await lived.index.day(USER, A, FRIDAY)
    assert found is not None
    assert found.summary is not None
    assert (found.summary.text, found.summary.seq, found.summary.covers) == (
        "- Second.",
        last.seq,
        5,
    )
    assert (found.summary.stands_in, found.summary.by_hand) == (True, False)
    assert day_of(found.summary.kind) == FRIDAY
    assert day_of("compression") is None
    first = await lived.index.summary(USER, A, day_kind(FRIDAY), seq=last.seq - 1)
    assert first is not None
    assert first.by_hand


async def test_what_tells_of_conversations_is_the_last_of_each_kind(lived: World) -> None:
    await tell(lived, FRIDAY, "- First.")
    await tell(lived, FRIDAY, "- Second.")
    await tell(lived, SATURDAY, "- Other.")
    await lived.begin(B)
    await lived.happen(B, "abbreviation", text="- Old.", through=1, by="offline")
    await lived.happen(B, "abbreviation", text="- New.", through=1, by="offline")
    every = await lived.index.versions(USER, A, day_kind(FRIDAY))
    assert [one.text for one in every] == ["- First.", "- Second."]
    absent = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
    found = await lived.index.telling(USER, [absent, B, A])
    texts = {name: [one.text for one in told] for name, told in found.items()}
    assert texts == {B: ["- New."], A: ["- Second.", "- Other."]}
    assert await lived.index.telling(USER, []) == {}


async def test_whoever_tells_a_day_does_not_look_at_the_summaries_of_all_others(
    lived: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = (await lived.messages())[0]
    await tell(lived, FRIDAY, "- Tea.", covers=3, sources=[{"messageId": message.id}])
    await tell(lived, SATURDAY, "- Bread.", covers=8)
    looked_at: list[str] = []

    def read(stream: str, row: Row) -> SummaryRow:
        looked_at.append(row[1])
        return read_summary(stream, row)

    monkeypatch.setattr(tables, "read_summary", read)
    await tell(lived, MONDAY, "- Jam.", covers=11)
    await tell(lived, MONDAY, "- More jam.", covers=11)
    assert set(looked_at) == {day_kind(MONDAY)}
    looked_at.clear()
    await lived.erase(lines={A: [message.seq]}, ids={(A, message.seq): message.id})
    assert set(looked_at) == {day_kind(FRIDAY)}


async def test_a_summary_of_no_day_is_none(lived: World) -> None:
    for label in (7, None, "someday"):
        await lived.happen(A, "day_summary", day=label, summary="x", through=1)
    assert [one.summary for one in await days(lived)] == [None, None, None]


async def test_a_day_without_a_summary_is_untold(lived: World) -> None:
    async def untold(limit: int = 9) -> list[str]:
        return [one.label for one in await lived.index.untold_days(USER, A, limit=limit)]

    assert await untold() == [FRIDAY, SATURDAY]  # the newest day is not over
    assert await untold(1) == [FRIDAY]
    tea, _, _, last = (await lived.messages())[:4]
    cited = [{"messageId": tea.id, "quote": "tea"}]
    told = await tell(lived, FRIDAY, covers=last.seq, sources=cited)
    assert await untold() == [SATURDAY]
    await lived.erase(lines={A: [told.seq]})
    assert await untold() == [FRIDAY, SATURDAY]


async def test_a_day_is_untold_when_its_summary_tells_of_less_than_was_said(lived: World) -> None:
    async def untold() -> list[str]:
        return [one.label for one in await lived.index.untold_days(USER, A, limit=9)]

    *_, answer, last = (await lived.messages())[:4]
    await tell(lived, FRIDAY, covers=answer.seq)
    assert await untold() == [FRIDAY, SATURDAY]
    await tell(lived, FRIDAY, covers=last.seq)
    assert await untold() == [SATURDAY]
    await lived.say(A, "assistant", "a late answer", turnNumber=2)
    assert await untold() == [FRIDAY, SATURDAY]


async def test_summaries_that_stand_on_a_message_are_found(lived: World) -> None:
    tea, bread = (await lived.messages())[0], (await lived.messages())[4]
    await tell(lived, FRIDAY, "- Old.", sources=[{"messageId": tea.id}])
    await tell(lived, FRIDAY, "- New.", sources=[{"messageId": tea.id}, {"messageId": bread.id}])
    await tell(lived, SATURDAY, "- Bread.", sources=[{"messageId": bread.id}])

    async def citing(*ids: str) -> list[str]:
        return [one.text for one in await lived.index.citing(USER, A, ids)]

    assert await citing(tea.id) == ["- New."]
    assert await citing(tea.id, bread.id) == ["- New.", "- Bread."]
    assert await citing("msg-nobody") == []
    assert await citing() == []


async def test_the_words_of_a_summary_are_no_words_of_a_message(lived: World) -> None:
    await tell(lived, FRIDAY, "- Zeppelin.")
    assert await lived.found("zeppelin") == []


# -- looking within a day ------------------------------------------------------------------------


async def test_only_what_was_said_in_some_turns_is_found(lived: World) -> None:
    assert await lived.found("yes", conversation_id=A) == ["yes", "yes"]
    assert await lived.found("yes", conversation_id=A, turns=(3, 4)) == ["yes"]
    assert await lived.found("tea", conversation_id=A, turns=(3, 4)) == []
    evidence = await lived.evidence("tea", "bread", conversation_id=A, turns=(1, 2))
    assert set(evidence.turn[evidence.eligible].tolist()) <= {1, 2}
    assert SearchFilter().turns is None


# -- what is due ---------------------------------------------------------------------------------


async def test_how_days_stand(lived: World) -> None:
    found = await lived.index.standing(USER, A)
    assert (found.day, found.over) == (MONDAY, (FRIDAY, SATURDAY, MONDAY))
    assert (found.day_until, found.untold) == ("2026-02-14T02:00:00.000Z", 1)
    await lived.happen(A, "day_closed", day=FRIDAY, through=2)
    found = await lived.index.standing(USER, A)
    assert (found.over, found.day_until) == ((SATURDAY, MONDAY), "2026-02-15T02:00:00.000Z")
    assert [one.closed for one in await days(lived)] == [False, False, True]
    await lived.happen(A, "day_closed", day=FRIDAY, through=2)  # a second time it says nothing
    assert (await lived.index.standing(USER, A)).over == (SATURDAY, MONDAY)


async def test_messages_are_untold_until_a_summary_of_the_newest_day_covers_them(
    lived: World,
) -> None:
    line = await lived.say(A, "assistant", "yes")
    await lived.say(A, "user", "marmalade")
    assert (await lived.index.standing(USER, A)).untold == 3
    await tell(lived, SATURDAY, covers=line.seq)
    assert (await lived.index.standing(USER, A)).untold == 3
    await tell(lived, MONDAY, covers=line.seq)
    assert (await lived.index.standing(USER, A)).untold == 1


async def test_a_continuous_conversation_is_owed_what_tells_of_its_days(lived: World) -> None:
    assert not await owed(lived)
    assert not await owed(lived, now="2026-02-14T01:59:59.999Z")
    assert await owed(lived, now="2026-02-14T02:00:00.000Z")
    for label in (FRIDAY, SATURDAY):
        await lived.happen(A, "day_closed", day=label, through=2)
    now = "2026-02-16T12:00:00.000Z"
    assert not await owed(lived, now=now)
    assert await owed(lived, now=now, untold=1)
    told = await tell(lived, FRIDAY)
    await lived.erase(lines={A: [told.seq]})
    assert (await lived.index.standing(USER, A)).is_stale
    assert await owed(lived, now=now)
    await tell(lived, FRIDAY)
    assert not (await lived.index.standing(USER, A)).is_stale
    assert not await owed(lived, now=now)


async def test_how_days_stand_is_the_same_after_an_erasure_and_when_rows_are_made_again(
    lived: World,
) -> None:
    first = await lived.say(A, "assistant", "yes")
    await lived.say(A, "user", "marmalade")
    await lived.erase(lines={A: [first.seq]}, ids={(A, first.seq): first.data["id"]})
    followed = await lived.index.standing(USER, A)
    assert followed.untold == 2
    await lived.index.rebuild()
    assert await lived.index.standing(USER, A) == followed


async def test_what_is_said_late_on_an_earlier_day_is_not_untold_of_the_newest(
    lived: World,
) -> None:
    await lived.say(A, "assistant", "a late answer", turnNumber=4)
    assert (await lived.index.standing(USER, A)).untold == 1
