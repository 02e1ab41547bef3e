"""What the README tells newcomers to type works as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commandline import CommandLine

README = (Path(__file__).parents[2] / "README.md").read_text()
PROGRAM = ".venv/bin/palaver "
MOST_LINES = 150


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_it_is_short():
    assert len(README.split("\n")) <= MOST_LINES


def test_the_commands_work(palaver: CommandLine, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(palaver.home.parent)
    lines = [line for block in blocks("sh") for line in block.split("\n")]
    typed = [line.removeprefix(PROGRAM) for line in lines if line.startswith(PROGRAM)]
    assert len(typed) > 5
    done = [palaver(*shlex.split(line, comments=True)) for line in typed]
    assert {one.status for one in done} == {0}
    assert "Thursday" in done[1].out
    assert (palaver.home.parent / "my-conversations").is_dir()


def test_the_program_runs(tmp_path: Path):
    (program,) = blocks("python")
    (tmp_path / "try.py").write_text(program)
    ran = subprocess.run(
        [sys.executable, "try.py"],
        cwd=tmp_path,
        env={**os.environ, "PALAVER_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "fix the login bug first" in ran.stdout
    assert "{'role': 'user', 'content': 'Hello'}" in ran.stdout
