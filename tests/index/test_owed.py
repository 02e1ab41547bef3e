"""How conversations stand, and what they are owed, on every engine."""

from __future__ import annotations

from typing import Any

import pytest

from palaver.errors import NotFound
from palaver.index.port import After, Owed, OwedFilter
from palaver.index.records import StoredSummary, SummarySource
from palaver.ledger.lines import Draft, meta, turn
from tests.index.worlds import USER, A, B, C, World

EVER = "9999-12-31T00:00:00.000Z"
NEVER = "1970-01-01T00:00:00.000Z"


def filtered(**changes: Any) -> OwedFilter:
    """Everything is quiet, five turns name a conversation, and only what is missing is meant."""
    given: dict[str, Any] = {"quiet_since": EVER, "turns": 5, "lag": 60.0, "stand_ins": False}
    return OwedFilter(**(given | changes))


async def standing(world: World, stream: str = A) -> Owed:
    return await world.index.standing(USER, stream)


async def owed(world: World, limit: int = 50, after: After | None = None, **changes: Any) -> str:
    """The conversations that are owed something, by the last letters of their ids."""
    found = await world.index.owed(USER, filtered(**changes), after=after, limit=limit)
    return "".join(one.conversation.id[-1] for one in found)


async def abbreviate(world: World, *sources: str, stream: str = A, **fields: Any) -> int:
    """Says a conversation in fewer words, to its end unless told otherwise; gives the line."""
    told = (await standing(world, stream)).heard_seq
    given = {"text": "- They spoke.", "through": 1, "covers": told, "by": "offline", **fields}
    named = [{"messageId": source, "quote": "x", "turn": 1, "point": 0} for source in sources]
    return (await world.happen(stream, "abbreviation", sources=named, **given)).seq


async def name(world: World, stream: str = A, **fields: Any) -> int:
    given = {"title": "A name", "topics": ["tea"], "by": "offline", "turn": 1, **fields}
    return (await world.happen(stream, "title_assigned", **given)).seq


async def digest(world: World, stream: str = A) -> None:
    await abbreviate(world, stream=stream)
    await name(world, stream)


# -- how a conversation stands -------------------------------------------------------------------


async def test_a_conversation_was_heard_when_the_ledger_took_what_was_said(world: World) -> None:
    await world.begin(A, "x", "y")
    found = await standing(world)
    assert (found.heard_seq, found.heard) == (2, "2026-02-14T09:00:01.000Z")
    assert found.conversation == await world.conversation()
    assert found.conversation.needs_abbreviation
    line = await world.say(A, "user", "long ago", timestamp="2019-01-01T00:00:00Z")
    found = await standing(world)
    assert (found.heard_seq, found.heard) == (line.seq, line.data["at"])
    assert found.heard > found.conversation.updated
    assert (found.abbreviated_seq, found.named_turn) == (-1, 0)


async def test_a_conversation_in_which_nobody_spoke_was_not_heard(world: World) -> None:
    await world.begin(A)
    await world.say(A, "system", "x")
    await world.say(A, "tool", "x")
    await world.say(A, "assistant", "busy", status="failed")
    found = await standing(world)
    assert (found.heard_seq, found.conversation.needs_abbreviation) == (-1, False)
    assert await owed(world) == ""


async def test_a_notice_of_a_failure_is_not_heard(world: World) -> None:
    await world.begin(A, "x")
    before = await standing(world)
    await world.say(A, "assistant", "busy", turnNumber=1, status="failed")
    after = await standing(world)
    assert (after.heard, after.heard_seq) == (before.heard, before.heard_seq)


@pytest.mark.parametrize("event", ["edited", "retracted", "superseded"])
async def test_what_is_said_otherwise_is_heard(world: World, event: str) -> None:
    lines = await world.begin(A, "x", "y")
    await abbreviate(world)
    assert not (await world.conversation()).needs_abbreviation
    line = await world.happen(A, event, messageId=lines[1].id, content="z")
    found = await standing(world)
    assert (found.heard, found.heard_seq) == (line.data["at"], line.seq)
    assert found.conversation.needs_abbreviation


