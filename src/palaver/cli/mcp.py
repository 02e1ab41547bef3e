"""`palaver mcp`: recall for an agent, over the Model Context Protocol."""

from __future__ import annotations

import signal
import sys
from io import TextIOBase
from typing import Annotated

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import note
from palaver.errors import InputError

_DEFAULT = ("recall", "memory:read")


@takes_common
def mcp(
    common: Common,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCOPE",
            help="What the agent may do; repeat it for more. Default: recall and memory:read.",
        ),
    ] = None,
) -> None:
    """Give an agent recall, as an MCP server on standard input and output."""
    from palaver.accounts.principals import check_scopes

    scopes = check_scopes(scope or _DEFAULT)
    if not isinstance(sys.stdin, TextIOBase):  # closed by whoever started it
        raise InputError(
            "Standard input is closed: an MCP client speaks through it.",
            remedy="Have the client start `palaver mcp`, and leave standard input open.",
        )
    with common.opened(create=True, stays=True) as home:
        from palaver.server.mcp.stdio import serve_stdio

        # Reading standard input cannot be interrupted, and nothing here has to be finished.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if sys.stdin.isatty():
            note("This waits for an MCP client on standard input. Ctrl-C ends it.")
        home.run(serve_stdio(home.palaver, scopes))
