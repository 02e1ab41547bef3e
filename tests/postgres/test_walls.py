"""The second wall: the server holds every statement to the rows of those for whom it acts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from palaver.app import Palaver
from palaver.index.postgres.statements import Dialect
from palaver.settings import Settings
from tests.postgres.databases import Databases, looking, ours

SCHEMA = Dialect().schema
MARKED = """
    SELECT c.oid::regclass::text, c.relrowsecurity AND c.relforcerowsecurity,
        EXISTS (SELECT FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = 'ours')
    FROM pg_class AS c
    WHERE c.relnamespace::regnamespace::text LIKE 'palaver%' AND c.relkind IN ('r', 'p')
        AND EXISTS (
            SELECT FROM pg_attribute AS a
            WHERE a.attrelid = c.oid AND a.attname IN ('owner', 'book')
        )
"""
OF_OWNERS = ("palaver.streams", "palaver.lines", "palaver.keys", f"{SCHEMA}.books")
OF_BOOKS = tuple(f"{SCHEMA}.{name}" for name in ("streams", "conversations", "messages", "waiting"))
USERS = ("usr-ann", "usr-bob")


@pytest.fixture
async def owners(postgres: Databases, database_url: str) -> dict[str, int]:
    """Two users, each of whom has said something."""
    ours(postgres)  # of another server we do not know the role
    for user in USERS:
        settings = Settings.load("/nonexistent", database__url=database_url)
        async with Palaver.open(settings=settings, user=user, index_vectors=False) as palaver:
            await palaver.send(f"I am {user}.", key="k")
            await palaver.jobs()
    with psycopg.connect(looking(database_url)) as everything:
        found = everything.execute("SELECT name, no FROM palaver.users").fetchall()
    return {name: no for name, no in found if name in USERS}


@pytest.fixture
def role(database_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database_url) as connection:
        yield connection
        connection.rollback()


def act_for(role: psycopg.Connection[Any], owner: object) -> None:
    role.execute("SELECT set_config('palaver.owner', %s, true)", (str(owner),))


def enter(role: psycopg.Connection[Any], owner: int) -> None:
    """As whoever reads the books of one user begins."""
    act_for(role, owner)
    role.execute(Dialect().live["enter"].encode())


def seen(role: psycopg.Connection[Any], table: str, what: str) -> set[Any]:
    return {row[0] for row in role.execute(f"SELECT {what} FROM {table}".encode()).fetchall()}


@pytest.mark.usefixtures("owners")
def test_it_stands_round_everything_that_is_somebodys(database_url: str) -> None:
    with psycopg.connect(looking(database_url)) as everything:
        found = everything.execute(MARKED).fetchall()
    assert len(found) > 45  # with the parts of the vectors
    assert [table for table, *held in found if held != [True, True]] == []


@pytest.mark.parametrize("table", OF_OWNERS)
def test_without_a_word_about_whose_each_sees_their_own(
    owners: dict[str, int], role: psycopg.Connection[Any], table: str
) -> None:
    assert seen(role, table, "owner") == set()
    for owner in owners.values():
        act_for(role, owner)
        assert seen(role, table, "owner") == {owner}


@pytest.mark.parametrize("table", OF_BOOKS)
def test_nor_are_there_other_books(
    owners: dict[str, int], role: psycopg.Connection[Any], table: str
) -> None:
    assert seen(role, table, "book") == set()
    books: set[Any] = set()
    for owner in owners.values():
        enter(role, owner)
        (book,) = seen(role, table, "book")
        books.add(book)
    assert len(books) == 2


def test_nobody_writes_what_is_somebody_elses(
    owners: dict[str, int], role: psycopg.Connection[Any]
) -> None:
    ann, bob = (owners[user] for user in USERS)
    enter(role, bob)
    for statement in (
        f"UPDATE palaver.lines SET line = 'x' WHERE owner = {ann}",
        f"DELETE FROM palaver.keys WHERE owner = {ann}",
        f"DELETE FROM {SCHEMA}.messages WHERE book <> {SCHEMA}.book()",
    ):
        assert role.execute(statement.encode()).rowcount == 0
    for statement in (
        f"INSERT INTO palaver.keys (owner, digest) VALUES ({ann}, 'x')",
        f"UPDATE palaver.keys SET owner = {ann}",
        f"INSERT INTO {SCHEMA}.waiting (book, place) VALUES ({SCHEMA}.book() + 1000, 1)",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), role.transaction():
            role.execute(statement.encode())


def test_who_looks_for_everybody_may_look_and_not_touch(
    owners: dict[str, int], role: psycopg.Connection[Any]
) -> None:
    act_for(role, "*")
    assert seen(role, f"{SCHEMA}.books", "owner") == set(owners.values())
    assert seen(role, "palaver.lines", "owner") == set()
    assert seen(role, f"{SCHEMA}.messages", "book") == set()
    for statement in (f"UPDATE {SCHEMA}.books SET live = 0", "DELETE FROM palaver.keys"):
        assert role.execute(statement.encode()).rowcount == 0


def test_a_backup_takes_everything_and_touches_nothing(
    owners: dict[str, int], role: psycopg.Connection[Any]
) -> None:
    act_for(role, "backup")
    assert seen(role, "palaver.lines", "owner") == set(owners.values())
    for statement in ("UPDATE palaver.lines SET line = 'x'", "DELETE FROM palaver.keys"):
        assert role.execute(statement.encode()).rowcount == 0


@pytest.mark.parametrize("table", ["palaver.tokens", "palaver.sign_ins", "palaver.links"])
def test_credentials_are_seen_by_who_looks_for_everybody_alone(
    owners: dict[str, int], role: psycopg.Connection[Any], table: str
) -> None:
    act_for(role, "*")
    if table == "palaver.tokens":
        role.execute(
            "INSERT INTO palaver.tokens (id, digest, name, owner, scopes, created) "
            f"VALUES ('tok', 'x', '', {owners[USERS[0]]}, '', '')".encode()
        )
        assert seen(role, table, "owner") == {owners[USERS[0]]}
    act_for(role, owners[USERS[1]])
    assert seen(role, table, "owner") == set()


def test_who_sweeps_sees_whose_replies_are_there_and_no_word_of_them(
    owners: dict[str, int], role: psycopg.Connection[Any]
) -> None:
    ann = owners[USERS[0]]
    act_for(role, ann)
    role.execute(
        "INSERT INTO palaver.replies (id, node, conversation, question, seq) "
        "VALUES ('r', 'n', 'c', 'q', 0)"
    )
    role.execute("INSERT INTO palaver.reply_parts (reply, number, part) VALUES ('r', 1, 'figs')")
    act_for(role, "*")
    assert seen(role, "palaver.replies", "owner") == {ann}
    assert seen(role, "palaver.reply_parts", "part") == set()
    assert role.execute("DELETE FROM palaver.replies").rowcount == 0
    role.execute("SELECT set_config('palaver.owners', %s, true)", (f"{{{ann}}}",))
    assert role.execute("DELETE FROM palaver.replies").rowcount == 1
    assert seen(role, "palaver.reply_parts", "part") == set()


def test_who_ends_credentials_waits_for_nobody_who_does_so(
    owners: dict[str, int], role: psycopg.Connection[Any], database_url: str
) -> None:
    """Else a user who is removed and a token that is revoked may wait for each other."""
    (ann, bob), now = (owners[user] for user in USERS), "2026-02-14T09:00:00.000Z"
    add_sign_in = "INSERT INTO palaver.sign_ins VALUES ('s', %s, %s, %s)"
    add_token = "INSERT INTO palaver.tokens VALUES ('tok', 'x', '', %s, '', %s)"
    with psycopg.connect(database_url) as other:
        act_for(other, "*")
        other.execute(add_sign_in, (ann, now, now))
        other.execute(add_token, (bob, now))
        other.commit()
        for connection in (role, other):
            connection.execute("SET LOCAL lock_timeout = '2s'")
            act_for(connection, "*")
        assert role.execute("DELETE FROM palaver.sign_ins").rowcount == 1
        assert other.execute("UPDATE palaver.tokens SET revoked = %s", (now,)).rowcount == 1
        other.commit()
        role.commit()
    act_for(role, "*")
    assert seen(role, "palaver.credentials", "ended") == {2}


MEMORY_LIST: dict[str, Any] = {
    **dict.fromkeys(["type", "category", "pinned", "conversation", "successor"]),
    "state": "kept",
    "archived": 0,
    "superseded": 0,
    "updated": "~",
    "id": "~",
    "limit": 50,
}
LOOKUPS: dict[str, tuple[Any, str]] = {
    "said": (("[1, 2]",), r"Index Cond: .*place = "),
    "told": (("[1, 2]",), r"Index Cond: .*place = "),
    "names_of_streams": (("[1, 2]",), r"Index Cond: .*no = "),
    "ids_of_lines": (('[{"name": "x", "seq": 1}]',), r"Index Cond: .*place = "),
    "messages_by_id": ({"id": "msg-x"}, r"Index Cond: .*id_hash = "),
    "dependents": ({"id": "msg-x"}, r"Index Cond: .*message_hash = "),
    "activity": (
        ('[{"day": "x", "since": "2026", "until": "2027"}]',),
        r"Index Cond: .*timestamp.* >= .*timestamp.* < ",
    ),
    "outdate_memory": ({"id": "mem-5", "place": 9 << 32}, r"Index Cond: .*id = 'mem-5'"),
    "some_memories": (('["mem-5"]',), r"Index Cond: .*id = .*value"),
    "memories_in": (("[5]",), r"Index Cond: .*place = .*value"),
    "lines_of_memories": (('["mem-5"]',), r"Index Cond: .*id = .*value"),
    "settle_memories": (('["mem-5"]',), r"Index Cond: .*id = .*value"),
    "uses": (('["mem-5"]',), r"Index Cond: .*memory_id = .*value"),
    "forgotten": (('["x"]',), r"Index Cond: .*digest = .*value"),
    "salts": ((), r"Index Only Scan using oblivion_by_salt"),
    "pinned_memories": (MEMORY_LIST, r"Index Scan Backward using memories_pinned"),
    "list_memories": (MEMORY_LIST, r"Index Cond: .*ROW\(updated, id\) <"),
    "pinned_conversation": (
        {"channel": "email", "place": "place-5"},
        r"Index Cond: .*pinned_place_hash = ",
    ),
    "pinned_with": (
        {"channel": "email", "party": "party-5", "limit": 50},
        r"Index Cond: .*pinned_party_hash = ",
    ),
    "outbox": ({"limit": 50}, r"Index.* deliveries_open"),
    "deliveries_by_id": ({"ids": '["msg-5"]', "stream": None}, r"Index Cond: .*id_hash = "),
    "delivery_by_id": (
        {"id": "msg-5", "first": 0, "last": 9 << 32},
        r"Index Cond: .*id_hash = ",
    ),
    "external_of": ({"channel": "email", "party": "x"}, r"Index Cond: .*party_hash = "),
    "list_externals": (
        {
            **dict.fromkeys(["channel", "trust", "words"]),
            "updated": "~",
            "id": "~",
            "limit": 50,
        },
        r"Index Cond: .*ROW\(updated, id\) <",
    ),
    "external_message_by_id": (
        {"id": "msg-5", "first": 0, "last": 9 << 32},
        r"Index Cond: .*id_hash = ",
    ),
    "external_taken": ({"since": "x5", "until": "x6"}, r"Index Cond: .*taken.* >= .*taken.* < "),
    "external_words": (('["term-5"]',), r"Index Cond: .*term = .*value"),
    "delete_external_words": ({"first": 5 << 32, "last": 6 << 32}, r"Index Cond: .*place >= "),
    "titles": ({"titles": '["x"]'}, r"Index Cond: .*folded_hash = "),
    "list_conversations": (
        {
            "mode": "standard",
            "archived": 0,
            "updated": "9",
            "id": "z",
            "limit": 50,
            "channel": None,
            "words": None,
        },
        r"Index Cond: .*ROW\(updated, id\) <",
    ),
}
"""Statements that find a few rows among many, and the index that they find them by."""


FILLED = (
    "streams (book, no, name, size, lines, state) SELECT {}, n, 'conv-' || n, 0, 0, 'whole'",
    "messages (book, place, stream, id, role, content, timestamp, turn_number, status, hash) "
    "SELECT {}, n << 32, n, 'msg-' || n, 'user', 'x', 'x', 0, 'complete', 'x'",
    "summaries (book, place, kind, text, through, made, sources, by, covers, marks, hash) "
    "SELECT {}, n << 32, 'abbreviation', 'x', 0, 'x', '', 'x', 0, 0, 'x'",
    "memories (book, place, id, event, state, type, content, confidence, pinned, archived, "
    "created, updated, by, edited, changed_by, hash, newest, conversation_id, superseded_by) "
    "SELECT {}, n << 32, 'mem-' || n, 'x', 'kept', 'fact', 'x', 1, 0, 0, 'x', 'x' || n, 'x', 0, "
    "'x', 'x', 1, "
    "'conv-' || n % 50, CASE WHEN n % 9 = 0 THEN 'mem-' || n + 1 END",
    "uses (book, place, memory_id, at) SELECT {}, n << 32, 'mem-' || n, 'x'",
    "oblivion (book, place, salt, digest) SELECT {}, n << 32, 's' || n % 2, 'digest-' || n",
    "deliveries (book, place, id, pos, channel, target, updated, state, parts, attempts, hash) "
    "SELECT {}, n << 32, 'msg-' || n, n, 'email', 'x' || n, 'x', "
    "CASE WHEN n % 1000 = 0 THEN 'waiting' ELSE 'sent' END, 1, 0, 'x'",
    "externals (book, id, channel, party, created, message_count, last_text, drafts, escalated, "
    "acknowledged, begun, folded, hash) SELECT {}, 'ext-' || n, 'email', 'x' || n, 'x' || n, 0, "
    "'', '[]', 0, 0, 1, 'x', 'x'",
    "external_messages (book, place, id, by, taken, content, hash, language) "
    "SELECT {}, n << 32, 'msg-' || n, 'outsider', 'x' || n, 'x', 'x', 1",
    "external_words (book, term, place, start, finish, length, count) "
    "SELECT {}, 'term-' || n, n << 32, 0, 1, 1, 1",
    "sources (book, place, message_id, quoted) SELECT {}, n << 32, 'msg-' || n, 1",
    "conversations (book, id, channel, mode, topics, created, turn_count, participants, "
    "manually_named, pinned, metadata, channel_meta, archived_seq, active_seq, delay, heard_seq, "
    "abbreviated_seq, abbreviated_from, named_turn, stands_in, begun, day_state, folded, "
    "pinned_place, pinned_party, hash) "
    "SELECT {}, 'conv-' || n, 'web', 'standard', '', 'x' || n, 0, '', 0, 0, '', '', 0, 0, 0, 0, 0, "
    "'', 0, 0, 0, '', 'x' || n, 'place-' || n, 'party-' || n, 'x'",
)


def fill(url: str, owner: int) -> None:
    """So many rows that nobody would read them all."""
    with psycopg.connect(looking(url), autocommit=True) as everything:
        found = f"SELECT live FROM {SCHEMA}.books WHERE owner = {owner}"
        ((book,),) = everything.execute(found.encode()).fetchall()
        for one in FILLED:
            rows = f"INSERT INTO {SCHEMA}.{one.format(book)} FROM generate_series(1000, 20000) AS n"
            everything.execute(rows.replace("n << 32", "n::bigint << 32").encode())
        everything.execute("ANALYZE")


def test_what_is_looked_up_is_found_by_an_index_behind_it(
    owners: dict[str, int], role: psycopg.Connection[Any], database_url: str
) -> None:
    owner = owners[USERS[0]]
    fill(database_url, owner)
    enter(role, owner)
    for name, (values, wanted) in LOOKUPS.items():
        explained = role.execute(f"EXPLAIN {Dialect().live[name]}".encode(), values).fetchall()
        plan = "\n".join(line for (line,) in explained)
        assert re.search(wanted, plan), f"{name}\n{plan}"


def test_messages_are_counted_once_and_not_once_for_each_day(
    owners: dict[str, int], role: psycopg.Connection[Any]
) -> None:
    """Also while the server knows nothing about the table, and plans as if it were empty."""
    values, _ = LOOKUPS["activity"]
    enter(role, owners[USERS[0]])
    explained = role.execute(f"EXPLAIN {Dialect().live['activity']}".encode(), values).fetchall()
    plan = "\n".join(line for (line,) in explained)
    assert "Index Cond: (book = " in plan
    assert not re.search(r"Nested Loop|Join", plan), plan


def test_memories_are_outdated_by_their_ids_whatever_is_known(
    owners: dict[str, int], role: psycopg.Connection[Any]
) -> None:
    """Otherwise many that are added at once are looked through again for each."""
    values, wanted = LOOKUPS["outdate_memory"]
    enter(role, owners[USERS[0]])
    statement = Dialect().live["outdate_memory"]
    explained = role.execute(f"EXPLAIN {statement}".encode(), values).fetchall()
    plan = "\n".join(line for (line,) in explained)
    assert re.search(wanted, plan), plan
