"""The cross-user matrix in short, and faults that it must catch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from palaver.agent.tools import table
from palaver.app import Palaver
from palaver.index.postgres.statements import Dialect
from palaver.server.libraries import Libraries
from palaver.server.live.kinds import REQUESTS
from tests.postgres.databases import Databases, looking, ours
from tests.server.matrix import sockets, tools
from tests.server.matrix.positions import Json, Unprobed, ids_in, routes
from tests.server.matrix.proof import prove

LIST = "GET /api/conversations"
CONTINUOUS = (
    "GET /api/continuous ",
    "GET /api/continuous/days ",
    "GET /api/continuous/days/{date}",
    "GET /api/continuous/search",
    "conversation_search",
    "conversation_get",
)


def test_nobody_reaches_what_is_somebody_elses(tmp_path: Path, database_url: str) -> None:
    report = prove(tmp_path, database_url, things=2, step=40)
    assert report.held, str(report)
    assert report.tried > 80


def test_nor_what_is_in_the_home_of_somebody_else(tmp_path: Path) -> None:
    report = prove(tmp_path, None, things=2, step=40)
    assert report.held, str(report)
    assert report.tried > 80


# -- faults that are planted -------------------------------------------------------------------


def test_the_library_of_somebody_else_is_noticed_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, users = Libraries.of, list[str]()

    def wrong(self: Libraries, user: str) -> AbstractAsyncContextManager[Palaver]:
        users.append(user)
        return of(self, users[0])

    monkeypatch.setattr(Libraries, "of", wrong)
    failures = prove(tmp_path, None, things=1, step=1000).failures
    for surface in (
        "GET /api/search",
        "search_conversations",
        "/ws",
        "A socket hears",
        *CONTINUOUS,
    ):
        assert any(one.startswith(surface) for one in failures), failures


@pytest.fixture
def other_database(postgres: Databases) -> Iterator[str]:
    url = postgres.create()
    yield url
    postgres.drop(url)


def test_a_statement_that_does_not_say_whose_rows_is_noticed(
    postgres: Databases,
    tmp_path: Path,
    database_url: str,
    other_database: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With the wall down, as for a superuser; with the wall up nothing comes of it."""
    ours(postgres)  # of another server we do not know the role
    named = Dialect._of  # pyright: ignore[reportPrivateUsage]

    def forgetful(self: Dialect, given: Mapping[str, str], book: str) -> Mapping[str, str]:
        made = dict(named(self, given, book))
        listed = made["list_conversations"]
        made["list_conversations"] = listed.replace(f"book = {self.schema}.{book}\n    AND ", "")
        assert made["list_conversations"] != listed
        return made

    monkeypatch.setattr(Dialect, "_of", forgetful)
    assert not prove(tmp_path / "down", looking(database_url), things=1, only=LIST).held
    report = prove(tmp_path / "up", other_database, things=1, only=LIST)
    assert report.held, str(report)


# -- what nobody has looked at -----------------------------------------------------------------


def test_a_field_that_nobody_has_looked_at_is_noticed() -> None:
    inner: Json = {"items": {"properties": {"threadId": {"type": "string"}}}}
    with pytest.raises(Unprobed, match="threadId"):
        list(ids_in({"properties": {"sources": inner}}, {}))


def test_a_route_that_is_not_described_is_noticed() -> None:
    with pytest.raises(Unprobed, match="is served and not described"):
        routes({"paths": {}})


def test_a_message_that_nobody_has_looked_at_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {one.kind for one in sockets.messages()} == set(REQUESTS)
    monkeypatch.delitem(sockets.SAMPLES, "stop_reply")
    with pytest.raises(Unprobed, match="stop_reply"):
        sockets.messages()


def test_a_tool_that_nobody_has_looked_at_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {tool.name for tool in table.TOOLS} == set(tools.SAMPLES)
    assert [tools.paths(tool) for tool in table.TOOLS][:2] == [[], [("conversationId",)]]
    monkeypatch.delitem(tools.SAMPLES, "fetch_context")
    with pytest.raises(Unprobed, match="fetch_context"):
        [tools.paths(tool) for tool in table.TOOLS]
