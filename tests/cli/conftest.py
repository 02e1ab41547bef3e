"""A command line on a home of its own, and a conversation in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from palaver.app import Palaver
from palaver.ledger.files import Home
from tests.cli.commandline import CommandLine


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PALAVER_USER__TIMEZONE", "UTC")
    Home(tmp_path / "home").create()
    return tmp_path / "home"


@pytest.fixture
def palaver(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> CommandLine:
    return CommandLine(home, capsys, monkeypatch)


@pytest.fixture
def nowhere(palaver: CommandLine) -> CommandLine:
    """A command line whose home is not there."""
    return replace(palaver, home=palaver.home / "not" / "here")


@pytest.fixture
def conversation(palaver: CommandLine) -> str:
    """The id of a conversation about figs, with two turns."""

    async def say(library: Palaver) -> str:
        started = await library.start(title="Figs and [bold]trees[/bold]")
        for question, answer in (("When do figs ripen?", "In late summer."), ("Thanks", "Gladly.")):
            await library.append(started.id, "user", question)
            await library.append(started.id, "assistant", answer)
        return started.id

    return palaver.library(say)
