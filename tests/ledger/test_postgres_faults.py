"""A server that goes, is full or is held: nothing acknowledged is lost, nothing is doubled."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import count

import pytest

from palaver.errors import (
    AlreadyExists,
    PalaverError,
    StorageBusy,
    StorageFailed,
    StorageFull,
    StorageUncertain,
    StorageUnreachable,
)
from palaver.ledger.lines import turn
from palaver.ledger.postgres import Commit, PostgresLedger
from palaver.ledger.postgres.fate import is_stored
from palaver.ledger.postgres.tasks import Task
from palaver.postgres import Connection
from tests.ledger.nodes import A, B, Nodes, begin, contents
from tests.postgres.databases import Databases, ours
from tests.postgres.proxy import Cut, Proxy
from tests.postgres.server import Stop

CUTS: list[Cut] = ["before commit", "after commit", "shut down after commit"]
KILL_ALL = """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
    WHERE application_name = 'palaver' AND datname = current_database()
"""


@pytest.fixture
def proxy(postgres: Databases, nodes: Nodes) -> Iterator[Proxy]:
    ours(postgres)  # another server may not be reached by a socket
    proxy = Proxy(nodes.url)
    yield proxy
    proxy.close()


# -- the server goes ---------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["INT", "QUIT"])
async def test_a_server_restarted_among_appends(
    nodes: Nodes, postgres: Databases, how: Stop
) -> None:
    server, node = ours(postgres), nodes()
    ledger = node.ledger()
    await begin(ledger, A)
    met: list[PalaverError] = []
    stored: list[str] = []
    over = asyncio.Event()

    async def talk(name: int) -> None:
        for number in count():
            await say_until_stored(ledger, f"{name}:{number}", met)
            stored.append(f"{name}:{number}")
            if over.is_set():
                return

    async def restart() -> None:
        while len(stored) < 40:
            await ledger.position()
        await asyncio.to_thread(server.stop, how)
        with pytest.raises(StorageUnreachable):
            await ledger.read(A)
        await asyncio.to_thread(server.start)
        over.set()

    await asyncio.gather(*(talk(name) for name in range(8)), restart())
    assert sorted(await contents(ledger)) == sorted(stored)
    assert {type(error) for error in met} <= {StorageUnreachable, StorageUncertain}
    assert all(error.retriable for error in met)
    assert [line.pos for line in await ledger.read(A)] == list(range(1, len(stored) + 2))
    assert node.damage() == []


async def say_until_stored(ledger: PostgresLedger, text: str, met: list[PalaverError]) -> None:
    """Sends it again with the same key, as a client does."""
    while True:
        try:
            await ledger.append([turn(A, "user", text, key=f"api:{text}")])
        except StorageFailed as error:
            met.append(error)
        else:
            return


async def test_nothing_is_acknowledged_while_the_server_is_down(
    nodes: Nodes, postgres: Databases
) -> None:
    server, ledger = ours(postgres), nodes().ledger()
    await begin(ledger, A)
    server.stop()
    with pytest.raises(StorageUnreachable) as caught:
        await ledger.append([turn(A, "user", "x")])
    server.start()
    assert caught.value.code == "storage_unreachable"
    assert "palaver-pg" not in str(caught.value)
    await ledger.append([turn(A, "user", "y")])
    assert await contents(ledger) == ["y"]


class Killer:
    """A follower that has the connection killed in the middle of a transaction."""

    def __init__(self, nodes: Nodes, times: int) -> None:
        self._nodes = nodes
        self.times = times

    def apply(self, connection: Connection, commits: Sequence[Commit]) -> None:
        if self.times:
            self.times -= 1
            self._nodes.sql("SELECT pg_terminate_backend(%s, 5000)", connection.process)

    def behind(self, commits: Sequence[Commit], error: Exception) -> None:
        raise AssertionError(error)


async def test_a_connection_that_was_killed_while_idle_is_not_noticed(nodes: Nodes) -> None:
    ledger = nodes().ledger()
    await begin(ledger, A)
    nodes.sql(KILL_ALL)
    await ledger.append([turn(A, "user", "x")])
    nodes.sql(KILL_ALL)
    assert await contents(ledger) == ["x"]


async def test_a_connection_that_is_killed_before_the_commit(nodes: Nodes) -> None:
    killer = Killer(nodes, 0)
    ledger = nodes(None, killer).ledger()
    await begin(ledger, A)
    killer.times = 1
    await ledger.append([turn(A, "user", "x", key="api:1")])  # the second try came through
    killer.times = 2
    with pytest.raises(StorageUnreachable):
        await ledger.append([turn(A, "user", "y", key="api:2")])
    assert await contents(ledger) == ["x"]
    await ledger.append([turn(A, "user", "y", key="api:2")])
    assert await contents(ledger) == ["x", "y"]


async def test_a_connection_that_is_killed_by_the_commit_itself(nodes: Nodes) -> None:
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A)
    nodes.sql("""
        CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
        CREATE CONSTRAINT TRIGGER die AFTER INSERT ON palaver.lines
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die();
    """)
    with pytest.raises(StorageUnreachable):
        await ledger.append([turn(A, "user", "x")])
    nodes.sql("DROP FUNCTION die CASCADE")
    await ledger.append([turn(A, "user", "y")])
    assert await contents(ledger) == ["y"]
    assert node.damage() == []


@pytest.mark.parametrize("cut", CUTS)
async def test_a_line_that_is_cut_at_the_commit(nodes: Nodes, proxy: Proxy, cut: Cut) -> None:
    """Whether the server had committed is found out, and the message is there once."""
    node = nodes(proxy.url)
    ledger = node.ledger()
    await begin(ledger, A)
    proxy.cut = cut
    (added,) = await ledger.append([turn(A, "user", "x")])
    assert proxy.cuts == 1
    assert not added.replayed
    assert (await ledger.read(A))[1].raw == added.line.raw
    assert await contents(ledger) == ["x"]
    assert await ledger.position() == 2
    assert node.damage() == []


@pytest.mark.parametrize("cut", CUTS)
async def test_a_server_that_goes_at_the_commit_and_stays_away(
    nodes: Nodes, proxy: Proxy, cut: Cut
) -> None:
    """Nobody can know; but with the same key it is stored once, whatever happened."""
    ledger = nodes(proxy.url, patience=0.2).ledger()
    await begin(ledger, A)
    proxy.cut, proxy.stays_down = cut, True
    with pytest.raises(StorageUncertain):
        await ledger.append([turn(A, "user", "x", key="api:1")])
    elsewhere = nodes().ledger()
    (again,) = await elsewhere.append([turn(A, "user", "x", key="api:1")])
    assert again.replayed == (cut != "before commit")
    assert await contents(elsewhere) == ["x"]


async def test_others_numbers_are_not_taken_for_ours(nodes: Nodes) -> None:
    """Another node may have committed at the very position before the fate is looked for."""
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A, "theirs")
    _, theirs = await ledger.read(A)
    other = b"1" if theirs.raw[-3:-2] == b"0" else b"0"  # the last digit of its chain
    ours = theirs.replace(theirs.raw[:-3] + other + b'"}')
    owner = node.source().owner
    assert is_stored(node.pool, [Commit(owner, "local", 1, [theirs])], 1)
    assert not is_stored(node.pool, [Commit(owner, "local", 1, [ours])], 1)


# -- the server is full, or refuses ------------------------------------------------------------


async def test_a_full_disk_refuses_and_leaves_no_trace(nodes: Nodes) -> None:
    node = nodes()
    ledger = node.ledger()
    await begin(ledger, A)
    refuse(nodes, "53100")
    with pytest.raises(StorageFull) as caught:
        await ledger.append([turn(A, "user", "poison", key="api:1")])
    assert (caught.value.code, caught.value.retriable) == ("storage_full", True)
    assert "secret" not in str(caught.value)
    assert await ledger.position() == 1
    nodes.sql("DROP FUNCTION refuse CASCADE")
    await ledger.append([turn(A, "user", "poison", key="api:1")])
    assert await contents(ledger) == ["poison"]
    assert node.damage() == []


async def test_what_the_server_refuses_does_not_fail_others(nodes: Nodes) -> None:
    node = nodes()
    ledger, other = node.ledger(), node.ledger("other")
    await begin(ledger, A)
    await begin(other, A, user="other")
    refuse(nodes, "22000")
    said = [*"abc", "poison", *"def"]
    with nodes.held("local"):  # so that they all wait, and go into one commit
        waiting = [
            asyncio.ensure_future(ledger.append([turn(A, "user", content)])) for content in said
        ]
        waiting.append(asyncio.ensure_future(other.append([turn(A, "user", "x")])))
        await waiting[-1]
    results = await asyncio.gather(*waiting, return_exceptions=True)
    failed = [item for item in results if isinstance(item, BaseException)]
    assert [type(error) for error in failed] == [StorageFailed]
    assert "secret" not in str(failed[0])
    assert sorted(await contents(ledger)) == list("abcdef")
    assert await ledger.position() == 7
    assert node.damage() == []


def refuse(nodes: Nodes, state: str) -> None:
    nodes.sql(f"""
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.line LIKE '%poison%' THEN
                RAISE EXCEPTION 'secret' USING ERRCODE = '{state}';
            END IF;
            RETURN NEW;
        END $$;
        CREATE TRIGGER refuse BEFORE INSERT ON palaver.lines
        FOR EACH ROW EXECUTE FUNCTION refuse();
    """)


# -- somebody holds what is needed -------------------------------------------------------------


async def test_a_user_who_is_held_is_refused_in_time_and_keeps_nobody_waiting(
    nodes: Nodes,
) -> None:
    node = nodes(lock_seconds=0.3)
    ledger, other = node.ledger(), node.ledger("other")
    await begin(ledger, A)
    await begin(other, A, user="other")
    with nodes.held("local"):
        held = asyncio.ensure_future(ledger.append([turn(A, "user", "x")]))
        for number in range(10):
            await other.append([turn(A, "user", str(number))])
        assert not held.done()
        with pytest.raises(StorageBusy) as caught:
            await held
    assert (caught.value.code, caught.value.retriable) == ("storage_busy", True)
    await ledger.append([turn(A, "user", "y")])
    assert await contents(ledger) == ["y"]


async def test_a_user_who_is_let_go_in_time_is_stored(nodes: Nodes) -> None:
    ledger = nodes().ledger()
    await begin(ledger, A)
    with nodes.held("local"):
        first = asyncio.ensure_future(ledger.append([turn(A, "user", "x")]))
        second = asyncio.ensure_future(ledger.append([turn(A, "user", "y")]))
        await ledger.read(A)
    await asyncio.gather(first, second)
    assert sorted(await contents(ledger)) == ["x", "y"]


async def test_nobody_is_forgotten_who_waits_for_the_same_user(nodes: Nodes) -> None:
    node = nodes()
    await begin(node.ledger(), A)
    owner = node.source().owner
    tasks = [Task(owner, "local", [turn(A, "user", str(number))]) for number in range(5)]
    with nodes.held("local"):
        for task in tasks:
            assert task.future.set_running_or_notify_cancel()
            node.committer._stick([task])  # pyright: ignore[reportPrivateUsage]
    for task in tasks:
        assert len(await asyncio.wrap_future(task.future)) == 1
    assert sorted(await contents(node.ledger())) == list("01234")


async def test_a_pool_without_a_free_connection_refuses_in_time(nodes: Nodes) -> None:
    node = nodes(size=1, wait_seconds=0.1)
    ledger = node.ledger()
    await begin(ledger, A)
    with node.pool.connection():
        with pytest.raises(StorageBusy):
            await ledger.append([turn(A, "user", "x")])
        with pytest.raises(StorageBusy):
            await ledger.read(A)
    await ledger.append([turn(A, "user", "y")])
    assert await contents(ledger) == ["y"]


# -- several nodes -----------------------------------------------------------------------------


async def test_two_nodes_write_without_gaps_and_in_order(nodes: Nodes) -> None:
    both = [nodes(), nodes()]
    ledgers = [node.ledger(user) for node in both for user in ("local", "other")]
    for ledger, user in zip(ledgers[:2], ("local", "other"), strict=True):
        await begin(ledger, A, user=user)
        await begin(ledger, B, user=user)

    async def talk(ledger: PostgresLedger, name: str) -> None:
        for number in range(15):
            await ledger.append([turn((A, B)[number % 2], "user", f"{name}{number}")])

    await asyncio.gather(
        *(talk(ledger, f"{n}-{m}-") for n, ledger in enumerate(ledgers) for m in range(3))
    )
    for ledger in ledgers[:2]:
        streams = [await ledger.read(A), await ledger.read(B)]
        assert sorted(line.pos for lines in streams for line in lines) == list(range(1, 93))
        for lines in streams:
            assert [line.data["seq"] for line in lines] == list(range(len(lines)))
            assert [line.pos for line in lines] == sorted(line.pos for line in lines)
            said = [line.data["content"] for line in lines[1:]]
            for name in {text.rpartition("-")[0] for text in said}:
                own = [int(text.rpartition("-")[2]) for text in said if text.startswith(name)]
                assert own == sorted(own)
    assert both[0].damage() == both[1].damage("other") == []


async def test_two_nodes_begin_the_same_stream(nodes: Nodes) -> None:
    ledgers = [nodes().ledger() for _ in range(2)]
    for number in range(10):
        stream = f"conv-{number}"
        results = await asyncio.gather(
            *(begin(ledger, stream, "x") for ledger in ledgers), return_exceptions=True
        )
        assert {type(item) for item in results} == {type(None), AlreadyExists}
        assert await contents(ledgers[0], stream) == ["x"]


async def test_two_nodes_use_the_same_key(nodes: Nodes) -> None:
    ledgers = [nodes().ledger() for _ in range(2)]
    await begin(ledgers[0], A)
    for number in range(10):
        draft = turn(A, "user", "x", key=f"api:{number}")
        answers = await asyncio.gather(*(ledger.append([draft]) for ledger in ledgers))
        assert sorted(item.replayed for (item,) in answers) == [False, True]
        assert len({item.line.raw for (item,) in answers}) == 1
    assert len(await contents(ledgers[0])) == 10


async def test_the_same_key_of_two_users_is_two_keys(nodes: Nodes) -> None:
    node = nodes()
    for user in ("local", "other"):
        ledger = node.ledger(user)
        await begin(ledger, A, user=user)
        (added,) = await ledger.append([turn(A, "user", f"of {user}", key="api:1")])
        assert not added.replayed
        assert await contents(ledger) == [f"of {user}"]
