"""What is sent, and what never is: keys go to their provider, and nothing of the shell along."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

from palaver.errors import ModelNotConnected
from tests.models.asking import SECRET, asking, until_it_breaks
from tests.models.script import Status
from tests.models.server import ModelServer

EACH = pytest.mark.parametrize("name", ["anthropic", "openai", "local"])
VARIABLES = {
    "ANTHROPIC_API_KEY": "vendor-secret",
    "ANTHROPIC_AUTH_TOKEN": "vendor-secret",
    "ANTHROPIC_BASE_URL": "http://vendor-secret.invalid",
    "ANTHROPIC_CUSTOM_HEADERS": "authorization: Bearer vendor-secret\nx-vendor: vendor-secret",
    "OPENAI_API_KEY": "vendor-secret",
    "OPENAI_ADMIN_KEY": "vendor-secret",
    "OPENAI_BASE_URL": "http://vendor-secret.invalid",
    "OPENAI_ORG_ID": "vendor-secret",
    "OPENAI_PROJECT_ID": "vendor-secret",
    "OPENAI_CUSTOM_HEADERS": "authorization: Bearer vendor-secret\nx-vendor: vendor-secret",
}


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)


@EACH
@pytest.mark.usefixtures("shell")
async def test_variables_of_vendors_are_not_used(server: ModelServer, name: str) -> None:
    async with asking(server) as models:
        await models.hear(name)
    (asked,) = server.asked
    assert "vendor-secret" not in f"{asked.headers} {asked.body}"
    expected = "Bearer none" if name == "local" else f"Bearer {SECRET}"
    assert asked.headers["authorization"] == expected


@pytest.mark.usefixtures("shell")
async def test_a_key_in_the_shell_connects_nothing(server: ModelServer) -> None:
    async with asking(server, providers={}) as models:
        for name in ("opus", "openai:gpt-6-sol"):
            with pytest.raises(ModelNotConnected):
                await models.hear(name)
    assert not server.asked


@pytest.mark.usefixtures("shell")
async def test_without_an_address_the_providers_own_is_meant(server: ModelServer) -> None:
    from palaver.agent.models.chat import ChatWire
    from palaver.agent.models.claude import ClaudeWire
    from palaver.agent.models.patience import Patience
    from palaver.settings import ModelSettings, ProviderSettings

    provider = ProviderSettings.model_validate({"apiKey": SECRET})
    for kind, name, address in (
        (ClaudeWire, "anthropic", "https://api.anthropic.com"),
        (ChatWire, "openai", "https://api.openai.com/v1/"),
    ):
        wire = kind(name, provider, Patience())
        model, _ = wire.model(ModelSettings(provider=name, model="x"))
        assert model.base_url == address
        await wire.close()


@EACH
async def test_no_word_and_no_key_is_logged(
    server: ModelServer, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with asking(server) as models:
        await models.hear(name, [{"role": "user", "content": "wombats"}])
        server.script(Status(401, "authentication_error", f"Not {SECRET}."))
        _, error = await until_it_breaks(models.exchange(name))
    logged = f"{caplog.text} {error!r} {error}"
    assert SECRET not in logged
    assert "wombats" not in logged


def test_the_offline_path_imports_no_library_of_a_provider(tmp_path: Path) -> None:
    code = """
import asyncio, sys
import palaver
from palaver.agent.models import Catalogue, Connections
from palaver.cli.commands import app
from palaver.server import create_app

async def run():
    async with palaver.Palaver.open(sys.argv[1], index_vectors=False) as one:
        await one.send("Hello")
        await one.warm_up()
        Connections(one.settings.agent, Catalogue(one.settings.agent))
        assert one.models()

asyncio.run(run())
slow = {"pydantic_ai", "openai", "anthropic", "genai_prices", "httpx2"} & set(sys.modules)
sys.exit(", ".join(slow) or 0)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_what_the_usual_model_needs_can_be_loaded_before_anybody_asks(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from palaver import Palaver, Settings

async def run():
    settings = Settings.load(
        sys.argv[1], agent__model="sonnet", agent__providers__anthropic__api_key="sk-a1b2c3d4e5"
    )
    async with Palaver.open(settings=settings, index_vectors=False) as one:
        await one.warm_up()

asyncio.run(run())
missing = {"pydantic_ai.models.anthropic", "palaver.agent.models.claude"} - set(sys.modules)
sys.exit(", ".join(missing) or 0)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
