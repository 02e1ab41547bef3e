"""The routes of the API, one module for each kind of thing."""

from palaver.server.routes import (
    chat,
    context,
    conversations,
    health,
    insights,
    jobs,
    me,
    messages,
    metrics,
    models,
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
    metrics.router,
    jobs.router,
    models.router,
    insights.router,
    me.router,
    sign_in.router,
    tokens.router,
)

__all__ = ["ROUTERS"]