async def test_what_was_erased_was_never_heard(world: World) -> None:
    lines = await world.begin(A, "x")
    before = await standing(world)
    await world.happen(A, "archived")
    last = await world.say(A, "assistant", "y")
    await world.erase(lines={A: [last.seq]})
    assert (await standing(world)).heard_seq == lines[1].seq
    assert (await standing(world)).heard == before.heard
    await world.erase(lines={A: [lines[1].seq]})
    assert (await standing(world)).heard_seq == -1
    assert await owed(world) == ""


async def test_an_abbreviation_tells_of_what_it_covers(world: World) -> None:
    lines = await world.begin(A, "x", "y", "z")
    line = await abbreviate(world, lines[1].id, covers=2, by="opus")
    found = await standing(world)
    assert (found.abbreviated_seq, found.abbreviation_stands_in) == (2, False)
    assert found.conversation.abbreviation == "- They spoke."
    assert found.conversation.needs_abbreviation
    held = await world.index.summary(USER, A, "abbreviation")
    source = SummarySource(message_id=lines[1].id, quote="x", turn=1, point=0)
    assert held == StoredSummary(
        seq=line,
        kind="abbreviation",
        text="- They spoke.",
        through=1,
        made="2026-02-14T09:00:02.000Z",
        sources=[source],
        by="opus",
        covers=2,
    )
    await abbreviate(world, covers=3)
    assert not (await world.conversation()).needs_abbreviation


async def test_an_abbreviation_that_does_not_say_so_tells_of_all_before_it(world: World) -> None:
    await world.begin(A, "x", "y")
    for fields in ({}, {"covers": "x"}, {"covers": 99}):
        line = await world.happen(A, "abbreviation", text="They spoke.", **fields)
        assert (await standing(world)).abbreviated_seq == line.seq - 1
        held = await world.index.summary(USER, A, "abbreviation")
        assert held is not None
        assert (held.text, held.through, held.covers) == ("They spoke.", 0, line.seq - 1)
    await world.happen(A, "abbreviation", covers=0)
    assert (await standing(world)).abbreviated_seq == line.seq - 1
    assert not (await world.conversation()).needs_abbreviation


async def test_a_conversation_can_have_nothing_to_tell(world: World) -> None:
    lines = await world.begin(A, "x")
    await abbreviate(world)
    await world.happen(A, "retracted", messageId=lines[1].id)
    await abbreviate(world, text="")
    found = await world.conversation()
    assert (found.abbreviation, found.needs_abbreviation) == (None, False)


async def test_a_name_says_when_it_was_given(world: World) -> None:
    await world.begin(A, "x", "y", "z")
    await name(world, turn=2)
    assert (await standing(world)).named_turn == 2
    await world.happen(A, "meta_update", topics=["coffee"], by="offline")
    assert (await standing(world)).named_turn == 2
    assert (await world.conversation()).topics == ["coffee"]
    await world.happen(A, "title_assigned", title="Given", by="user")
    await name(world, turn=7, standsInFor="opus")
    found = await standing(world)
    assert (found.conversation.title, found.named_turn, found.title_stands_in) == (
        "Given",
        0,
        False,
    )


async def test_what_stands_in_stays_due(world: World) -> None:
    await world.begin(A, "x")
    await abbreviate(world, standsInFor="opus")
    await name(world, standsInFor="opus")
    found = await standing(world)
    assert (found.abbreviation_stands_in, found.title_stands_in) == (True, True)
    assert found.conversation.needs_abbreviation
    await abbreviate(world, by="opus")
    found = await standing(world)
    assert (found.abbreviation_stands_in, found.title_stands_in) == (False, True)
    assert not found.conversation.needs_abbreviation
    await name(world, by="opus")
    assert not (await standing(world)).title_stands_in


