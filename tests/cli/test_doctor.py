"""`palaver doctor`: what is looked at, and what is said about it."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from palaver.cli import checks
from palaver.embedding import weights
from tests.channels.email.servers import PASSWORD, USER, imap, smtp
from tests.cli.commandline import CommandLine, Outcome


def named(outcome: Outcome) -> dict[str, Any]:
    return {check["name"]: check for check in outcome.json["checks"]}


def test_a_good_home(palaver: CommandLine, conversation: str) -> None:
    outcome = palaver("doctor")
    assert outcome.status == 0
    *lines, last = outcome.out.splitlines()
    assert all(line.startswith("ok    ") for line in lines)
    assert last == "It does not read every line: `palaver verify` does."
    basic = ["Python", "SQLite", "model", "agent", "digests", "home"]
    names = [*basic, "files", "disk", "lock", "ledger", "fragments", "index", "start"]
    assert list(named(palaver("doctor", "--json"))) == names


PIGEON = """
from palaver.errors import BadValue
from tests.channels.world import Pigeon

class Strict(Pigeon):
    def person(self, identity):
        if not identity.isalpha():
            raise BadValue("That is nobody.")
        return identity

def make(settings, clock):
    return Strict()

class Falling(Pigeon):
    async def test(self):
        raise RuntimeError("s3cret")

    async def close(self):
        raise OSError

def fall(settings, clock):
    return Falling()
"""


@pytest.fixture
def channels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that brings channels, one of which needs something that is not there."""
    package = tmp_path / "packages"
    about = package / "pigeonpost-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pigeonpost\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[palaver.channels]\npigeon = pigeonpost:make\nhawk = pigeonpost:fall\n"
        "owl = pigeonpost_owl:make\n"
    )
    (package / "pigeonpost.py").write_text(PIGEON)
    (package / "pigeonpost_owl.py").write_text("import no_such_owlery")
    monkeypatch.setattr(sys, "path", [str(package), *sys.path])


@pytest.mark.usefixtures("conversation", "channels")
@pytest.mark.parametrize(
    ("settings", "status", "message", "remedy"),
    [
        (
            "{plugins: {pigeon: {enabled: true, ownerIdentities: [ann]}}}",
            "ok",
            "It flies. The owner is ann.",
            "",
        ),
        ("{plugins: {pigeon: {ownerIdentities: ['?']}}}", None, "", ""),
        (
            "{plugins: {pigeon: {enabled: true, ownerIdentities: ['?']}}}",
            "fail",
            "channels.pigeon.ownerIdentities names '?'. That is nobody.",
            "Write it as the channel shows it.",
        ),
        ("{plugins: {pigeon: {enabled: true}}}", "warn", "Nobody is the owner", "ownerIdentities"),
        (
            "{plugins: {owl: {enabled: true}}}",
            "fail",
            "The channel owl needs no_such_owlery, which is not installed.",
            'pip install "palaver[owl]"',
        ),
        ("{plugins: {wren: {enabled: true}}}", "fail", "no package brings", "Install the package"),
    ],
)
def test_the_settings_of_channels(
    palaver: CommandLine, settings: str, status: str | None, message: str, remedy: str
) -> None:
    (palaver.home / "config.yaml").write_text(f"channels: {settings}")
    outcome = palaver("doctor", "--json")
    found = [one for one in outcome.json["checks"] if one["name"].startswith("channel ")]
    assert [one["status"] for one in found] == ([status] if status else [])
    assert all(message in one["message"] for one in found)
    assert all(remedy in (one["remedy"] or "") for one in found)
    assert outcome.status == (1 if status == "fail" else 0)


@pytest.mark.usefixtures("conversation", "channels")
def test_a_channel_that_breaks_down_is_one_failing_check(palaver: CommandLine) -> None:
    plugins = "{hawk: {enabled: true}, pigeon: {enabled: true, ownerIdentities: [ann]}}"
    (palaver.home / "config.yaml").write_text(f"channels: {{plugins: {plugins}}}")
    outcome = palaver("doctor", "--json")
    checks = named(outcome)
    assert (checks["channel hawk"]["status"], checks["channel pigeon"]["status"]) == ("fail", "ok")
    assert "broke down" in checks["channel hawk"]["message"]
    assert "s3cret" not in str(outcome.json)
    assert outcome.status == 1


