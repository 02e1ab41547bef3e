"""What is taken from a model, and what is mended on the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.digest.model.answer import Answer, read
from palaver.digest.model.checking import located, points_of
from palaver.digest.model.figures import Figures
from palaver.digest.model.maker import check
from palaver.digest.model.naming import naming_of, titled
from palaver.text import quoted
from tests.digest.model.stories import BOTH, SAID, sheet, story, with_point

TEXT = (
    "The order 1,500 of ERR-4711 came on 09:30, 16 GB of it, to ada@example.org with GPT 4 and 3 pm"
)


@pytest.mark.parametrize(
    "said",
    [
        *("1500 pieces", "1,500 pieces", "at 9:30", "err-4711", "16GB", "a 16-piece set", "GPT-4"),
        *("3pm", "ada@example.org", "LATER, OK", "no figures at all", "the 3rd one"),
    ],
)
def test_figures_that_were_said(said: str) -> None:
    assert Figures(TEXT).lacks(said) == []


@pytest.mark.parametrize(
    "invented",
    [
        *("15 pieces", "500 of them", "at 9:31", "ERR-4712", "17GB", "a 17-piece set", "GPT-5"),
        *("bob@example.org", "https://example.org/x", "THE_KEY", "150"),
    ],
)
def test_figures_that_were_not(invented: str) -> None:
    assert Figures(TEXT).lacks(invented)


def test_the_dates_of_messages_may_be_told() -> None:
    found = sheet("We meet tomorrow.")
    assert found.figures.lacks("On 14 February 2026 they planned to meet.") == []
    assert found.figures.lacks("On 15 February 2026 they meet.") == ["15"]


@pytest.mark.parametrize(
    ("quote", "text", "found"),
    [
        ("to be there", "It has\nto   be\tthere.", "to   be\tthere"),
        ("to be (there)", "to be (there)", "to be (there)"),
        ("don't be", "I don\u2019t be", "don\u2019t be"),
        ("don\u2019t be", "I don't be", "don't be"),
        ("To be", "to be", ""),
        ("be or", "to be, or", ""),
    ],
)
def test_a_quotation_is_given_as_it_stands(quote: str, text: str, found: str) -> None:
    assert located(quote, text) == found


@pytest.mark.parametrize(
    ("given", "mended"),
    [
        ("fixing the login of the portal", "Fixing the Login of the Portal"),
        ("FIXING THE ERR-4711 BUG", "Fixing the ERR-4711 Bug"),
        ("the API of hosts.plist", "The API of hosts.plist"),
        ("what to do with", "What to Do With"),
    ],
)
def test_titles_are_put_in_title_case(given: str, mended: str) -> None:
    assert titled(given, sheet(*SAID, "The API is fine.")) == mended


@pytest.mark.parametrize(
    ("texts", "title", "mended"),
    [
        (
            ["Wie richte ich die Überwachung für den Server ein?"],
            "die Überwachung für den Server",
            "Die Überwachung für den Server",
        ),
        (["明日の会議は三時に変更されました。"], "会議の変更", "会議の変更"),
        (
            ["Où est la recette de la tarte aux pommes ?"],
            "recette de la tarte",
            "Recette de la tarte",
        ),
    ],
)
def test_other_languages_keep_their_own_rules(texts: list[str], title: str, mended: str) -> None:
    naming, faults = naming_of(Answer(title=title, topics=["x"], messages=[1]), sheet(*texts))
    assert naming.titles == [mended]
    assert faults == []


def test_where_nothing_was_said_any_title_does_that_is_no_greeting() -> None:
    greeting = sheet("Hello!", "Hi.")
    assert naming_of(Answer(title="Short Greeting", topics=["greeting"]), greeting)[1] == []
    assert naming_of(Answer(title="Hello There", topics=["greeting"]), greeting)[1]


def test_a_name_stands_on_what_the_model_says_and_on_where_its_words_were_said() -> None:
    answer = Answer(title="Leipzig Login Page", topics=["login"], messages=[2])
    naming, _ = naming_of(answer, sheet(*SAID))
    assert {source.message_id for source in naming.sources} == {"msg-1", "msg-2", "msg-3"}


def test_what_a_point_stands_on_is_told_once() -> None:
    answer = with_point("Marta saw it first.", [1, 1, 2], "Marta saw it first")
    read_answer = read(answer, Answer)
    assert read_answer
    point = points_of(read_answer.points, sheet(*SAID))[0].points[-1]
    assert [(one.message_id, one.quote, one.turn, one.by, one.kind) for one in point.sources] == [
        ("msg-1", "Marta saw it first", 1, "user", "said"),
        ("msg-2", None, 1, "assistant", "said"),
    ]


@given(st.text(max_size=300))
def test_whatever_a_model_writes_is_checked(text: str) -> None:
    assert check(text, sheet(*SAID), BOTH).faults


@given(st.lists(st.text(max_size=80), min_size=1, max_size=5))
def test_no_message_can_leave_its_quotation(texts: list[str]) -> None:
    shown = sheet(*texts).text.splitlines()
    ours = [line for line in shown if line and not line.startswith("> ")]
    headings = {f"[{n}] {one.role}, 2026-02-14" for n, one in enumerate(story(*texts).messages, 1)}
    assert set(ours) == {"What was said:", *headings}
    for text in texts:
        assert all(line in shown for line in quoted(text).splitlines())


@given(
    st.lists(st.text(max_size=60), min_size=1, max_size=4),
    st.lists(
        st.fixed_dictionaries(
            {
                "text": st.text(max_size=60),
                "messages": st.lists(st.integers(-2, 6), max_size=3),
                "quote": st.none() | st.text(max_size=20),
            }
        ),
        max_size=4,
    ),
    st.text(max_size=40),
)
def test_what_is_taken_stands_on_what_was_said(
    texts: list[str], points: list[dict[str, object]], title: str
) -> None:
    found = sheet(*texts)
    answer = Answer.model_validate({"points": points, "title": title, "topics": [title]})
    made, _ = points_of(answer.points, found)
    naming, _ = naming_of(answer, found)
    said = {f"msg-{n}": text for n, text in enumerate(texts, start=1)}
    for source in [*naming.sources, *(one for point in made.points for one in point.sources)]:
        assert (source.quote or "") in said[source.message_id]
