"""What holds for every digest that is made without a model, whatever was said."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver.digest.condensing import Material, OfflineCondenser
from palaver.digest.offline.weighing import pieces_of
from palaver.digest.port import LEAST_TOKENS, LONG_SOURCE, MOST_TITLE, MOST_TOKENS, MOST_TOPICS
from palaver.digest.state import fold_all
from palaver.digest.state.heard import hear
from palaver.index.evidence import Vector
from palaver.index.records import Message
from tests.digest.days.stories import told as day_told
from tests.digest.offline.talks import count, digest, message, talk

SENTENCES = (
    "I decided to take the blue bicycle with 21 gears.",
    "Thanks a lot!",
    "Remind me on Friday.",
    "Trip to Lisbon in May?",
    "こんにちは、旅行を計画したいです。",
    "Ich brauche ein Hotel in Hamburg.",
    "https://example.org/a-b",
    "```python\ndef f(): pass\n```",
    "🎉",
    "Voilà une recette de tarte.",
    "हिन्दी में लिखो",
    "x_y.z",
    "I'm",
    "- [ ] Call Ms. O'Neil",
    "THE END OF IT ALL",
)
SAID = st.text(max_size=300) | st.lists(st.sampled_from(SENTENCES), max_size=30).map(" ".join)
TALKS = st.lists(SAID, max_size=8)


@given(TALKS)
@settings(max_examples=120, deadline=None)
def test_holds_for_every_digest(texts: list[str]) -> None:
    check(talk(*texts))


def test_holds_for_what_only_tools_and_others_say() -> None:
    check(talk('{"status": 504, "detail": "upstream timed out"}', roles=("tool",)))
    check([])


def test_holds_for_very_much() -> None:
    for text in ("x" * (1 << 20), "so it goes " * 100_000, "漢字" * 200_000, "🎉" * 100_000):
        check(talk(text, "Fine.", "And now?"))


COMPARED = """
from palaver.digest.offline.lines import read
from palaver.digest.condensing import Material, OfflineCondenser
from palaver.digest.offline.weighing import alike
from tests.digest.days.stories import told as day_told
from tests.digest.offline.talks import talk

