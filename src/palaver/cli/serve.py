"""`palaver serve`: the page and the API, until Ctrl-C."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import say_json


@takes_common
def serve(
    common: Common,
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen. Default: 127.0.0.1.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="PORT", help="The port; 0 takes a free one. Default: 8420."),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
) -> None:
    """Serve the page and the API. Prints the link that signs you in."""
    common.check_user(create=True)
    settings = common.settings(server__host=host, server__port=port)
    from palaver.server import serve as serve_until_stopped

    def told(link: str) -> None:
        if common.json:
            say_json({"link": link})
            sys.stdout.flush()

    serve_until_stopped(settings, user=common.user, open_browser=open_, ready=told)
