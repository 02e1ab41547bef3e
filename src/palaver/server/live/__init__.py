"""The WebSocket: what happens to conversations, told as it happens."""

from palaver.server.live.route import live_route

__all__ = ["live_route"]