@pytest.mark.usefixtures("conversation")
async def test_it_connects_to_the_channels(palaver: CommandLine) -> None:
    async def told() -> tuple[str, str]:
        outcome = await asyncio.to_thread(palaver, "doctor", "--json")
        found = named(outcome)["channel email"]
        return found["status"], found["message"] + (found["remedy"] or "")

    async with imap() as box, smtp() as post:
        at = {"imapHost": "127.0.0.1", "smtpHost": "127.0.0.1", "address": USER, "tls": False}
        ports = {"imapPort": box.port, "smtpPort": post.port, "ownerIdentities": ["ann@x.org"]}
        for given, status, message in (
            ({"password": "wrong"}, "fail", "refuses the password"),
            ({"password": PASSWORD}, "warn", "trustedAuthservIds"),
            (
                {"password": PASSWORD, "trustedAuthservIds": ["mx.x.org"]},
                "ok",
                "owner is ann@x.org",
            ),
        ):
            email = {"enabled": True, **at, **ports, **given}
            (palaver.home / "config.yaml").write_text(json.dumps({"channels": {"email": email}}))
            got = await told()
            assert (got[0], message in got[1]) == (status, True), got
        assert post.got == []


def test_a_missing_model_is_a_warning(
    palaver: CommandLine, conversation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "PACKAGE", "no-such-package")
    outcome = palaver("doctor")
    assert outcome.status == 0
    assert "warn  model: The embedding model is not installed" in outcome.out
    assert "      Run `palaver model install`" in outcome.out