async def test_a_rolling_summary_is_kept(world: World) -> None:
    lines = await world.begin(A, "x", "y")
    sources = [{"messageId": lines[1].id, "quote": "x"}]
    await world.happen(
        A, "rolling_summary", summary="So far.", through=1, by="opus", sources=sources
    )
    held = await world.index.summary(USER, A, "rolling_summary")
    assert held is not None
    assert (held.text, held.through, held.by, held.covers) == ("So far.", 1, "opus", -1)
    await world.happen(A, "edited", messageId=lines[1].id, content="z")
    assert await world.index.summary(USER, A, "rolling_summary") is None


async def test_nothing_is_known_of_a_conversation_that_is_not_there(world: World) -> None:
    await world.begin(A, "x")
    with pytest.raises(NotFound):
        await standing(world, B)
    await world.erase(streams=[A])
    with pytest.raises(NotFound):
        await standing(world)
    assert await owed(world) == ""


# -- what changes --------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["edited", "retracted", "superseded", "replaced", "erased"])
async def test_an_abbreviation_goes_when_a_message_changes_that_it_stands_on(
    world: World, how: str
) -> None:
    lines = await world.begin(A, "kept", "y", "blue tiles", "z")
    before = await abbreviate(world, lines[1].id)
    await abbreviate(world, lines[3].id, text="- Blue tiles.", standsInFor="opus")

    async def change(seq: int) -> None:
        message_id = lines[seq].id
        if how == "replaced":
            await world.write(turn(A, "user", "grey", turnNumber=2, supersedes=message_id))
        elif how == "erased":
            await world.erase(lines={A: [seq]})
        else:
            await world.happen(A, how, messageId=message_id, content="grey")

    await change(2)
    assert (await world.conversation()).abbreviation == "- Blue tiles."
    await change(3)
    found = await standing(world)
    assert found.conversation.abbreviation is None
    assert (found.abbreviated_seq, found.abbreviation_stands_in) == (-1, False)
    assert found.conversation.needs_abbreviation
    older = await world.index.summary(USER, A, "abbreviation")
    assert older is not None
    assert older.seq == before
    await world.index.rebuild()
    assert await standing(world) == found


async def test_an_erased_abbreviation_gives_way_to_the_one_before(world: World) -> None:
    await world.begin(A, "x", "y")
    first = await abbreviate(world, covers=1)
    second = await abbreviate(world, text="- More.", standsInFor="opus")
    await world.erase(lines={A: [second]})
    found = await standing(world)
    assert found.conversation.abbreviation == "- They spoke."
    assert (found.abbreviated_seq, found.abbreviation_stands_in) == (1, False)
    await world.erase(lines={A: [first]})
    found = await standing(world)
    assert (found.conversation.abbreviation, found.abbreviated_seq) == (None, -1)
    assert found.conversation.needs_abbreviation
    assert await world.index.summary(USER, A, "abbreviation") is None


async def test_an_erased_name_leaves_none(world: World) -> None:
    await world.begin(A, "x")
    line = await name(world, turn=4, standsInFor="opus")
    await world.erase(lines={A: [line]})
    found = await standing(world)
    assert (found.conversation.title, found.conversation.topics) == (None, [])
    assert (found.named_turn, found.title_stands_in) == (0, False)


async def test_a_rebuild_tells_the_same(world: World) -> None:
    lines = await world.begin(A, "x", "y", "z")
    await world.begin(B, "x")
    await abbreviate(world, lines[1].id, covers=2)
    await name(world, turn=2, standsInFor="opus")
    last = await world.say(A, "assistant", "w")
    await world.erase(lines={A: [last.seq]})
    before = await world.index.owed(USER, filtered(), limit=9)
    assert len(before) == 2
    await world.index.rebuild()
    assert await world.index.owed(USER, filtered(), limit=9) == before
    assert await world.index.verify() == []


# -- what is owed --------------------------------------------------------------------------------


