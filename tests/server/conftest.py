from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.person import Person
from tests.server.site import Site, running_site
from tests.server.speaker import Model, speaking
from tests.server.world import World


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("home")) as site:
        yield site


@pytest.fixture
def api(site: Site) -> Iterator[httpx.Client]:
    """A program with the scopes a token has by default."""
    with site.program() as client:
        yield client


@pytest.fixture
def browser(site: Site) -> Iterator[httpx.Client]:
    with site.browser() as client:
        yield client


@pytest.fixture
def ann(site: Site) -> Iterator[Person]:
    """Somebody who writes and listens."""
    person = Person(site, ("read", "write", "chat"))
    yield person
    person.http.close()


@pytest.fixture
def stranger(site: Site) -> Iterator[httpx.Client]:
    with site.client() as client:
        yield client


@pytest.fixture
def conversation(api: httpx.Client) -> str:
    """A conversation with one turn."""
    answer = api.post("/api/chat", json={"message": "The login bug is in the cookie parser."})
    return answer.json()["conversationId"]


@pytest.fixture
def model() -> Iterator[Model]:
    with speaking() as model:
        yield model


@pytest.fixture(params=["home", "postgres"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    url = request.getfixturevalue("database_url") if request.param == "postgres" else None
    return World(tmp_path / "world", url)
