"""Pages: at which addresses the built page is served, and what somebody sees who went astray."""

from __future__ import annotations

import asyncio
import re
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from palaver.channels.external.externals import check_external_id
from palaver.conversation.streams import check_conversation_id
from palaver.errors import PageMissing, PalaverError
from palaver.server.assets import FOLDER, POLICY, Assets

# What the built files hold where the server says something: web/login.html, web/problem.html.
_BY_LINK = '<meta name="sign-in" content="link">'
_BY_NAME = '<meta name="sign-in" content="link or name">'
_SENTENCE, _REMEDY = "{{sentence}}", "{{remedy}}"
_BARE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Palaver</title>
<h1>{_SENTENCE}</h1>
<p>{_REMEDY}</p>
</html>
"""


def page_routes(assets: Assets) -> list[Route]:
    """The addresses of the page and of its files; none of them holds anything private."""

    async def file(request: Request) -> Response:
        return assets.file(request.path_params["name"]).response(request)

    async def home(request: Request) -> Response:
        return assets.page("index").response(request)

    async def conversation(request: Request) -> Response:
        check_conversation_id(request.path_params["conversation_id"])
        return assets.page("index").response(request)

    async def exchange(request: Request) -> Response:
        check_external_id(request.path_params["external_id"])
        return assets.page("index").response(request)

    async def login(request: Request) -> Response:
        page = assets.page("login")
        accounts = request.app.state.entry.accounts
        if await asyncio.to_thread(accounts.somebody_has_password):
            page = page.replaced(_BY_LINK, _BY_NAME)
        return page.response(request)

    async def docs(request: Request) -> Response:
        return assets.page("docs").response(request)

    return [
        Route("/", home),
        Route("/c/{conversation_id}", conversation),
        Route("/continuous", home),
        Route("/continuous/{day}", home),
        Route("/search", home),
        Route("/memories", home),
        Route("/external", home),
        Route("/external/{external_id}", exchange),
        Route("/insights", home),
        Route("/settings", home),
        Route("/login", login),
        Route("/docs", docs),
        Route(f"/{FOLDER}/{{name}}", file),
    ]


def problem_page(assets: Assets, error: PalaverError) -> Response:
    """What somebody sees who opened an address that leads nowhere."""
    try:
        page = assets.page("problem").content.decode()
    except PageMissing:
        page = _BARE
    remedy = re.sub("`([^`]+)`", r"<code>\1</code>", escape(error.remedy))
    page = page.replace(_SENTENCE, escape(error.message)).replace(_REMEDY, remedy)
    headers = {"Content-Security-Policy": POLICY}
    return HTMLResponse(page, status_code=error.status, headers=headers)
