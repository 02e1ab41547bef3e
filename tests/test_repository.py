"""What the repository promises about itself: pins, packaging, documentation."""

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIN = re.compile(r"[a-z0-9.-]+==[\w.!+]+( ; [^@/]+)?")


def run(*command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_lock_holds_names_and_versions_only():
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    assert lines
    assert [line for line in lines if not PIN.fullmatch(line)] == []


def test_lock_pins_every_dependency():
    pinned = {line.split("==")[0] for line in (ROOT / "requirements.lock").read_text().splitlines()}
    wanted = {re.split(r"[\[<>=;]", dependency)[0] for dependency in PROJECT["dependencies"]}
    assert wanted <= pinned


def test_environment_holds_this_version():
    assert version("palaver") == PROJECT["version"]


def test_wheel_holds_every_file_of_the_package(tmp_path: Path):
    run("hatchling", "build", "--target", "wheel", "--directory", str(tmp_path))
    (wheel,) = tmp_path.glob("*.whl")
    package = ROOT / "src"
    wanted = {
        str(path.relative_to(package))
        for path in (package / "palaver").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert "palaver/py.typed" in wanted
    assert wanted <= set(zipfile.ZipFile(wheel).namelist())


def test_documentation_builds_strictly_and_loads_nothing_from_elsewhere(tmp_path: Path):
    run("mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path / "site"))
    loads = re.compile(r'<(?:script|img|link)[^>]+(?:src|href)="?(?:https?:)?//', re.IGNORECASE)
    pages = list((tmp_path / "site").rglob("*.html"))
    assert pages
    assert [page.name for page in pages if loads.search(page.read_text())] == []


def test_what_is_built_is_not_committed():
    """Otherwise every build changes the work tree, and two changes of the page cannot be merged."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--ignored", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert listed.stdout == ""
