"""Weighing: whatever is made, what is stored fits, and tells what it must."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from palaver.context.tokens import EstimatedTokens
from palaver.digest.judging import missing
from palaver.digest.points import text_of
from palaver.digest.port import MOST_TOKENS, Point, Story
from palaver.digest.state import Item
from palaver.digest.weighing import Scale, carried_on, completed, faults, scale_of
from palaver.index.records import ConversationMeta, Message, SummarySource

COUNT = EstimatedTokens().count
NOW = "2026-02-14T09:00:00.000Z"
CONVERSATION = ConversationMeta(id="conv-A", created=NOW, updated=NOW)

words = st.text("aZ 9.é\n漢", max_size=40)
decided = st.builds(
    "We decided to take the {} tiles, order {}.".format,
    st.sampled_from(["blue", "red", "white " * 30]),
    st.integers(1, 9999),
)
contents = st.lists(st.one_of(words, decided), min_size=1, max_size=12)


def messages(texts: list[str]) -> list[Message]:
    return [
        Message(
            id=f"msg-{number}",
            conversation_id="conv-A",
            seq=number,
            role="user",
            content=text,
            timestamp=NOW,
            turn_number=number + 1,
        )
        for number, text in enumerate(texts)
    ]


def points(said: list[Message]) -> list[Point]:
    return [
        Point(
            text=" ".join(one.content.split()),
            sources=[SummarySource(message_id=one.id, quote=one.content, turn=one.turn_number)],
        )
        for one in said
        if one.content.strip()
    ]


@given(contents, st.sets(st.integers(0, 11)), st.sets(st.integers(0, 11)), st.floats(0, 1))
def test_what_is_missing_is_added_where_there_is_room(
    texts: list[str], told: set[int], left: set[int], share: float
) -> None:
    said = messages(texts)
    items = tuple(_open(one) for one in said if one.seq in left and one.content.strip())
    story = Story(CONVERSATION, said, open=items)
    scale = scale_of(story, points(said), share, COUNT)
    made = points([one for one in said if one.seq in told])
    for chosen in (completed(made, scale), completed(made, scale, carried_on(scale))):
        assert COUNT(text_of(chosen)) <= MOST_TOKENS
        assert list(missing(text_of(chosen), scale.required)) == []
        assert len({one.text for one in chosen}) == len(chosen)
        assert not [one for one in faults(chosen, scale) if "quotes" in one or "stands" in one]


def _open(message: Message) -> Item:
    text = message.content[:240]
    return Item(
        kind="task",
        text=text,
        message_id=message.id,
        seq=message.seq,
        turn=message.turn_number,
        owed_by="user",
    )


@given(contents)
def test_what_tells_everything_is_left_as_it_is(texts: list[str]) -> None:
    said = messages(texts)
    made = points(said)
    scale = scale_of(Story(CONVERSATION, said), made, 1.0, COUNT)
    if COUNT(text_of(made)) <= MOST_TOKENS and len({one.text for one in made}) == len(made):
        assert completed(made, scale) == made
        assert faults(made, scale) == ([] if made else ["It is empty."])


def test_what_was_open_and_is_closed_need_not_be_kept() -> None:
    said = messages(["Remind me to renew the passport.", "It was a fine day."])
    before = points(said)
    loop = before[0].sources[0].model_copy(update={"kind": "open"})
    before[0] = Point(text=before[0].text, sources=[loop])
    assert _before(scale_of(Story(CONVERSATION, said), before, 1.0, COUNT)) == [said[1].content]
    still = Story(CONVERSATION, said, open=[_open(said[0])])
    assert len(_before(scale_of(still, before, 1.0, COUNT))) == 2


def test_what_nobody_says_any_more_need_not_be_kept() -> None:
    said = messages(["It was a fine day.", "It rained in Porto."])
    before = points(said)
    story = Story(CONVERSATION, said[1:])
    assert _before(scale_of(story, before, 1.0, COUNT)) == [said[1].content]


def _before(scale: Scale) -> list[str]:
    return [one.text for one in scale.before]