def test_who_answers_and_which_models_are_connected(
    palaver: CommandLine, conversation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "ok    agent: The offline assistant answers; connected too: no model." in (
        palaver("doctor").out
    )
    monkeypatch.setenv("PALAVER_AGENT__PROVIDERS__ANTHROPIC__API_KEY", "sk-secret")
    monkeypatch.setenv("PALAVER_AGENT__MODEL", "haiku")
    outcome = palaver("doctor", "--json")
    assert named(outcome)["agent"]["message"] == ("haiku answers; connected too: opus, sonnet.")
    assert "sk-secret" not in outcome.out
    monkeypatch.setenv("PALAVER_AGENT__MODEL", "openai:gpt-6-sol")
    outcome = palaver("doctor")
    assert outcome.status == 1
    assert "fail  agent: openai:gpt-6-sol is not connected.\n      Set `agent.providers" in (
        outcome.out
    )
    monkeypatch.setenv("PALAVER_AGENT__MODEL", "opsu")
    assert "Did you mean opus?" in palaver("doctor").out


def test_who_names_and_abbreviates(
    palaver: CommandLine, conversation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "is asked for titles and abbreviations."
    assert named(palaver("doctor", "--json"))["digests"]["message"] == f"No model {told}"
    monkeypatch.setenv("PALAVER_AGENT__PROVIDERS__ANTHROPIC__API_KEY", "sk-secret")
    assert named(palaver("doctor", "--json"))["digests"]["message"] == f"haiku {told}"
    monkeypatch.setenv("PALAVER_INDEX__ABBREVIATION_MODEL", "openai:gpt-6-sol")
    outcome = palaver("doctor")
    assert outcome.status == 1
    assert "index.abbreviationModel names 'openai:gpt-6-sol', which is not connected." in (
        outcome.out
    )


def test_no_home_yet(nowhere: CommandLine) -> None:
    outcome = nowhere("doctor")
    assert outcome.status == 0
    assert f"warn  home: {nowhere.home} is not there yet.\n" in outcome.out
    assert not nowhere.home.exists()


def test_a_home_that_is_a_file(nowhere: CommandLine) -> None:
    nowhere.home.parent.mkdir()
    nowhere.home.touch()
    outcome = nowhere("doctor")
    assert outcome.status == 1
    assert f"fail  home: {nowhere.home} is a file, not a folder.\n      Choose" in outcome.out


def test_others_may_read(palaver: CommandLine, conversation: str) -> None:
    file = palaver.home / "conversations" / f"{conversation}.jsonl"
    file.chmod(0o644)
    outcome = palaver("doctor")
    assert outcome.status == 0
    assert f"warn  files: Others may reach {file}.\n" in outcome.out
    assert f"Run `chmod -R go= {palaver.home}`." in outcome.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write every file")
def test_a_file_that_cannot_be_written(palaver: CommandLine, conversation: str) -> None:
    file = palaver.home / "conversations" / f"{conversation}.jsonl"
    file.chmod(0o400)
    outcome = palaver("doctor")
    assert outcome.status == 1
    assert f"fail  files: You may not read and write {file}.\n" in outcome.out


@pytest.mark.parametrize(("free", "status"), [(10 << 20, "fail"), (500 << 20, "warn")])
def test_little_space(
    palaver: CommandLine,
    conversation: str,
    monkeypatch: pytest.MonkeyPatch,
    free: int,
    status: str,
) -> None:
    def usage(_: object) -> SimpleNamespace:
        return SimpleNamespace(free=free)

    monkeypatch.setattr(checks.shutil, "disk_usage", usage)
    assert named(palaver("doctor", "--json"))["disk"]["status"] == status


def test_a_lock_that_is_not_let_go(
    palaver: CommandLine, conversation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "_LOCK_PATIENCE", 0.0)
    with (palaver.home / "write.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        outcome = palaver("doctor", "--json")
    assert outcome.status == 1
    assert named(outcome)["lock"]["status"] == "fail"


def test_a_torn_tail_and_its_fragment(palaver: CommandLine, conversation: str) -> None:
    file = palaver.home / "conversations" / f"{conversation}.jsonl"
    with file.open("ab") as end:
        end.write(b'{"half')
    found = named(palaver("doctor", "--json"))
    assert (found["ledger"]["status"], found["fragments"]["status"]) == ("warn", "ok")
    assert palaver("conversations", "list").status == 0
    found = named(palaver("doctor", "--json"))
    assert (found["ledger"]["status"], found["fragments"]["status"]) == ("ok", "warn")


def test_what_the_next_start_will_do(palaver: CommandLine, conversation: str) -> None:
    found = named(palaver("doctor", "--json"))["start"]
    told = "To catch up with: lines 0, in files 0. Digests due: 1."
    assert (found["status"], found["message"]) == ("ok", told)
    file = palaver.home / "conversations" / f"{conversation}.jsonl"
    with file.open("ab") as end:
        end.write(b'{"type":"turn","role":"user","content":"Hello"}\n' * 3)
    found = named(palaver("doctor", "--json"))["start"]
    assert found["message"].startswith("To catch up with: lines 3, in files 1.")
    for part in file.parent.glob("conversations.db*"):
        part.unlink()
    found = named(palaver("doctor", "--json"))["start"]
    assert found["message"].startswith("The next one makes the index.")


def test_a_vanished_file(palaver: CommandLine, conversation: str) -> None:
    (palaver.home / "conversations" / f"{conversation}.jsonl").unlink()
    outcome = palaver("doctor")
    assert outcome.status == 1
    assert f"fail  index: 1 file has lost lines, such as {conversation}.\n" in outcome.out


@pytest.mark.parametrize("content", [None, b"", b"garbage" * 1000])
def test_an_index_that_has_to_be_made(
    palaver: CommandLine, conversation: str, content: bytes | None
) -> None:
    index: Path = palaver.home / "conversations" / "conversations.db"
    for part in index.parent.glob("conversations.db*"):
        part.unlink()
    if content is not None:
        index.write_bytes(content)
        index.chmod(0o600)
    outcome = palaver("doctor", "--json")
    assert outcome.status == 0
    assert named(outcome)["index"]["status"] == "warn"


def test_an_old_library(
    palaver: CommandLine, conversation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "sqlite_version", lambda: "3.45.1")
    assert "fail  SQLite: 3.45.1 can damage the index.\n" in palaver("doctor").out
