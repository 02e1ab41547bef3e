"""Building the page: only when something changed, and by one at a time."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scripts import page

PACKAGE = {"node_modules/vite": {"version": "1.0.0", "integrity": "sha512-one"}}
OTHER_SYSTEM = {"node_modules/mac": {"integrity": "sha512-mac", "optional": True}}


class Tools:
    """Stands for npm and Vite, and counts how often each is asked."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.installed = self.built = 0
        self.fails = False

    def npm(self, *arguments: str, folder: Path, shown: bool = False) -> None:
        assert arguments[:2] == ("install", "--no-save")
        self._may_fail()
        self.installed += 1
        lock(folder / "node_modules" / ".package-lock.json", PACKAGE)

    def vite(self, *arguments: str, folder: Path, shown: bool = False) -> None:
        self._may_fail()
        self.built += 1
        made = Path(arguments[arguments.index("--outDir") + 1])
        made.mkdir()
        (made / "index.html").write_text((folder / "index.html").read_text())

    def _may_fail(self) -> None:
        if self.fails:
            raise subprocess.CalledProcessError(1, "node", output=b"It says why.")


def lock(path: Path, packages: Mapping[str, Mapping[str, object]]) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps({"packages": {"": {"name": "page"}, **packages}}))


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    tools = Tools(tmp_path)
    places = {
        "ROOT": tmp_path,
        "WEB": tmp_path / "web",
        "OUTPUT": tmp_path / "page",
        "STATE": tmp_path / "build",
        "PACKAGES": tmp_path / "web" / "node_modules",
    }
    for name, path in places.items():
        monkeypatch.setattr(page, name, path)
    monkeypatch.setattr(page, "run_npm", tools.npm)
    monkeypatch.setattr(page, "run_node", tools.vite)
    (tmp_path / "web" / "src").mkdir(parents=True)
    (tmp_path / "web" / "index.html").write_text("one")
    lock(tmp_path / "web" / "package-lock.json", {**PACKAGE, **OTHER_SYSTEM})
    return tools


def test_it_is_built_once_and_in_silence_afterwards(
    tools: Tools, capsys: pytest.CaptureFixture[str]
) -> None:
    page.build()
    assert (tools.installed, tools.built) == (1, 1)
    assert (tools.root / "page" / "index.html").read_text() == "one"
    assert "Building the page." in capsys.readouterr().err
    page.build()
    assert (tools.installed, tools.built) == (1, 1)
    assert capsys.readouterr() == ("", "")


def test_it_is_built_again_when_something_changed(tools: Tools) -> None:
    page.build()
    source = tools.root / "web" / "src" / "part.ts"
    output = tools.root / "page" / "index.html"
    for number, change in enumerate(
        (
            lambda: (tools.root / "web" / "index.html").write_text("two"),
            lambda: source.write_text("new"),
            source.unlink,
            lambda: output.write_text("spoilt"),
            output.unlink,
        ),
        start=2,
    ):
        change()
        page.build()
        assert tools.built == number
    assert output.read_text() == "two"


def test_what_the_build_does_not_read_does_not_count(tools: Tools) -> None:
    page.build()
    (tools.root / "web" / "tests").mkdir()
    (tools.root / "web" / "tests" / "part.test.ts").write_text("new")
    page.build()
    assert tools.built == 1


def test_packages_are_fetched_again_when_the_lock_changed(tools: Tools) -> None:
    page.build()
    newer = {"node_modules/vite": {"version": "1.0.1", "integrity": "sha512-two"}}
    lock(tools.root / "web" / "package-lock.json", newer)
    page.build()
    assert tools.installed == 2


def test_of_several_at_once_one_builds(tools: Tools) -> None:
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(page.build) for _ in range(4)]:
            done.result()
    assert (tools.installed, tools.built) == (1, 1)


def test_a_failure_is_told_and_leaves_the_old_one(
    tools: Tools, capsys: pytest.CaptureFixture[str]
) -> None:
    page.build()
    (tools.root / "web" / "index.html").write_text("broken")
    tools.fails = True
    assert page.main([]) == 1
    said = capsys.readouterr().err
    assert "The page could not be built" in said
    assert "It says why." in said
    assert (tools.root / "page" / "index.html").read_text() == "one"
    tools.fails = False
    assert page.main([]) == 0
    assert (tools.root / "page" / "index.html").read_text() == "broken"


def test_a_registry_that_does_not_answer_is_told_with_a_remedy(
    tools: Tools, capsys: pytest.CaptureFixture[str]
) -> None:
    tools.fails = True
    assert page.main([]) == 1
    assert "Check the network, and the registry" in capsys.readouterr().err
