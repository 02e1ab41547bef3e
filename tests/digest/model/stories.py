"""A conversation, and what a good model makes of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from palaver.context.tokens import EstimatedTokens
from palaver.digest.model.sheet import Sheet, sheet_of
from palaver.digest.port import Story, Want
from palaver.digest.state import fold_all
from palaver.index.records import ConversationMeta, Json, Message

BOTH: frozenset[Want] = frozenset({"abbreviation", "title"})
count = EstimatedTokens().count

SAID = (
    "Hi! The login page is throwing ERR-4711 since the deploy on Tuesday. Marta saw it first.",
    "That code means that the session cookie is rejected. Has the domain of the cookie changed? In "
    "the last three releases it was set to app.example.org, and a proxy may have rewritten it.",
    "Yes, we moved from app.example.org to portal.example.org, and about 1,500 users are affected "
    "by it. Support has had calls all morning, mostly from the office in Leipzig.",
    "Then the cookie still names the old domain. You can set it for both domains, or for the "
    "parent domain alone, which is simpler but also reaches every other service under it.",
    "We decided to set it for the parent domain, and to roll it out on Thursday at 14:30. Marta "
    "will watch the error rate while it goes out, and Jonas tells the support desk beforehand.",
    "Good. Keep the old cookie valid for 48 hours, so that nobody is signed out in the middle of "
    "their work. After that the old name can be dropped from the allow list, too.",
    "Remind me to write to the customers in Leipzig before that. What should I do about the mobile "
    "app, which pins the domain and is only updated every second week?",
    "The mobile app needs its own release: it keeps the domain in a file called hosts.plist. Until "
    "that is out, let the old domain forward its requests; that costs you nothing but a redirect.",
    "Sounds fine. The redirect is in place on the proxy in front of the portal, and the first "
    "users of the mobile app got through just now, slowly but without an error on the login page.",
    "Very good. The delay comes from the redirect itself: each request of the app makes one more "
    "round trip. It goes away with the next release of the app, so there is nothing to change.",
)
POINTS: tuple[tuple[str, list[int], str], ...] = (
    (
        "The login page throws ERR-4711 since the deploy on Tuesday: the session cookie is "
        "rejected after the move from app.example.org to portal.example.org; about 1,500 users.",
        [1, 2, 3],
        "throwing ERR-4711 since the deploy on Tuesday",
    ),
    (
        "Decided: the cookie is set for the parent domain, rolled out on Thursday at 14:30; Marta "
        "watches the error rate and Jonas tells the support desk.",
        [5],
        "We decided to set it for the parent domain",
    ),
    ("The old cookie stays valid for 48 hours.", [6], ""),
    (
        "Open: write to the customers in Leipzig; the mobile app, with the domain in hosts.plist, "
        "needs a release of its own.",
        [7, 8],
        "Remind me to write to the customers in Leipzig",
    ),
)


def message(number: int, text: str) -> Message:
    return Message.model_validate(
        {
            "id": f"msg-{number}",
            "conversationId": "conv-1",
            "seq": number,
            "role": ("user", "assistant")[(number - 1) % 2],
            "content": text,
            "timestamp": "2026-02-14T09:00:00.000Z",
            "turnNumber": (number + 1) // 2,
        }
    )


def story(*texts: str, **more: Any) -> Story:
    """A conversation in which user and assistant take turns."""
    messages = [message(n, text) for n, text in enumerate(texts or SAID, start=1)]
    meta = ConversationMeta(id="conv-1", created="", updated="")
    return Story(meta, messages, **more)


def login_story() -> Story:
    told = story()
    return story(open=fold_all(told.messages).open_items)


def sheet(*texts: str) -> Sheet:
    return sheet_of(story(*texts), 1200, count)


def good(**changes: Any) -> Json:
    """An answer about the login page in which nothing is wrong but what is changed."""
    points = [{"text": text, "messages": on, "quote": quote} for text, on, quote in POINTS]
    name = {"title": "Login Page Cookie Fix", "topics": ["login-page", "session-cookie"]}
    return {"points": points, **name, "messages": [1, 5], **changes}


def with_point(text: str, on: Sequence[int] = (1,), quote: str = "") -> str:
    """The good answer with one more point."""
    point = {"text": text, "messages": list(on), "quote": quote}
    return json.dumps(good(points=[*good()["points"], point]))
