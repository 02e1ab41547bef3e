"""Behind a proxy: the name of a public site, its origin and its cookie, and no other."""

from __future__ import annotations

from collections.abc import Generator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from tests.server.process import Process
from tests.server.site import Site, running_site

PUBLIC = "https://palaver.example.org"
HOST = "palaver.example.org"


@pytest.fixture
def site(tmp_path: Path) -> Generator[Site]:
    with running_site(tmp_path, public_url=f"{PUBLIC.upper()}:443/") as site:
        yield site


@pytest.fixture
def browser(site: Site) -> Generator[httpx.Client]:
    """What the proxy passes on of a browser that is signed in."""
    with site.client(Host=HOST, Origin=PUBLIC) as client:
        client.headers["Cookie"] = f"{site.cookie}={site.accounts.sign_in('local')}"
        yield client


def test_the_page_works_through_the_proxy(browser: httpx.Client):
    assert browser.get("/").status_code == 200
    assert browser.post("/api/chat", json={"message": "Hello."}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", f"{HOST}:8420", f"x.{HOST}", f"{HOST}.evil.example"]
)
def test_other_names_are_refused(browser: httpx.Client, host: str):
    assert browser.get("/healthz", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("origin", ["http://palaver.example.org", "https://evil.example", "null"])
def test_pages_of_other_sites_are_refused(browser: httpx.Client, origin: str):
    answer = browser.post("/api/chat", json={"message": "Hello."}, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_page_at_this_machine_s_own_address_is_another_site(site: Site, browser: httpx.Client):
    own = f"http://127.0.0.1:{site.address.port}"
    answer = browser.post("/api/chat", json={"message": "Hello."}, headers={"Origin": own})
    assert answer.status_code == 403


def test_the_cookie_travels_encrypted_and_to_this_site_only(site: Site):
    with site.client(Host=HOST, Origin=PUBLIC) as client:
        answer = client.post("/api/login", json={"code": site.accounts.create_link("local")})
    cookie = SimpleCookie(answer.headers["set-cookie"])["__Host-palaver"]
    assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


def test_health_is_still_told_on_this_machine(site: Site):
    with site.client() as prober:
        assert prober.get("/readyz").status_code == 200


def test_the_link_leads_to_the_public_site(tmp_path: Path):
    settings = "server: {publicUrl: 'http://palaver.example.org:8080'}"
    (tmp_path / "config.yaml").write_text(settings, encoding="utf-8")
    with Process(tmp_path) as process:
        assert process.link.startswith("http://palaver.example.org:8080/login?code=")
