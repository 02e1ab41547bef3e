"""The server may be killed at any moment: nothing its API acknowledged is lost or doubled."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

import httpx

from tests.proofs.report import Report
from tests.server.process import PROGRAM, Process


class Client:
    """Sends numbered messages with keys, one after the other; sends again what had no answer."""

    def __init__(self, token: str) -> None:
        self.http = httpx.Client(headers={"Authorization": f"Bearer {token}"})
        self.acknowledged: list[str] = []
        self.conversation = ""

    def reach(self, url: str) -> None:
        self.http.base_url = url
        if not self.conversation:
            self.conversation = self.http.post("/api/conversations", json={}).json()["id"]

    def send_until_it_dies(self) -> None:
        number = len(self.acknowledged)
        while True:
            body = {"role": "user", "content": f"n{number}", "key": f"k{number}"}
            try:
                answer = self.http.post(
                    f"/api/conversations/{self.conversation}/messages", json=body
                )
            except httpx.HTTPError:
                return
            if answer.status_code != 201:
                raise AssertionError(answer.text)
            self.acknowledged.append(body["content"])
            number += 1

    def stored(self) -> list[str]:
        """Every message of the conversation, page by page."""
        found: list[str] = []
        where: dict[str, str] = {}
        while True:
            url = f"/api/conversations/{self.conversation}/messages"
            page = self.http.get(url, params={"limit": 200, **where}).json()
            found = [message["content"] for message in page["messages"]] + found
            if not page["hasMore"]:
                return found
            where = {"before": page["messages"][0]["id"]}


def prove(kills: int, *, seed: int = 1) -> Report:
    report = Report("kills of the server", "kills")
    rng = random.Random(seed)
    root = Path(tempfile.mkdtemp(prefix="palaver-server-"))
    client = Client(_token(root / "home"))
    try:
        for _ in range(kills):
            with Process(root / "home") as server:
                client.reach(server.url)
                timer = threading.Timer(rng.random() * 0.3, server.kill)
                timer.start()
                client.send_until_it_dies()
                timer.join()
            report.tried += 1
        _judge(report, client, root / "home")
    finally:
        client.http.close()
        shutil.rmtree(root)
    report.notes.append(f"{len(client.acknowledged):,} messages acknowledged")
    return report


def _judge(report: Report, client: Client, home: Path) -> None:
    with Process(home) as server:
        client.reach(server.url)
        stored = client.stored()
    if len(stored) != len(set(stored)):
        report.fail("a message was stored twice")
    if stored[: len(client.acknowledged)] != client.acknowledged:
        report.fail("an acknowledged message is lost or out of order")
    if len(stored) > len(client.acknowledged) + 1:
        report.fail("messages appeared that nobody sent")
    verified = _palaver(home, "verify")
    if verified.returncode:
        report.fail(f"verify: {verified.stdout}")


def _palaver(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [PROGRAM, *arguments, "--home", str(home)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _token(home: Path) -> str:
    done = _palaver(home, "tokens", "create", "--json")
    return json.loads(done.stdout)["token"]
