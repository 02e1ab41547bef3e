"""Examples: what requests and answers look like. A test sends and checks every one of them."""

from __future__ import annotations

from typing import Any

from palaver.agent.language import ModelInfo
from palaver.agent.models import ModelTest
from palaver.context.packet import ContextPacket, PacketSection
from palaver.context.references import PacketReferences
from palaver.conversation.insights import (
    Insights,
    SaidByModel,
    SaidOnChannel,
    SaidOnDay,
    StorageUse,
)
from palaver.conversation.records import ConversationPage, Receipt, Reply
from palaver.digest.checkpoint import Checkpoint, ConversationState, StateItem
from palaver.digest.port import BULLET, Point
from palaver.digest.reading import ConversationDigest, DigestPart
from palaver.engines import StartReport
from palaver.errors import NotFound
from palaver.index.records import (
    Author,
    ConversationMeta,
    Health,
    Json,
    Message,
    MessagePage,
    Record,
    Source,
    SummarySource,
)
from palaver.jobs import Job
from palaver.recall.results import SearchPage, SearchResult
from palaver.server.problems import problem
from palaver.server.shapes import (
    Alive,
    ConversationView,
    JobList,
    Me,
    ModelList,
    NewTokenView,
    ServedHealth,
    Stopped,
    TokenList,
    TokenView,
)

_CONVERSATION = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
_ASKED, _SAID = "msg-01HQXK5J7H2M9T4W6Y8Z1B3D5F", "msg-01HQXK5K3C7E9G1J3M5P7R9T1V"
_WHEN, _THEN = "2026-02-14T09:00:00.000Z", "2026-02-14T09:00:02.000Z"
_QUESTION = "Which tiles do we take for the bathroom?"
_ANSWER = "The blue ones, order 4711-B."
PLACES: dict[str, str] = {
    "conversationId": _CONVERSATION,
    "messageId": _ASKED,
    "tokenId": "tok-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "jobId": "rebuild:local",
}
"""What can stand in a path, by its name there."""
REQUESTS: dict[str, list[Json]] = {
    "NewConversation": [
        {"title": "Bathroom", "metadata": {"project": "house"}},
        {"key": "bathroom-1"},
    ],
    "ChangeBody": [{"title": "Tiles for the bathroom"}, {"archived": True}, {"model": None}],
    "NewMessageBody": [
        {"role": "user", "content": _QUESTION, "timestamp": _WHEN, "key": "tiles-1"},
        {"role": "assistant", "content": _ANSWER, "model": "my-own"},
    ],
    "EditedMessage": [{"content": "Which tiles do we take for the kitchen?"}],
    "ChatMessage": [
        {"message": _QUESTION},
        {"message": "And for the floor?", "key": "floor-1", "context": {"page": "plan"}},
    ],
    "Regeneration": [{"key": "again-1"}],
    "ChoicesBody": [{"timezone": "Europe/Berlin"}, {"model": None}],
    "ModelName": [{"name": "offline"}],
    "LinkSignIn": [{"code": "kq3v9n6yF0xw2c7bJ1r8sT5uL4mZ0aPd"}],
    "PasswordSignIn": [{"name": "ann", "password": "four plain words together"}],
    "NewTokenBody": [{"name": "My program", "scopes": ["read", "chat"]}],
}
"""What requests carry, by shape."""


def answers() -> dict[str, list[Json]]:
    """What answers hold, by shape."""
    return {type(one).__name__: [one.to_json()] for one in (*_talk(), *_around_it())}


def _talk() -> list[Record]:
    meta, asked, said = _meta(), _message(0), _message(1)
    state = ConversationState(
        conversation_id=_CONVERSATION,
        status="active",
        active_topics=("bathroom-tiles",),
        pending_clarifications=(),
        open_loops=(_left_open(),),
        active_job_refs=(),
        resolved_entities={},
        rolling_summary=None,
        last_intent=None,
        last_response_type=None,
        turn_count=1,
        covers=2,
        provisional=False,
    )
    return [
        meta,
        asked,
        ConversationPage(conversations=[meta], next_cursor="eyJhIjoxfQ"),
        ConversationView(conversation=meta, messages=[asked, said], has_more=False),
        MessagePage(messages=[asked, said], has_more=False),
        Reply(conversation_id=_CONVERSATION, turn_number=1, reply=said),
        Stopped(stopped=True),
        _receipt(),
        SearchPage(results=[_found()], total_matches=1),
        state,
        Checkpoint(conversation_state=state, turns=[asked, said], summary=None),
        _digest(),
        _packet(),
    ]


