"""`/ws`: who may come in, and which conversation they look at first."""

from __future__ import annotations

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from palaver.errors import BadValue, PalaverError
from palaver.server.doors import Named, access_conversation
from palaver.server.entry import Entry
from palaver.server.guests import Stay
from palaver.server.live.hub import Hubs
from palaver.server.live.socket import Socket
from palaver.server.live.visit import Visit
from palaver.server.problems import problem_response
from palaver.server.protocol import SOCKET_PATH
from palaver.server.queries import check_query

SCOPE = "read"
"""What everybody who comes in needs; some requests need more."""
SPENDS = "searches"
"""They are shown a conversation, as by a request."""
_MOST_DIGITS = 18


def live_route() -> WebSocketRoute:
    return WebSocketRoute(SOCKET_PATH, _Live().answer)


class _Live:
    """Everybody who is connected."""

    def __init__(self) -> None:
        self._hubs = Hubs()

    async def answer(self, websocket: WebSocket) -> None:
        try:
            await self._admit(websocket)
        except PalaverError as error:  # nobody was let in
            await websocket.send_denial_response(problem_response(error))

    async def _admit(self, websocket: WebSocket) -> None:
        """Raises PalaverError before it lets somebody in, and nothing afterwards."""
        check_query(websocket, ["conversation", "after"])
        entry: Entry = websocket.app.state.entry
        principal = await entry.admit(websocket)
        principal.require(SCOPE)
        entry.limits.spend(principal.user, SPENDS)
        with entry.stay(principal) as stay:
            await self._visit(websocket, entry, stay)

    async def _visit(self, websocket: WebSocket, entry: Entry, stay: Stay) -> None:
        named, after = websocket.query_params.get("conversation"), _position(websocket)
        wanted = access_conversation(stay.principal, Named(named)) if named is not None else None
        async with entry.libraries.of(stay.principal.user) as palaver:
            if wanted is not None:
                await palaver.conversation(wanted)
            await websocket.accept()
            async with self._hubs.of(palaver) as hub:
                visit = Visit(Socket(websocket), hub, stay, entry.limits)
                await visit.run(wanted, after)


def _position(websocket: WebSocket) -> int | None:
    after = websocket.query_params.get("after")
    if after is None:
        return None
    if not (after.isascii() and after.isdecimal() and len(after) <= _MOST_DIGITS):
        raise BadValue("after is not the id of an event.", remedy="Give the last `eventId`.")
    return int(after)
