"""Histories: anything that can happen to conversations, in any order, for hypothesis to choose."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from palaver.errors import PalaverError
from palaver.ledger.lines import USER_STREAM, Draft, event, meta
from tests.index.worlds import USER, FileWorld

STREAMS = ("conv-A", "conv-B", "ext-A", "conv-C")
_WORDS = st.lists(st.sampled_from(["tea", "Büro", "login", "x-1", "東京", "the"]), max_size=5)
_TEXT = _WORDS.map(" ".join)
_TIMES = st.sampled_from(
    [None, "2025-12-01T10:00:00.000Z", "2026-03-01T10:00:00+02:00", "2026-01-05T08:30:00Z"]
)
_NUMBER = st.integers(0, 40)

_SAY = st.fixed_dictionaries(
    {
        "do": st.just("say"),
        "stream": st.sampled_from(STREAMS),
        "role": st.sampled_from(["user", "assistant", "assistant", "system", "tool"]),
        "content": _TEXT.map(lambda text: text or "hello"),
        "timestamp": _TIMES,
        "supersedes": st.none() | _NUMBER,
        "source": st.none() | _NUMBER,
        "quote": st.booleans(),
        "status": st.sampled_from([None, None, "failed", "interrupted"]),
        "key": st.none() | _NUMBER,
        "deliver": st.none() | st.sampled_from(["one", "two"]),
        "used": st.none() | st.sampled_from(["mem-1", "mem-2"]),
    }
)
_EVENTS = st.sampled_from(
    list[tuple[str, dict[str, Any]]](
        [
            ("title_assigned", {"title": "Made", "by": "offline", "topics": ["tea"]}),
            ("title_assigned", {"title": "Made", "by": "offline", "turn": 2, "standsInFor": "m"}),
            ("title_assigned", {"title": "Given", "by": "user"}),
            ("meta_update", {"metadata": {"a": 1}, "title": "Named"}),
            ("abbreviation", {"text": "They spoke of tea."}),
            ("abbreviation", {"text": "- They drank tea.", "through": 1, "covers": 2}),
            ("abbreviation", {"text": "- Tea.", "through": 9, "covers": 99, "standsInFor": "m"}),
            ("abbreviation", {"text": "", "covers": 1}),
            ("rolling_summary", {"summary": "Tea so far.", "through": 1, "by": "offline"}),
            ("abbreviation", {"text": "- Tea.\n- And more.", "through": 1, "by": "offline"}),
            ("abbreviation", {"text": "- No more tea.", "through": 2, "by": "offline"}),
            ("day_opened", {"day": "2026-02-14", "turnNumber": 1, "until": "2026-02-15T03:00:00Z"}),
            ("day_opened", {"day": "2026-02-15", "turnNumber": 3, "zone": "Asia/Tokyo"}),
            ("day_opened", {"day": "2026-02-13", "turnNumber": 4}),
            ("day_closed", {"day": "2026-02-14", "through": 2}),
            ("day_summary", {"day": "2026-02-14", "summary": "- Tea.", "through": 1, "covers": 3}),
            (
                "day_summary",
                {"day": "2026-02-15", "summary": "Büro.", "through": 3, "edited": True},
            ),
            ("archived", {}),
            ("unarchived", {}),
            ("pinned", {}),
            ("model_changed", {"model": "opus"}),
            ("compression", {"summary": "They drank tea.", "compressedThrough": 1}),
            ("edited", {"content": "edited tea"}),
            ("retracted", {}),
            ("superseded", {}),
            ("delivery_started", {"part": 0}),
            ("delivered", {"part": 0, "parts": 2}),
            ("delivered", {"part": 1, "parts": 2}),
            ("delivery_failed", {"code": "x", "attempt": 2, "retryAt": "2026-02-14T10:00:00Z"}),
            ("delivery_failed", {"code": "x", "message": "No."}),
            ("delivery_reported", {"reach": "read"}),
            ("delivery_retried", {}),
            ("trust_changed", {"trust": "known"}),
            ("policy_changed", {"policy": "draft", "scope": "tea"}),
            ("draft", {"draftId": "d-1", "text": "tea"}),
            ("draft_decided", {"draftId": "d-1", "decision": "rejected"}),
            ("escalated", {"why": "tea"}),
            ("seen", {}),
            ("unheard_of", {"x": [1], "deliver": {"channel": "email", "place": {"id": "one"}}}),
        ]
    )
)
_HAPPEN: Any = st.fixed_dictionaries(
    {
        "do": st.just("happen"),
        "stream": st.sampled_from(STREAMS),
        "event": _EVENTS,
        "about": _NUMBER,
        "source": st.none() | _NUMBER,
        "key": st.none() | _NUMBER,
    }
)
_ERASE = st.fixed_dictionaries(
    {
        "do": st.just("erase"),
        "stream": st.sampled_from(STREAMS),
        "lines": st.lists(st.integers(1, 12), min_size=1, max_size=3),
    }
)
_DELETE = st.fixed_dictionaries({"do": st.just("delete"), "stream": st.sampled_from(STREAMS)})
_MEMORIES = ("mem-1", "mem-2", "mem-3")
_REMEMBER = st.fixed_dictionaries(
    {
        "do": st.just("remember"),
        "source": st.none() | _NUMBER,
        "event": st.sampled_from(
            [f"memory_{one}" for one in ("added", "edited", "superseded", "restored", "candidate")]
        ),
        "memory": st.sampled_from(_MEMORIES),
        "content": st.sampled_from(["I drink tea.", "My Büro is in 東京.", ""]),
        "pinned": st.booleans(),
        "superseded": st.none() | st.sampled_from(_MEMORIES),
        "beside": st.lists(st.sampled_from(_MEMORIES), max_size=2),
    }
)
_FORGET = st.fixed_dictionaries(
    {"do": st.just("forget"), "lines": st.lists(st.integers(1, 9), max_size=3)}
)

FOREIGN: list[bytes] = [
    b'{"type":"turn","role":"user","content":"adopted tea","timestamp":"2026-02-14T09:00:01Z"}',
    b'{ "type": "turn", "role": "assistant", "content": "adopted reply", "turnNumber": 7 }',
    b'{"type":"turn","role":"user","content":"no time at all"}',
    b'{"type":"turn","role":"user","id":"msg-SAME","content":"same id"}',
    b'{"type":"turn","role":"user","content":["not","text"],"sender":5,"cost":"much","parts":{}}',
    b'{"type":"turn","role":"nobody","content":"no role"}',
    b'{"type":"meta_update","name":"Adopted name","topics":["a",1],"timestamp":"2026-02-14"}',
    b'{"type":"meta","id":"conv-other","channel":"email","created":"2026-02-01T00:00:00Z"}',
    b'{"type":"event","event":"title_assigned","title":"Adopted","timestamp":"never"}',
    b'{"type":"event","event":"edited","messageId":"msg-SAME","content":"adopted edit"}',
    b'{"type":"event","event":"abbreviation","text":"Adopted.","sources":[{"messageId":"msg-SAME"}]}',
    b'{"type":"event","event":"retracted","messageId":"msg-SAME","timestamp":"2026-02-30T00:00:00.000Z"}',
    b'{"type":"event","event":"close"}',
    b"not JSON",
    b"[1,2]",
    b"",
]
_ADOPT = st.fixed_dictionaries(
    {
        "do": st.just("adopt"),
        "stream": st.sampled_from(STREAMS),
        "lines": st.lists(st.sampled_from(FOREIGN), min_size=1, max_size=4),
    }
)

steps = st.lists(
    st.one_of(_SAY, _SAY, _SAY, _HAPPEN, _HAPPEN, _ERASE, _DELETE, _REMEMBER, _FORGET, _ADOPT),
    min_size=1,
    max_size=25,
)


@dataclass
class History:
    """Makes the steps happen; what is refused does not happen."""

    world: FileWorld
    ids: list[str] = field(default_factory=list[str])
    deleted: set[str] = field(default_factory=set[str])

    async def take(self, step: dict[str, Any]) -> None:
        with suppress(PalaverError):
            await getattr(self, step["do"])(step)

    async def say(self, step: dict[str, Any]) -> None:
        await self._begin(step["stream"])
        line = await self.world.say(
            step["stream"],
            step["role"],
            step["content"],
            timestamp=step["timestamp"],
            supersedes=self._id(step["supersedes"]),
            sources=self._sources(step["source"], quote="tea" if step["quote"] else None),
            status=step["status"],
            key=None if step["key"] is None else f"api:{step['key']}",
            packet=_shown(step["used"]),
            deliver=_sent(step["deliver"]),
            acknowledges=step["quote"],
        )
        self.ids.append(line.id)

    async def happen(self, step: dict[str, Any]) -> None:
        await self._begin(step["stream"])
        name, fields = step["event"]
        await self.world.happen(
            step["stream"],
            name,
            messageId=self._id(step["about"]),
            sources=self._sources(step["source"]),
            key=None if step["key"] is None else f"api:{step['key']}",
            **fields,
        )

    async def erase(self, step: dict[str, Any]) -> None:
        lines = sum(1 for _ in self.world.store.lines(step["stream"]))
        wanted = sorted({number % lines for number in step["lines"]} if lines else {1})
        await self.world.erase(lines={step["stream"]: wanted})

    async def delete(self, step: dict[str, Any]) -> None:
        await self.world.erase(streams=[step["stream"]])
        self.deleted.add(step["stream"])

    async def remember(self, step: dict[str, Any]) -> None:
        drafts: list[Draft] = []
        if not self.world.store.size(USER_STREAM):
            drafts.append(meta(USER_STREAM, user=USER))
        memory = {
            "type": "fact",
            "content": step["content"],
            "pinned": step["pinned"],
            "supersededBy": step["superseded"],
            "beside": step["beside"],
        }
        sources = self._sources(step["source"])
        drafts.append(
            event(
                USER_STREAM, step["event"], memoryId=step["memory"], memory=memory, sources=sources
            )
        )
        await self.world.write(*drafts)

    async def forget(self, step: dict[str, Any]) -> None:
        """Some lines of the user's stream are erased; before, it is said what they were."""
        marks = [f"{number:032x}" for number in step["lines"]]
        said = event(USER_STREAM, "memory_forgotten", markSalt="00", marks=marks)
        await self.world.write(said)
        lines = [
            line.seq
            for line in self.world.store.lines(USER_STREAM)
            if line.event.startswith("memory_")
        ]
        numbers: list[int] = step["lines"]
        wanted = sorted({lines[number % len(lines)] for number in numbers})
        await self.world.erase(lines={USER_STREAM: wanted})

    async def adopt(self, step: dict[str, Any]) -> None:
        """Somebody else writes into a file of the home."""
        if step["stream"] not in self.deleted:
            self.world.file(step["stream"]).parent.mkdir(exist_ok=True)
            with self.world.file(step["stream"]).open("ab") as file:
                file.write(b"".join(line + b"\n" for line in step["lines"]))

    async def _begin(self, stream: str) -> None:
        if not self.world.store.size(stream) and stream not in self.deleted:
            mode = "continuous" if stream == STREAMS[-1] else None
            party = {"id": "sarah@example.org", "name": "Sarah"}
            begun = meta(stream, user=USER, channel="email", mode=mode, party=party)
            await self.world.write(begun)

    def _id(self, number: int | None) -> str | None:
        known = [*self.ids, "msg-SAME", "msg-nobody"]
        return None if number is None else known[number % len(known)]

    def _sources(self, number: int | None, quote: str | None = None) -> list[Any] | None:
        message_id = self._id(number)
        return None if message_id is None else [{"messageId": message_id, "quote": quote}]


def _sent(place: str | None) -> dict[str, Any] | None:
    return {"channel": "email", "place": {"kind": "thread", "id": place}} if place else None


def _shown(memory: str | None) -> dict[str, Any] | None:
    """A packet in which a memory is shown."""
    return {"sections": [{"name": "memories", "memories": [memory]}]} if memory else None
