"""When the index cannot be used, messages are still taken and everybody is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from palaver.embedding import weights
from palaver.ledger.files import Home
from tests.server.site import Site, running_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server whose index cannot be opened: a folder stands in its place."""
    root: Path = tmp_path_factory.mktemp("home")
    Home(root).create()
    Home(root).index.mkdir()
    with running_site(root) as site:
        yield site


def test_it_lives_but_is_not_ready(stranger: httpx.Client):
    assert stranger.get("/healthz").status_code == 200
    answer = stranger.get("/readyz")
    assert (answer.status_code, answer.json()["code"]) == (503, "index_degraded")
    assert answer.headers["content-type"] == "application/problem+json"


def test_health_says_why_and_what_to_do(api: httpx.Client):
    health = api.get("/api/health").json()
    assert health["status"] == "degraded"
    assert "The index cannot be written" in health["detail"]


@pytest.mark.parametrize("path", ["/api/conversations", "/api/search?q=hello"])
def test_it_never_answers_nothing_because_something_is_broken(api: httpx.Client, path: str):
    answer = api.get(path)
    assert (answer.status_code, answer.json()["code"]) == (503, "index_degraded")
    assert answer.json()["remedy"]


def test_a_message_is_taken_all_the_same(site: Site, api: httpx.Client):
    answer = api.post("/api/chat", json={"message": "Keep this, please."})
    assert answer.status_code == 200, answer.text
    assert b"Keep this, please." in b"".join(site.stored().values())


@pytest.fixture
def modelless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server whose index is well, but without an embedding model."""
    monkeypatch.setattr(weights, "PACKAGE", "no-such-package")
    with running_site(tmp_path, index_vectors=True) as site:
        yield site


def test_without_a_model_it_is_ready_and_search_finds_words(modelless: Site):
    with modelless.program() as api:
        assert api.post("/api/chat", json={"message": "Zeppelins leave at noon."}).is_success
        found = api.get("/api/search", params={"q": "zeppelin"}).json()
        assert len(found["results"]) == 1
        health = api.get("/api/health").json()
        assert health["status"] == "degraded"
        assert health["detail"].startswith("Only words are found, not meaning.")
        assert "palaver model install" in health["detail"]
        assert api.get("/readyz").json() == {"status": "ok"}
