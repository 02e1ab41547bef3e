"""A long reply, as several messages that read well."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from palaver.channels.markup import PLAIN, render
from palaver.channels.splitting import NOTHING, split, units

pieces = st.sampled_from(
    [
        *("word", "Two words.", " ", "\n", "\n\n", "```", "```py\n", "~~~\n", "    ", "- ", "1. "),
        *(
            "**",
            "_",
            "`",
            "> ",
            "# ",
            "|",
            "|---|",
            "[a](b)",
            "👩‍👩‍👧‍👦",
            "e\u0301",
            "\t",
            "<",
            "&",
        ),
    ]
)


def parts(text: str, most: int = 80) -> list[str]:
    return split(text, lambda part: units(render(part, PLAIN)) <= most, most)


def test_what_fits_stays_whole() -> None:
    assert parts("# Title\n\nText") == ["# Title\n\nText"]


@pytest.mark.parametrize("text", ["", " ", "\n\t\n"])
def test_nothing_says_something(text: str) -> None:
    assert parts(text) == [NOTHING]


def test_paragraphs_are_kept_together() -> None:
    text = "First one. It has two sentences.\n\nSecond one, a little longer.\n\nThird one. The end."
    assert parts(text) == [
        "First one. It has two sentences.\n\nSecond one, a little longer.",
        "Third one. The end.",
    ]


def test_lines_are_kept_together() -> None:
    text = "\n".join(f"- point {n}, which is short" for n in range(6))
    assert [len(part.split("\n")) for part in parts(text)] == [3, 3]


def test_what_belongs_to_a_point_keeps_its_place() -> None:
    text = "- point\n" + "\n".join(f"  - below it {n}, in words" for n in range(6))
    first, *rest = parts(text)
    assert first.startswith("- point\n  - below")
    assert all(part.startswith("  - below") for part in rest)


def test_sentences_are_kept_together() -> None:
    text = "Here is a sentence. " * 10
    assert all(part.endswith("sentence.") for part in parts(text))


def test_a_number_or_an_abbreviation_ends_no_sentence() -> None:
    assert parts("It costs 3.50 and Dr. Okafor said so to everybody. " * 3)[0].endswith(".")


def test_words_are_kept_together() -> None:
    assert set(" ".join(parts("supercalifragilistic " * 20)).split()) == {"supercalifragilistic"}


def test_only_what_has_no_gap_is_cut_anywhere() -> None:
    assert parts("x" * 200) == ["x" * 80, "x" * 80, "x" * 40]


def test_a_character_is_never_cut() -> None:
    family, flagless = "👩‍👩‍👧‍👦", "e\u0301\u0323"
    assert all(not part.replace(family, "") for part in parts(family * 30))
    assert all(not part.replace(flagless, "") for part in parts(flagless * 100))


def test_a_block_of_code_begins_a_part_rather_than_being_cut() -> None:
    code = "```sh\n" + "\n".join(f"echo {n}" for n in range(8)) + "\n```"
    text = f"Here is how it is done, in a few words.\n\n{code}"
    assert parts(text) == ["Here is how it is done, in a few words.", code]


@pytest.mark.parametrize("indent", ["", "  ", "      "])
@pytest.mark.parametrize("fence", ["```", "~~~~"])
def test_code_is_closed_and_opened_again(indent: str, fence: str) -> None:
    lines = [f"{indent}line {n}" for n in range(40)]
    text = "\n".join(["Look:", "", f"{indent}{fence}js", *lines, f"{indent}{fence}", "", "Done."])
    found = parts(text)
    code = [part for part in found if "line" in part]
    assert len(code) > 3
    assert all(part.count(fence) == 2 for part in code)
    assert all(f"{indent}{fence}js\n" in part for part in code)
    assert [one for part in code for one in part.split("\n") if "line" in one] == lines
    assert "".join(render(part, PLAIN) for part in code).count(fence) == 0


def test_blank_lines_of_code_stay() -> None:
    body = "\n\n".join(f"def f{n}(): ..." for n in range(30))
    joined = "\n".join(part[4:-4] for part in parts(f"```\n{body}\n```"))
    assert joined == body


def test_a_block_of_code_that_is_never_closed() -> None:
    found = parts("```\n" + "line of code\n" * 30)
    assert all(part.count("```") == 2 for part in found[:-1])
    assert "".join(found).count("line of code") == 30


def test_what_grows_when_it_is_written_is_made_small_enough() -> None:
    """A row of a table gets the cells that it lacks."""
    text = "|" + "a|" * 20 + "\n|" + "-|" * 20 + "\n" + "|b\n" * 40
    assert all(units(render(part, PLAIN)) <= 80 for part in parts(text))


@pytest.mark.parametrize("text", ["`" * 500, "```" + "x" * 500, "~" * 300 + "\n" + "y" * 300])
def test_fences_that_are_too_long_themselves(text: str) -> None:
    found = parts(text)
    assert all(part.strip() and units(render(part, PLAIN)) <= 80 for part in found)


@given(st.lists(pieces, max_size=150).map("".join))
@settings(max_examples=150)
def test_each_part_says_something_and_fits(text: str) -> None:
    found = parts(text, 40)
    assert found
    for part in found:
        assert render(part, PLAIN).strip()
        assert units(render(part, PLAIN)) <= 40


@given(st.text(st.sampled_from("ab. \n\U0001f600é"), max_size=400))
def test_nothing_is_lost(text: str) -> None:
    joined = "".join(parts(text, 20)) if text.strip() else ""
    assert "".join(joined.split()) == "".join(text.split())


def test_a_long_text_takes_no_longer_than_its_length_says() -> None:
    assert len(parts("A sentence of six short words. " * 4_000, 4096)) == 31
