"""What tests of the page in a real browser begin with.

`page` is a tab that is signed in to `site`, a server of its own on an empty home in this process;
`model` makes whoever answers there say what a test wants. `visits` opens further tabs: other
profiles, sizes and themes. `served` is a server as a process, to be killed and started again, and
`provider` is a model behind a real connection. A test fails if a tab wrote an error to its console,
or asked anything of another place: see `tests.page.witness`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page

from scripts.node import run_node
from scripts.page import PACKAGES, WEB
from tests.models.server import ModelServer
from tests.page.served import Served, connect
from tests.page.visits import PHONE, Visits, running_browser
from tests.page.witness import UNREACHABLE
from tests.server.site import Site, running_site
from tests.server.speaker import Model, speaking


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture
def visits(chromium: Browser) -> Iterator[Visits]:
    visits = Visits(chromium)
    yield visits
    try:
        visits.check()
    finally:
        visits.close()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def model() -> Iterator[Model]:
    """Says what a test wants, in this process; asked for before `site` or `page`."""
    with speaking() as model:
        yield model
        model.go_on.set()


@pytest.fixture
def provider(home: Path) -> Iterator[ModelServer]:
    """A model behind a real connection, connected to the home: thinking, tools, usage and all."""
    with ModelServer() as provider:
        connect(home, provider)
        yield provider


@pytest.fixture
def site(home: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    # Whoever answers is settled when the home opens, and waits for nobody when it closes.
    for first in ("model", "provider"):
        if first in request.fixturenames:
            request.getfixturevalue(first)
    with running_site(home) as site:
        yield site
        if "model" in request.fixturenames:
            model: Model = request.getfixturevalue("model")
            model.go_on.set()


@pytest.fixture
def api(site: Site) -> Iterator[httpx.Client]:
    """A program that writes what the page is to show."""
    with site.program() as client:
        yield client


@pytest.fixture
def tab(visits: Visits) -> Page:
    """A tab of a new profile that shows nothing yet, and in which nobody is signed in."""
    return visits.profile().new_page()


@pytest.fixture
def page(site: Site, visits: Visits) -> Page:
    """A tab that is signed in and shows `/`."""
    return visits.tab(site)


@pytest.fixture
def phone(site: Site, visits: Visits) -> Page:
    """The same at 360 × 740, touched."""
    return visits.phone(site)


@pytest.fixture(params=["light", "dark"])
def themed(site: Site, visits: Visits, request: pytest.FixtureRequest) -> Page:
    """The same in each theme."""
    return visits.tab(site, into=visits.profile(scheme=request.param))


@pytest.fixture(params=["light", "dark"])
def themed_phone(site: Site, visits: Visits, request: pytest.FixtureRequest) -> Page:
    profile = visits.profile(size=PHONE, touch=True, scheme=request.param)
    return visits.tab(site, into=profile)


@pytest.fixture(scope="session")
def unsanitised(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the page whose sanitiser takes nothing away."""
    folder = tmp_path_factory.mktemp("unsanitised")
    vite, config = PACKAGES / "vite/bin/vite.js", WEB / "tests/unsanitised/vite.config.ts"
    where = ("--config", str(config), "--outDir", str(folder))
    run_node(str(vite), "build", *where, "--logLevel", "warn", folder=WEB)
    return folder


@pytest.fixture
def served(
    home: Path, request: pytest.FixtureRequest, tab: Page, visits: Visits
) -> Iterator[Served]:
    """A server as a process; `served.open(tab)` signs in. It may be unreachable at times."""
    if "provider" in request.fixturenames:
        request.getfixturevalue("provider")
    visits.witness(tab).allow(UNREACHABLE)
    served = Served(home)
    yield served
    served.close()
