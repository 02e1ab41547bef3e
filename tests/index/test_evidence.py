"""Evidence: what every engine tells about the rounds that a question may mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from palaver.errors import NotFound
from palaver.index.evidence import Evidence, Speaker
from palaver.index.port import Question, Reach, SearchFilter
from palaver.ledger.lines import turn
from palaver.text import Form, Term
from tests.index.worlds import USER, A, B, C, World, places_in

LONG = "The harbour was quiet that morning, and nobody spoke of the ferry. " * 20


def counts(evidence: Evidence) -> dict[tuple[str, int], list[float]]:
    """How often each message holds each of the words, over all its pieces."""
    found: dict[tuple[str, int], list[float]] = {}
    for place, row in zip(places_in(evidence), evidence.counts, strict=True):
        found[place] = [float(n) for n in row + np.array(found.get(place, 0.0))]
    return found


async def test_words_are_counted(world: World) -> None:
    await world.begin(A, "tea, more tea, and cake", "TEA!", "cake only")
    evidence = await world.evidence("tea", "cake", "biscuit")
    assert counts(evidence) == {(A, 1): [2, 1, 0], (A, 2): [1, 0, 0], (A, 3): [0, 1, 0]}
    assert evidence.statistics.frequencies.tolist() == [1, 2, 0]
    assert evidence.statistics.rounds == 2
    assert evidence.length.tolist() == [5, 1, 2]
    assert evidence.speaker.tolist() == [Speaker.USER, Speaker.ASSISTANT, Speaker.USER]
    assert evidence.turn.tolist() == [1, 1, 2]
    assert evidence.matches == 3
    assert evidence.eligible.all()
    assert np.isnan(evidence.cosine).all()


async def test_a_word_is_counted_in_all_its_forms(world: World) -> None:
    english = "They were running while the others ran, and she runs with them every day."
    await world.begin(A, english, "run run")
    (run,) = await world.terms("running")
    assert run.forms == (Form(("running",)), Form(("~run", "run"), frozenset({"en"})))
    assert counts(await world.evidence("running")) == {(A, 1): [2], (A, 2): [2]}


async def test_a_form_counts_in_texts_of_its_languages_only(world: World) -> None:
    await world.begin(A, "It was not sudden, and we did not know what to do about it.")
    form = Form(("not",), frozenset({"de", "fr"}))
    for forms, count in (((form,), 0), ((form, Form(("not",))), 2)):
        found = await world.index.evidence(USER, Question([Term("note", forms)]), SearchFilter())
        assert counts(found).get((A, 1), [0]) == [count]
        assert found.matches == int(count > 0)


async def test_the_largest_form_counts_and_the_parts_of_a_form_add_up(world: World) -> None:
    await world.begin(A, "one two two three three three")
    for forms, count in (
        ((("one",), ("two",)), 2),
        ((("one", "two"),), 3),
        ((("one", "two"), ("three",)), 3),
        ((("one", "three"), ("two",)), 4),
        ((("four",), ("four", "five")), 0),
    ):
        asked = Term("x", tuple(Form(parts) for parts in forms))
        question = Question([asked, Term("y", (Form(("one",)),))])
        found = await world.index.evidence(USER, question, SearchFilter())
        assert found.counts.tolist() == [[count, 1]]
        assert found.statistics.frequencies.tolist() == [count > 0, 1]


async def test_a_word_is_found_in_every_language_that_is_spoken(world: World) -> None:
    await world.begin(A, "Le démarrage de la machine est toujours lent le matin, mais pas ce soir.")
    await world.begin(B, "The machine starts slowly in the morning, but not in the evening.")
    await world.begin(C, "我们明天去东京的办公室见面吧")
    languages = await world.index.languages(USER)
    assert set(languages) >= {"fr", "en"}
    assert set(counts(await world.evidence("demarrages"))) == {(A, 1)}
    assert set(counts(await world.evidence("starting"))) == {(B, 1)}
    assert set(counts(await world.evidence("东京"))) == {(C, 1)}


async def test_languages_go_with_what_was_said_in_them(world: World) -> None:
    assert await world.index.languages(USER) == []
    await world.begin(A, "The machine starts slowly in the morning, but not in the evening.")
    await world.begin(B, "Le démarrage de la machine est toujours lent le matin, mais pas ce soir.")
    await world.say(B, "assistant", "Il faut que vous attendiez que la machine soit chaude.")
    assert await world.index.languages(USER) == ["fr", "en"]
    await world.erase(streams=[B])
    assert await world.index.languages(USER) == ["en"]


async def test_the_rounds_next_to_it_come_along(world: World) -> None:
    await world.begin(A, *(f"word {number}" for number in range(10)))
    await world.say(A, "user", "tea")
    await world.say(A, "assistant", "yes")
    await world.say(A, "user", "thanks")
    await world.say(A, "user", "much later")
    await world.begin(B, "not a word")
    evidence = await world.evidence("tea")
    assert evidence.conversations == dict.fromkeys(evidence.conversation.tolist(), A)
    assert sorted(set(evidence.turn.tolist())) == [5, 6, 7]
    assert evidence.seq.tolist() == [9, 10, 11, 12, 13]
    assert evidence.eligible.all()
    assert evidence.matches == 1


async def test_the_pieces_of_a_round_stand_together_in_order(world: World) -> None:
    await world.begin(A, LONG, "I see. " + LONG)
    await world.begin(B, LONG)
    evidence = await world.evidence("ferry")
    order = list(
        zip(
            evidence.conversation.tolist(),
            evidence.turn.tolist(),
            evidence.seq.tolist(),
            evidence.start.tolist(),
            strict=True,
        )
    )
    assert order == sorted(order)
    assert evidence.matches == 3
    for (stream, seq), start, end in zip(
        places_in(evidence), evidence.start, evidence.end, strict=True
    ):
        (message,) = await world.index.at(USER, [(stream, seq)])
        assert message.content[start:end] == message.content[start:end].strip()


async def test_times_are_those_of_the_messages(world: World) -> None:
    await world.begin(A)
    await world.say(A, "user", "tea", timestamp="2026-01-01T10:00:00.123Z")
    await world.say(A, "user", "tea", timestamp="2026-01-01T10:00:00+05:30")
    evidence = await world.evidence("tea")
    assert evidence.time.tolist() == [1767261600123, 1767241800000]


async def test_what_is_outside_the_filter_only_speaks_for_its_neighbours(world: World) -> None:
    await world.begin(A, channel="email")
    for day in range(1, 6):
        await world.say(A, "user", f"tea {day}", timestamp=f"2026-01-0{day}T10:00:00.000Z")
    await world.begin(B, "tea")
    wanted: dict[str, Any] = {
        "since": "2026-01-02T10:00:00.000Z",
        "until": "2026-01-04T10:00:00.000Z",
        "channel": "email",
    }
    evidence = await world.evidence("tea", **wanted)
    assert evidence.matches == 2
    assert evidence.turn.tolist() == [1, 2, 3, 4]
    assert evidence.eligible.tolist() == [False, True, True, False]
    assert evidence.statistics.rounds == 6
    assert evidence.statistics.frequencies.tolist() == [6]
    assert await world.found("tea", conversation_id=B, **wanted) == []
    assert set(await world.found("tea", conversation_id=A, **wanted)) == {"tea 2", "tea 3"}
    assert await world.found("tea", channel="nowhere") == []
    with pytest.raises(NotFound):
        await world.evidence("tea", conversation_id="conv-nobody")


async def test_without_words_the_newest_that_the_filter_lets_through(world: World) -> None:
    await world.begin(A)
    await world.begin(B, channel="email")
    for day in range(1, 9):
        said = turn(A, "user", f"tea {day}", timestamp=f"2026-01-0{day}T10:00:00.000Z")
        await world.write(said, turn(A, "assistant", "yes", timestamp=said.body["timestamp"]))
    await world.say(B, "user", "a letter", timestamp="2026-01-05T10:00:00.000Z")
    evidence = await world.evidence(since="2026-01-05T00:00:00Z", until="2026-01-07T00:00:00Z")
    assert evidence.matches == 5
    assert evidence.counts.shape == (len(evidence.turn), 0)
    found = {
        place for place, may in zip(places_in(evidence), evidence.eligible, strict=True) if may
    }
    assert found == {(A, 9), (A, 10), (A, 11), (A, 12), (B, 1)}
    assert (await world.evidence()).matches == len((await world.evidence()).turn) == 0
    assert (await world.evidence(since="2027-01-01T00:00:00.000Z")).matches == 0


async def test_of_many_alike_the_newest_are_found(world: World) -> None:
    await world.begin(A)
    moment = "2026-01-01T{:02}:{:02}:00.000Z"
    said = [
        turn(A, "user", "tea", timestamp=moment.format(number // 60, number % 60))
        for number in range(900)
    ]
    await world.write(*said)
    for question in (await world.evidence("tea"), await world.evidence(since="2000-01-01")):
        assert question.matches == 900
        turns = set(question.turn.tolist())
        assert set(range(651, 901)) <= turns
        assert 640 not in turns


async def test_a_long_conversation_hides_no_other(world: World) -> None:
    await world.begin(A, *("zebra zebra zebra" for _ in range(900)))
    await world.begin(B, "one zebra among many other animals")
    evidence = await world.evidence("zebra")
    assert set(evidence.conversations.values()) == {A, B}
    assert evidence.matches == 901


async def test_a_long_document_hides_no_other(world: World) -> None:
    await world.begin(A, "\n\n".join(f"zebra {number} {LONG}" for number in range(400)))
    await world.begin(B, "one zebra among many other animals")
    evidence = await world.evidence("zebra")
    assert set(evidence.conversations.values()) == {A, B}
    assert len(evidence.turn) <= 257  # of a very long round, some pieces are enough


async def test_of_what_a_tool_says_the_head_and_the_tail_are_found(world: World) -> None:
    await world.begin(A, "look it up")
    await world.say(A, "tool", f"headword {LONG} middleword {LONG} tailword")
    assert len(await world.found("headword")) == len(await world.found("tailword")) == 1
    assert await world.found("middleword") == []
    evidence = await world.evidence("tailword")
    assert evidence.speaker.tolist() == [Speaker.USER, Speaker.TOOL, Speaker.TOOL]


async def test_what_only_repeats_counts_a_hundredth(world: World) -> None:
    await world.begin(A, "tea")
    await world.say(A, "assistant", "You said: tea, tea", model="offline")
    await world.say(A, "assistant", "tea", model="opus")
    evidence = await world.evidence("tea")
    assert counts(evidence)[A, 2] == pytest.approx([0.02])
    assert counts(evidence)[A, 3] == [1]
    assert evidence.speaker.tolist() == [Speaker.USER, Speaker.ASSISTANT, Speaker.ASSISTANT]
    assert evidence.statistics.frequencies.tolist() == [1]


async def test_what_is_erased_edited_or_superseded_counts_no_more(world: World) -> None:
    lines = await world.begin(A, "tea one", "tea two", "tea three", "tea four")
    await world.happen(A, "edited", messageId=lines[1].id, content="cake one")
    await world.write(turn(A, "assistant", "cake two", turnNumber=1, supersedes=lines[2].id))
    await world.erase(lines={A: [3]})
    evidence = await world.evidence("tea", "cake")
    assert counts(evidence) == {(A, 1): [0, 1], (A, 6): [0, 1], (A, 4): [1, 0]}
    assert evidence.statistics.rounds == 2
    assert evidence.statistics.frequencies.tolist() == [1, 1]


@pytest.mark.parametrize("content", ["!!!", "\U0001f600", "\u202e", "\u0301", "~"])
async def test_odd_contents_disturb_nobody(world: World, content: str) -> None:
    await world.begin(A, "tea", content, "more tea")
    assert set(await world.found("tea")) == {"tea", "more tea"}
    await world.erase(lines={A: [2]})
    assert await world.index.verify() == []


async def test_nothing_was_said_yet(world: World) -> None:
    evidence = await world.evidence("tea")
    assert evidence.statistics.rounds == 0
    assert evidence.counts.shape == (0, 1)
    assert evidence.conversations == {}


# -- messages by their places --------------------------------------------------------------------


async def test_messages_at_their_places(world: World) -> None:
    lines = await world.begin(A, "one", "two")
    await world.begin(B, "three")
    wanted = [(B, 1), (A, 2), (A, 99), ("conv-nobody", 1), (A, 1)]
    found = await world.index.at(USER, wanted)
    assert [message.content for message in found] == ["three", "two", "one"]
    shown = await world.index.shown(USER, [(A, 99), (A, 2)], wanted, [B, "conv-nobody"])
    assert shown.ids.keys() == {(A, 1), (A, 2), (B, 1)}
    assert shown.ids[A, 1] == lines[1].id
    assert [message.content for message in shown.messages.values()] == ["two"]
    assert shown.messages.keys() == {(A, 2)}
    assert shown.conversations.keys() == {B}
    await world.erase(streams=[A])
    assert [message.content for message in await world.index.at(USER, wanted)] == ["three"]
    assert (await world.index.shown(USER, wanted, wanted)).ids.keys() == {(B, 1)}


async def test_conversations_are_described(world: World) -> None:
    await world.begin(A, "x", title="Numbers")
    await world.begin(B, "y")
    found = await world.index.described(USER, [B, "conv-nobody", A, B])
    assert {name: meta.title for name, meta in found.items()} == {A: "Numbers", B: None}


async def test_without_a_model_nothing_has_a_meaning(world: World) -> None:
    await world.begin(A, "tea")
    assert np.isnan((await world.evidence("tea", text="tea")).cosine).all()
    assert not len((await world.evidence(text="tea")).cosine)


async def near(world: World, *words: str, **reach: Any) -> Evidence:
    """What a question finds that is not followed far."""
    terms = [Term(word, (Form((word,)),)) for word in words]
    question = Question(terms, reach=Reach(**reach))
    return await world.index.evidence(USER, question, SearchFilter(conversation_id=A))


async def test_within_a_reach_the_rarest_words_lead(world: World) -> None:
    await world.begin(A, *(["tea"] * 20 + ["tea and cake"] + ["tea"] * 20))
    found = await near(world, "tea", "cake", occurrences=5, rounds=1)
    assert found.matches == 1
    assert counts(found)[A, 21] == [1, 1]
    assert found.statistics.frequencies.tolist() == [21, 1]


async def test_within_a_reach_a_word_that_is_everywhere_finds_the_last(world: World) -> None:
    await world.begin(A, *(["tea"] * 40))
    everything = await near(world, "tea", occurrences=5, rounds=250)
    assert everything.matches == 40
    found = await near(world, "tea", occurrences=5, alone=5, rounds=250)
    assert found.matches == 5
    assert max(seq for _, seq in counts(found)) == 40
    assert found.statistics.frequencies.tolist() == [20]


async def test_within_a_reach_what_is_long_and_new_is_passed_over(world: World) -> None:
    await world.begin(
        A, "tea", "Le thé est toujours trop chaud pour être bu le matin. " * 9 + "tea"
    )
    assert await world.index.languages(USER, unread=100) == ["en"]
    assert set(counts(await near(world, "tea", unread=100))) == {(A, 1)}
    assert "fr" in await world.index.languages(USER)  # somebody looks into it
    assert set(counts(await near(world, "tea", unread=100))) == {(A, 1), (A, 2)}
