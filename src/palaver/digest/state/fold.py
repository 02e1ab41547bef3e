"""The fold: the state after a message, from the state before it.

A pure function. Folding messages one by one gives what folding them all at once gives, so a state
that was kept is taken up again at the line it covers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from palaver.digest.state import (
    clarifications,
    closing,
    entities,
    jobs,
    loops,
    promises,
    replies,
    topics,
)
from palaver.digest.state.books import Books
from palaver.digest.state.content import kept
from palaver.digest.state.heard import Heard, hear
from palaver.digest.state.intents import intent, response_type
from palaver.digest.state.records import STATE_VERSION, Floor, Item, State, Status
from palaver.index.records import Message
from palaver.index.rows import HIDDEN
from palaver.index.values import OFFLINE

_UNSAID = (*HIDDEN, "streaming")


def fold(state: State, message: Message) -> State:
    """The state after `message`, which comes after the line that `state` covers."""
    turns = max(state.turn_count, message.turn_number)
    covered = state.model_copy(update={"covers": message.seq, "turn_count": turns})
    if not _is_heard(message):
        return covered
    heard = hear(message, state.floor.language)
    if message.model == OFFLINE:
        return covered.model_copy(update=_after_quotations(covered, heard))
    change = (
        _after_user(covered, heard) if heard.speaker == "user" else _after_reply(covered, heard)
    )
    weights = topics.weighed(heard, state.topic_weights)
    return covered.model_copy(
        update={"topic_weights": weights, "active_topics": topics.active(weights), **change}
    )


def fold_all(messages: Iterable[Message], state: State | None = None) -> State:
    """The state after `messages`, in the order of their lines, from `state` or from nothing."""
    return reduce(fold, messages, state or State())


def continues(state: State, message: Message) -> bool:
    """Whether `message` can be folded into `state`.

    If not, something that the state covers has changed: fold again from a state before that line,
    or from nothing.
    """
    if state.version != STATE_VERSION or message.seq <= state.covers:
        return False
    return message.supersedes is None


def with_status(state: State, status: Status) -> State:
    """The state of a conversation that is taken up again, left alone or closed down cleanly.

    Only a clock or a start can tell: the next message makes it active again.
    """
    return state.model_copy(update={"status": status})


def _is_heard(message: Message) -> bool:
    """Whether it is part of the conversation between the user and the assistant."""
    if message.status in _UNSAID or message.role not in {"user", "assistant"}:
        return False
    return message.author is None or message.author.kind in {"owner", "assistant"}


def _after_user(state: State, heard: Heard) -> dict[str, Any]:
    books = Books(state, heard.message)
    told = clarifications.told(heard, books.clarifications)
    books.close(told, "answered")
    for item, how in closing.closed_by(heard, [*books.loops, *books.clarifications]):
        books.close([item], how)
    turn = heard.message.turn_number
    books.close([one for one in books.clarifications if _is_stale(one, turn)], "dropped")
    opened = loops.opened(heard, state.floor)
    # The newest asking stands for all of them: the reply to it is the answer.
    books.close(loops.asked_again(opened, books.loops), "dropped")
    fresh = _new(opened, books, heard, waiting=bool(books.clarifications))
    books.loops += fresh
    named = _take_jobs(heard, books, state.floor)
    return {
        **books.fields(),
        "status": "active",
        "last_intent": intent(heard, opened, told=bool(told)),
        "resolved_entities": entities.resolved(heard, state),
        "floor": _floor_of_user(state.floor, heard, opened, named, told=bool(told)),
    }


def _after_quotations(state: State, heard: Heard) -> dict[str, Any]:
    """The offline assistant quotes, by rules: that answers what it was asked in this turn, and
    closes and opens nothing else. To list a question as open would close it otherwise."""
    books, turn = Books(state, heard.message), heard.message.turn_number
    asked = [one for one in books.loops if one.kind in loops.ASKED and one.turn == turn]
    still = replies.left_open(heard, asked)
    books.forget([one for one in asked if one not in still])
    floor = {"replied": heard.message.seq, "offered": False, "asks": "", "drafting": False}
    return {
        **books.fields(),
        "status": "active",
        "last_response_type": response_type(heard, [], []),
        "floor": state.floor.model_copy(update=floor),
    }


def _after_reply(state: State, heard: Heard) -> dict[str, Any]:
    books = Books(state, heard.message)
    if heard.message.status == "failed":
        return {"status": "active", "last_response_type": "failed"}
    asked_back = clarifications.asked_back(heard, state.floor)
    asked = [
        one for one in books.loops if one.kind in loops.ASKED and one.seq > state.floor.replied
    ]
    older = [one for one in books.loops if one not in asked]
    promised = promises.promised(heard, state.floor, asked, older)
    books.close(closing.given(heard, older, unasked=not asked), "answered")
    mere = bool(promised) and promises.is_mere(promised, asked, heard)
    still = asked if mere else [] if asked_back or promised else replies.left_open(heard, asked)
    books.forget([one for one in asked if one not in still])
    books.join()
    books.loops += (
        [] if mere else [promises.about(one, asked, heard, state.floor) for one in promised]
    )
    known = tuple(books.clarifications)
    books.clarifications += [one for one in asked_back if not loops.is_said_before(one, known)]
    named = _take_jobs(heard, books, state.floor)
    return {
        **books.fields(),
        "status": "awaiting_clarification" if asked_back else "active",
        "last_response_type": response_type(heard, asked_back, promised),
        "floor": _floor_of_reply(state.floor, heard, named, asked_back=bool(asked_back)),
    }


def _is_stale(item: Item, turn: int) -> bool:
    return turn - item.turn > clarifications.PATIENCE


def _new(opened: list[Item], books: Books, heard: Heard, *, waiting: bool) -> list[Item]:
    """The loops that are not there already.

    While a question of the assistant waits, to say that the answer comes later is the same loop.
    """
    fresh: list[Item] = []
    for one in opened:
        known = [*books.loops, *(other for other in fresh if other.kind == one.kind == "decision")]
        if not (waiting and loops.is_excuse(one, heard)) and not loops.is_said_before(one, known):
            fresh.append(one)
    return fresh


def _take_jobs(heard: Heard, books: Books, floor: Floor) -> list[str]:
    """Notes the jobs that a message names or means."""
    named = jobs.named(heard)
    if ref := jobs.meant(heard, None if named else floor.job, books.jobs):
        named = [*named, (ref, True)]
    for ref, over in named:
        item = books.job(ref) or (books.reopened(ref) if jobs.is_back(heard) else None)
        if item is None and not books.was_closed(ref):
            item = jobs.job_item(heard, ref)
            books.jobs.append(item)
        if item and over:
            books.close([item, *_told_of(item, books)], "done")
    return [ref for ref, _ in named]


def _told_of(job: Item, books: Books) -> list[Item]:
    """What was asked or promised in the turn that named a job first: the job is what came of it."""
    kinds = ("promise", "request")
    return [one for one in books.loops if one.kind in kinds and one.turn == job.turn]


def _floor_of_user(
    floor: Floor, heard: Heard, opened: list[Item], named: list[str], *, told: bool
) -> Floor:
    kinds = {one.kind for one in opened}
    troubled = any(heard.cues.trouble.search(one.low) for one in heard.statements)
    asks = "request" if "request" in kinds else "question" if "question" in kinds else ""
    accepted = floor.offered and clarifications.settles(heard)
    asks = asks or ("request" if troubled or accepted else "")
    drafting = any(heard.cues.drafting.search(one.low) for one in heard.sentences)
    if told and not asks:
        asks, drafting = floor.asks, floor.drafting or drafting
    return _floor(floor, heard, named).model_copy(update={"asks": asks, "drafting": drafting})


def _floor_of_reply(floor: Floor, heard: Heard, named: list[str], *, asked_back: bool) -> Floor:
    offered = any(heard.cues.offer.search(one.low) for one in heard.questions())
    update: dict[str, Any] = {"replied": heard.message.seq, "offered": offered}
    if not asked_back:
        update |= {"asks": "", "drafting": False}
    if shown := entities.choices(heard, named):
        update["choices"] = shown
    return _floor(floor, heard, named).model_copy(update=update)


def _floor(floor: Floor, heard: Heard, named: list[str]) -> Floor:
    """What both speakers leave behind: what it was about, in which language, which job."""
    job = entities.job_referent(heard, named[-1]) if named else floor.job
    return floor.model_copy(
        update={"terms": kept(heard.last_terms), "language": heard.language, "job": job}
    )
