"""Clauses: the parts of a question that names several things.

"How many days were there between the Sunday mass and the festival?" is answered in two places, and
each of them is near to a half of the question and far from the whole. So the meaning of a question
is that of the whole and, a little less, that of each clause.
"""

from __future__ import annotations

import re
from functools import cache

from palaver.text import language, words

MOST = 4
"""So many clauses, at most, are looked at."""
CLAUSE_WEIGHT = 0.85
"""How much the nearness to a clause counts, where that to the whole question counts 1."""
_LEAST_WORDS = 3
_MARKS = r"[,;:.?!()\u2013\u2014\u201c\u201d\"]++(?:\s|$)"
_JOINTS = {
    "en": "and or before after between than when since while until",
    "de": "und oder bevor nachdem vor nach zwischen als wenn seit während bis",
    "fr": "et ou avant après entre que quand depuis pendant jusque",
    "es": "y o antes después entre que cuando desde mientras hasta",
    "it": "e o prima dopo tra fra quando mentre fino",
    "pt": "e ou antes depois entre quando desde enquanto até",
    "nl": "en of voordat voor na tussen dan wanneer sinds terwijl tot",
}


def clauses(question: str) -> list[str]:
    """The clauses of `question`; none if it is a single one."""
    joint = _joint(language(words(question), among=tuple(_JOINTS)))
    parts = [part.strip() for part in joint.split(question)]
    telling = [part for part in parts if len(part.split()) >= _LEAST_WORDS]
    return telling[:MOST] if len(telling) > 1 else []


@cache
def _joint(code: str) -> re.Pattern[str]:
    """What stands between two clauses in a language."""
    joints = "|".join(_JOINTS.get(code, "").split())
    return re.compile(rf"{_MARKS}|\b(?:{joints})\b" if joints else _MARKS, re.IGNORECASE)
