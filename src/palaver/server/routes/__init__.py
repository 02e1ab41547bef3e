"""The routes of the API, one module for each kind of thing."""

from palaver.server.routes import (
    chat,
    context,
    continuous,
    continuous_recall,
    conversations,
    export,
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
    export.router,
    messages.router,
    context.router,
    state.router,
    chat.router,
    continuous.router,
    continuous_recall.router,
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
