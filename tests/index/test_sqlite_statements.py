"""The statements: each is used, each can be run, and none reads more than it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from palaver.index.sqlite.database import Database, create
from palaver.index.sqlite.statements import LIVE, NEW, QUERIES, QUERIES_OF, SCHEMA

SELECTIVE = [
    "stream",
    "conversation",
    "list_conversations",
    "pinned_conversation",
    "pinned_with",
    "delivery_by_id",
    "deliveries_by_id",
    "outbox",
    "delete_deliveries",
    "external",
    "external_of",
    "list_externals",
    "some_externals",
    "external_message_by_id",
    "external_messages_of_stream",
    "external_messages_of_lines",
    "external_taken",
    "external_words",
    "delete_external_message",
    "delete_external_messages",
    "delete_external_word",
    "delete_external_words",
    "owed",
    "titles",
    "message_at",
    "message_by_id",
    "messages_by_id",
    "messages_before",
    "messages_from",
    "messages_of_turns",
    "messages_of_stream",
    "reply",
    "activity",
    "dependents",
    "delete_messages",
    "delete_sources",
    "newest_summary",
    "delete_summary",
    "delete_summaries",
    "outdate_summaries",
    "newest_state",
    "state_at",
    "hashes_within",
    "places_of_states",
    "forget_states",
    "messages_of_lines",
    "ids_of_lines",
    "some_conversations",
    "names_of_streams",
    "said",
    "still_waiting",
    "stop_waiting",
    "columns",
    "segment",
    "posting",
    "some_postings",
    "next_with_postings",
]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    create(tmp_path / "conversations.db")
    database = Database(tmp_path / "conversations.db")
    yield database
    database.close()


def values_for(sql: str) -> Any:
    names = re.findall(r":(\w+)", sql)
    return dict.fromkeys(names, 1) if names else (1,) * sql.count("?")


@pytest.mark.parametrize("name", SELECTIVE)
def test_a_long_history_costs_no_more_than_a_short_one(database: Database, name: str) -> None:
    rows = database.all(f"EXPLAIN QUERY PLAN {QUERIES[name]}", values_for(QUERIES[name]))
    given = "SCAN w VIRTUAL TABLE"  # what is asked for, as a list
    plan = [row[3] for row in rows if not row[3].startswith(given)]
    assert any("SEARCH" in step for step in plan)
    assert not any("SCAN" in step for step in plan), plan


def test_each_statement_is_used() -> None:
    packages = [files(f"palaver.index.{name}") for name in ("sqlite", "stored", "fulltext")]
    sources = [file for package in packages for file in package.iterdir()]
    code = "".join(file.read_text() for file in sources if file.name.endswith(".py"))
    assert {name for name in [*QUERIES, *SCHEMA] if f'"{name}"' not in code} == set()


def test_a_name_in_brackets_belongs_to_a_set_of_tables() -> None:
    assert QUERIES_OF[LIVE]["stop_waiting"] == "DELETE FROM [waiting] WHERE place = ?;"
    assert QUERIES_OF[NEW]["stop_waiting"] == "DELETE FROM [new_waiting] WHERE place = ?;"
