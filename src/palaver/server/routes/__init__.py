"""The routes of the API, one module for each kind of thing."""

from palaver.server.routes import (
    chat,
    context,
    conversations,
    health,
    jobs,
    messages,
    search,
    sign_in,
    state,
    tokens,
)

ROUTERS = (
    conversations.router,
    messages.router,
    context.router,
    state.router,
    chat.router,
    search.router,
    health.router,
    jobs.router,
    sign_in.router,
    tokens.router,
)

__all__ = ["ROUTERS"]
