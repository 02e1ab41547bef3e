"""The ledger in PostgreSQL: pages, foreign lines, verification, and who is told of a commit."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Event
from typing import Any

import pytest

from palaver.errors import Erased, StorageFailed
from palaver.ledger.chain import ORIGIN
from palaver.ledger.lines import event, meta, turn
from palaver.ledger.port import Erasure
from palaver.ledger.postgres import Commit
from palaver.postgres import Connection
from tests.ledger.nodes import A, B, Node, Nodes, begin, contents

# -- reading -----------------------------------------------------------------------------------


async def test_a_source_reads_what_a_file_would_hold(nodes: Nodes) -> None:
    node = nodes()
    ledger, source = node.ledger(), node.source()
    big = ["x" * 400_000] * 5
    await begin(ledger, A, *big, *map(str, range(2100)), *big)
    lines = list(source.lines(A))
    assert [line.seq for line in lines] == list(range(2111))
    assert [line.offset for line in lines] == [0, *(line.end for line in lines[:-1])]
    assert source.sizes() == {A: lines[-1].end}
    whole = b"".join(line.raw + b"\n" for line in lines)
    assert b"".join(source.pieces(A)) == whole
    assert all(piece.endswith(b"\n") for piece in source.pieces(A))
    assert max(len(piece) for piece in source.pieces(A)) < 2 << 20
    for line in (lines[1], lines[1000], lines[-1]):
        assert list(source.lines(A, offset=line.offset, seq=line.seq)) == lines[line.seq :]
        assert b"".join(source.pieces(A, line.offset)) == whole[line.offset :]
    assert list(source.lines(A, offset=lines[-1].end)) == []
    assert list(source.lines(B)) == list(source.pieces(B)) == []
    assert await ledger.tail(A, 200) == lines[-200:]


async def test_nobody_commits_while_somebody_has_the_ledger_to_themselves(nodes: Nodes) -> None:
    node = nodes()
    ledger, source = node.ledger(), node.source()
    await begin(ledger, A)
    with source.exclusive() as pos:
        waiting = asyncio.ensure_future(ledger.append([turn(A, "user", "x")]))
        await node.ledger("other").append([meta(A, user="other")])
        assert pos == await ledger.position() == 1
        assert [line.seq for line in source.lines(A)] == [0]
    await waiting
    with source.exclusive() as pos:
        assert pos == 2


async def test_a_row_is_seen_by_its_owner_only(nodes: Nodes) -> None:
    node = nodes(size=1)
    await begin(node.ledger(), A, "mine")
    other = node.ledger("other")
    await begin(other, B, "theirs", user="other")
    assert [stat.name for stat in await other.streams()] == [B]
    assert list(node.source("other").lines(A)) == []
    nobody = "SELECT count(*) FROM palaver.lines WHERE owner = palaver.me()"
    with pytest.raises(StorageFailed), node.pool.connection() as connection, connection.reading():
        connection.all(nobody)


# -- lines that others wrote -------------------------------------------------------------------

FOREIGN = [
    b'{"type":"meta","id":"conv-A","user":"local"}',
    b'{"type":"turn","role":"user","content":"old words","turnNumber":1}',
    b'{"type":"turn","role":"user","content":"\xff\xfe"}',
]


def put_foreign_lines(nodes: Nodes, node: Node) -> None:
    """As a copy from files leaves them: not yet sealed, one of them no text."""
    owner = node.source().owner
    size = sum(len(raw) + 1 for raw in FOREIGN)
    ((number,),) = nodes.sql(
        "INSERT INTO palaver.streams (owner, name, size, lines, chain, turn, answered, unsealed,"
        " unsealed_lines) VALUES (%s, %s, %s, 3, %s, 1, false, 0, 3) RETURNING no",
        *(owner, A, size, ORIGIN),
    )
    place = 0
    for seq, raw in enumerate(FOREIGN):
        text, odd = (None, raw) if b"\xff" in raw else (raw.decode(), None)
        nodes.sql(
            "INSERT INTO palaver.lines (owner, stream, seq, place, line, odd)"
            " VALUES (%s, %s, %s, %s, %s, %s)",
            *(owner, number, seq, place, text, odd),
        )
        place += len(raw) + 1


async def test_foreign_lines_are_kept_to_the_byte_and_sealed(nodes: Nodes) -> None:
    node = nodes()
    put_foreign_lines(nodes, node)
    ledger = node.ledger()
    assert [line.raw for line in await ledger.read(A)] == FOREIGN
    (added,) = await ledger.append([turn(A, "user", "new words")])
    assert added.line.data["turnNumber"] == 2
    assert [line.event for line in await ledger.read(A, after=2)] == ["adopted", ""]
    assert [item.code for item in node.damage()] == ["unreadable_line"]


async def test_a_foreign_line_that_is_no_text_can_be_erased(nodes: Nodes) -> None:
    node = nodes()
    put_foreign_lines(nodes, node)
    ledger = node.ledger()
    await ledger.erase(Erasure(lines={A: [1, 2]}))
    stones = (await ledger.read(A))[1:3]
    assert [(line.type, len(line.raw)) for line in stones] == [
        ("tombstone", len(raw)) for raw in FOREIGN[1:]
    ]
    assert node.damage() == []


# -- erasure -----------------------------------------------------------------------------------


async def test_an_erasure_leaves_no_word_in_any_row(nodes: Nodes) -> None:
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A, "before")
    await ledger.append([turn(A, "user", "xyzzy one", key="xyzzy-key")])
    await begin(ledger, B, "xyzzy two")
    await ledger.erase(Erasure(lines={A: [2]}, streams=[B]))
    for table in ("users", "streams", "lines", "keys"):
        rows = nodes.sql(f"SELECT t::text FROM palaver.{table} AS t")
        assert rows
        assert "xyzzy" not in str(rows)
    assert nodes.sql("SELECT stream, seq FROM palaver.keys") == [(None, None)]
    with pytest.raises(Erased):
        await begin(ledger, B)
    assert node.damage() == []


# -- verification ------------------------------------------------------------------------------


async def test_what_is_well_is_found_well(nodes: Nodes) -> None:
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A, "one", "two")
    await ledger.append([turn(A, "assistant", "reply", key="api:1"), event(A, "archived")])
    await ledger.erase(Erasure(lines={A: [3]}))
    await begin(ledger, B, "three")
    await ledger.erase(Erasure(streams=[B]))
    assert node.damage() == []


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (
            "UPDATE palaver.lines SET line = replace(line, 'one', 'own') WHERE seq = 1",
            "altered_line",
        ),
        ("DELETE FROM palaver.lines WHERE seq = 1", "altered_line"),
        ("DELETE FROM palaver.lines WHERE seq = 2", "wrong_head"),
        ("UPDATE palaver.streams SET size = size + 1", "wrong_head"),
        ("UPDATE palaver.streams SET chain = ''", "wrong_head"),
        ("UPDATE palaver.streams SET turn = turn + 1", "wrong_head"),
        ("UPDATE palaver.streams SET deleted = true", "unfinished_erasure"),
        ("DELETE FROM palaver.streams", "stray_lines"),
        ("UPDATE palaver.users SET pos = 2", "wrong_counter"),
        ("DELETE FROM palaver.keys", "wrong_key"),
        ("UPDATE palaver.keys SET seq = 1", "wrong_key"),
        ("UPDATE palaver.keys SET seq = 99", "wrong_key"),
    ],
)
async def test_damage_is_found(nodes: Nodes, statement: str, code: str) -> None:
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A, "one")
    await ledger.append([turn(A, "user", "two", key="api:1")])
    nodes.sql(statement)
    assert code in [item.code for item in node.damage()]


async def test_tables_that_do_not_fit_together_take_nothing(nodes: Nodes) -> None:
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A)
    nodes.sql("""
        CREATE FUNCTION drop_it() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
        CREATE TRIGGER drop_it BEFORE INSERT ON palaver.lines
        FOR EACH ROW EXECUTE FUNCTION drop_it();
    """)
    with pytest.raises(StorageFailed):
        await ledger.append([turn(A, "user", "x")])
    assert await ledger.position() == 1


# -- who is told -------------------------------------------------------------------------------


class Following:
    """A follower that keeps a table of its own, and fails in the ways that followers do."""

    def __init__(self) -> None:
        self.how = ""
        self.told: list[tuple[list[Commit], str]] = []

    def apply(self, connection: Connection, commits: Sequence[Commit]) -> None:
        for commit in commits:
            connection.act_for(commit.owner)
            for line in commit.lines:
                values = (commit.before, line.pos)
                connection.run("INSERT INTO followed VALUES (palaver.me(), %s, %s)", values)
        if self.how == "raises":
            raise KeyError("a bug")
        if self.how == "fails":
            connection.run("SELECT 1 / 0")
        if self.how == "fails unseen":
            with pytest.raises(StorageFailed):
                connection.run("SELECT 1 / 0")

    def behind(self, commits: Sequence[Commit], error: Exception) -> None:
        self.told.append((list(commits), type(error).__name__))


@pytest.fixture
def following(nodes: Nodes) -> Following:
    nodes.sql("CREATE TABLE followed (owner bigint, before bigint, pos bigint)")
    nodes.sql("GRANT ALL ON followed TO PUBLIC")
    return Following()


async def test_a_follower_writes_in_the_same_transaction(
    nodes: Nodes, following: Following
) -> None:
    node = nodes(None, following)
    await begin(node.ledger(), A, "one")
    await begin(node.ledger("other"), A, user="other")
    owners = [node.source(user).owner for user in ("local", "other")]
    rows = [(owners[0], 0, 1), (owners[0], 0, 2), (owners[1], 0, 1)]
    assert nodes.sql("SELECT * FROM followed ORDER BY 1, 3") == rows
    nodes.sql("ALTER TABLE palaver.users ADD CHECK (pos < 3)")
    with pytest.raises(StorageFailed):
        await node.ledger().append([turn(A, "user", "too many")])
    assert nodes.sql("SELECT * FROM followed ORDER BY 1, 3") == rows
    assert following.told == []


@pytest.mark.parametrize(
    ("how", "error"),
    [("raises", "KeyError"), ("fails", "StorageFailed"), ("fails unseen", "StorageFailed")],
)
async def test_a_follower_that_fails_keeps_nobody_from_writing(
    nodes: Nodes, following: Following, how: str, error: str
) -> None:
    node = nodes(None, following)
    ledger = node.ledger()
    await begin(ledger, A)
    following.how = how
    (added,) = await ledger.append([turn(A, "user", "x")])
    assert await contents(ledger) == ["x"]
    assert nodes.sql("SELECT pos FROM followed") == [(1,)]
    (((commit,), name),) = following.told
    assert (commit.user, commit.before, commit.pos) == ("local", 1, 2)
    assert [line.raw for line in commit.lines] == [added.line.raw]
    assert name == error
    following.how = ""
    await ledger.append([turn(A, "user", "y")])
    assert nodes.sql("SELECT pos FROM followed ORDER BY 1") == [(1,), (3,)]


async def test_whoever_wants_is_told_after_the_commit(nodes: Nodes) -> None:
    seen: list[tuple[str, int, int, Any]] = []

    def committed(commit: Commit) -> None:
        ((pos,),) = nodes.sql("SELECT pos FROM palaver.users WHERE no = %s", commit.owner)
        seen.append((commit.user, commit.pos, pos, {line.stream for line in commit.lines}))

    node = nodes(None, None, committed)
    ledger = node.ledger()
    await begin(ledger, A, "one")
    await ledger.append([turn(A, "user", "x", key="api:1")])
    await ledger.append([turn(A, "user", "x", key="api:1")])  # nothing new: nobody is told
    await ledger.erase(Erasure(streams=[A]))
    node.committer.close()
    assert seen == [
        ("local", 2, 2, {A}),
        ("local", 3, 3, {A}),
        ("local", 5, 5, {"user"}),
    ]


async def test_a_listener_that_breaks_keeps_nobody_from_writing(
    nodes: Nodes, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(commit: Commit) -> None:
        raise KeyError("a bug")

    node = nodes(None, None, broken)
    ledger = node.ledger()
    await begin(ledger, A, "one")
    await ledger.append([turn(A, "user", "two")])
    assert await contents(ledger) == ["one", "two"]
    node.committer.close()
    assert len(caplog.records) == 2


# -- closing -----------------------------------------------------------------------------------


async def test_what_was_submitted_is_answered_before_it_closes(nodes: Nodes) -> None:
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A)
    waiting = [asyncio.ensure_future(ledger.append([turn(A, "user", str(n))])) for n in range(20)]
    await asyncio.sleep(0)
    await ledger.close()
    await asyncio.gather(*waiting)
    with pytest.raises(StorageFailed):
        await ledger.append([turn(A, "user", "late")])
    again = node.ledger()
    node.committer.close()
    with pytest.raises(StorageFailed):
        await again.append([turn(A, "user", "late")])
    assert len(await contents(again)) == 20


async def test_a_caller_who_goes_away_fails_nobody(nodes: Nodes) -> None:
    free = Event()

    def committed(commit: Commit) -> None:
        free.wait(10)

    node = nodes(None, None, committed)
    ledger = node.ledger()
    await begin(ledger, A)
    waiting = [asyncio.ensure_future(ledger.append([turn(A, "user", str(n))])) for n in range(20)]
    await asyncio.sleep(0)  # they wait: the writer is kept by whom it tells of the first commit
    for gone in waiting[::2]:
        gone.cancel()
    await asyncio.sleep(0)
    free.set()
    await asyncio.gather(*waiting[1::2])
    assert await contents(ledger) == [str(n) for n in range(1, 20, 2)]
    assert node.damage() == []
