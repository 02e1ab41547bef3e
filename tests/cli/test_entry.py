"""The frame of the command line: help, versions, bad usage, errors, interruptions."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from palaver.cli import entry
from palaver.cli.entry import run
from tests.cli.commandline import PROGRAM, CommandLine

SLOW = {"fastapi", "uvicorn", "apsw", "pydantic", "rich", "asyncio", "numpy", "onnxruntime"}


def test_without_a_command_it_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert capsys.readouterr().out.startswith("Usage: palaver [OPTIONS] COMMAND")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"palaver {version('palaver')}\n"


def test_help_loads_nothing_slow() -> None:
    code = "import sys; from palaver.cli.entry import run; run(['--help']); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert SLOW.isdisjoint(loaded)


def test_searching_loads_no_web_server(palaver: CommandLine) -> None:
    code = (
        "import sys; from palaver.cli.entry import run;"
        f"run(['search', 'x', '--home', {str(palaver.home)!r}]); print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert {"fastapi", "uvicorn", "starlette"}.isdisjoint(loaded)


@pytest.mark.parametrize(
    ("arguments", "sentence", "remedy"),
    [
        (
            ["serch"],
            "No such command 'serch'. Did you mean 'search', 'users', 'serve'?",
            "`palaver --help`",
        ),
        (["conversations", "lst"], "No such command 'lst'. Did you mean 'list'?", ""),
        (["conversations"], "Missing command.", "`palaver conversations --help`"),
        (["search"], "Missing argument 'QUERY'.", "`palaver search --help`"),
        (["search", "x", "--limt", "3"], "No such option: --limt", "`palaver search --help`"),
        (
            ["search", "x", "--limit", "0"],
            "Invalid value for '--limit': it must be greater than or equal to 1.",
            "",
        ),
        (
            ["search", "x", "--limit", "a"],
            "Invalid value for '--limit': it must be a valid integer.",
            "",
        ),
        (["export", "--format", "xml"], "Invalid value for '--format': 'xml' is not one of", ""),
        (["--home", "x", "search", "y"], "No such option: --home", "Write it after the command."),
    ],
)
def test_bad_usage_is_one_sentence_and_a_remedy(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str, remedy: str
) -> None:
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    first, second = err.splitlines()
    assert first.startswith(sentence)
    assert second.startswith(remedy)


def test_errors_are_json_when_json_was_asked_for(palaver: CommandLine) -> None:
    outcome = palaver("conversations", "show", "conv-nothing", "--json")
    assert outcome.status == 3
    error = outcome.json["error"]
    assert error["code"] == "not_found"
    assert error["message"]
    assert error["remedy"]
    usage = palaver("conversations", "show", "--json")
    assert (usage.status, usage.json["error"]["code"]) == (2, "bad_input")


def test_an_error_about_what_is_no_text_is_still_json(palaver: CommandLine) -> None:
    outcome = palaver("verify", "extra\udcff", "--json")
    assert outcome.status == 2
    assert "extra\\udcff" in outcome.json["error"]["message"]


def test_a_bad_setting_stops_the_command(
    palaver: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALAVER_PROT", "1")
    outcome = palaver("conversations", "list")
    assert outcome.status == 2
    assert outcome.err == (
        "PALAVER_PROT is not a setting (in the environment).\nDid you mean PALAVER_PORT?\n"
    )


def test_a_home_that_is_a_file(nowhere: CommandLine) -> None:
    nowhere.home.parent.mkdir()
    nowhere.home.touch()
    for command in (["conversations", "list"], ["chat", "hello"]):
        outcome = nowhere(*command)
        assert outcome.status == 3
        assert outcome.err.startswith(f"{nowhere.home} is a file, not a folder.\n")


READING = [
    ["conversations", "list"],
    ["conversations", "show", "conv-1"],
    ["conversations", "delete", "conv-1", "--yes"],
    ["search", "x"],
    ["export"],
    ["rebuild"],
    ["verify"],
    ["tokens", "list"],
    ["tokens", "revoke", "tok-1"],
]


@pytest.mark.parametrize("command", READING)
def test_a_mistyped_home_is_refused_and_not_made(nowhere: CommandLine, command: list[str]) -> None:
    outcome = nowhere(*command)
    assert (outcome.status, outcome.out) == (3, "")
    sentence, remedy = outcome.err.splitlines()
    assert sentence == f"There is no home at {nowhere.home}."
    assert "`palaver chat` or `palaver serve` makes a new home" in remedy
    assert not nowhere.home.exists()


def test_a_folder_of_something_else_is_no_home(nowhere: CommandLine) -> None:
    nowhere.home.mkdir(parents=True)
    (nowhere.home / "photo.jpg").touch()
    assert nowhere("search", "x").status == 3
    assert [path.name for path in nowhere.home.iterdir()] == ["photo.jpg"]


@pytest.mark.parametrize(
    "command", [*READING, ["chat", "hello"], ["tokens", "create"], ["serve", "--port", "0"]]
)
def test_a_user_who_is_not_there_is_refused(palaver: CommandLine, command: list[str]) -> None:
    outcome = palaver(*command, "--user", "usr-1")
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err.startswith(f"There is no home at {palaver.home / 'users' / 'usr-1'}.\n")
    assert not (palaver.home / "users").exists()


@pytest.mark.parametrize("command", [["chat", "hello"], ["tokens", "create"]])
def test_these_make_a_home(nowhere: CommandLine, command: list[str]) -> None:
    assert nowhere(*command).status == 0
    assert nowhere("conversations", "list").status == 0


def test_a_bug_is_reported_with_its_trace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> int:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(entry, "_invoke", broken)
    assert run(["doctor"]) == 3
    err = capsys.readouterr().err
    assert "Traceback" in err
    assert "Palaver has a bug: ZeroDivisionError('planted')." in err


def test_what_the_system_refuses_has_no_trace(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> int:
        raise PermissionError(13, "Permission denied", "/some/file")

    monkeypatch.setattr(entry, "_invoke", refused)
    assert run(["doctor"]) == 3
    err = capsys.readouterr().err
    assert err.startswith("/some/file cannot be used: permission denied.\n")
    assert "Traceback" not in err


def test_output_to_a_full_disk_is_an_error() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b"no space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_closed_pipe_is_quiet(palaver: CommandLine, conversation: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [PROGRAM, "conversations", "list", "--home", str(palaver.home)],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_an_output_that_is_closed_takes_nothing(
    palaver: CommandLine, conversation: str, closed: str
) -> None:
    """Nor is a file of the home taken for it."""
    before = {path: path.read_bytes() for path in palaver.home.rglob("*.jsonl")}
    command = f'exec "{PROGRAM}" conversations list --home "{palaver.home}" {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert {path: path.read_bytes() for path in palaver.home.rglob("*.jsonl")} == before


def test_an_interruption_is_quiet(palaver: CommandLine) -> None:
    command = [PROGRAM, "serve", "--port", "0", "--home", str(palaver.home)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert re.match(r"Palaver is ready: http://", process.stderr.readline())
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
        assert process.wait(20) in (0, 130)
