"""`/ws`: who may come in, and which conversation they look at first."""

from __future__ import annotations

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from palaver.errors import BadValue, PalaverError
from palaver.server.doors import Named, access_conversation
from palaver.server.entry import Entry
from palaver.server.live.socket import Socket
from palaver.server.live.visit import Visit
from palaver.server.problems import problem_response
from palaver.server.protocol import SOCKET_PATH
from palaver.server.queries import check_query

_MOST_DIGITS = 18


def live_route() -> WebSocketRoute:
    return WebSocketRoute(SOCKET_PATH, _live)


async def _live(websocket: WebSocket) -> None:
    try:
        await _visit(websocket)
    except PalaverError as error:  # nobody was let in
        await websocket.send_denial_response(problem_response(error))


async def _visit(websocket: WebSocket) -> None:
    """Raises PalaverError before it lets somebody in, and nothing afterwards."""
    check_query(websocket, ["conversation", "after"])
    entry: Entry = websocket.app.state.entry
    principal = await entry.admit(websocket)
    principal.require("read")
    named, after = websocket.query_params.get("conversation"), _position(websocket)
    wanted = access_conversation(principal, Named(named)) if named is not None else None
    async with entry.libraries.of(principal.user) as palaver:
        if wanted is not None:
            await palaver.conversation(wanted)
        await websocket.accept()
        socket = Socket(websocket)
        await Visit(socket, palaver, principal, lambda: entry.admit(websocket)).run(wanted, after)


def _position(websocket: WebSocket) -> int | None:
    after = websocket.query_params.get("after")
    if after is None:
        return None
    if not (after.isascii() and after.isdecimal() and len(after) <= _MOST_DIGITS):
        raise BadValue("after is not the id of an event.", remedy="Give the last `eventId`.")
    return int(after)
