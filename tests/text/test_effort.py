"""No text takes more time than its length allows."""

from collections.abc import Callable
from time import process_time

import pytest

from palaver.digest.notes import marks_of
from palaver.digest.state.confided import tells_secret
from palaver.digest.state.secrets import is_secret
from palaver.text import language, matches, pieces, query_terms, words

SMALL, LARGE = 10_000, 100_000
HOSTILE = {
    "letters": "a",
    "accents": "é",
    "dots": ".",
    "spaces": " ",
    "lines": "\n",
    "joined": "a.",
    "joined by hyphens": "a-b",
    "apostrophes": "a'",
    "numbers": "1,",
    "grouped numbers": "1,000,",
    "marks": "\u0301",
    "letters with marks": "a\u0301",
    "joiners": "\u200d",
    "Chinese": "东",
    "Chinese stops": "。",
    "sentences": "A word. ",
    "brackets": '.")',
    "vowel signs": "कि",
    "emoji": "👍",
    "ligatures": "\ufb03",
    "beginnings of keys": "eyJ-",
    "capitals": "A",
    "names of secrets": "password for ",
    "seeds": "seed abc, ",
}
WORK: dict[str, Callable[[str], object]] = {
    "words": words,
    "language": lambda text: language(words(text)),
    "pieces": pieces,
    "matches": lambda text: matches(text, query_terms("a needle 东京", ["en"])),
    "query": lambda text: query_terms(text, ["en", "fr"]),
    "secrets": is_secret,
    "secrets in digests": tells_secret,
    "marks": lambda text: marks_of(f"{text}a"),
}


def effort(work: Callable[[str], object], text: str) -> float:
    start = process_time()
    work(text)
    return process_time() - start


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("work", WORK.values(), ids=WORK.keys())
def test_ten_times_the_text_takes_about_ten_times_as_long(work: Callable[[str], object], unit: str):
    small = min(effort(work, (unit * SMALL)[:SMALL]) for _ in range(3))
    large = effort(work, (unit * LARGE)[:LARGE])
    assert large < 0.05 + 40 * small
