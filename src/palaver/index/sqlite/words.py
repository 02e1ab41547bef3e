"""Full text: how words come into it, and how they leave it for good.

A single message waits until there are some, or until somebody searches: the full text takes many
at once far faster. Words that are to be erased leave their pages at once, each of them; that is
faster where all is in one piece, so when they are many, the pieces are merged first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from palaver.index.sqlite.database import Database

_WAITING = 64
_MERGED_MEANWHILE = 280
"""How many lines a merge takes in the time that it saves for each that is taken out."""

Words = tuple[int, str]
"""A place, and what is said there."""

_PLACEHOLDER: Words = (-1, "placeholder")


def _folded(text: str) -> str:
    """The text as the full text sees its letters: without case and diacritics."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


class FullText:
    """The full text of one set of tables."""

    def __init__(self, database: Database, sql: Mapping[str, str]) -> None:
        self._database = database
        self._sql = sql

    def add(self, words: Sequence[Words]) -> None:
        """Takes in words at once."""
        self._database.many(self._sql["add_words"], words)

    def add_later(self, words: Iterable[Words]) -> None:
        """Takes in words when there are some, or when they are looked for."""
        self._database.many(self._sql["wait"], [(place,) for place, _ in words])

    def take_enough(self) -> None:
        """Takes in the words that wait, if there are enough of them."""
        ((count,),) = self._database.all(self._sql["waiting"])
        if count >= _WAITING:
            self.take_waiting()

    def take_waiting(self) -> None:
        self._database.run(self._sql["take_waiting"])
        self._database.run(self._sql["clear_waiting"])

    def remove(self, words: Sequence[Words]) -> None:
        """Takes words out; afterwards nothing is left of them."""
        indexed = [
            said
            for said in words
            if self._database.one(self._sql["stop_waiting"], (said[0],)) is None
        ]
        if not indexed:
            return
        ((lines,),) = self._database.all(self._sql["count_lines"])
        if len(indexed) * _MERGED_MEANWHILE > lines:
            self._database.run(self._sql["merge_words"])
        self._database.many(self._sql["remove_words"], indexed)
        if self._has_stale_signpost(indexed):
            self._write_anew()

    def _write_anew(self) -> None:
        """Writes every page again. A full text in one piece would be left as it is: so it gets a
        second piece first."""
        self._database.run(self._sql["add_words"], _PLACEHOLDER)
        self._database.run(self._sql["merge_words"])
        self._database.run(self._sql["remove_words"], _PLACEHOLDER)

    def _has_stale_signpost(self, words: Sequence[Words]) -> bool:
        """Whether a removed word still stands between two pages of the full text.

        The beginning of a page's first word is also kept outside the page, to find it by, and
        secure-delete leaves it there. It gives nothing away while another word begins so.
        """
        signposts = [post for (post,) in self._database.all(self._sql["signposts"]) if post]
        removed = [_folded(said) for _, said in words]
        return any(
            not self._database.one(self._sql["any_word"], (f'"{post}" *',))
            for post in signposts
            if any(post in said for said in removed)
        )
