from __future__ import annotations

from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from tests.server.site import Site, running_site


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


PASSWORD = "correct horse"
BY_NAME = '<meta name="sign-in" content="link or name">'


def by_password(client: httpx.Client, name: str, password: str) -> httpx.Response:
    return client.post("/api/login", json={"name": name, "password": password})


def test_a_password_signs_somebody_in_to_what_is_theirs(site: Site, stranger: httpx.Client):
    ann = site.accounts.add_user("Änn Bell", PASSWORD)
    answer = by_password(stranger, "ÄNN bell", PASSWORD)
    assert answer.status_code == 204
    cookie = SimpleCookie(answer.headers["set-cookie"])[f"palaver-{site.address.port}"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "strict")
    me = stranger.get("/api/me").json()
    assert (me["user"], me["name"]) == (ann.id, "Änn Bell")
    assert stranger.get("/api/conversations").json()["conversations"] == []


def test_a_wrong_name_and_a_wrong_password_get_the_same_answer(site: Site, stranger: httpx.Client):
    site.accounts.add_user("bob", PASSWORD)
    site.accounts.add_user("token only")
    answers = [
        by_password(stranger, *pair)
        for pair in (("bob", "wrong horse"), ("nobody", PASSWORD), ("token only", PASSWORD))
    ]
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (401, answers[0].content)
    }
    assert "The name or the password is wrong." in answers[0].text
    assert all("set-cookie" not in answer.headers for answer in answers)


def test_another_password_signs_out_at_once(site: Site, stranger: httpx.Client):
    site.accounts.add_user("cat", PASSWORD)
    by_password(stranger, "cat", PASSWORD)
    assert stranger.get("/api/me").status_code == 200
    site.accounts.set_password("cat", "another horse")
    assert stranger.get("/api/me").status_code == 401


def test_somebody_who_is_removed_is_out_at_once(site: Site, stranger: httpx.Client):
    user = site.accounts.add_user("fay", PASSWORD)
    by_password(stranger, "fay", PASSWORD)
    with site.program(user=user.id) as program:
        assert stranger.get("/api/me").status_code == program.get("/api/me").status_code == 200
        site.accounts.remove_user("fay")
        assert stranger.get("/api/me").status_code == program.get("/api/me").status_code == 401
    assert by_password(stranger, "fay", PASSWORD).status_code == 401


def test_on_a_database_people_sign_in_as_well(tmp_path: Path, database_url: str):
    with running_site(tmp_path, database_url=database_url) as site, site.client() as client:
        ann = site.accounts.add_user("ann", PASSWORD)
        assert by_password(client, "nobody", PASSWORD).status_code == 401
        assert by_password(client, "ann", "wrong horse").status_code == 401
        assert by_password(client, "ann", PASSWORD).status_code == 204
        assert client.get("/api/me").json()["user"] == ann.id
        assert BY_NAME in client.get("/login").text


def test_after_ten_wrong_passwords_one_has_to_wait(site: Site, stranger: httpx.Client):
    site.accounts.add_user("dan", PASSWORD)
    tried = [by_password(stranger, "dan", "wrong horse").status_code for _ in range(10)]
    assert tried == [401] * 10
    refused = by_password(stranger, "DAN", PASSWORD)
    assert (refused.status_code, refused.json()["code"]) == (429, "limit_reached")
    assert 0 < int(refused.headers["retry-after"]) <= 30
    assert "set-cookie" not in refused.headers
    site.accounts.add_user("eve", PASSWORD)
    assert by_password(stranger, "eve", PASSWORD).status_code == 204


@pytest.mark.parametrize(
    "body",
    [
        {}, {"name": "ann"}, {"password": PASSWORD}, {"name": 1, "password": PASSWORD},
        {"code": "x", "name": "ann", "password": PASSWORD}, {"code": None}, [], "x",
    ],
)  # fmt: skip
def test_something_else_is_no_way_to_sign_in(stranger: httpx.Client, body: Any):
    answer = stranger.post("/api/login", json=body)
    assert answer.status_code in {400, 422}
    assert "set-cookie" not in answer.headers


def test_the_page_asks_for_a_password_only_when_somebody_has_one(tmp_path: Path):
    with running_site(tmp_path) as site, site.client() as client:
        before = client.get("/login")
        assert BY_NAME not in before.text
        site.accounts.set_password("local", PASSWORD)
        after = client.get("/login", headers={"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert BY_NAME in after.text


@pytest.mark.parametrize(("path", "status"), [("/nonsense", 404), ("/c/nonsense", 400)])
def test_somebody_at_a_wrong_address_is_led_home(stranger: httpx.Client, path: str, status: int):
    answer = stranger.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert 'href="/">Open Palaver</a>' in answer.text
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
