"""A reply, retold to whoever comes while it is being told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palaver.conversation.steps import (
    ReplyDelta,
    ReplyStarted,
    ReplyThinking,
    ReplyTool,
    Step,
)
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
    first, late, retelling = Heard(), Heard(), Retelling("conv-1")
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
