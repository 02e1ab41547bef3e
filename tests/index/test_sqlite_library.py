"""Many books as one: what is counted in all of them together is what each one holds."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from palaver.index.fulltext.book import Book, newest_books
from palaver.index.fulltext.by_words import ByWords
from palaver.index.fulltext.library import Library
from palaver.index.fulltext.shelf import Volume
from palaver.index.fulltext.tally import Tally
from palaver.index.pieces import Said, batches
from palaver.index.port import Reach
from palaver.text import Form, Term

WORDS = ["tea", "cake", "ferry", "kettle", "harbour", "biscuit"]


def written(books: int, seed: int) -> tuple[list[Volume], list[list[str]]]:
    """Some books, and the words of every piece in them, one after the other."""
    rng = random.Random(seed)
    volumes: list[Volume] = []
    texts: list[list[str]] = []
    for book in range(books):
        said = [rng.choices(WORDS, k=rng.randint(1, 6)) for _ in range(rng.randint(0, 20))]
        messages = [
            Said((book << 32) + turn, turn, 0, turn, " ".join(words))
            for turn, words in enumerate(said)
        ]
        volumes += [Volume(Book(made.columns), made.postings) for made in batches(messages)]
        texts += said
    return volumes, texts


def term(*forms: Form) -> Term:
    return Term("x", forms)


@pytest.mark.parametrize("seed", range(20))
def test_terms_are_counted_in_every_book(seed: int) -> None:
    volumes, texts = written(seed % 5, seed)
    library = Library(volumes)
    tally = Tally(library)
    assert len(library) == len(texts)
    asked = term(Form(("tea",)), Form(("tea", "cake")), Form(("ferry", "nowhere")))
    expected = [max(held["tea"] + held["cake"], held["ferry"]) for held in map(Counter[str], texts)]
    every = library.chosen(np.arange(len(texts)))
    assert tally.within(asked, every).tolist() == expected
    found = tally.everywhere(asked)
    assert found.pieces.tolist() == np.flatnonzero(expected).tolist()
    assert found.counts.tolist() == [count for count in expected if count]
    some = np.flatnonzero(np.random.default_rng(seed).random(len(texts)) < 0.3)
    assert tally.within(asked, library.chosen(some)).tolist() == [expected[one] for one in some]


@pytest.mark.parametrize("seed", range(20))
def test_rounds_and_messages_are_counted_in_every_book(seed: int) -> None:
    volumes, texts = written(seed % 5, seed)
    terms = [term(Form((word,))) for word in WORDS]
    library = Library(volumes)
    words = ByWords(library, Tally(library), terms, Reach())
    frequencies = [sum(word in text for text in texts) for word in WORDS]
    assert words.statistics.frequencies.tolist() == frequencies
    assert words.statistics.rounds == len(texts)
    rounds, messages = words.rounds()
    assert messages == len(texts)
    assert set(rounds.tolist()) == {one for volume in volumes for one in volume.book.round.tolist()}


def test_what_the_filter_leaves_out_is_not_found() -> None:
    volumes, _ = written(4, 1)
    library = Library(volumes, lambda book, pieces: book.time[pieces] >= 5)
    rounds, messages = ByWords(library, Tally(library), [term(Form(("tea",)))], Reach()).rounds()
    assert len(rounds)
    assert (rounds & 0xFFFFFFFF).min() >= 5
    assert messages == len(set(rounds.tolist()))
    timely, _ = ByWords(library, Tally(library), [], Reach()).rounds()
    assert set(timely.tolist()) == {
        one for volume in volumes for one in volume.book.round.tolist() if one & 0xFFFFFFFF >= 5
    }


def test_the_newest_books_of_a_stream_are_looked_through() -> None:
    def book(stream: int, time: int, pieces: int) -> Book:
        said = [Said((stream << 32) + turn, turn, 0, time, "tea") for turn in range(pieces)]
        (made,) = batches(said)
        return Book(made.columns)

    books = {9: book(1, 30, 5), 3: book(1, 10, 5), 7: book(1, 20, 5), 4: book(2, 40, 5)}
    assert list(newest_books(books, None, None)) == [3, 7, 9, 4]
    assert list(newest_books(books, None, 1)) == [3, 7, 9]
    assert list(newest_books(books, 10, 1)) == [7, 9]
    assert list(newest_books(books, 9, 1)) == [9]
    assert list(newest_books(books, 1, 1)) == [9]  # one always
    assert list(newest_books(books, 10, 5)) == []
