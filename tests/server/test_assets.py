"""The files of the built page: how they are found, packed and kept by browsers."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from palaver.errors import NotFound, PageMissing
from palaver.server import assets as built
from palaver.server.assets import Assets, takes_gzip
from palaver.server.listening import serve
from palaver.settings import Settings
from tests.server.site import Site, running_site

PAGES = [
    *("/", "/continuous", "/search", "/memories", "/external", "/insights", "/settings"),
    *("/login", "/docs"),
]
CONVERSATION = "/c/conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
EXCHANGE = "/external/ext-01HQXK5J7G8M3N4P5R6S7T8V9W"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types dompurify"
)
FOR_PEOPLE = {"Accept": "text/html"}


@pytest.fixture
def script(stranger: httpx.Client) -> str:
    """The address of the page's own program."""
    page = stranger.get("/").text
    return page.partition('src="')[2].partition('"')[0]


@pytest.mark.parametrize("path", [*PAGES, CONVERSATION, EXCHANGE])
def test_the_page_is_asked_for_again_each_time(stranger: httpx.Client, path: str):
    first = stranger.get(path)
    assert first.status_code == 200
    assert first.headers["content-type"] == "text/html; charset=utf-8"
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-security-policy"] == POLICY
    assert "<script>" not in first.text
    assert "style=" not in first.text
    again = stranger.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["content-security-policy"] == POLICY


def test_what_is_named_for_its_content_is_kept_for_ever(stranger: httpx.Client, script: str):
    answer = stranger.get(script)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    icon = stranger.get("/page/icon.svg")
    assert icon.headers["content-type"].startswith("image/svg+xml")
    assert icon.headers["cache-control"] == "no-cache"


def test_files_are_packed_for_those_who_take_it(stranger: httpx.Client, script: str):
    plain = stranger.get(script, headers={"Accept-Encoding": "identity"})
    packed = stranger.get(script, headers={"Accept-Encoding": "br, gzip"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"
    assert plain.headers["etag"] != packed.headers["etag"]
    for answer in (plain, packed):
        told = {"If-None-Match": f'"another", W/{answer.headers["etag"]}'}
        encoding = "gzip" if answer is packed else "identity"
        again = stranger.get(script, headers={"Accept-Encoding": encoding, **told})
        assert again.status_code == 304
    crossed = {"Accept-Encoding": "identity", "If-None-Match": packed.headers["etag"]}
    assert stranger.get(script, headers=crossed).status_code == 200


def test_the_first_load_is_small(stranger: httpx.Client):
    page = stranger.get("/").text
    scripts = re.findall(r'(?:src|href)="(/page/[^"]+\.js)"', page)
    assert scripts
    packed = [
        stranger.get(one, headers={"Accept-Encoding": "gzip"}).headers["content-length"]
        for one in scripts
    ]
    assert sum(map(int, packed)) <= 250_000


@pytest.mark.parametrize(
    ("accepted", "takes"),
    [
        ("gzip", True),
        ("GZIP;q=0.5, br", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.0, *", False),
        ("gzip;q=rubbish", False),
        ("identity;q=1, *;q=0", False),
    ],
)
def test_what_a_browser_says_that_it_takes(accepted: str, takes: bool):
    assert takes_gzip(accepted) is takes


def test_asking_only_for_the_headers(stranger: httpx.Client, script: str):
    answer = stranger.head(script)
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize(
    "name",
    [
        "no-such-file.js",
        "index",
        "..%2fassets.py",
        "..%2f..%2ferrors.py",
        "%2e%2e%2fassets.py",
        "..%5cassets.py",
        "%2fetc%2fpasswd",
        "index.html%00",
        ".",
        "",
    ],
)
def test_there_is_nothing_but_the_files(stranger: httpx.Client, name: str):
    answer = stranger.get(f"/page/{name}")
    assert answer.status_code in (400, 404)
    assert "import" not in answer.text


def test_somebody_who_went_astray_sees_a_page(stranger: httpx.Client):
    answer = stranger.get("/nowhere", headers=FOR_PEOPLE)
    assert answer.status_code == 404
    assert answer.headers["content-security-policy"] == POLICY
    assert answer.headers["cache-control"] == "no-store"
    assert "There is nothing at this address." in unescape(answer.text)
    assert "{{" not in answer.text
    style = answer.text.partition('rel="stylesheet"')[2].partition('href="')[2].partition('"')[0]
    assert stranger.get(style).headers["content-type"] == "text/css; charset=utf-8"


def test_nobodys_words_are_markup_there(stranger: httpx.Client):
    answer = stranger.get("/c/<script>alert(1)<%2fscript>", headers=FOR_PEOPLE)
    assert answer.status_code in (400, 404)
    assert "<script>" not in answer.text


def test_the_sign_in_page_says_whether_somebody_has_a_password(tmp_path: Path):
    with running_site(tmp_path) as site, site.client() as stranger:
        before = stranger.get("/login")
        assert '<meta name="sign-in" content="link">' in before.text
        site.accounts.add_user("ann", "correct horse")
        after = stranger.get("/login", headers={"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert '<meta name="sign-in" content="link or name">' in after.text


# -- without a build -------------------------------------------------------------------------------


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(built, "FOLDER", "no-such-folder")
    with running_site(tmp_path) as site:
        yield site


def test_without_a_build_the_api_works_and_the_page_says_how_to_build_it(bare: Site):
    with bare.browser() as client:
        assert client.get("/api/me").status_code == 200
        answer = client.get("/", headers=FOR_PEOPLE)
        assert answer.status_code == 503
        assert "The page has not been built." in answer.text
        assert "<code>make page</code>" in answer.text
        assert client.get("/").json()["code"] == "page_missing"
        assert client.get("/page/main.js").status_code == 404


def test_without_a_build_nothing_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(built, "FOLDER", "no-such-folder")
    with pytest.raises(PageMissing) as refused:
        serve(Settings.load(tmp_path, server__port=0))
    assert "make page" in refused.value.remedy


def test_a_folder_is_read_once(tmp_path: Path):
    (tmp_path / "index.html").write_text("<p>one</p>" * 100)
    assets = Assets(tmp_path)
    (tmp_path / "index.html").write_text("another")
    found = assets.page("index")
    assert found.packed
    assert gzip.decompress(found.packed) == found.content == b"<p>one</p>" * 100
    with pytest.raises(NotFound):
        assets.file("late.js")
    with pytest.raises(PageMissing):
        assets.page("login")
    with pytest.raises(PageMissing):
        found.replaced("not there", "x")
