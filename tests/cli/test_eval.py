"""`palaver eval`: figures, and files that hold none."""

from __future__ import annotations

from pathlib import Path

import pytest

from palaver.app import Palaver
from tests.cli.commandline import CommandLine
from tests.evaluation.questions import written
from tests.postgres.databases import row_counts


def test_figures_for_people(palaver: CommandLine, tmp_path: Path) -> None:
    outcome = palaver("eval", "longmemeval", str(written(tmp_path / "data.json.xz")))
    assert outcome.status == 0
    lines = [line.split() for line in outcome.out.splitlines()]
    assert ["By", "words"] in lines
    assert ["conversations", "rounds"] in lines
    figures = ["any@5", "all@5", "all@10", "all@5", "all@10", "mrr"]
    assert ["question", "type", "number", *figures] in lines
    assert ["single-session-user", "1", *["100.0%"] * 6] in lines
    assert "A search took " in outcome.out


def test_figures_as_json(palaver: CommandLine, tmp_path: Path) -> None:
    path = written(tmp_path / "data.json")
    document = palaver("eval", "longmemeval", str(path), "--limit", "1", "--json").json
    found = document["modes"]["fullText"]
    assert found["questions"] == 1
    assert found["conversations"] == {"any@5": 1, "all@5": 1, "all@10": 1}
    assert found["rounds"] == {"all@5": 1, "all@10": 1, "mrr": 1}
    assert list(found["byType"]) == ["single-session-user"]
    assert 0 < found["latencyMs"]["p50"] <= found["latencyMs"]["p95"]


def test_the_own_home_is_left_alone(nowhere: CommandLine, tmp_path: Path) -> None:
    outcome = nowhere("eval", "longmemeval", str(written(tmp_path / "data.json")), "--limit", "1")
    assert outcome.status == 0
    assert not nowhere.home.exists()


def test_vectors_are_kept_for_the_next_run(palaver: CommandLine, tmp_path: Path) -> None:
    path, vectors = str(written(tmp_path / "data.json")), tmp_path / "vectors"
    for _ in range(2):
        outcome = palaver("eval", "longmemeval", path, "--vectors", str(vectors), "--json")
        assert list(outcome.json["modes"]) == ["fullText", "hybrid"]
        assert vectors.stat().st_size > 5 * 384 * 4
    vectors.write_text("something else")
    refused = palaver("eval", "longmemeval", path, "--vectors", str(vectors))
    assert (refused.status, refused.out) == (2, "")
    assert vectors.read_text() == "something else"


def test_another_file_is_refused(palaver: CommandLine, tmp_path: Path) -> None:
    outcome = palaver("eval", "longmemeval", str(written(tmp_path / "data.json", {"a": 1})))
    assert (outcome.status, outcome.out) == (2, "")
    assert "holds no list of questions." in outcome.err


def test_an_engine_that_is_not_there_is_refused(palaver: CommandLine, tmp_path: Path) -> None:
    path = str(written(tmp_path / "data.json"))
    outcome = palaver("eval", "longmemeval", path, "--engine", "postgres")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("--engine postgres needs a database.\n")
    assert palaver("eval", "longmemeval", path, "--engine", "mysql").status == 2
    assert palaver("eval", "longmemeval", path, "--limit", "0").status == 2


def test_a_database_gives_the_same_figures_and_is_left_as_it_was(
    palaver: CommandLine, tmp_path: Path, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_DATABASE_URL", database_url)
    palaver.library(said)
    before = row_counts(database_url)
    path = str(written(tmp_path / "data.json"))
    figures = [
        palaver("eval", "longmemeval", path, "--engine", engine, "--json").json["modes"]
        for engine in ("sqlite", "postgres")
    ]
    for modes in figures:
        assert list(modes) == ["fullText", "hybrid"]
        for mode in modes.values():
            del mode["latencyMs"]
    assert figures[0] == figures[1]
    assert row_counts(database_url) == before


async def said(palaver: Palaver) -> None:
    await palaver.send("Mine")
    await palaver.settle()
