"""What is deployed: files for other programs name commands, settings and ports that are real."""

from __future__ import annotations

import re
import shlex
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from palaver.cli.commands import app
from palaver.settings import PREFIX, SHORT_FORMS, environment_name, known_settings

DEPLOY = Path(__file__).parents[1] / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
OURS_ALONE = {"PALAVER_SITE", "PALAVER_PASSWORD"}
"""What the compose file itself asks for; no program of ours sees them."""


def services() -> dict[str, dict[str, Any]]:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]


def palaver_services() -> dict[str, dict[str, Any]]:
    return {name: one for name, one in services().items() if one["image"] == "palaver"}


def is_setting(name: str) -> bool:
    return name in {*SHORT_FORMS, *(environment_name(key) for key in known_settings())}


def unit(path: Path) -> RawConfigParser:
    found = RawConfigParser(strict=False)
    found.optionxform = str  # pyright: ignore[reportAttributeAccessIssue]
    found.read_string(path.read_text(encoding="utf-8"))
    return found


def check_command(words: list[str]) -> None:
    """Our program knows the command and its options; `--help` keeps it from running."""
    done = CliRunner().invoke(app, [*words, "--help"])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", palaver_services())
def test_compose_runs_commands_that_there_are(name: str) -> None:
    program, *words = shlex.split(palaver_services()[name]["command"])
    assert program == "palaver"
    check_command(words)


@pytest.mark.parametrize("name", palaver_services())
def test_compose_sets_what_can_be_set(name: str) -> None:
    environment = palaver_services()[name]["environment"]
    assert environment
    assert [key for key in environment if not is_setting(key)] == []


def test_compose_has_three_web_nodes_and_two_workers() -> None:
    found = palaver_services()
    assert sum(" serve " in one["command"] for one in found.values()) == 3
    assert [one["deploy"]["replicas"] for one in found.values() if "worker" in one["command"]] == [
        2
    ]


def test_the_proxy_reaches_every_web_node_and_nothing_else() -> None:
    nodes = [one for one in palaver_services().values() if "serve" in one["command"]]
    ports = {one["command"].rpartition(" ")[2] for one in nodes}
    assert {one["network_mode"] for one in nodes} == {"service:proxy"}
    caddy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    assert set(re.findall(r"127\.0\.0\.1:([0-9]+)", caddy)) == ports


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_run_commands_that_there_are(path: Path) -> None:
    program, *words = shlex.split(unit(path)["Service"]["ExecStart"].replace("%i", "8421"))
    assert program.endswith("/.venv/bin/palaver")
    check_command(words)
    setting, _, _ = unit(path)["Service"].get("Environment", "PALAVER_HOME=").partition("=")
    assert is_setting(setting)


def test_every_variable_that_is_named_anywhere_is_known() -> None:
    files = [path for path in DEPLOY.rglob("*") if path.is_file()]
    guide = DEPLOY.parent / "docs" / "how-to" / "postgresql.md"
    named = re.findall(rf"{PREFIX}\w+", "".join(path.read_text() for path in [*files, guide]))
    assert len(set(named)) > 4
    assert {name for name in named if not is_setting(name)} == OURS_ALONE
