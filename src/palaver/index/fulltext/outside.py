"""Words of outsiders: those by which the messages of their exchanges are found, and how they are
checked.

They are in a table of their own, not in the segments: no search of conversations reads them, and
how common a word is there does not change with what outsiders write.
"""

from __future__ import annotations

from palaver.index.connection import Connection, Row, Statements
from palaver.index.evidence import Speaker
from palaver.index.faults import Unusable
from palaver.index.pieces import Said, batches
from palaver.index.stored.places import EVERYWHERE

READ = 50_000
"""So many characters of a message are read for its words. Whoever writes more does not keep others
waiting: words are counted while everybody waits for the commit."""
_AT_ONCE = 500


def worded(at: int, content: str) -> tuple[int, list[Row]]:
    """The code of the language of a message, and its words as they are stored."""
    language, found = 0, list[Row]()
    for batch in batches([Said(at, 0, Speaker.ASSISTANT, 0, content[:READ])]):
        columns = batch.columns
        language = int(columns["language"][0])
        about = columns[["start", "end", "length"]].tolist()
        for term, posting in batch.postings.items():
            for piece, count in zip(posting.pieces.tolist(), posting.counts.tolist(), strict=True):
                found.append((term, at, *about[piece], count))
    return language, found


def check_outside(database: Connection, sql: Statements) -> None:
    """Whether the words are those of the messages, some at a time. Raises Unusable when they are
    not, Failed."""
    after = EVERYWHERE[0] - 1
    while (last := _check_some(database, sql, after)) is not None:
        after = last


def _check_some(database: Connection, sql: Statements, after: int) -> int | None:
    """Gives the place of the last message that was looked at; None when all are."""
    with database.reading():
        rows = database.all(sql["external_contents"], {"after": after, "limit": _AT_ONCE})
        last = rows[-1][0] if len(rows) == _AT_ONCE else EVERYWHERE[1]
        within = {"after": after, "last": last}
        found = database.all(sql["external_words_between"], within)
    made = list[Row]()
    for at, content, language in rows:
        spoken, words = worded(at, content)
        made += words
        if spoken != language:
            raise Unusable("A message of an exchange is said to be in another language.")
    if sorted(made) != sorted(map(tuple, found)):
        raise Unusable("The words of exchanges are not what their messages say.")
    return last if len(rows) == _AT_ONCE else None
