"""The routes of the API, one module for each kind of thing."""

from palaver.server.routes import (
    chat,
    conversations,
    health,
    jobs,
    messages,
    search,
    sign_in,
    tokens,
)

ROUTERS = (
    conversations.router,
    messages.router,
    chat.router,
    search.router,
    health.router,
    jobs.router,
    sign_in.router,
    tokens.router,
)

__all__ = ["ROUTERS"]
