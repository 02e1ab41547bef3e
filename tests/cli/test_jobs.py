"""`palaver jobs` and `palaver worker`."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from palaver.jobs import Job
from tests.cli.commandline import PROGRAM, CommandLine
from tests.jobs.brought import Chores, bring
from tests.postgres.databases import looking


@pytest.fixture
def on_database(
    palaver: CommandLine, database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> CommandLine:
    monkeypatch.setenv("PALAVER_DATABASE_URL", database_url)
    monkeypatch.setenv("PALAVER_JOBS__WORKER", "false")
    return replace(palaver, home=tmp_path / "nowhere")


def vectors(url: str) -> int:
    with psycopg.connect(looking(url)) as connection:
        (row,) = connection.execute("SELECT count(*) FROM palaver.vectors").fetchall()
        return row[0]


@contextmanager
def worker_of(url: str, home: Path) -> Generator[subprocess.Popen[str]]:
    """A worker of a database, which is ended with the block whatever happens in it."""
    command = [PROGRAM, "worker", "--database-url", url, "--home", str(home)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as worker:
        try:
            yield worker
        finally:
            worker.kill()


# -- in a home -----------------------------------------------------------------------------------


def test_everything_is_done(palaver: CommandLine) -> None:
    palaver("chat", "Tea at nine")
    palaver("jobs", "retry", "embedding:local")
    assert palaver("jobs", "list").out == "Everything is done.\n"
    assert palaver("jobs", "list", "--json").json == {"jobs": []}


def test_what_is_due_is_listed_and_done(palaver: CommandLine) -> None:
    palaver("chat", "Tea at nine")
    (palaver.home / "conversations" / "conversations.db").unlink()
    (job,) = palaver("jobs", "list", "--json").json["jobs"]
    assert (job["id"], job["state"], job["user"]) == ("rebuild:local", "pending", "local")
    listed = palaver("jobs", "list")
    assert "pending    rebuild:local" in listed.out
    typo = palaver("jobs", "retry", "rebuild:locl")
    assert (typo.status, "Did you mean rebuild:local?" in typo.err) == (3, True)
    other = palaver("jobs", "retry", "digest:usr-ann")
    assert (other.status, "These are due: rebuild:local." in other.err) == (3, True)
    assert palaver("jobs", "retry", "nonsense").status == 2
    done = palaver("jobs", "retry", "rebuild:local")
    assert (done.status, done.out) == (0, "It is done.\n")


def test_a_job_of_a_home_is_cancelled_where_it_runs(palaver: CommandLine) -> None:
    palaver("chat", "Tea at nine")
    (palaver.home / "conversations" / "conversations.db").unlink()
    refused = palaver("jobs", "cancel", "rebuild:local")
    assert (refused.status, "/api/jobs/" in refused.err) == (3, True)


def test_one_of_many_is_done_and_no_other(
    palaver: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    chores = Chores("sweep", "dust")
    chores.broken = {"dust"}
    bring(chores, monkeypatch)
    done = palaver("jobs", "retry", "chore:local:sweep")
    assert (done.status, done.out) == (0, "It is done.\n")
    assert chores.done == ["sweep"]
    failed = palaver("jobs", "retry", "chore:local:dust")
    assert (failed.status, "The broom is broken." in failed.out) == (1, True)
    again = palaver("jobs", "retry", "chore:local:sweep")
    assert (again.status, "There is no job" in again.err) == (3, True)
    assert palaver("jobs", "cancel", "chore:local:dust").status == 3


def test_long_lists_stay_readable(palaver: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def due_in(*_: object) -> list[Job]:
        chores = [f"chore:local:c{number:03}" for number in range(count)]
        failed = Job(id="chore:local:z", kind="chore", user="local", state="failed")
        waiting = [Job(id=one, kind="chore", user="local", state="pending") for one in chores]
        return [*waiting, failed]

    monkeypatch.setattr("palaver.jobs.embedded.glance.due_in", due_in)
    count = 50
    lines = palaver("jobs", "list").out.splitlines()
    assert len(lines) == 22
    assert lines[19:] == [
        "pending    chore:local:c019",
        "failed     chore:local:z",
        "           and 30 more of chore",
    ]
    assert len(palaver("jobs", "list", "--json").json["jobs"]) == 51
    count = 200
    assert palaver("jobs", "list").out.endswith("and at least 180 more of chore\n")


def test_there_is_no_home_to_look_at(nowhere: CommandLine) -> None:
    assert nowhere("jobs", "list").status == 3


def test_a_worker_needs_a_database(palaver: CommandLine) -> None:
    refused = palaver("worker")
    assert (refused.status, "PALAVER_DATABASE_URL" in refused.err) == (2, True)


# -- on a database -------------------------------------------------------------------------------


def test_jobs_wait_for_a_worker(on_database: CommandLine, database_url: str) -> None:
    on_database("chat", "Tea at nine")
    listed = on_database("jobs", "list")
    assert "pending    embedding:local" in listed.out
    assert "No worker is running." in listed.err
    checks = {check["name"]: check for check in on_database("doctor", "--json").json["checks"]}
    assert checks["jobs"]["status"] == "warn"
    assert "Workers alive: 0. Jobs due: 1." in checks["jobs"]["message"]
    cancelled = on_database("jobs", "cancel", "embedding:local", "--json").json
    assert cancelled["state"] == "cancelled"
    assert "cancelled  embedding:local" in on_database("jobs", "list", "--everyone").out
    assert on_database("jobs", "list", "--user", "usr-ann").status == 3
    retried = on_database("jobs", "retry", "embedding:local", "--json").json
    assert retried["state"] == "pending"

    with worker_of(database_url, on_database.home) as worker:
        deadline = time.monotonic() + 40
        while vectors(database_url) == 0 and time.monotonic() < deadline:
            time.sleep(0.1)
        while on_database("jobs", "list").out != "Everything is done.\n":
            assert time.monotonic() < deadline
        checks = {check["name"]: check for check in on_database("doctor", "--json").json["checks"]}
        assert checks["jobs"]["message"] == "Workers alive: 1. Jobs due: 0."
        worker.send_signal(signal.SIGTERM)
        _, said = worker.communicate(timeout=10)
        assert worker.returncode == 0
        first, start = said.splitlines()
        assert first == "The worker is running. Press Ctrl-C to end it."
        assert json.loads(start)["event"] == "palaver_started"
