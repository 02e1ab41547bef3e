"""Vectors in PostgreSQL: whose they are, and when there is a graph of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import numpy as np
import psycopg
import pytest

from palaver.errors import StorageFailed
from palaver.index.postgres.vectors import Graphs, PostgresVectors
from palaver.index.postgres.vectors.statements import QUERIES, for_model, signed, written
from palaver.ledger.postgres import PostgresSource
from palaver.postgres import Pool
from tests.index.vectors.spaces import DIMENSIONS, MODEL, fill, keys, query, shorts, vectors
from tests.postgres.databases import looking

GRAPHS = """
    SELECT indexrelid::regclass::text, indisvalid
    FROM pg_index JOIN pg_class ON indexrelid = oid WHERE relname LIKE 'vectors_near%'
"""
SPOIL = """
    UPDATE pg_index SET indisvalid = false
    WHERE indexrelid = 'palaver.vectors_near_2_1'::regclass
"""
OTHERS = """
    INSERT INTO palaver.vectors (owner, model, short, key, vector)
    SELECT owner, 1, 1, '', array_fill(0.1, '{384}')::halfvec(384)
    FROM generate_series(100, 5000) AS owner
"""
PLANNED = """
    SELECT generic_plans::int FROM pg_prepared_statements
    WHERE statement LIKE '%%vector <=>%%' AND custom_plans > 1
"""
MAKING = """
    SELECT pid FROM pg_stat_activity
    WHERE query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock'