words = "oak elm ash fir yew box bay fig pear plum lime palm cedar maple larch birch".split()
said = [" ".join(f"{word}{n % (3 + at)}" for at, word in enumerate(words)) for n in range(60)]
lines = read(talk(*said), str).lines
print(alike(lines, (), {}).tobytes().hex())
"""


def test_is_the_same_in_every_process() -> None:
    """Sets have another order in each."""
    given = {_compared(seed) for seed in range(3)}
    assert len(given) == 1
    assert len(given.pop()) > 1000


def _compared(seed: int) -> bytes:
    command, env = [sys.executable, "-c", COMPARED], {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(command, env=env, check=True, capture_output=True).stdout


def test_is_the_same_again_with_vectors_and_without() -> None:
    messages = talk(*(f"The {word} of day {n} was green." for n, word in enumerate(WORDS)))
    vectors = meanings(messages)
    assert digest(messages) == digest(messages)
    assert digest(messages, vectors=vectors) == digest(messages, vectors=vectors)
    check(messages, vectors)
    some = dict(list(vectors.items())[::2])
    check(messages, some)


def check(messages: Sequence[Message], vectors: dict[str, Vector] | None = None) -> None:
    abbreviation, naming = digest(messages, vectors=vectors)
    said = {one.id: one.content for one in messages}
    tokens = count(abbreviation.text)
    assert tokens <= MOST_TOKENS
    if sum(map(count, said.values())) > LONG_SOURCE:
        assert tokens >= LEAST_TOKENS
    for number, point in enumerate(abbreviation.points):
        assert point.text
        assert "\n" not in point.text
        for source in point.sources:
            assert source.quote
            assert source.quote in said[source.message_id]
            assert source.point == number
    assert naming.titles
    assert all(0 < len(one) <= MOST_TITLE for one in naming.titles)
    assert len({one.casefold() for one in naming.titles}) == len(naming.titles)
    assert 1 <= len(naming.topics) <= MOST_TOPICS
    for source in naming.sources:
        assert source.quote
        assert source.quote in said[source.message_id]


WORDS = ("meadow", "river", "forest", "engine", "kettle", "letter", "window", "bridge", "garden")


def meanings(messages: Sequence[Message]) -> dict[str, Vector]:
    """Any vectors for all pieces."""
    texts = [text for one in messages for text in pieces_of(one)]
    drawn = np.random.default_rng(1).normal(size=(len(texts), 8)).astype(np.float32)
    return dict(zip(texts, drawn / np.linalg.norm(drawn, axis=1, keepdims=True), strict=True))


def test_a_long_reply_is_cut_where_its_pieces_are() -> None:
    long = " ".join(f"Sentence number {n} of the reply says something." for n in range(300))
    parts = pieces_of(message("msg-1", long, role="assistant"))
    assert parts == pieces_of(message("msg-1", long + " And more.", role="assistant"))
    assert all(part in long for part in parts)


SECRETS = (
    "My wifi password is Tr0mbone-Gravel-88.",
    "the password is tr0mbone",
    "Password:\ntr0mbone\n",
    "I still need to change the password: tr0mbone",
    "Login for the garden shop: tr0mbone. Our garden needs more roses and gravel.",
    "Please add sk-live-tr0mbone9f3kq02LmZt77 to the settings.",
    "I still need to pay with 4111 1111 1111 1111.",
    "1) the PIN is 4111, 2) the door is green.",
)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_stands_in_no_title_topic_abbreviation_or_loop(secret: str) -> None:
    for said in ([secret], [secret, "Which router suits our flat in Lisbon?"]):
        messages = talk(*said)
        state = fold_all(messages)
        abbreviation, naming = digest(messages, left_open=state.open_items)
        assert naming.titles[0]
        told = [*naming.titles, *naming.topics, abbreviation.text, state.model_dump_json()]
        told += [one.quote or "" for one in naming.sources]
        told += [one.text for one in day_told(*said).points]
        told += [OfflineCondenser(count).condense(Material((), messages, (), 500)).text]
        assert not [one for one in told if "tr0mbone" in one.lower() or "4111" in one]


ORDINARY = (
    "We decided to move the login to OAuth.",
    "The token is passed in the header.",
    "We return status code 409 when the key was used.",
    "My zip code 10115 Berlin is wrong on the form.",
    "Please pin the release to version 2024.",
    "The fix is commit 3f2b9c1e77aa4c0e9d1b5a8e0c2f6d11aa22bb33.",
    "Anna pays the invoice INV-2024-00123-A7.",
    "The build 2026-11-18T1530Z-rc1 goes to Tom.",
    "The password is hashed with argon2.",
    "Password: must be at least 12 characters.",
    "The backup 20261118153000 was made with sk-learn-pipelines.",
)


@pytest.mark.parametrize("said", ORDINARY)
def test_what_only_sounds_like_a_secret_stands_in_digests(said: str) -> None:
    messages = talk(said)
    abbreviation, naming = digest(messages)
    assert said in abbreviation.text
    assert naming.sources, "the title is made of its words"
    assert all(one.quote in said for one in naming.sources if one.quote)
    assert fold_all(messages).active_topics
    assert said in [one.text for one in day_told(said).points]


def test_a_secret_takes_no_other_sentence_with_it() -> None:
    listed = (
        "- Anna reviews the code\n- 2024 budget goes to Tom\n- I still need to call the notary."
    )
    (loop,) = fold_all(talk(listed)).open_loops
    assert loop.text == "I still need to call the notary."
    told = "I still need to call Eva. Password:\ntr0mbone\nWe decided to sell the house."
    assert [one.text for one in hear(talk(told)[0], "en").sentences] == [
        "I still need to call Eva.",
        "We decided to sell the house.",
    ]
