"""The index in PostgreSQL: many users and nodes, commits that it cannot follow, and erasures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

import psycopg
import pytest

from palaver.errors import NotFound, StorageFailed
from palaver.index.pieces import piece_key
from palaver.index.port import ConversationFilter, Question, SearchFilter, Where
from palaver.index.postgres.follower import IndexFollower
from palaver.index.postgres.gathering import Gathering
from palaver.index.postgres.index import PostgresIndex
from palaver.index.postgres.joining import Sent
from palaver.index.postgres.statements import VERSION, Dialect
from palaver.jobs.kind import Ended
from palaver.ledger.lines import meta, turn
from palaver.ledger.postgres import Commit, PostgresSource
from palaver.postgres import Connection
from tests.index.worlds import USER, A, B, PostgresWorld, node
from tests.library import BagOfWords
from tests.postgres.databases import looking

STATEMENTS = Dialect().live
SCHEMA = Dialect().schema
TABLES = ["streams", "conversations", "messages", "sources", "waiting", "segments", "postings"]


@pytest.fixture
async def world(database_url: str) -> AsyncIterator[PostgresWorld]:
    async with node(database_url) as world:
        yield world


def rows(url: str, sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """What somebody sees who is no node."""
    with psycopg.connect(looking(url), autocommit=True) as connection:
        cursor = connection.execute(sql.encode(), values or None)
        return cursor.fetchall() if cursor.description else []


def everything(url: str, schema: str = Dialect().schema) -> str:
    """All that stands in the derived tables."""
    tables = rows(url, "SELECT tablename FROM pg_tables WHERE schemaname = %s", schema)
    assert len(tables) > len(TABLES)
    return "".join(str(rows(url, f"SELECT * FROM {schema}.{name}")) for (name,) in tables)


def falls(self: IndexFollower, connection: Connection, commits: Sequence[Commit]) -> None:
    raise StorageFailed("It does not follow.")


# -- users ---------------------------------------------------------------------------------------


async def test_who_has_an_index_open_hears_what_becomes_of_it(world: PostgresWorld) -> None:
    """However many others were asked for since."""
    owner = PostgresSource(world.pool, USER).owner
    world.shared.report({owner: "There is no model."})
    assert world.index.health().status == "degraded"
    for other in range(100, 200):
        world.shared.holding(other)
    world.shared.report({})
    assert world.index.health().status == "ok"


async def test_nobody_sees_the_rows_of_others(world: PostgresWorld) -> None:
    other = await world.user("other")
    await world.begin(A, "tea with alice", "yes")
    draft = meta(A, user="other", channel="web", mode="standard")
    await other.write(draft, turn(A, "user", "coffee with bob"))
    assert await world.contents() == ["tea with alice", "yes"]
    assert await world.found("tea", "coffee") == ["tea with alice"]
    page = await other.index.messages("other", A, Where(), limit=9)
    assert [message.content for message in page.messages] == ["coffee with bob"]
    message = page.messages[0]
    assert await world.index.find(USER, [message.id]) == []
    with pytest.raises(NotFound):
        await world.index.message(USER, A, message.id)
    with pytest.raises(NotFound):
        await other.index.conversations(USER, ConversationFilter(), limit=9)
    await other.index.close()


async def test_users_of_one_commit_are_followed_each(world: PostgresWorld) -> None:
    others = [await world.user(f"user{number}") for number in range(5)]
    said = [
        one.write(
            meta(A, user=f"user{number}", channel="web", mode="standard"),
            turn(A, "user", f"number{number}"),
        )
        for number, one in enumerate(others)
    ]
    await asyncio.gather(*said)
    for number, one in enumerate(others):
        page = await one.index.messages(f"user{number}", A, Where(), limit=9)
        assert [message.content for message in page.messages] == [f"number{number}"]
        await one.index.close()


async def test_a_damaged_book_is_made_again_and_keeps_nobody_else_waiting(
    world: PostgresWorld, database_url: str
) -> None:
    other = await world.user("other")
    await other.write(meta(A, user="other", channel="web", mode="standard"))
    lines = await world.begin(A, "one", "two")
    schema = world.shared.dialect.schema
    rows(database_url, f"UPDATE {schema}.messages SET content = 'other' WHERE content = 'one'")
    both = world.happen(A, "edited", messageId=lines[1].id, content="three")
    await asyncio.gather(both, other.write(turn(A, "user", "coffee")))
    page = await other.index.messages("other", A, Where(), limit=9)
    assert [message.content for message in page.messages] == ["coffee"]
    assert await world.contents() == ["three", "two"]
    await world.index.settle()
    assert await world.contents() == ["three", "two"]
    assert await world.index.verify() == []
    assert world.index.health().status == "ok"
    await other.index.close()


async def test_lines_of_other_programs_are_noticed(world: PostgresWorld, database_url: str) -> None:
    await world.begin(A, "x")
    line = '{"type":"turn","role":"user","content":"y"}'
    size = rows(database_url, "SELECT size FROM palaver.streams")[0][0]
    rows(
        database_url,
        "INSERT INTO palaver.lines (owner, stream, seq, place, line) "
        "SELECT owner, no, lines, size, %s FROM palaver.streams",
        line,
    )
    rows(database_url, "UPDATE palaver.streams SET size = %s, lines = 3", size + len(line) + 1)
    again = await world.user(USER)
    assert await again.contents() == ["x", "y"]
    assert await again.index.verify() == []
    await again.index.close()


async def test_what_no_text_can_hold_is_not_found(world: PostgresWorld) -> None:
    await world.begin(A, "x", title="y")
    assert await world.index.find(USER, ["\0"]) == []
    assert await world.listed(title_contains="\0") == []
    assert await world.found("\0") == []
    assert await world.index.described(USER, ["\0", A]) == {
        A: await world.index.conversation(USER, A)
    }
    assert await world.index.at(USER, [("\0", 1)]) == []


async def test_a_long_commit_to_one_conversation_is_followed(
    world: PostgresWorld, caplog: pytest.LogCaptureFixture
) -> None:
    """Its lines are stored in portions, and each of them has a word about the conversation."""
    said = [turn(A, "user", f"number{number}") for number in range(2500)]
    await world.write(meta(A, user=USER, channel="web", mode="standard"), *said)
    assert not caplog.records  # nothing was left to catch up with
    assert await world.found("number2499") == ["number2499"]
    assert (await world.index.conversation(USER, A)).turn_count == 2500
    assert await world.index.verify() == []


async def test_a_commit_writes_in_no_book_of_anybody_else(
    world: PostgresWorld, database_url: str
) -> None:
    other = await world.user("other")
    await world.begin(A, "x")
    await other.write(meta(A, user="other", channel="web", mode="standard"))
    sql, pool = world.shared.dialect.live, world.shared.pool
    owners = {name: PostgresSource(pool, name).owner for name in (USER, "other")}
    books = dict(rows(database_url, f"SELECT owner, live FROM {SCHEMA}.books"))
    with pool.connection() as connection:
        ours, theirs = owners[USER], owners["other"]
        for owner, book in ((ours, books[theirs]), (theirs, books[theirs])):
            gathering = Gathering(sql)
            assert gathering.take(owner, book, [Sent(sql["wait"], [(7,)], at_once=True)])
            with connection.writing():
                connection.one("SELECT set_config('palaver.owners', %s, true)", (f"{{{ours}}}",))
                with pytest.raises(StorageFailed):
                    gathering.write(connection, [])
    await other.index.close()


# -- commits that were not followed --------------------------------------------------------------


async def test_what_was_not_followed_is_caught_up_with(
    world: PostgresWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = await world.begin(A, "one", "two")
    with monkeypatch.context() as patched:
        patched.setattr(IndexFollower, "apply", falls)
        await world.say(A, "user", "three")
        await world.begin(B, "four")
        await world.happen(A, "edited", messageId=lines[1].id, content="five")
        await world.erase(lines={A: [2]})
    assert await world.contents() == ["five", "", "three"]
    assert await world.listed() == [B, A]
    await world.say(B, "assistant", "six")
    assert await world.contents(B) == ["four", "six"]
    assert await world.index.verify() == []


async def test_much_that_was_not_followed_is_left_to_a_rebuild(
    world: PostgresWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver.index.postgres.catchup._MOST", 5)
    await world.begin(A, "one", "two")
    with monkeypatch.context() as patched:
        patched.setattr(IndexFollower, "apply", falls)
        await world.write(*(turn(A, "user", f"number{number}") for number in range(10)))
    assert len(await world.contents()) == 12
    await world.index.settle()
    assert await world.found("number7") == ["number7"]
    assert await world.index.verify() == []


async def test_catching_up_goes_in_steps(
    world: PostgresWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palaver.index.postgres.catchup._SOME", 3)
    await world.begin(A, "one")
    with monkeypatch.context() as patched:
        patched.setattr(IndexFollower, "apply", falls)
        for number in range(8):
            await world.say(A, "user", f"number{number}")
            await world.begin(f"conv-{number}", f"other{number}")
        await world.erase(lines={A: [4]}, streams=["conv-2"])
    assert len(await world.contents()) == 9
    assert "conv-2" not in await world.listed()
    assert await world.found("number2", "number3", "other2", "other3") == ["number3", "other3"]
    assert await world.index.verify() == []


async def test_a_node_that_writes_rows_keeps_no_commit_waiting(world: PostgresWorld) -> None:
    await world.begin(A, "one")
    database = world.shared.holding(1).books.database()
    with database.writing():
        await asyncio.wait_for(world.say(A, "user", "two"), 5)
    assert await world.contents() == ["one", "two"]


# -- nodes ---------------------------------------------------------------------------------------


async def test_nodes_of_two_versions_work_side_by_side(database_url: str) -> None:
    async with node(database_url) as new, node(database_url, version="0_9_9") as old:
        await new.begin(A, "tea", "yes")
        assert await old.contents() == ["tea", "yes"]
        await old.say(A, "user", "more tea")
        assert await new.contents() == ["tea", "yes", "more tea"]
        assert await new.found("tea") == await old.found("tea") == ["tea", "more tea"]
        await new.erase(lines={A: [1]})
        assert await old.found("tea") == ["more tea"]
        for world in (new, old):
            assert await world.index.verify() == []


async def test_two_nodes_of_one_version_share_the_rows(database_url: str) -> None:
    async with node(database_url) as one, node(database_url) as two:
        await one.begin(A)
        for number in range(10):
            await (one, two)[number % 2].say(A, "user", f"number{number}")
        expected = [f"number{number}" for number in range(10)]
        assert await one.contents() == await two.contents() == expected
        await asyncio.gather(one.index.rebuild(), two.index.rebuild())
        assert await one.contents() == await two.contents() == expected
        assert await two.found("number7") == ["number7"]
        assert await one.index.verify() == []


async def test_rebuilds_of_many_users_leave_connections_and_threads_to_others(
    world: PostgresWorld, database_url: str
) -> None:
    """Somebody else is at the rebuild of each of them, so that all wait."""
    await world.begin(A, "one")
    others = [await world.user(f"usr-{number}") for number in range(40)]
    with psycopg.connect(looking(database_url)) as elsewhere:
        for (owner,) in rows(database_url, "SELECT no FROM palaver.users"):
            name = f"{world.shared.dialect.schema} {owner} rebuild"
            elsewhere.execute(STATEMENTS["lock"].encode(), (name,))
        waiting = [asyncio.ensure_future(other.index.rebuild()) for other in others]
        await asyncio.sleep(0)  # they have begun
        for _ in range(3):
            assert await world.contents() == ["one"]
        assert not any(task.done() for task in waiting)
    await asyncio.gather(*waiting)
    for other in others:
        assert other.index.health().status == "ok"
        await other.index.close()


async def test_a_rebuild_that_was_broken_off_is_not_told_of_for_ever(
    world: PostgresWorld, database_url: str
) -> None:
    await world.begin(A, "one")
    source = PostgresSource(world.pool, USER)

    def end() -> None:
        raise Ended

    with psycopg.connect(looking(database_url)) as elsewhere:
        name = f"{world.shared.dialect.schema} {source.owner} rebuild"
        elsewhere.execute(STATEMENTS["lock"].encode(), (name,))
        job = PostgresIndex(world.shared, source)
        with pytest.raises(Ended):
            await asyncio.to_thread(job.make, lambda done, total: None, end, afresh=True)
    assert await world.contents() == ["one"]
    assert world.index.health().status == "ok"


async def test_many_nodes_may_start_at_once(database_url: str) -> None:
    worlds = [node(database_url) for _ in range(3)]
    opened = await asyncio.gather(*(world.__aenter__() for world in worlds))
    await opened[0].begin(A, "one")
    assert await opened[2].contents() == ["one"]
    for world in worlds:
        await world.__aexit__(None, None, None)


# -- erasures ------------------------------------------------------------------------------------


@pytest.mark.parametrize("taken", [False, True])
async def test_erased_words_are_in_no_table(
    world: PostgresWorld, database_url: str, monkeypatch: pytest.MonkeyPatch, taken: bool
) -> None:
    monkeypatch.setattr("palaver.index.postgres.shared._MOST_WAITING", 1 if taken else 1000)
    await world.begin(A, "the zebra sleeps", "quagga too", title="okapi")
    await world.begin(B, "a giraffe", "yes")
    await world.happen(A, "title_assigned", title="bongo", by="user")
    await world.index.settle()
    assert "zebra" in everything(database_url)
    assert await world.found("giraffe")
    await world.erase(lines={A: [1, 3]}, streams=[B])
    left = everything(database_url)
    assert not [word for word in ("zebra", "sleep", "bongo", "giraffe") if word in left]
    assert "quagga" in left
    assert await world.index.verify() == []


@pytest.mark.parametrize("version", [VERSION, "0_9_9"])
@pytest.mark.parametrize("read", [0, 14])
async def test_what_is_erased_during_a_rebuild_stays_erased(
    world: PostgresWorld,
    database_url: str,
    monkeypatch: pytest.MonkeyPatch,
    version: str,
    read: int,
) -> None:
    """Before the rebuild has read it, and after; by a node of the same version, and of another."""
    monkeypatch.setattr("palaver.index.stored.portions._LINES", 2)
    await world.begin(B, "other zebra")
    await world.begin(A, *(f"number{number}" for number in range(20)))
    loop, erased = asyncio.get_running_loop(), list[int]()
    async with node(database_url, version=version) as other:

        def erase(health: Any) -> None:
            erased.append(health.done)
            if len(erased) == read // 2 + 1:
                gone = other.erase(lines={A: [3]}, streams=[B])
                asyncio.run_coroutine_threadsafe(gone, loop).result(20)

        rebuilds: Any = vars(world.index)["_rebuilds"]
        rebuilds.start("A test asks for it.", afresh=True, listener=erase)
        await asyncio.to_thread(rebuilds.wait)
        assert len(erased) > read // 2
        await world.index.settle()
        left = everything(database_url)
        assert not [word for word in ("number2'", "zebra") if word in left]
        assert await world.found("number2", "number3", "zebra") == ["number3"]
        assert await world.index.verify() == []


async def test_an_erased_user_stream_and_books_that_were_replaced_go(
    world: PostgresWorld, database_url: str
) -> None:
    await world.begin(A, "one", "two")
    schema = world.shared.dialect.schema
    ((before,),) = rows(database_url, f"SELECT live FROM {schema}.books")
    await world.index.rebuild()
    await world.index.settle()
    ((after,),) = rows(database_url, f"SELECT live FROM {schema}.books")
    assert after != before
    for table in TABLES:
        books = rows(database_url, f"SELECT DISTINCT book FROM {schema}.{table}")
        assert books in ([], [(after,)])
    assert rows(database_url, f"SELECT * FROM {schema}.discarded") == []


# -- meaning -------------------------------------------------------------------------------------


async def test_meaning_is_learned_and_forgotten(database_url: str) -> None:
    async with node(database_url, load=BagOfWords) as world:
        await world.begin(A, "the harbour at night", "a boat", "tea")
        await world.index.settle()
        keys = {bytes(key) for (key,) in rows(database_url, "SELECT key FROM palaver.vectors")}
        assert keys == {piece_key(text) for text in ("the harbour at night", "a boat", "tea")}
        evidence = await world.evidence(text="harbour")
        assert evidence.cosine.max() > 0.4
        await world.erase(lines={A: [1]})
        await world.index.settle()
        assert piece_key("the harbour at night") not in {
            bytes(key) for (key,) in rows(database_url, "SELECT key FROM palaver.vectors")
        }
        assert (await world.evidence(text="harbour")).cosine.max(initial=0) < 0.4


async def test_another_node_without_a_model_finds_words_and_forgets_vectors(
    database_url: str,
) -> None:
    async with node(database_url, load=BagOfWords) as world:
        await world.begin(A, "the harbour at night")
        await world.index.settle()
    async with node(database_url) as world:
        assert await world.found("harbour") == ["the harbour at night"]
        await world.erase(streams=[A])
        await world.index.settle()
    assert rows(database_url, "SELECT key FROM palaver.vectors") == []


async def test_a_model_that_fails_leaves_full_text(database_url: str) -> None:
    def load() -> Any:
        raise RuntimeError("no memory")

    async with node(database_url, load=load) as world:
        await world.begin(A, "the harbour at night")
        question = await world.evidence("harbour", text="harbour")
        assert question.matches == 1
        assert world.index.health().status == "degraded"
        assert "no memory" in world.index.health().detail


async def test_filters_reach_the_vectors(database_url: str) -> None:
    async with node(database_url, load=BagOfWords) as world:
        await world.begin(A, "the harbour at night")
        await world.begin(B, "the harbour by day")
        await world.index.settle()
        found = await world.index.evidence(
            USER, Question([], "harbour"), SearchFilter(conversation_id=B)
        )
        assert {found.conversations[no] for no in found.conversation[found.eligible]} == {B}
