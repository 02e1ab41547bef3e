"""Models by REST: which there are, and whether one answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.models.script import Status
from tests.models.server import ModelServer
from tests.server.site import Site, running_site

SECRET = "sk-a1b2c3d4e5"


@pytest.fixture(scope="module")
def provider() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture(scope="module")
def site(provider: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("home")
    write_config(home, provider.anthropic_url)
    with running_site(home) as site:
        yield site


def write_config(home: Path, url: str) -> None:
    provider = f"{{apiKey: {SECRET}, baseUrl: '{url}'}}"
    (home / "config.yaml").write_text(
        f"agent: {{model: sonnet, providers: {{anthropic: {provider}}}}}"
    )


def test_all_models_the_usual_one_first(api: httpx.Client, provider: ModelServer) -> None:
    answer = api.get("/api/models")
    found = answer.json()
    assert found["usual"] == "sonnet"
    assert [one["name"] for one in found["models"]] == ["sonnet", "opus", "haiku", "offline"]
    assert found["models"][0] == {
        "name": "sonnet",
        "model": "claude-sonnet-5-5",
        "provider": "anthropic",
        "connected": True,
        "window": 1_000_000,
        "inputPrice": 2.0,
        "outputPrice": 10.0,
        "kind": "connected",
    }
    assert SECRET not in answer.text
    assert not provider.asked


def test_trying_a_model_out(api: httpx.Client, provider: ModelServer) -> None:
    found = api.post("/api/models/test", json={"name": "sonnet"}).json()
    assert (found["ok"], found["problem"]) == (True, None)
    assert found["latencyMs"] > 0
    provider.script(Status(401, "authentication_error", f"Not {SECRET}."))
    answer = api.post("/api/models/test", json={"name": "sonnet"})
    assert answer.json()["problem"]["code"] == "model_key_refused"
    assert answer.json()["latencyMs"] is None
    assert SECRET not in answer.text


def test_models_that_cannot_be_tried(api: httpx.Client) -> None:
    found = api.post("/api/models/test", json={"name": "openai:gpt-6-sol"}).json()
    assert found["problem"]["code"] == "model_not_connected"
    assert api.post("/api/models/test", json={"name": "offline"}).json()["ok"] is True
    unknown = api.post("/api/models/test", json={"name": "opsu"})
    assert (unknown.status_code, unknown.json()["code"]) == (422, "model_unknown")


def test_who_may_only_read_may_not_spend(site: Site) -> None:
    with site.program(["read"]) as reader:
        assert reader.get("/api/models").status_code == 200
        assert reader.post("/api/models/test", json={"name": "sonnet"}).status_code == 403
