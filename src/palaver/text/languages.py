"""The language of a text, told by its small words and by its letters."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat

from palaver.text.stops import STOP_WORDS

_CODES = """
en es fr de pt it nl ru sv da no fi pl cs ro hu tr id ar fa el hi ta hy uk
"""
LANGUAGES = tuple(_CODES.split())
"""The languages that are told apart. A new one goes to the end: their places are stored."""

_READ = 60
"""How many words are looked at."""
_VOTE = 12
"""What a word or a letter says; languages that have it in common share that."""
_ENOUGH = 6
_LATIN = re.compile("[a-z]")

_LETTERS = {
    "ar": "ابتثجحخدذرزسشصضطظعغفقلمنهوكيةىأإ",
    "cs": "ěřůčšžýáíéú",
    "da": "æøå",
    "de": "äöü",
    "el": "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώ",
    "es": "ñáíóúé",
    "fa": "ابتثجحخدذرزسشصضطظعغفقلمنهوپچژگکی",
    "fi": "äö",
    "fr": "çèêéàùâîôûœ",
    "hi": "अआइउएकखगचजटडतदनपबमयरलवशसह",
    "hu": "őűöüáéíóú",
    "hy": "աբգդեզէըթիլխկհղմյնշոչպջռսվտրցփքօֆ",
    "it": "èìòàù",
    "no": "æøå",
    "pl": "ąćęłńóśźż",
    "pt": "ãõçáâêéíóú",
    "ro": "ăâîșşțţ",
    "ru": "абвгдежзийклмнопрстуфхцчшщьюяыэъё",
    "sv": "åäö",
    "ta": "அஆஇஉகஙசஞடணதநபமயரலவழளறன",
    "tr": "ğışçöü",
    "uk": "абвгдежзийклмнопрстуфхцчшщьюяіїєґ",
}


def language(words: Sequence[str], among: Sequence[str] = LANGUAGES) -> str:
    """The language that the `words` of a text are in, or "" when they do not tell.

    Latin letters that tell nothing are taken for English: a wrong guess costs little, since the
    words of a query are stemmed in every language there is; without a guess nothing is stemmed.
    """
    read = words[:_READ]
    votes = sum(map(_WORD_VOTES.get, read, repeat(0)))
    letters = "".join(read)
    if not letters.isascii():
        votes += sum(map(_LETTER_VOTES.get, set(letters), repeat(0)))
    counts = memoryview(votes.to_bytes(2 * len(LANGUAGES), sys.byteorder)).cast("H")
    best = max(among, key=lambda code: counts[_PLACES[code]], default="")
    if best and counts[_PLACES[best]] >= _ENOUGH:
        return best
    return "en" if "en" in among and _LATIN.search(letters) else ""


def _votes(spoken: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """The votes of each word or letter for all languages: numbers of 16 bits, side by side."""
    speakers: dict[str, list[int]] = {}
    for code, listed in spoken.items():
        for token in listed:
            speakers.setdefault(token, []).append(_PLACES[code])
    return {
        token: sum(_VOTE // len(places) << 16 * place for place in places)
        for token, places in speakers.items()
        if len(token.encode()) > 1  # a single plain letter is the name of anything
    }


_PLACES = {code: place for place, code in enumerate(LANGUAGES)}
_WORD_VOTES = _votes(STOP_WORDS)
_LETTER_VOTES = _votes(_LETTERS)
