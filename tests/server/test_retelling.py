"""A reply, retold to whoever comes while it is being told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palaver.conversation.steps import (
    ReplyDelta,
    ReplyFinished,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)
from palaver.index.records import Message
from palaver.server.live.retelling import Retelling

NAMED = {"conversation_id": "conv-1", "message_id": "msg-1"}
TOLD = st.lists(
    st.tuples(st.just("said") | st.just("thought") | st.just("tool"), st.text(min_size=1)),
    max_size=12,
)


class Heard:
    """What somebody knows of a reply."""

    def __init__(self) -> None:
        self.said = self.thought = ""
        self.tools: list[str] = []
        self.starts = 0

    def hear(self, step: Step) -> None:
        match step:
            case ReplyStarted():
                self.starts += 1
                self.said, self.thought, self.tools = "", "", []
            case ReplyDelta():
                assert step.offset == len(self.said)
                self.said += step.text
            case ReplyThinking():
                assert step.offset == len(self.thought)
                self.thought += step.text
            case ReplyTool():
                self.tools.append(step.tool_name)
            case _:
                pass


def steps_of(told: list[tuple[str, str]]) -> list[Step]:
    steps: list[Step] = [ReplyStarted(**NAMED, turn_number=1)]
    said = thought = 0
    for kind, text in told:
        if kind == "said":
            steps.append(ReplyDelta(**NAMED, offset=said, text=text))
            said += len(text)
        elif kind == "thought":
            steps.append(ReplyThinking(**NAMED, offset=thought, text=text))
            thought += len(text)
        else:
            steps.append(ReplyTool(**NAMED, tool_name=text, state="started"))
    return steps


@given(st.lists(TOLD, min_size=1, max_size=3), st.data())
def test_whoever_comes_at_any_moment_knows_the_same(
    beginnings: list[list[tuple[str, str]]], data: st.DataObject
) -> None:
    """Also when the reply has begun anew."""
    steps = [step for told in beginnings for step in steps_of(told)]
    moment = data.draw(st.integers(0, len(steps)))
    first, late, retelling = Heard(), Heard(), Retelling("conv-1", "msg-0")
    for number, step in enumerate([*steps, None]):
        if number == moment:
            for retold in retelling.steps():
                late.hear(retold)
        if step is not None:
            retelling.add(step)
            first.hear(step)
            if number >= moment:
                late.hear(step)
    assert (late.said, late.thought, late.tools) == (first.said, first.thought, first.tools)
    assert late.starts >= 1


def finished(message_id: str) -> ReplyFinished:
    turn = Message(
        id=message_id,
        conversation_id="conv-1",
        seq=2,
        role="assistant",
        content="It is blue.",
        timestamp="2026-01-01T00:00:00.000Z",
        turn_number=1,
    )
    return ReplyFinished(conversation_id="conv-1", turn=turn)


def test_an_answer_that_was_told_is_not_told_again() -> None:
    """Another node has made it, or was told of it earlier; nobody who comes then hears of it."""
    for ended_as in ("msg-1", "msg-2"):
        retelling = Retelling("conv-1", "msg-0")
        assert all(retelling.add(step) for step in steps_of([("said", "It is ")]))
        retelling.end_as(ended_as)
        assert not retelling.steps()
        assert not retelling.add(finished(ended_as))


def test_what_comes_behind_an_answer_that_was_told_is_no_news() -> None:
    retelling = Retelling("conv-1", "msg-0")
    retelling.end_as("msg-1")
    assert not any(retelling.add(step) for step in steps_of([("said", "It is ")]))
    assert not retelling.steps()


def test_one_that_is_made_again_goes_on_beside_the_answer_there_was() -> None:
    retelling = Retelling("conv-1", "msg-0")
    *before, last = steps_of([("said", "It is "), ("said", "blue.")])
    assert all(retelling.add(step) for step in before)
    retelling.end_as("msg-0-before")
    assert retelling.add(last)
    assert retelling.steps() == steps_of([("said", "It is blue.")])
    assert retelling.add(finished("msg-1"))
