"""Examples of answers. A test checks every one of them."""

from __future__ import annotations

from typing import Any

from palaver.agent.language import ModelInfo
from palaver.agent.models import ModelTest
from palaver.context.packet import ContextPacket, PacketSection
from palaver.context.references import PacketReferences
from palaver.conversation.day_records import (
    DayEntry,
    DayLoop,
    DayPage,
    DayView,
    LoopEnd,
    SummaryLine,
)
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
from palaver.recall.continuous_results import (
    ContinuousExcerpt,
    ContinuousPage,
    DaySummary,
    ExcerptMessage,
    FoundMessage,
    FoundSummary,
)
from palaver.recall.results import SearchPage, SearchResult
from palaver.server.example_external import corresponded
from palaver.server.example_memories import remembered
from palaver.server.examples import (
    ANSWER,
    ASKED,
    CONVERSATION,
    DATE,
    DAY,
    PLACES,
    QUESTION,
    SAID,
    SUMMARY,
    THEN,
    WHEN,
)
from palaver.server.problems import problem
from palaver.server.views import (
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
    Wanted,
)


def answers() -> dict[str, list[Json]]:
    """What answers hold, by shape."""
    every = (*_talk(), *remembered(), *corresponded(), *_around_it())
    return {type(one).__name__: [one.to_json()] for one in every}


def _talk() -> list[Record]:
    meta, asked, said = _meta(), _message(0), _message(1)
    state = ConversationState(
        conversation_id=CONVERSATION,
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
        Reply(conversation_id=CONVERSATION, turn_number=1, reply=said),
        Stopped(stopped=True),
        _receipt(),
        SearchPage(results=[_found()], total_matches=1),
        *_days(),
        state,
        Checkpoint(conversation_state=state, turns=[asked, said], summary=None),
        _digest(),
        _packet(),
    ]


def _days() -> list[Record]:
    source = SummarySource(message_id=SAID, quote=ANSWER, kind="decision", by="assistant", point=4)
    told: dict[str, Any] = {"summary_markdown": SUMMARY, "updated_at": THEN, "closed": False}
    named: dict[str, Any] = {"day_label": DATE, "day_segment_id": DAY, "message_count": 2}
    end = LoopEnd(day=DATE, message_id=SAID, how="answered")
    return [
        DayView(
            **named,
            **told,
            day=DATE,
            conversation_id=CONVERSATION,
            timezone="Europe/Berlin",
            messages=[_message(0), _message(1)],
            has_more=False,
            summary_lines=[
                SummaryLine(text="The bathroom.", section="Summary", sources=[]),
                SummaryLine(text=ANSWER, section="Decisions", sources=[source]),
            ],
            summary_covers_until=SAID,
            summary_by="offline",
            summary_edited=False,
            summary_due=False,
            loops=[
                DayLoop(text=QUESTION, message_id=ASKED, kind="question", since=DATE, closed=end)
            ],
            previous_day="2026-02-12",
            next_day=None,
            today=DATE,
        ),
        ContinuousPage(results=_found_on_days(), next_cursor=None),
        _excerpt(),
        DayPage(days=[DayEntry(**named, **told)], next_cursor=None),
        Wanted(day=DATE),
    ]


def _found_on_days() -> list[FoundMessage | FoundSummary]:
    return [
        FoundSummary(
            day_label=DATE,
            day_segment_id=DAY,
            summary_snippet=f"Summary: The bathroom. Decisions: {ANSWER}",
            highlights=[(38, 42)],
            score=0.78,
            message_ids=[SAID],
        ),
        FoundMessage(
            day_label=DATE,
            day_segment_id=DAY,
            message_id=ASKED,
            snippet=ANSWER,
            snippet_message_id=SAID,
            role="assistant",
            highlights=[(4, 8)],
            covered_by_summary=True,
            score=0.62,
            timestamp=THEN,
            turn_number=1,
        ),
    ]


def _excerpt() -> ContinuousExcerpt:
    named = {"dayLabel": DATE, "turnNumber": 1}
    asked = {"messageId": ASKED, "role": "user", "content": QUESTION, "createdAt": WHEN}
    said = {"messageId": SAID, "role": "assistant", "content": ANSWER, "createdAt": THEN}
    return ContinuousExcerpt(
        messages=[ExcerptMessage.model_validate(one | named) for one in (asked, said)],
        summary=DaySummary(
            day_segment_id=DAY, day_label=DATE, summary_markdown=SUMMARY, updated_at=THEN
        ),
    )


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
        "created": WHEN,
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
        id=CONVERSATION,
        title="Tiles for the bathroom",
        topics=["bathroom-tiles"],
        created=WHEN,
        updated=THEN,
        turn_count=1,
    )


def _message(number: int) -> Message:
    return Message(
        id=(ASKED, SAID)[number],
        conversation_id=CONVERSATION,
        seq=number + 1,
        role=("user", "assistant")[number],
        content=(QUESTION, ANSWER)[number],
        timestamp=(WHEN, THEN)[number],
        turn_number=1,
        channel="web",
        author=Author(kind=("owner", "assistant")[number]),
    )


def _left_open() -> StateItem:
    return StateItem(
        kind="question", text=QUESTION, message_id=ASKED, turn_number=1, owed_by="assistant"
    )


def _digest() -> ConversationDigest:
    source = SummarySource(message_id=SAID, quote=ANSWER, kind="decision", by="assistant", point=0)
    point = Point(text=f"They take {ANSWER[0].lower()}{ANSWER[1:]}", sources=[source])
    return ConversationDigest(
        title="Tiles for the bathroom",
        titled_by="offline",
        topics=["bathroom-tiles"],
        title_sources=[source],
        abbreviation=DigestPart(
            text=f"{BULLET}{point.text}", points=[point], by="offline", made=THEN, through=1
        ),
        rolling_summary=None,
        needs_abbreviation=False,
    )


def _receipt() -> Receipt:
    return Receipt(
        preview=True,
        conversation_id=CONVERSATION,
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
        conversation_id=CONVERSATION,
        conversation_name="Tiles for the bathroom",
        title="Tiles for the bathroom",
        channel="web",
        abbreviation=None,
        matched_turns=[1],
        timestamp=WHEN,
        score=0.82,
        topics=["bathroom-tiles"],
        snippet=QUESTION,
        highlights=[(6, 11)],
        turn_range="turn 1",
        message_ids=[ASKED],
    )


def _packet() -> ContextPacket:
    kept = PacketReferences(
        compiled_at=WHEN, tokens=61, budget=3500, room=3000, truncated_messages=0
    )
    history = PacketSection(
        name="history", tokens=61, budget=3000, sources=[Source(message_id=ASKED)]
    )
    return ContextPacket(
        conversation_id=CONVERSATION,
        context_compiled_at=WHEN,
        messages=[{"role": "user", "content": QUESTION}],
        sections=[history],
        tokens=61,
        budget=3500,
        truncated_messages=0,
        references=kept,
    )
