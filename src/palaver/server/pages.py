"""Pages: the files of the web page, known by name and kept in memory."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from mimetypes import guess_type

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from palaver.conversation.streams import check_conversation_id
from palaver.errors import NotFound, PalaverError

FOLDER = "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
_PROBLEM = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Palaver</title>
  <link rel="icon" href="/page/icon.svg" type="image/svg+xml">
  <link rel="stylesheet" href="/page/style.css">
</head>
<body class="lone">
  <main class="card">
    <h1>{message}</h1>
    <p><a href="/">Open Palaver</a></p>
  </main>
</body>
</html>
"""
_HIDDEN_FORM = b'<form id="by-name" hidden>'
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Asset:
    """A file of the page."""

    content: bytes
    media_type: str
    tag: str

    def response(self, request: Request) -> Response:
        headers = {"ETag": self.tag, "Cache-Control": "no-cache", "Content-Security-Policy": POLICY}
        if request.headers.get("if-none-match") == self.tag:
            return Response(status_code=304, headers=headers)
        return Response(self.content, media_type=self.media_type, headers=headers)


def page_routes() -> list[Route]:
    """The addresses of the page and of its files; none of them holds anything private."""
    assets = _load()

    async def file(request: Request) -> Response:
        found = assets.get(request.path_params["name"])
        if found is None:
            raise NotFound("The page has no such file.", remedy="Open the page at `/`.")
        return found.response(request)

    async def home(request: Request) -> Response:
        return assets["index.html"].response(request)

    async def conversation(request: Request) -> Response:
        check_conversation_id(request.path_params["conversation_id"])
        return assets["index.html"].response(request)

    asking = _asking_for_a_password(assets["login.html"])

    async def login(request: Request) -> Response:
        accounts = request.app.state.entry.accounts
        by_name = await asyncio.to_thread(accounts.somebody_has_password)
        return (asking if by_name else assets["login.html"]).response(request)

    async def docs(request: Request) -> Response:
        return assets["docs.html"].response(request)

    return [
        Route("/", home),
        Route("/c/{conversation_id}", conversation),
        Route("/search", home),
        Route("/login", login),
        Route("/docs", docs),
        Route(f"/{FOLDER}/{{name}}", file),
    ]


def problem_page(error: PalaverError) -> Response:
    """What somebody sees who opened an address that leads nowhere."""
    return HTMLResponse(
        _PROBLEM.format(message=escape(error.message)),
        status_code=error.status,
        headers={"Content-Security-Policy": POLICY},
    )


def _load() -> dict[str, Asset]:
    folder = files(__package__ or "") / FOLDER
    return {file.name: _asset(file.name, file.read_bytes()) for file in folder.iterdir()}


def _asking_for_a_password(login: Asset) -> Asset:
    """The same page with the form that is hidden where nobody has a password."""
    return _asset("login.html", login.content.replace(_HIDDEN_FORM, _HIDDEN_FORM[:-8] + b">"))


def _asset(name: str, content: bytes) -> Asset:
    suffix = name[name.rindex(".") :]
    media_type = _TYPES.get(suffix) or guess_type(name)[0] or "application/octet-stream"
    return Asset(content, media_type, f'"{sha256(content).hexdigest()[:32]}"')
