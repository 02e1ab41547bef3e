"""The words of a query, and when two words are the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from palaver.errors import BadValue
from palaver.ledger.strict import check_text

MAX_WORDS = 32
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")


def word_set(text: str) -> frozenset[str]:
    """The words of a list written as text."""
    return frozenset(text.split())


STOP_WORDS = word_set(
    """
    a about am an and any are as at be been but by can could d did do does don for from had has
    have he her him his how i if in into is it its just ll m me my no not of on or our please re s
    she should so some t than that the their them then there these they this those to us ve was we
    were what when where which who whom whose why will with would you your
    """
)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Where the words of `text` begin and end."""
    return (found.span() for found in _WORD.finditer(text))


def words_in(text: str) -> list[str]:
    """The words of `text` in lower case, in order and without repetition.

    A word that folds to another spelling stands in both: straße, strasse.
    """
    words = _WORD.findall(unicodedata.normalize("NFKC", text).lower())
    return list(dict.fromkeys(form for word in words for form in (word, word.casefold())))


def content_words(text: str) -> list[str]:
    """The words worth searching for, at most 32: stop words only when there is nothing else."""
    found = words_in(text)
    telling = [word for word in found if word not in STOP_WORDS]
    return (telling or found)[:MAX_WORDS]


def query_words(query: str) -> list[str]:
    """The words to search by. Raises BadText, and BadValue when there is none."""
    found = content_words(check_text(query))
    if not found:
        raise BadValue(
            "There is no word in that search.", remedy="Search for at least one word or number."
        )
    return found


def fold(word: str) -> str:
    """What two spellings of one word have in common: neither case nor diacritics count."""
    if word.isascii():
        return word.lower()
    marked = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in marked if not unicodedata.combining(char))
