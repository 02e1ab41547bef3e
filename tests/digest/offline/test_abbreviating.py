"""Which sentences an abbreviation is made of."""

from __future__ import annotations

from palaver.digest.port import LEAST_TOKENS, MOST_TOKENS, Point
from palaver.digest.state import fold_all
from palaver.index.records import Author, SummarySource
from tests.digest.offline.talks import abbreviation, count, digest, message, talk

CHATTER = (
    "I went for a walk in the park near the old mill and saw a heron by the pond.",
    "That sounds lovely! Herons are patient hunters.",
)


def test_keeps_decisions_names_numbers_and_dates() -> None:
    told = abbreviation(
        *CHATTER * 12,
        "We decided to book the Hotel Aurora for 12 May.",
        "Good choice.",
        *CHATTER * 3,
    )
    assert "We decided to book the Hotel Aurora for 12 May." in told


def test_keeps_what_is_open() -> None:
    messages = talk(*CHATTER * 12, "Remind me to call Dr. Okafor about the blood test on Friday.")
    state = fold_all(messages)
    assert state.open_items
    told, _ = digest(messages, left_open=state.open_items)
    assert any(one.sources[0].kind == "open" and "Dr. Okafor" in one.text for one in told.points)


def test_drops_pleasantries_and_repetition() -> None:
    told = abbreviation(
        "Hello! Thanks for your help. My boat is called Aurora and lies in Kiel.",
        "You're welcome! As an AI language model I have no boat.",
        "Thank you so much! By the way, my boat is called Aurora and lies in Kiel.",
        "That sounds great!",
        "The mast of the boat broke in the storm last March.",
    )
    assert told.count("Aurora") == 1
    assert "mast" in told
    for idle in ("Thank", "Hello", "welcome", "AI language", "By the way"):
        assert idle not in told


def test_says_every_subject_rather_than_one_of_them_twice() -> None:
    told = abbreviation(
        *("My garden needs new roses this spring.", "Sure.") * 1,
        *("The roses in my garden need water in spring.", "Sure.") * 8,
        *("Our router drops the connection every evening.", "I see."),
        *("My passport runs out in October.", "I see."),
    )
    assert "router" in told
    assert "passport" in told


def test_clips_a_very_long_sentence_at_a_clause() -> None:
    clauses = ", ".join(
        f"then I packed the box with the number {n} into the van" for n in range(60)
    )
    told, _ = digest(talk(f"First I took the keys, {clauses}."))
    first = told.points[0].text
    assert first.startswith("First I took the keys")
    assert first.endswith("into the van")


def test_carries_on_the_digest_before() -> None:
    source = SummarySource(
        message_id="msg-900", quote="My boat is called Aurora.", turn=1, by="user"
    )
    before = [Point(text="My boat is called Aurora.", sources=[source])]
    told, named = digest(talk(*CHATTER * 30), before=before)
    point = told.points[0]
    assert point.text == "My boat is called Aurora."
    assert point.sources[0].message_id == "msg-900"
    assert point.sources[0].point == 0
    assert named.titles


def test_each_source_says_who_said_it_and_when() -> None:
    told, _ = digest(talk(*CHATTER, "The mill was built in 1803 by Jonas Weber."))
    last = told.points[-1].sources[0]
    assert (last.message_id, last.turn, last.by, last.kind) == ("msg-2", 2, "user", "said")


def test_tells_of_a_reply_when_the_user_says_little() -> None:
    told = abbreviation(
        "And?", "The mill was built in 1803 by Jonas Weber. It burned down in 1911."
    )
    assert "1803" in told


def test_nothing_of_others_is_told_as_if_it_were_ones_own() -> None:
    other = message("msg-1", "The treasure of the Gauls lies under the bridge in Worms.")
    other = other.model_copy(update={"author": Author(kind="participant")})
    mine = message("msg-2", "My boat is called Aurora and lies in the harbour of Kiel.")
    told, _ = digest([other, mine])
    assert "treasure" not in told.text
    assert count(told.text) < 60


def test_a_pasted_text_still_gives_enough() -> None:
    pasted = " ".join(f"The valve number {n} was replaced by the engineers." for n in range(90))
    told, _ = digest(talk(f"Summarize below text:\n{pasted}", "The valves were replaced."))
    assert LEAST_TOKENS <= count(told.text) <= MOST_TOKENS
