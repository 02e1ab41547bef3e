"""The server as a process: its address, its start line, its end."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from palaver.errors import AddressUnavailable
from palaver.server import Address
from palaver.server.listening import listener
from palaver.settings import ServerSettings
from tests.server.process import PROGRAM, Process


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2", "::1", "[::1]"])
def test_it_listens_on_this_machine(host: str):
    with listener(ServerSettings(host=host, port=0)) as listening:
        assert listening.getsockname()[0] in {"127.0.0.1", "127.0.0.2", "::1"}


def test_an_answer_does_not_wait_for_more():
    """asyncio asks for TCP_NODELAY only when it is told that the socket is one of TCP."""
    with listener(ServerSettings(port=0)) as listening:
        assert listening.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "[::]", "192.168.1.5", "8.8.8.8"])
def test_it_listens_nowhere_else_while_nobody_has_a_password(host: str):
    with (
        pytest.raises(AddressUnavailable, match="nobody has a password yet") as refused,
        listener(ServerSettings(host=host, port=0)),
    ):
        pass
    assert "`palaver users add NAME`" in refused.value.remedy


@pytest.mark.parametrize(
    ("host", "reached"), [("0.0.0.0", ["127.0.0.1"]), ("::", ["127.0.0.1", "::1"])]
)
def test_it_listens_everywhere_when_somebody_has_one(host: str, reached: list[str]):
    with listener(ServerSettings(host=host, port=0), lambda: True) as listening:
        address = Address.of(listening)
        assert address.is_open_to_others
        assert address.url in {f"http://127.0.0.1:{address.port}", f"http://[::1]:{address.port}"}
        for place in reached:
            socket.create_connection((place, address.port), timeout=10).close()


@pytest.mark.parametrize(
    "host", ["example.com", "127.1.2.3.4", "http://127.0.0.1", "fe80::1%nowhere"]
)
def test_a_name_is_no_address_to_listen_on(host: str):
    with (
        pytest.raises(AddressUnavailable),
        listener(ServerSettings(host=host, port=0), lambda: True),
    ):
        pass


def test_open_to_others_it_is_refused_and_then_warns(tmp_path: Path):
    home = tmp_path / "home"
    command = [PROGRAM, "serve", "--home", str(home), "--host", "0.0.0.0", "--port", "0"]
    refused = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False)
    assert refused.returncode == 3
    assert "nobody has a password yet" in refused.stderr
    assert not home.exists()
    adding = [PROGRAM, "users", "add", "ann", "--password-stdin", "--home", str(home)]
    subprocess.run(adding, input=b"correct horse", check=True, timeout=50)
    with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        ready, warning = (process.stderr.readline().decode() for _ in range(2))
        process.terminate()
    assert ready.startswith("Palaver is ready: http://127.0.0.1:")
    assert warning.startswith("Other machines can reach this server, and nothing is encrypted")
    assert process.returncode == 0


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


def test_a_taken_port_is_named_before_anything_is_touched(taken: int, tmp_path: Path):
    home = tmp_path / "home"
    done = subprocess.run(
        [PROGRAM, "serve", "--home", str(home), "--port", str(taken)],
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert done.returncode == 3
    assert f"Port {taken} on 127.0.0.1 is taken." in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr
    assert not home.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_starts_with_one_line_and_stops_cleanly(tmp_path: Path, number: signal.Signals):
    with Process(tmp_path) as process:
        assert process.line.startswith("Palaver is ready: http://127.0.0.1:")
        assert httpx.get(f"{process.url}/readyz").status_code == 200
        socket_wanted = {"Connection": "Upgrade", "Upgrade": "websocket"}
        assert httpx.get(f"{process.url}/healthz", headers=socket_wanted).status_code == 200
        with httpx.Client(base_url=process.url, headers={"Origin": process.url}) as browser:
            browser.post("/api/login", json={"code": process.code})
            browser.post("/api/chat", json={"message": "A secret word: xylophone."})
            process.signal(number)
            assert process.wait() == 0
    everything = process.stdout + process.stderr
    assert "xylophone" not in everything
    assert process.stdout == ""
    first, *logged = process.stderr.splitlines()
    assert first == process.line
    assert {json.loads(line)["level"] for line in logged} == {"info"}
    assert [json.loads(line)["event"] for line in logged].count("palaver_started") == 1


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that only notes what it was started with."""
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\nprintf %s "$*" > {tmp_path}/started\n')
    program.chmod(0o700)
    return program


@pytest.mark.parametrize("end", ["signing in", "stopping"])
def test_the_browser_is_not_started_with_the_link(tmp_path: Path, browser: Path, end: str):
    with Process(tmp_path / "home", browser=browser) as process:
        httpx.get(f"{process.url}/healthz")  # answered once the browser has been started
        started = (tmp_path / "started").read_text()
        assert process.code not in started
        page = Path(started.removeprefix("file://"))
        assert page.stat().st_mode & 0o777 == 0o600
        assert f'content="0; url={process.link}"' in page.read_text()
        if end == "signing in":
            httpx.post(f"{process.url}/api/login", json={"code": process.code})
        else:
            process.signal(signal.SIGTERM)
            process.wait()
        assert not page.exists()


def test_a_sign_in_survives_a_restart_and_a_link_does_not(tmp_path: Path):
    with Process(tmp_path) as first, httpx.Client(headers={"Origin": first.url}) as browser:
        browser.post(f"{first.url}/api/login", json={"code": first.code})
        first.kill()
        with Process(tmp_path, port=first.port) as second:
            assert browser.get(f"{second.url}/api/me").json()["user"] == "local"
            again = httpx.post(f"{second.url}/api/login", json={"code": first.code})
            assert again.status_code == 401


def test_as_json_it_gives_the_link_in_a_document(tmp_path: Path):
    with Process(tmp_path / "home", as_json=True) as server:
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        assert json.loads(server.stdout) == {"link": server.link}
