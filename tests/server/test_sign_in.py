from __future__ import annotations

from http.cookies import SimpleCookie
from typing import Any

import apsw
import httpx
import pytest

from tests.server.site import Site


def sign_in(client: httpx.Client, code: str) -> httpx.Response:
    return client.post("/api/login", json={"code": code})


def test_a_link_signs_a_browser_in_once(site: Site, stranger: httpx.Client):
    code = site.accounts.create_link("local")
    assert stranger.get(f"/login?code={code}").status_code == 200  # looking does not use it up
    assert sign_in(stranger, code).status_code == 204
    assert stranger.get("/api/me").json()["user"] == "local"
    with site.client() as other:
        refused = sign_in(other, code)
    assert (refused.status_code, refused.json()["code"]) == (401, "sign_in_required")
    assert "used already" in refused.json()["detail"]
    assert "new link" in refused.json()["remedy"]


def test_the_cookie_is_out_of_reach_for_scripts_and_other_sites(site: Site, stranger: httpx.Client):
    answer = sign_in(stranger, site.accounts.create_link("local"))
    cookie = SimpleCookie(answer.headers["set-cookie"])[f"palaver-{site.address.port}"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "strict"
    assert cookie["path"] == "/"
    assert cookie["domain"] == ""
    assert cookie["max-age"] == str(30 * 24 * 3600)


def test_a_link_is_not_used_up_when_signing_in_fails(site: Site, stranger: httpx.Client):
    code = site.accounts.create_link("local")
    database: Any = apsw.Connection(str(site.home.accounts))
    database.execute("ALTER TABLE sign_ins RENAME TO away")
    failed = sign_in(stranger, code)
    database.execute("ALTER TABLE away RENAME TO sign_ins")
    database.close()
    assert (failed.status_code, failed.json()["code"]) == (503, "storage_failed")
    assert str(site.home.root) not in failed.text
    assert sign_in(stranger, code).status_code == 204


def test_signing_out_ends_it(site: Site, browser: httpx.Client):
    cookies = dict(browser.cookies)
    answer = browser.post("/api/logout")
    assert answer.status_code == 204
    assert "Max-Age=0" in answer.headers["set-cookie"]
    with site.client(Origin=site.url) as again:
        again.cookies.update(cookies)
        assert again.get("/api/me").status_code == 401


@pytest.mark.parametrize("code", ["", "x", "😀", "A" * 43])
def test_a_wrong_code_signs_nobody_in(stranger: httpx.Client, code: str):
    answer = sign_in(stranger, code)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(("path", "status"), [("/nonsense", 404), ("/c/nonsense", 400)])
def test_somebody_at_a_wrong_address_is_led_home(stranger: httpx.Client, path: str, status: int):
    answer = stranger.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert '<a href="/">' in answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert stranger.get(path).headers["content-type"] == "application/problem+json"


def test_a_wrong_address_is_shown_as_text(stranger: httpx.Client):
    answer = stranger.get("/c/<script>", headers={"Accept": "text/html"})
    assert "&lt;script&gt;" in answer.text
    assert "<script>" not in answer.text


def test_the_page_may_be_seen_by_anybody_and_holds_nothing(
    stranger: httpx.Client, conversation: str
):
    for path in ("/", "/search?q=login", "/login", "/docs", f"/c/{conversation}"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (
            200,
            "text/html; charset=utf-8",
        )
        assert "login bug" not in answer.text
