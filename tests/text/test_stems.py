"""The index terms of a word."""

from threading import Thread

import pytest

from palaver.text import LANGUAGES, terms, words
from palaver.text.stems import STEM_MARK, STEMMED, stemmers, stems


@pytest.mark.parametrize(
    ("language", "word", "found"),
    [
        ("en", "running", ("running", "~run")),
        ("en", "run", ("run",)),
        ("fr", "démarrages", ("demarrages", "~demarrag")),
        ("de", "häuser", ("hauser", "~haus")),
        ("", "häuser", ("hauser",)),
        ("en", "1984", ("1984",)),
        ("en", "v1.2.3", ("v1.2.3",)),
        ("en", "东京", ("东京",)),
        ("en", "👍", ("👍",)),
        ("uk", "ключі", ("ключі",)),
    ],
)
def test_the_terms_of_a_word(language: str, word: str, found: tuple[str, ...]):
    assert terms(word, language) == found


def test_a_word_is_stemmed_with_and_without_its_diacritics():
    assert terms("musée", "fr") == ("musee", "~mus", "~muse")
    assert terms("musee", "fr") == ("musee", "~muse")
    assert set(stems("musees", "fr")) <= set(stems("musées", "fr"))


def test_every_language_but_those_without_a_stemmer_is_stemmed():
    assert set(LANGUAGES) - STEMMED == {"uk"}
    for language in STEMMED:
        assert stems("word", language)


def test_no_word_looks_like_a_stem():
    assert words(f"{STEM_MARK}run {STEM_MARK}") == ["run"]


def test_each_thread_has_stemmers_of_its_own():
    found = [stemmers.of("en")]
    thread = Thread(target=lambda: found.append(stemmers.of("en")))
    thread.start()
    thread.join()
    assert found[0] is stemmers.of("en")
    assert found[0] is not found[1]
