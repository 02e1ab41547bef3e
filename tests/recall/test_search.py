"""Search finds what was said, says where and when, and never answers with nothing by mistake."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from palaver.app import Palaver
from palaver.conversation.records import NewMessage
from palaver.errors import BadCursor, BadText, BadValue, NotFound
from palaver.ledger.lines import event
from palaver.recall.cursor import encode
from palaver.recall.results import turn_range
from palaver.recall.scope import Filters, Scope
from palaver.settings import Settings
from tests.library import Clock

UNKNOWN = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"


def by_word(home: Path, clock: Clock, **settings: object) -> Palaver:
    """The library with full text only."""
    chosen = Settings.load(home, **{"user__timezone": "UTC", **settings})
    return Palaver.open(settings=chosen, clock=clock, index_vectors=False)


@pytest.fixture
async def palaver(tmp_path: Path, clock: Clock) -> AsyncIterator[Palaver]:
    async with by_word(tmp_path, clock) as opened:
        yield opened


async def told(
    palaver: Palaver, *texts: str, channel: str = "web", title: str | None = None
) -> str:
    """A conversation in which the user and the assistant say the texts in turn."""
    conversation = await palaver.start(channel=channel, title=title)
    roles = ("user", "assistant")
    new = [NewMessage(role=roles[n % 2], content=text) for n, text in enumerate(texts)]
    await palaver.append_many(conversation.id, new)
    return conversation.id


async def test_a_result_says_where_when_and_why(palaver: Palaver):
    conversation_id = await told(
        palaver,
        "Good morning",
        "Good morning!",
        "There is a login bug on the staging server.",
        "The login bug comes from the session cookie.",
        title="Server trouble",
    )
    await told(palaver, "What shall we cook?", "Soup.")
    page = await palaver.messages(conversation_id)
    (result,) = await palaver.search("login bug")

    assert (result.conversation_id, result.title) == (conversation_id, "Server trouble")
    assert result.conversation_name == "Server trouble"
    assert (result.channel, result.kind, result.topics) == ("web", "conversation", [])
    assert (result.matched_turns, result.turn_range) == ([2], "turn 2")
    assert set(result.message_ids) == {message.id for message in page.messages[2:]}
    assert result.timestamp == "2026-02-14T09:00:02.000Z"
    assert 0 < result.score < 1
    assert {result.snippet[start:end] for start, end in result.highlights} == {"login", "bug"}


async def test_results_are_grouped_and_the_best_comes_first(palaver: Palaver):
    weak = await told(palaver, "A login page " + "with much other text " * 20)
    strong = await told(palaver, "login bug", "The login bug, again: login bug.")
    results = await palaver.search("login bug")
    assert [result.conversation_id for result in results] == [strong, weak]
    assert results[0].score > results[1].score
    assert len(await palaver.search("login bug", limit=1)) == 1


async def test_the_offline_assistant_never_outranks_what_was_said(palaver: Palaver):
    said = await palaver.send("We moved the zebra to Thursday.", new=True)
    asked = await palaver.send("When is it, the zebra, the zebra, zebra?", new=True)
    assert asked.reply.sources
    only = await palaver.start()
    echo = f"zebra zebra in [zebra](/c/{said.conversation_id}):\n\n> zebra"
    await palaver.append(only.id, "assistant", echo, model="offline")

    results = await palaver.search("zebra")
    assert results[-1].conversation_id == only.id
    assert results[-1].score < results[-2].score / 10
    assert (results[-1].snippet, len(results[-1].highlights)) == ("zebra zebra in zebra: zebra", 4)
    by_conversation = {result.conversation_id: result for result in results}
    assert by_conversation[said.conversation_id].snippet == "We moved the zebra to Thursday."
    best = by_conversation[asked.conversation_id]
    assert best.snippet == "When is it, the zebra, the zebra, zebra?"
    assert best.message_ids[-1] == asked.reply.id
    rounds = await palaver.search_messages("zebra")
    assert rounds[-1].conversation_id == only.id
    assert not any("(/c/" in hit.snippet for hit in rounds)


async def test_a_snippet_of_an_assistant_is_plain_and_marked_right(palaver: Palaver):
    text = "Look at [the zebra](/c/conv-zebra):\n\n> A **zebra** in the zoo"
    await told(palaver, "Where?", text)
    (result,) = await palaver.search("zebra")
    assert result.snippet == "Look at the zebra: A zebra in the zoo"
    assert [result.snippet[start:end] for start, end in result.highlights] == ["zebra", "zebra"]


async def test_rounds_are_flat(palaver: Palaver):
    conversation_id = await told(palaver, "login?", "Which login?", "The login", "Ah, that login")
    hits = await palaver.search_messages("login")
    assert {(hit.conversation_id, hit.turn_number) for hit in hits} == {
        (conversation_id, 1),
        (conversation_id, 2),
    }
    assert all(len(hit.message_ids) == 2 for hit in hits)
    assert hits[0].score >= hits[1].score > 0
    assert len(await palaver.search_messages("login", limit=1)) == 1


async def test_any_of_the_words_is_enough(palaver: Palaver):
    conversation_id = await told(palaver, "The zebra sleeps.")
    for query in ("zebra unicorn", "ZEBRA", "zébra", "the zebra's", '"zebra', "zebra* OR NEAR("):
        assert [one.conversation_id for one in await palaver.search(query)] == [conversation_id]


async def test_what_is_not_there_is_not_found(palaver: Palaver):
    await told(palaver, "The zebra sleeps.")
    assert await palaver.search("unicorn") == []
    page = await palaver.search_page("unicorn")
    assert (page.results, page.total_matches, page.next_cursor) == ([], 0, None)


async def test_what_the_system_says_is_not_found_but_what_a_tool_says_is(palaver: Palaver):
    conversation = await palaver.start()
    await palaver.append(conversation.id, "system", "zebra")
    assert await palaver.search("zebra") == []
    told = await palaver.append(conversation.id, "tool", "zebra")
    (result,) = await palaver.search("zebra")
    assert result.message_ids == [told.id]


async def test_the_scope_narrows_a_search(palaver: Palaver, clock: Clock):
    web = await told(palaver, "zebra")
    mail = await told(palaver, "zebra", channel="email")
    clock.advance(days=2)
    late = await told(palaver, "zebra")

    async def found(**scope: str) -> set[str]:
        results = await palaver.search("zebra", **scope)  # pyright: ignore[reportArgumentType]
        return {result.conversation_id for result in results}

    assert await found() == {web, mail, late}
    assert await found(channel="email") == {mail}
    assert await found(day="2026-02-14") == {web, mail}
    assert await found(from_="2026-02-15") == {late}
    assert await found(to="2026-02-15") == {web, mail}
    assert await found(conversation_id=late) == {late}
    assert await found(conversation_id=late, day="2026-02-14") == set()
    rounds = await palaver.search_messages("zebra", day="2026-02-16")
    assert [hit.conversation_id for hit in rounds] == [late]


async def test_a_day_is_a_day_of_the_users_zone(tmp_path: Path, clock: Clock):
    clock.advance(hours=-9, minutes=-30)  # 13 February 23:30 UTC is 14 February in Berlin
    async with by_word(tmp_path, clock, user__timezone="Europe/Berlin") as palaver:
        await told(palaver, "zebra")
        page = await palaver.search_page("zebra", day="2026-02-14")
        assert len(page.results) == 1
        assert page.time_window is not None
        assert page.time_window.from_ == "2026-02-13T23:00:00.000Z"
        assert await palaver.search("zebra", day="2026-02-13") == []


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"query": "?!"}, BadValue),
        ({"query": ""}, BadValue),
        ({"query": "a\ud800"}, BadText),
        ({"channel": "a\ud800"}, BadValue),
        ({"limit": 0}, BadValue),
        ({"limit": 201}, BadValue),
        ({"limit": True}, BadValue),
        ({"limit": 2.0}, BadValue),
        ({"limit": "2"}, BadValue),
        ({"day": "someday"}, BadValue),
        ({"from_": "2026-02-02", "to": "2026-02-01"}, BadValue),
        ({"conversation_id": UNKNOWN}, NotFound),
    ],
)
async def test_bad_searches_are_refused(
    palaver: Palaver, given: dict[str, str | float], error: type[Exception]
):
    for search in (palaver.search, palaver.search_messages):
        with pytest.raises(error):
            await search(**{"query": "zebra", **given})  # pyright: ignore[reportArgumentType]


async def test_pages_of_a_search_stay_as_they_were(palaver: Palaver):
    there = {await told(palaver, f"zebra number {n}") for n in range(7)}
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(4):
        page = await palaver.search_page("zebra", limit=2, cursor=cursor)
        seen += [result.conversation_id for result in page.results]
        cursor = page.next_cursor
        await told(palaver, "zebra zebra zebra", "zebra")
    assert cursor is None
    assert len(seen) == 7
    assert set(seen) == there


async def test_a_deleted_conversation_leaves_the_later_pages(palaver: Palaver):
    for n in range(3):
        await told(palaver, f"zebra number {n}")
    first = await palaver.search_page("zebra", limit=1)
    order = [result.conversation_id for result in await palaver.search("zebra")]
    await palaver.delete(order[1])
    second = await palaver.search_page("zebra", limit=2, cursor=first.next_cursor)
    assert [result.conversation_id for result in second.results] == [order[2]]


async def test_a_cursor_belongs_to_its_search(palaver: Palaver):
    for n in range(3):
        await told(palaver, f"zebra number {n}")
    page = await palaver.search_page("zebra", limit=1)
    assert page.next_cursor is not None
    for query, cursor in [
        ("number", page.next_cursor),
        ("zebra", "nonsense"),
        ("zebra", encode([])),
        ("zebra", encode(["x", UNKNOWN])),
    ]:
        with pytest.raises(BadCursor):
            await palaver.search_page(query, limit=1, cursor=cursor)
    with pytest.raises(BadCursor, match="does not belong to this search"):
        await palaver.search_page("zebra", channel="web", limit=1, cursor=page.next_cursor)


async def test_every_filter_makes_another_search(palaver: Palaver):
    there, _ = await told(palaver, "zebra"), await told(palaver, "zebra")
    page = await palaver.search_page("zebra", limit=1)
    others: list[Filters] = [
        {"channel": "web"},
        {"from_": "2026-02-01"},
        {"to": "2026-03-01"},
        {"day": "2026-02-14"},
        {"recency_days": 3},
        {"conversation_id": there},
        {"ignore_time_phrases": True},
        {"before": "2026-03-01T00:00:00Z"},
    ]
    assert {name for one in others for name in one} == {field.name for field in fields(Scope)}
    for other in others:
        with pytest.raises(BadCursor, match="does not belong to this search"):
            await palaver.search_page("zebra", limit=1, cursor=page.next_cursor, **other)


async def test_what_was_said_from_a_moment_on_is_not_looked_at(palaver: Palaver):
    earlier = await told(palaver, "zebra one")
    (said,) = (await palaver.messages(await told(palaver, "zebra two"))).messages
    found = await palaver.search("zebra", before=said.timestamp)
    assert [one.conversation_id for one in found] == [earlier]
    page = await palaver.search_page("zebra", before=said.timestamp)
    assert page.time_window is None
    with pytest.raises(BadValue):
        await palaver.search("zebra", before="soon")


def test_ranges_of_turns_in_words():
    assert turn_range([5]) == "turn 5"
    assert turn_range([6, 5, 8, 7, 20]) == "turns 5-8"
    assert turn_range([20, 5, 6]) == "turn 20"


# -- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("Le démarrage du serveur est très lent ce matin.", "demarrages"),
        ("They were running along the river all day.", "runs"),
        ("昨日は東京に行きました。", "東京"),
        ("我们明天去东京开会。", "东京"),
        ("That was fun 👍", "👍"),
        ("Straße gesperrt", "STRASSE"),
        ("the", "the"),
    ],
)
async def test_words_are_found_in_other_forms(palaver: Palaver, said: str, query: str):
    conversation_id = await told(palaver, said)
    await told(palaver, "Something else entirely, which nobody looks for.")
    results = await palaver.search(query)
    assert results[0].conversation_id == conversation_id
    assert results[0].highlights


@pytest.mark.parametrize(
    "query",
    ["NEAR(", "col: zebra", "zebra*", 'zebra "unfinished', "zebra AND NOT", "zebra " * 17_000],
    ids=["near", "column", "star", "quotation", "operators", "100,000 characters"],
)
async def test_a_query_is_words_and_nothing_else(palaver: Palaver, query: str):
    there = await told(palaver, "The zebra sleeps near the column.")
    assert [one.conversation_id for one in await palaver.search(query)] == [there]


# -- time -------------------------------------------------------------------------------------


async def test_a_time_in_the_query_narrows_the_search(palaver: Palaver, clock: Clock):
    early = await told(palaver, "The zebra sleeps.")
    clock.advance(days=40)
    late = await told(palaver, "The zebra wakes.")

    async def found(query: str, **scope: bool | int | str) -> tuple[set[str], str | None]:
        page = await palaver.search_page(query, **scope)  # pyright: ignore[reportArgumentType]
        window = page.time_window
        return {result.conversation_id for result in page.results}, window and window.from_

    february = "2026-02-01T00:00:00.000Z"
    assert await found("zebra in February 2026") == ({early}, february)
    assert await found("what did we do in February 2026") == ({early}, february)
    assert await found("zebra in February 2026", ignore_time_phrases=True) == ({early, late}, None)
    day = "2026-03-26T00:00:00.000Z"
    assert await found("zebra in February 2026", day="2026-03-26") == ({late}, day)
    assert await found("zebra in May 2019") == ({early, late}, None)
    assert (await found("zebra", recency_days=7))[0] == {late}
    assert await found("zebra", recency_days=0) == ({early, late}, None)


# -- single rounds, and scores ----------------------------------------------------------------


async def test_rounds_come_as_pages_too(palaver: Palaver):
    here = await told(palaver, "zebra one", "Yes.", "zebra two", "Yes.", "zebra three", "Yes.")
    seen: list[tuple[str, str]] = []
    cursor: str | None = None
    while True:
        page = await palaver.search_page("zebra", kind="message", limit=2, cursor=cursor)
        seen += [(result.kind, result.turn_range) for result in page.results]
        assert {result.conversation_id for result in page.results} == {here}
        if (cursor := page.next_cursor) is None:
            break
    assert sorted(seen) == [("message", f"turn {n}") for n in (1, 2, 3)]


@pytest.mark.parametrize("ranking", ["tuned", "s4"])
async def test_the_parts_of_a_score_add_up(tmp_path: Path, clock: Clock, ranking: str):
    async with by_word(tmp_path, clock, index__ranking=ranking) as palaver:
        await told(palaver, "The zebra sleeps.", "All day? " * 50, "The zebra eats.", "Grass.")
        await told(palaver, "A zebra crossing.")
        (plain, *_) = await palaver.search("zebra")
        assert plain.explanation is None
        results = await palaver.search("zebra", explain=True)
        rounds = await palaver.search_messages("zebra", explain=True)
        assert len(results) == 2
        assert len(rounds) == 3
        for one in (*results, *rounds):
            assert one.explanation is not None
            assert sum(one.explanation.values()) == pytest.approx(one.score)
            assert 0 < one.score < 1


async def told_at(palaver: Palaver, content: str, when: str) -> str:
    conversation = await palaver.start()
    await palaver.append(conversation.id, "user", content, timestamp=when)
    return conversation.id


async def test_a_time_in_the_query_does_not_lift_the_limit_on_recency(palaver: Palaver):
    await told_at(palaver, "the old budget", "2019-05-01T12:00:00Z")
    recent = await told_at(palaver, "the new budget", "2026-02-12T12:00:00Z")
    for query in ("budget yesterday", "budget last March"):
        page = await palaver.search_page(query, recency_days=7)
        assert [one.conversation_id for one in page.results] == [recent]
        assert page.time_window
        assert str(page.time_window.from_).startswith("2026-02-07T09:00")


async def test_what_was_asked_for_by_time_alone_comes_newest_first(palaver: Palaver):
    hours = (9, 15, 12)
    said = {
        hour: await told_at(palaver, f"number {hour}", f"2026-02-13T{hour:02}:00:00Z")
        for hour in hours
    }
    page = await palaver.search_page("what did we talk about yesterday")
    assert [one.conversation_id for one in page.results] == [said[15], said[12], said[9]]
    assert page.total_matches == 3


@pytest.mark.parametrize(
    ("query", "given"),
    [
        ("What did we decide yesterday?", {}),
        ("what did we talk about on 13 February", {}),
        ("what did we decide", {"day": "2026-02-13"}),
        ("Was haben wir beschlossen?", {"from_": "2026-02-13", "to": "2026-02-13"}),
    ],
)
async def test_what_an_abbreviation_calls_a_decision_comes_first(
    palaver: Palaver, query: str, given: Filters
):
    decided = await told_at(palaver, "Oak it is.", "2026-02-13T09:00:00Z")
    later = await told_at(palaver, "The rain is loud.", "2026-02-13T15:00:00Z")
    (said,) = (await palaver.messages(decided)).messages
    sources = [{"messageId": said.id, "turn": 1, "kind": "decision", "point": 0}]
    fields: Any = {"text": "- Oak it is.", "through": 1, "by": "x", "sources": sources}
    await palaver._ledger.append([event(decided, "abbreviation", **fields)])  # pyright: ignore[reportPrivateUsage]
    page = await palaver.search_page(query, explain=True, **given)
    found = [(one.conversation_id, one.score, one.explanation) for one in page.results]
    parts = {"time": 0.5, "otherRounds": 0.0}
    assert found == [
        (decided, 1.0, {**parts, "told": 0.5}),
        (later, 0.5, {**parts, "told": 0.0}),
    ]
    first = await palaver.search_page(query, limit=1, **given)
    rest = await palaver.search_page(query, limit=1, cursor=first.next_cursor, **given)
    assert [one.conversation_id for one in (*first.results, *rest.results)] == [decided, later]


async def test_nothing_in_the_time_that_is_named_means_all_time(palaver: Palaver):
    found = await told_at(palaver, "the budget", "2026-01-02T12:00:00Z")
    page = await palaver.search_page("budget yesterday")
    assert [one.conversation_id for one in page.results] == [found]
    assert page.time_window is None
    assert page.empty_window
    assert page.empty_window.from_ == "2026-02-13T00:00:00.000Z"


async def test_a_page_keeps_to_its_window_when_something_is_erased(palaver: Palaver):
    old = await told_at(palaver, "the budget of old", "2020-05-01T12:00:00Z")
    here = [
        await told_at(palaver, f"the budget {hour}", f"2026-02-13T{hour:02}:00:00Z")
        for hour in range(8, 12)
    ]
    first = await palaver.search_page("budget yesterday", limit=2)
    shown = [one.conversation_id for one in first.results]
    later = [one for one in here if one not in shown]
    await palaver.delete(later[0])
    second = await palaver.search_page("budget yesterday", limit=2, cursor=first.next_cursor)
    assert [one.conversation_id for one in second.results] == [later[1]]
    assert second.time_window == first.time_window
    assert old not in shown


async def test_a_round_of_many_messages_names_some_of_them(palaver: Palaver):
    conversation = await palaver.start()
    alerts = [NewMessage(role="assistant", content=f"alert {number}") for number in range(300)]
    await palaver.append_many(conversation.id, alerts)
    (found,) = await palaver.search_messages("alert")
    assert len(found.message_ids) == 20


async def test_two_hundred_long_names_fit_in_a_cursor(tmp_path: Path, clock: Clock):
    folder = tmp_path / "conversations"
    folder.mkdir(parents=True)
    line = '{"type":"turn","role":"user","content":"budget","timestamp":"2026-01-01T00:00:00Z"}\n'
    for number in range(205):
        (folder / f"conv-{number:059d}.jsonl").write_text(line)
    async with by_word(tmp_path, clock) as palaver:
        await palaver.settle()
        page = await palaver.search_page("budget", limit=1)
        assert len((await palaver.search_page("budget", cursor=page.next_cursor)).results) == 10
