"""Words: how a text falls into them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palaver.text.folding import normal
from palaver.text.scripts import EMOJI, FLAG, LETTER, MARK, UNSPACED

MAX_LENGTH = 64
"""Of a longer word only so many characters count."""

_ASCII = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_TOKEN = re.compile(rf"{LETTER}++(?:[{MARK}]++{LETTER}*+)*+|[{UNSPACED}]++|{FLAG}|{EMOJI}")
_SIMPLE = re.compile(r"[^\W_]+")
_SPECIAL = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u1fff\u20d0-\u20ff\u2300-\u2bff\u2cef-\U0010ffff]"
)
"""What a text must hold for its words not to be simple: roughly, but every mark and emoji."""
_UNSPACED = re.compile(f"[{UNSPACED}]")

_PART = r"[^\W_\u0e00-\u1dff\u2000-\U0010ffff]"
_JOINER = re.compile(
    rf"[-_.@',](?=\w)(?<={_PART}.)"
    rf"(?:(?<=[-_.@])(?={_PART})|(?<=')(?={_PART}{{3}})|(?<=\d,)(?=\d{{3}}(?!\w)))"
)
_JOINED = re.compile(rf"{_PART}++(?:[-_.@]{_PART}++|'{_PART}{{3,}}+|(?<=\d),\d{{3}}(?!\w))++")
_LEFT_OUT = str.maketrans("", "", "-_',")


def words(text: str) -> list[str]:
    """The words of `text` in lower case, with their diacritics.

    A text of a script without spaces is given as its characters and their pairs. What is joined
    by signs is given in parts and as a whole, the parts first: ERR-1234 is err, 1234, err1234.
    """
    text = normal(text)
    if text.isascii():
        found = text.translate(_ASCII).split()
    elif not _SPECIAL.search(text):
        found = _SIMPLE.findall(text)
    else:
        found = [word for token in _TOKEN.findall(text) for word in _of_token(token)]
    found += [word for _, _, word in joined(text)]
    if max(map(len, found), default=0) > MAX_LENGTH:
        return [word[:MAX_LENGTH] for word in found]
    return found


def located(text: str) -> Iterator[tuple[int, int, str]]:
    """The same words of a text that is `normal` already, with where they begin and end."""
    for token in _TOKEN.finditer(text):
        start, run = token.start(), token[0]
        if not is_unspaced(run):
            yield start, token.end(), run[:MAX_LENGTH]
            continue
        for place in range(len(run)):
            yield start + place, start + place + 1, run[place]
            if place + 1 < len(run):
                yield start + place, start + place + 2, run[place : place + 2]
    yield from joined(text)


def query_words(text: str) -> list[str]:
    """The words to look for: of a script without spaces only the pairs, if there are any."""
    text = normal(text)
    found: list[str] = []
    for token in _TOKEN.findall(text):
        found += pairs(token) if len(token) > 1 and is_unspaced(token) else [token[:MAX_LENGTH]]
    return found + [word for _, _, word in joined(text)]


def is_unspaced(token: str) -> bool:
    return token[0] >= "\u0e00" and _UNSPACED.match(token) is not None


def pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]


def joined(text: str) -> Iterator[tuple[int, int, str]]:
    """What is one word as a whole: identifiers, numbers, addresses, names.

    Hyphens, underscores and apostrophes are left out of it, so that e-mail is email and 1,500 is
    1500. Dots and at signs stay (1.2.3, ada@example.org) unless each part is a single letter: U.S.
    """
    end = 0
    while joiner := _JOINER.search(text, end):
        start = joiner.start()
        while start > end and text[start - 1].isalnum():
            start -= 1
        whole = _JOINED.match(text, start)
        if whole is None:
            end = joiner.end()
            continue
        end = whole.end()
        word = whole[0].translate(_LEFT_OUT)
        if all(len(part) == 1 and part.isalpha() for part in word.split(".")):
            word = word.replace(".", "")
        if len(word) <= MAX_LENGTH:
            yield start, end, word


def _of_token(token: str) -> list[str]:
    return [*token, *pairs(token)] if is_unspaced(token) else [token]
