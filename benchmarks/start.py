"""Starting with 100,000 conversations that have not changed."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from benchmarks.homes import fill, index_everything, scratch_home
from benchmarks.result import Result

CONVERSATIONS = 100_000


def run(conversations: int = CONVERSATIONS) -> list[Result]:
    how = "The server, from starting the process until it is ready; against an empty home."
    result = Result("Start", how, axis="seconds")
    with scratch_home() as empty, scratch_home() as full:
        fill(full, conversations, 2, words=12)
        index_everything(full)
        few = min(_start(empty.root) for _ in range(3))
        many = min(_start(full.root) for _ in range(3))
    result.at_most(f"{conversations:,} conversations", many, "s", 2)
    result.note("empty home", few, "s")
    result.bars = [("empty home", few), (f"{conversations:,} conversations", many)]
    return [result]


def _start(home: Path) -> float:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "PALAVER_HOME": str(home), "PALAVER_PORT": str(port)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # nobody compiles everything at every start
    started = time.perf_counter()
    command = [str(Path(sys.executable).parent / "palaver"), "serve"]
    server = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    try:
        while not _ready(port):
            time.sleep(0.01)
        return time.perf_counter() - started
    finally:
        server.terminate()
        server.wait()


def _ready(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1) as answer:
            return answer.status == 200
    except OSError:
        return False