async def test_what_is_quiet_is_owed_what_it_lacks(world: World) -> None:
    for stream in (A, B, C):
        await world.begin(stream, "x", "y")
    await digest(world, A)
    await abbreviate(world, stream=B)
    await name(world, C)
    assert await owed(world) == "BC"
    assert await owed(world, quiet_since=(await standing(world, B)).heard) == "B"
    assert await owed(world, quiet_since=NEVER) == ""
    await world.say(A, "user", "z")
    assert await owed(world) == "BCA"
    await world.happen(C, "archived")
    await digest(world, C)
    assert await owed(world) == "BA"


async def test_a_live_conversation_is_owed_a_name_after_some_turns(world: World) -> None:
    await world.begin(A, *"abcdefgh")
    assert await owed(world, quiet_since=NEVER, turns=5) == ""
    assert await owed(world, quiet_since=NEVER, turns=4) == "A"
    await name(world)
    assert await owed(world, quiet_since=NEVER, turns=4) == ""


async def test_a_history_that_is_brought_in_is_owed_nothing_before_it_is_quiet(
    world: World,
) -> None:
    await world.begin(A)
    await world.say(A, "user", "long ago", timestamp="2019-01-01T00:00:00Z")
    assert await owed(world, quiet_since=NEVER, turns=1) == ""
    assert await owed(world, quiet_since=NEVER, turns=1, lag=1e9) == "A"
    assert await owed(world) == "A"
    line = await world.say(A, "user", "a minute ago", timestamp="2026-02-14T08:59:03Z")
    assert line.data["at"] == "2026-02-14T09:00:03.000Z"
    assert await owed(world, quiet_since=NEVER, turns=2, lag=59) == ""
    assert await owed(world, quiet_since=NEVER, turns=2, lag=60) == "A"


async def test_a_day_that_never_was_does_no_harm(world: World) -> None:
    await world.begin(A)
    await world.say(A, "user", "x", timestamp="2026-02-30T00:00:00.000Z")
    assert await owed(world) == "A"


async def test_what_stands_in_is_owed_when_it_is_meant(world: World) -> None:
    await world.begin(A, "x")
    await world.begin(B, "x")
    await abbreviate(world, standsInFor="opus")
    await name(world)
    await abbreviate(world, stream=B)
    await name(world, B, standsInFor="opus")
    assert await owed(world) == ""
    assert await owed(world, stand_ins=True) == "AB"
    assert await owed(world, stand_ins=True, quiet_since=NEVER, turns=1) == "B"


async def test_the_continuous_conversation_is_owed_nothing(world: World) -> None:
    await world.begin(A, "x", "y", mode="continuous")
    assert await owed(world, turns=1, stand_ins=True) == ""
    assert not (await world.conversation()).needs_abbreviation


async def test_what_is_owed_comes_in_order_and_goes_on(world: World) -> None:
    names = [f"conv-{letter}" for letter in "EDCBA"]
    await world.write(*(draft for stream in names[:3] for draft in begun(stream)))
    for stream in names[3:]:
        await world.write(*begun(stream))
    await world.say("conv-D", "assistant", "y")
    assert await owed(world) == "CEBAD"
    after: After | None = None
    pages: list[str] = []
    while found := await world.index.owed(USER, filtered(), after=after, limit=2):
        pages.append("".join(one.conversation.id[-1] for one in found))
        after = After(found[-1].heard, found[-1].conversation.id)
    assert pages == ["CE", "BA", "D"]


def begun(stream: str) -> list[Draft]:
    return [meta(stream, user=USER), turn(stream, "user", "x")]


# -- names ---------------------------------------------------------------------------------------


async def test_the_names_that_are_taken(world: World) -> None:
    await world.begin(A, "x", title="Ärger im Büro")
    await world.begin(B, "x", mode="continuous", title="Tea")
    await world.happen(A, "archived")
    await world.begin(C, "x")
    await name(world, C, title="x" * 10_000)
    wanted = ["ÄRGER im büro", "Tea", "tea", "Coffee", "x" * 10_000, "", "\0", '"']
    assert await world.index.titles(USER, wanted) == {*wanted[:3], wanted[4]}
    assert await world.index.titles(USER, []) == set()
    await world.erase(streams=[A])
    assert await world.index.titles(USER, wanted[:1]) == set()