"""

Sql = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def sql(database_url: str) -> Iterator[Sql]:
    """What somebody does who is no node."""
    with psycopg.connect(looking(database_url), autocommit=True) as connection:

        def run(statement: Any, *values: Any) -> list[tuple[Any, ...]]:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

        yield run


@pytest.fixture
def store(pool: Pool, owner: int) -> PostgresVectors:
    return PostgresVectors(pool, owner, MODEL, DIMENSIONS)


def plan_of(pool: Pool, owner: int, name: str, **values: Any) -> str:
    """How the server goes about a statement."""
    with pool.connection(owner) as connection, connection.reading():
        ((number, _),) = connection.all(QUERIES["model"], (MODEL,))
        values |= {"owner": owner, "model": number, "query": written(query(7)), "count": 60}
        statement = f"EXPLAIN {for_model(name, DIMENSIONS)}"
        _, answer = connection.together((QUERIES["plan"], ("100",)), (statement, values))
    return "\n".join(line for (line,) in answer.rows)


def test_users_are_apart(pool: Pool, store: PostgresVectors) -> None:
    other = PostgresVectors(pool, PostgresSource(pool, "other").owner, MODEL, DIMENSIONS)
    fill(store, 0, 50)
    other.put(keys(0, 100), vectors(100, 200))
    assert (store.models(), other.models()) == ({MODEL: 50}, {MODEL: 100})
    assert set(store.nearest(query(7), 100)[0].tolist()) == set(shorts(0, 50).tolist())
    assert store.cosines(vectors(7, 8)[0], shorts(7, 8))[0] == pytest.approx(1, abs=1e-3)
    assert other.cosines(vectors(107, 108)[0], shorts(7, 8))[0] == pytest.approx(1, abs=1e-3)
    assert not store.holds(shorts(50, 100)).any()
    assert store.delete(keys(0, 100)) == 50
    assert (store.keys(), len(other.keys())) == ([], 100)


def test_without_an_owner_there_is_nothing_to_see(pool: Pool, store: PostgresVectors) -> None:
    fill(store, 0, 3)
    asked: dict[str, Any] = {
        "owner": 2,
        "model": 1,
        "query": written(query(1)),
        "count": 1,
        "most": 9,
    }
    asked |= {"keys": signed(shorts(0, 3))}
    for name in ("keys", "counts", "holds", "cosines", "nearest_of_these", "graphs", "part"):
        with (
            pytest.raises(StorageFailed),
            pool.connection() as connection,
            connection.reading(),
        ):
            connection.all(QUERIES[name], asked)
    with pool.connection(99) as connection, connection.reading():
        assert connection.all(QUERIES["keys"], asked) == []


def test_another_database_has_another_stamp(store: PostgresVectors, sql: Sql) -> None:
    stamp = store.stamp()
    assert store.stamp() == stamp
    sql("TRUNCATE palaver.models, palaver.vectors")
    assert store.stamp() != stamp
    fill(store, 0, 3)
    assert store.models() == {MODEL: 3}


def test_several_nodes_put_the_same_and_other_texts(store: PostgresVectors) -> None:
    def put(start: int) -> None:
        fill(store, start, start + 200, at_once=50)

    with ThreadPoolExecutor(4) as nodes:
        list(nodes.map(put, range(0, 200, 50)))
    assert sorted(store.keys()) == sorted(keys(0, 350))


# -- graphs --------------------------------------------------------------------------------------


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_a_graph_comes_when_there_are_many_and_goes_when_there_are_few(
    pool: Pool, owner: int, store: PostgresVectors, sql: Sql
) -> None:
    graphs = Graphs(pool, MODEL)
    assert not graphs.tend(owner)
    fill(store, 0, 199)
    assert not graphs.tend(owner)
    fill(store, 199, 200)
    assert graphs.tend(owner)
    assert not graphs.tend(owner)
    (graph,) = sql(GRAPHS)
    assert graph == ("palaver.vectors_near_2_1", True)
    store.delete(keys(0, 150))
    assert not graphs.tend(owner)
    assert sql(GRAPHS) == [graph]
    store.delete(keys(150, 151))
    assert graphs.tend(owner)
    assert sql(GRAPHS) == []


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_the_graph_answers_and_only_one_part_is_looked_at(
    pool: Pool, owner: int, store: PostgresVectors
) -> None:
    fill(store, 0, 600)
    many = signed(shorts(0, 500))
    assert "vectors_near" not in plan_of(pool, owner, "nearest")
    Graphs(pool, MODEL).tend(owner)
    assert "Index Scan using vectors_near_2_1" in plan_of(pool, owner, "nearest")
    assert "vectors_near_2_1" in plan_of(pool, owner, "nearest_among", keys=many)
    assert "vectors_near" not in plan_of(pool, owner, "nearest_of_these", keys=many)
    for name in ("nearest", "nearest_among", "nearest_of_these", "cosines", "holds", "keys"):
        plan = plan_of(pool, owner, name, keys=many)
        assert len(set(re.findall(r"vectors_(\d+)", plan))) == 1


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_the_graph_answers_whatever_the_server_thinks_how_many_there_are(
    pool: Pool, owner: int, store: PostgresVectors, sql: Sql
) -> None:
    """It counts now and then: for a user who has learned much since, it thinks of few vectors."""
    store.open()
    sql(OTHERS)
    sql("ANALYZE palaver.vectors")
    fill(store, 0, 300)
    Graphs(pool, MODEL).tend(owner)
    assert "Index Scan using vectors_near_2_1" in plan_of(pool, owner, "nearest")


def test_prepared_statements_are_planned_for_their_values(
    pool: Pool, store: PostgresVectors
) -> None:
    fill(store, 0, 300)
    for number in range(20):
        store.cosines(query(number), shorts(0, 300))
    with pool.connection() as connection:
        assert connection.all(PLANNED) == [(0,)]


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_a_graph_that_gives_up_is_not_the_last_word(
    pool: Pool, owner: int, store: PostgresVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may meet too few of the keys before it has looked at as many as it may."""
    fill(store, 0, 1000)
    Graphs(pool, MODEL).tend(owner)
    shy = QUERIES["plan"].replace("'relaxed_order'", "'off'")
    monkeypatch.setitem(QUERIES, "plan", shy)  # pyright: ignore[reportArgumentType]
    among = shorts(900, 1000)
    found, cosines = store.nearest(query(7), 50, among)
    true = np.sort(vectors(900, 1000) @ query(7))[::-1]
    np.testing.assert_allclose(cosines, true[:50], atol=4e-3)
    assert set(found.tolist()) <= set(among.tolist())


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_an_unfinished_graph_is_made_again(
    pool: Pool, owner: int, store: PostgresVectors, sql: Sql
) -> None:
    fill(store, 0, 300)
    graphs = Graphs(pool, MODEL)
    graphs.tend(owner)
    sql(SPOIL)
    assert store.nearest(query(7), 1)[0].tolist() == shorts(7, 8).tolist()
    assert graphs.tend(owner)
    assert sql(GRAPHS) == [("palaver.vectors_near_2_1", True)]


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_one_node_makes_it_and_the_others_do_not_wait(
    pool: Pool, owner: int, store: PostgresVectors, sql: Sql, database_url: str
) -> None:
    fill(store, 0, 300)
    graphs = Graphs(pool, MODEL)
    with ThreadPoolExecutor(1) as node, psycopg.connect(database_url) as reader:
        reader.execute("LOCK TABLE palaver.vectors IN ROW EXCLUSIVE MODE")  # is waited for
        making = node.submit(graphs.tend, owner)
        begun(sql)
        assert not Graphs(pool, MODEL).tend(owner)
        fill(store, 300, 310)
        reader.rollback()
        assert making.result()
    assert sql(GRAPHS) == [("palaver.vectors_near_2_1", True)]
    assert store.nearest(query(305), 1)[0].tolist() == shorts(305, 306).tolist()


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_making_it_is_cut_short_when_the_node_stops(
    pool: Pool, owner: int, store: PostgresVectors, sql: Sql, database_url: str
) -> None:
    fill(store, 0, 300)
    graphs = Graphs(pool, MODEL)
    with ThreadPoolExecutor(1) as node, psycopg.connect(database_url) as reader:
        reader.execute("LOCK TABLE palaver.vectors IN ROW EXCLUSIVE MODE")
        making = node.submit(graphs.tend, owner)
        begun(sql)
        graphs.stop()
        assert not making.result()
    assert not graphs.tend(owner)
    assert Graphs(pool, MODEL).tend(owner)
    assert sql(GRAPHS) == [("palaver.vectors_near_2_1", True)]


def begun(sql: Sql) -> None:
    """Waits until somebody makes a graph."""
    for _ in range(500):
        if sql(MAKING):
            return
        Event().wait(0.01)
    raise AssertionError("Nobody makes a graph.")


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_nodes_with_another_model_leave_the_graph_alone(
    pool: Pool, owner: int, store: PostgresVectors, sql: Sql
) -> None:
    fill(store, 0, 300)
    Graphs(pool, MODEL).tend(owner)
    other = Graphs(pool, "other/2")
    assert not other.tend(owner)
    store.delete(keys(0, 300))
    assert other.tend(owner)
    assert sql(GRAPHS) == []


@pytest.mark.usefixtures("graphs_are_worth_it")
def test_the_graph_of_another_user_is_not_touched(
    pool: Pool, owner: int, store: PostgresVectors, sql: Sql
) -> None:
    second = PostgresSource(pool, "other").owner
    fill(store, 0, 300)
    fill(PostgresVectors(pool, second, MODEL, DIMENSIONS), 0, 250)
    graphs = Graphs(pool, MODEL)
    assert graphs.tend(owner)
    assert graphs.tend(second)
    store.delete(keys(0, 300))
    assert graphs.tend(owner)
    assert sql(GRAPHS) == [(f"palaver.vectors_near_{second}_1", True)]
