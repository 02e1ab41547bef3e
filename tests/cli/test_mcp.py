"""`palaver mcp`: what is refused before a client is served."""

from __future__ import annotations

import signal
import subprocess

from tests.cli.commandline import PROGRAM, CommandLine
from tests.cli.terminal import Terminal


def test_an_unknown_scope_is_named(palaver: CommandLine) -> None:
    outcome = palaver("mcp", "--scope", "recall", "--scope", "everything")
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("'everything' is not a scope.\nUse any of read, chat, ")


def test_a_closed_standard_input_is_refused(nowhere: CommandLine) -> None:
    command = f"exec {PROGRAM} mcp --home {nowhere.home} <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Standard input is closed: ")
    assert not nowhere.home.exists()


def test_an_unknown_user_is_refused(nowhere: CommandLine) -> None:
    outcome = nowhere("mcp", "--user", "usr-nobody")
    assert (outcome.status, outcome.out) == (3, "")


def test_somebody_who_starts_it_by_hand_is_told_what_it_waits_for(palaver: CommandLine) -> None:
    with Terminal(palaver.home, "mcp") as terminal:
        assert "MCP client" in terminal.until("Ctrl-C ends it.")
        terminal.interrupt()
        assert terminal.end()[0] == -signal.SIGINT