def _around_it() -> list[Record]:
    health: Json = {"status": "ok", "detail": "Everything is indexed."}
    job = Job(id="rebuild:local", kind="rebuild", user="local", state="pending")
    model = ModelInfo(
        name="offline",
        model="offline",
        provider="palaver",
        connected=True,
        window=8000,
        kind="offline",
    )
    token: dict[str, Any] = {
        "id": PLACES["tokenId"],
        "name": "My program",
        "scopes": ["chat", "read"],
        "created": _WHEN,
        "expires": None,
        "last_used": None,
        "revoked": None,
    }
    return [
        Alive(),
        Health(**health),
        ServedHealth(**health, started=StartReport(milliseconds=41.5)),
        job,
        JobList(jobs=[job]),
        ModelList(models=[model], usual="offline"),
        ModelTest(name="offline", ok=True, latency_ms=0.4),
        Me(
            user="local",
            name="local",
            scopes=["read"],
            timezone="Europe/Berlin",
            model="offline",
            chosen=["timezone"],
            assistant="Assistant",
        ),
        _insights(Health(**health)),
        TokenView(**token),
        NewTokenView(**token, token="pal_…"),  # noqa: S106 - not a secret
        TokenList(tokens=[TokenView(**token)]),
        problem(NotFound()),
    ]


def _insights(health: Health) -> Insights:
    said: dict[str, Any] = {
        "messages": 2,
        "input_tokens": 1200,
        "output_tokens": 350,
        "cost": 0.004,
    }
    by_model = SaidByModel(**said, model="haiku")
    return Insights.model_validate(
        {
            "timezone": "Europe/Berlin",
            "from": "2026-02-01",
            "to": "2026-02-28",
            "days": [SaidOnDay(**said, day="2026-02-14", turns=1, models=[by_model])],
            "channels": [SaidOnChannel(**said, channel="web", turns=1)],
            "models": [by_model],
            "storage": StorageUse(conversations=1, ledger_bytes=1834, index_bytes=98304),
            "index": health,
        }
    )


def _meta() -> ConversationMeta:
    return ConversationMeta(
        id=_CONVERSATION,
        title="Tiles for the bathroom",
        topics=["bathroom-tiles"],
        created=_WHEN,
        updated=_THEN,
        turn_count=1,
    )


def _message(number: int) -> Message:
    return Message(
        id=(_ASKED, _SAID)[number],
        conversation_id=_CONVERSATION,
        seq=number + 1,
        role=("user", "assistant")[number],
        content=(_QUESTION, _ANSWER)[number],
        timestamp=(_WHEN, _THEN)[number],
        turn_number=1,
        channel="web",
        author=Author(kind=("owner", "assistant")[number]),
    )


def _left_open() -> StateItem:
    return StateItem(
        kind="question", text=_QUESTION, message_id=_ASKED, turn_number=1, owed_by="assistant"
    )


def _digest() -> ConversationDigest:
    source = SummarySource(
        message_id=_SAID, quote=_ANSWER, kind="decision", by="assistant", point=0
    )
    point = Point(text=f"They take {_ANSWER[0].lower()}{_ANSWER[1:]}", sources=[source])
    return ConversationDigest(
        title="Tiles for the bathroom",
        titled_by="offline",
        topics=["bathroom-tiles"],
        title_sources=[source],
        abbreviation=DigestPart(
            text=f"{BULLET}{point.text}", points=[point], by="offline", made=_THEN, through=1
        ),
        rolling_summary=None,
        needs_abbreviation=False,
    )


def _receipt() -> Receipt:
    return Receipt(
        preview=True,
        conversation_id=_CONVERSATION,
        messages=2,
        dependents=[],
        rows=3,
        full_text=2,
        pieces=1,
        erased=["2 messages of the conversation."],
        remains=[],
    )


def _found() -> SearchResult:
    return SearchResult(
        conversation_id=_CONVERSATION,
        conversation_name="Tiles for the bathroom",
        title="Tiles for the bathroom",
        channel="web",
        abbreviation=None,
        matched_turns=[1],
        timestamp=_WHEN,
        score=0.82,
        topics=["bathroom-tiles"],
        snippet=_QUESTION,
        highlights=[(6, 11)],
        turn_range="turn 1",
        message_ids=[_ASKED],
    )


def _packet() -> ContextPacket:
    kept = PacketReferences(
        compiled_at=_WHEN, tokens=61, budget=3500, room=3000, truncated_messages=0
    )
    history = PacketSection(
        name="history", tokens=61, budget=3000, sources=[Source(message_id=_ASKED)]
    )
    return ContextPacket(
        conversation_id=_CONVERSATION,
        context_compiled_at=_WHEN,
        messages=[{"role": "user", "content": _QUESTION}],
        sections=[history],
        tokens=61,
        budget=3500,
        truncated_messages=0,
        references=kept,
    )
