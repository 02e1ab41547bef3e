"""How lines change the row of an exchange with an outsider.

The row tells how much was said, and how the last message begins. What is said there is in tables of
its own, which nothing reads but a search for what outsiders wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast, get_args

import orjson

from palaver.index import values
from palaver.index.changes import Receive, Revise
from palaver.index.channel_rows import ExternalMessageRow, ExternalRow
from palaver.index.message_fold import said_at
from palaver.ledger.lines import Line
from palaver.settings import Mode, Tier

PREFIX = "ext-"
TRUST, POLICY = "trust_changed", "policy_changed"
DRAFT, DECIDED = "draft", "draft_decided"
ESCALATED, SEEN = "escalated", "seen"
_SHOWN = 200
_SPEAKERS = {"user": "party", "assistant": "assistant"}
_TRUSTS: tuple[str, ...] = get_args(Tier)
_POLICIES: tuple[str, ...] = get_args(Mode)

Data = Mapping[str, Any]


def take_meta(row: ExternalRow, data: Data) -> None:
    """Takes the meta line; a second one says nothing."""
    if row.begun:
        return
    given = data.get("party")
    party = cast("dict[str, Any]", given) if isinstance(given, dict) else dict[str, Any]()
    row.begun = 1
    row.channel = values.text(data.get("channel")) or ""
    row.party = values.text(party.get("id")) or ""
    row.name = values.text(party.get("name"))
    row.created = values.moment(data.get("created")) or said_at(data) or row.created


def hear(row: ExternalRow, line: Line) -> None:
    """Notes that somebody spoke."""
    by, data = _SPEAKERS.get(str(line.data.get("role"))), line.data
    if by is None:
        return
    taken = values.moment(data.get("at")) or said_at(data) or row.created
    row.said = max(row.said or "", taken)
    row.message_count += 1
    row.last_by, row.last_id = by, line.id
    row.last_text = (values.text(data.get("content")) or "")[:_SHOWN]
    if by == "assistant" and data.get("acknowledges") is True:
        row.acknowledged = 1


def received(row: ExternalRow, line: Line) -> Iterator[Receive]:
    """The message that `line` holds, if somebody speaks in it."""
    data = line.data
    if data.get("role") not in _SPEAKERS:
        return
    given = data.get("author")
    author = cast("dict[str, Any]", given) if isinstance(given, dict) else dict[str, Any]()
    taken = values.moment(data.get("at")) or said_at(data) or row.created
    yield Receive(
        ExternalMessageRow(
            line.seq,
            line.id,
            _voice(str(data["role"]), author.get("kind")),
            taken,
            values.text(data.get("sender")),
            values.text(author.get("grade")),
            values.text(data.get("content")) or "",
        )
    )


def _voice(role: str, kind: object) -> str:
    if role == "user":
        return "outsider"
    return "owner" if kind == "owner" else "assistant"


def revised(line: Line) -> Iterator[Revise]:
    """What an event makes of a message that was said before."""
    message_id = line.data.get("messageId")
    if not isinstance(message_id, str):
        return
    if line.event == "retracted":
        yield Revise(message_id, _taken_back)
    elif line.event == "edited" and (content := values.text(line.data.get("content"))) is not None:
        yield Revise(message_id, _saying(content))


def _taken_back(row: ExternalMessageRow) -> None:
    """Nothing is left of it."""


def _saying(content: str) -> Callable[[ExternalMessageRow], ExternalMessageRow]:
    return lambda row: row._replace(content=content)


def take_event(row: ExternalRow, line: Line) -> None:
    """Takes an event; one that does not concern the row changes nothing."""
    if change := _EVENTS.get(line.event):
        change(row, line.data)


def _trust(row: ExternalRow, data: Data) -> None:
    row.trust = _one_of(_TRUSTS, data.get("trust"))


def _policy(row: ExternalRow, data: Data) -> None:
    row.policy = _one_of(_POLICIES, data.get("policy"))
    row.scope = values.text(data.get("scope"))


def _draft(row: ExternalRow, data: Data) -> None:
    if name := values.text(data.get("draftId")):
        row.drafts = orjson.dumps([*_undecided(row, name), name]).decode()


def _decide(row: ExternalRow, data: Data) -> None:
    if name := values.text(data.get("draftId")):
        row.drafts = orjson.dumps(_undecided(row, name)).decode()


def _undecided(row: ExternalRow, without: str) -> list[str]:
    return [one for one in orjson.loads(row.drafts) if one != without]


def _escalate(row: ExternalRow, data: Data) -> None:
    row.escalated = 1


def _see(row: ExternalRow, data: Data) -> None:
    row.escalated = 0


def _edit(row: ExternalRow, data: Data) -> None:
    content = values.text(data.get("content"))
    if content is not None and data.get("messageId") == row.last_id:
        row.last_text = content[:_SHOWN]


def _retract(row: ExternalRow, data: Data) -> None:
    if data.get("messageId") == row.last_id:
        row.last_text = ""


def _one_of(known: tuple[str, ...], given: object) -> str | None:
    return given if isinstance(given, str) and given in known else None


_EVENTS: dict[str, Callable[[ExternalRow, Data], None]] = {
    TRUST: _trust,
    POLICY: _policy,
    DRAFT: _draft,
    DECIDED: _decide,
    ESCALATED: _escalate,
    SEEN: _see,
    "edited": _edit,
    "retracted": _retract,
}
