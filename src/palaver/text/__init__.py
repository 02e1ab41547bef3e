"""The analyser: what the words of a text are, and when two of them are the same.

Pure functions of the text: the same for every engine, and the same on every machine.
"""

from palaver.text.characters import whole_character
from palaver.text.counting import counted
from palaver.text.folding import fold
from palaver.text.languages import LANGUAGES, language
from palaver.text.matching import Match, matches, occurrences
from palaver.text.pieces import LONG, SHORT, pieces
from palaver.text.query import Form, Term, query_terms
from palaver.text.quoting import quoted
from palaver.text.sentences import SENTENCE_END, sentence_spans
from palaver.text.stems import terms
from palaver.text.words import words

ANALYSER_VERSION = 1
"""Goes up when a text is analysed in another way: what was indexed before is indexed again."""
PIECES_VERSION = 2
"""Goes up when a text is cut in another way."""

__all__ = [
    "ANALYSER_VERSION",
    "LANGUAGES",
    "LONG",
    "PIECES_VERSION",
    "SENTENCE_END",
    "SHORT",
    "Form",
    "Match",
    "Term",
    "counted",
    "fold",
    "language",
    "matches",
    "occurrences",
    "pieces",
    "query_terms",
    "quoted",
    "sentence_spans",
    "terms",
    "whole_character",
    "words",
]
