"""The server on standard input and output, for an agent that starts it as a program of its own."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from anyio import AsyncFile
from mcp.server.stdio import stdio_server

from palaver.app import Palaver
from palaver.server.mcp.incoming import Incoming, own_input
from palaver.server.mcp.protocol import create_server
from palaver.server.mcp.tools import Access

_REMEDY = "Start the server with it: `palaver mcp --scope {scope}`."


async def serve_stdio(palaver: Palaver, scopes: Collection[str]) -> None:
    """Serves one client until it closes standard input, or stops reading.

    Standard output carries the protocol and nothing else: whatever else is printed meanwhile goes
    to standard error.
    """
    server = create_server(palaver, Access(frozenset(scopes), _REMEDY))
    try:
        with own_input() as source:
            lines = Incoming(source)
            read = cast("AsyncFile[str]", lines)  # all that is done with it is to go through it
            async with stdio_server(stdin=read) as (incoming, outgoing):
                lines.answer = outgoing.send
                await server.run(incoming, outgoing, server.create_initialization_options())
    except* BrokenPipeError:
        pass  # the client has gone, which is how it ends
