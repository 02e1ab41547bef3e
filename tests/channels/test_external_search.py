"""The owner finds what outsiders wrote when they ask for it, labelled, and nothing else does."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from palaver.channels.external.records import Decision, ExternalChange
from palaver.errors import BadCursor, BadId, BadValue, NotFound
from palaver.recall.results import ExternalResult, SearchResult
from tests.channels.obedient import connect
from tests.channels.test_external import exchange, holding
from tests.channels.world import OTHER, OWNER, THIRD, World, world
from tests.library import Clock


async def outside(here: World, query: str) -> list[ExternalResult]:
    """What is found in external communications."""
    found = await here.palaver.search(query, kind="external")
    results = [one for one in found if isinstance(one, ExternalResult)]
    assert len(results) == len(found)
    return results


async def test_it_is_found_with_whose_words_it_is(here: World, clock: Clock) -> None:
    await here.write("Is the <b>flat</b> in Lisbon still free?", OTHER)
    (one,) = await outside(here, "flats lisbon")
    view = await exchange(here)
    assert (one.kind, one.conversation_id) == ("external", view.external.id)
    assert (one.conversation_name, one.title, one.channel) == ("Bob", "Bob", "pigeon")
    assert one.message_ids == [view.messages[0].id]
    assert one.snippet == "Is the <b>flat</b> in Lisbon still free?"
    assert [one.snippet[start:end] for start, end in one.highlights] == ["flat", "Lisbon"]
    assert one.external.to_json() == {
        "by": "outsider",
        "party": "bob",
        "name": "Bob",
        "sender": "Bob",
        "trust": "untrusted",
        "claimed": False,
    }
    assert one.timestamp == view.external.created
    assert (one.matched_turns, one.turn_range, one.topics) == ([], "", [])
    await here.palaver.external.change(view.external.id, ExternalChange(trust="known"))
    (one,) = await outside(here, "flat")
    assert one.external.trust == "known"


async def test_who_is_not_proven_is_said_to_be_claimed(here: World) -> None:
    await here.write("It is me, from Lisbon", OWNER, proof="claimed")
    (one,) = await outside(here, "Lisbon")
    assert (one.external.by, one.external.claimed) == ("outsider", True)


async def test_replies_say_who_wrote_them(tmp_path: Path) -> None:
    async with world(tmp_path, Clock(), policy={"untrusted": "draft"}) as here:
        connect(here.palaver)
        by: list[str] = []
        chosen: list[tuple[Decision, str | None]] = [
            ("approve", None),
            ("edit", "Rather a **walrus**."),
        ]
        for decision, text in chosen:
            await here.write("Tell me about the walrus", OTHER)
            view = await exchange(here)
            await here.palaver.external.decide(view.external.id, view.drafts[0].id, decision, text)
        for one in await outside(here, "walrus"):
            by.append(one.external.by)
            if one.external.by == "owner":
                assert one.snippet == "Rather a **walrus**."
        assert sorted(by) == ["assistant", "outsider", "outsider", "owner"]


async def five(here: World, clock: Clock) -> list[str]:
    """Somebody writes on each of five days; what they write."""
    said = [f"Flat number {number} is free" for number in range(5)]
    for number, text in enumerate(said):
        await here.write(text, OTHER if number % 2 else THIRD)
        clock.advance(days=1)
    return said


async def test_it_is_paged_and_what_comes_meanwhile_moves_no_page(
    here: World, clock: Clock
) -> None:
    said = await five(here, clock)
    search = here.palaver.search_page
    page = first = await search("flat", kind="external", limit=2)
    assert page.total_matches == 5
    seen = [*page.results]
    await here.write("Flat flat flat", OTHER)
    while page.next_cursor:
        page = await search("flat", kind="external", limit=2, cursor=page.next_cursor)
        seen += page.results
    assert words(seen) == said[::-1]  # as good as each other: the newest first
    with pytest.raises(BadCursor):
        await search("flat", limit=2, cursor=first.next_cursor)
    with pytest.raises(BadCursor):
        await search("flats", kind="external", limit=2, cursor=first.next_cursor)


@pytest.mark.parametrize("query", ["flat today", "flat this week", "flat"])
async def test_every_page_reads_the_query_as_the_first(
    here: World, clock: Clock, query: str
) -> None:
    """Somebody writes when nobody had, or the time that it says is over."""
    await five(here, clock)
    search = here.palaver.search_page
    page = first = await search(query, kind="external", limit=2)
    assert (first.empty_window is not None) == (query == "flat today")
    seen = [*page.results]
    for _ in range(2):
        await here.write("Flat six", OTHER)
        clock.advance(days=9)
    while page.next_cursor:
        page = await search(query, kind="external", limit=2, cursor=page.next_cursor)
        assert page.results
        assert (page.time_window, page.empty_window) == (first.time_window, first.empty_window)
        seen += page.results
    assert len(seen) == first.total_matches


async def test_channel_exchange_and_time_narrow_it(here: World, clock: Clock) -> None:
    said = await five(here, clock)
    search = here.palaver.search_page
    assert (await search("flat", kind="external", channel="email")).results == []
    assert len((await search("flat", kind="external", channel="pigeon")).results) == 5
    yesterday = clock().date() - timedelta(days=1)
    for narrowed in (
        await search("flat", kind="external", day=yesterday),
        await search("flat", kind="external", from_=yesterday, to=yesterday),
        await search("the flat yesterday", kind="external"),
    ):
        assert words(narrowed.results) == [said[4]]
        assert narrowed.time_window is not None
    assert said[4] in words((await search("yesterday", kind="external")).results)
    elsewhen = await search("the flat last year", kind="external")
    assert (elsewhen.empty_window is not None, elsewhen.total_matches) == (True, 5)
    id_ = elsewhen.results[0].conversation_id
    there = await search("flat", kind="external", conversation_id=id_)
    assert words(there.results) == [said[4], said[2], said[0]]
    with pytest.raises(NotFound):
        await search("flat", kind="external", conversation_id="ext-01HQ")
    with pytest.raises(BadId):
        await search("flat", kind="external", conversation_id="conv-01HQ")
    with pytest.raises(BadId):
        await search("flat", conversation_id=id_)
    with pytest.raises(BadValue):
        await search("...", kind="external")
    (one, *_) = await here.palaver.search("flat", kind="external", explain=True)
    assert one.explanation == {"words": one.score}


def words(results: Sequence[SearchResult]) -> list[str]:
    return [one.snippet for one in results]


async def test_no_other_search_changes_by_what_outsiders_write(here: World) -> None:
    """Not by a byte: neither what is found nor how it is scored."""
    await here.write("We looked at the flat in Lisbon, and at its garden.")
    await here.write("The flat is too small, the garden is nice.")

    async def everything() -> list[object]:
        palaver = here.palaver
        return [
            (await palaver.search_page("flat garden", kind="conversation", explain=True)).to_json(),
            (await palaver.search_page("flat garden", kind="message", explain=True)).to_json(),
            [one.to_json() for one in await palaver.search("flat", explain=True)],
            [one.to_json() for one in await palaver.search_messages("Lisbon", explain=True)],
            [one.to_json() for one in await palaver.search_messages("zebra")],
        ]

    before = await everything()
    for _ in range(10):
        await here.write("Flat flat garden Lisbon zebra. Le jardin est grand.", OTHER)
    assert await everything() == before
    assert len(await here.palaver.search("zebra", kind="external")) == 10
    await here.palaver.rebuild()
    assert await everything() == before


async def test_an_exchange_takes_its_words_with_it(tmp_path: Path) -> None:
    async with world(tmp_path, Clock()) as here:
        await here.write("The quetzalcoatlus sang xylophonically", OTHER)
        await here.write("Is the flat free?", THIRD)
        found = await here.palaver.search("quetzalcoatlus", kind="external")
        id_ = found[0].conversation_id
        preview = await here.palaver.external.delete(id_, preview=True)
        assert (preview.messages, preview.full_text, preview.rows) == (2, 2, 3)
        assert preview.pieces == 2
        await here.palaver.external.delete(id_)
        assert await here.palaver.search("quetzalcoatlus", kind="external") == []
        assert len(await here.palaver.search("flat", kind="external")) == 1
    assert holding(tmp_path, b"quetzalcoatlus") == []
    assert holding(tmp_path, b"xylophon") == []
