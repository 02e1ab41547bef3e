"""Splitting: a reply that is too long for one message, as several that read well.

It is cut between paragraphs, else between lines, else between sentences, else between words, and
only then inside one. What stands in a code fence is cut between lines, and the fence is closed and
opened again, so that each part is Markdown by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from palaver.channels.markup import parsed
from palaver.text.characters import whole_character
from palaver.text.sentences import sentence_spans

Fits = Callable[[str], bool]
NOTHING = "…"
"""What a reply says that says nothing: no provider takes an empty message."""
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*?(?=[^\n]*\S)")
_BREAK = re.compile(r"\n")
_SPACE = re.compile(r"\s+")
_LONGEST_MARK = 16
_LONGEST_LANGUAGE = 32


def units(text: str) -> int:
    """How long a text is to providers that count as JavaScript does, in UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def split(text: str, fits: Fits, most: int) -> list[str]:
    """`text` in parts, at least one, none empty, none of which does not fit. `most` is how many
    characters fit at the most."""
    text = text.strip()
    return list(_Splitting(text, fits, most).parts()) if text else [NOTHING]


@dataclass(frozen=True, slots=True)
class _Fence:
    """A block of code, by its places in the text."""

    start: int
    inside: int
    """Where its first line begins."""
    after: int
    """Where its last line has ended."""
    end: int
    opening: str
    closing: str


class _Splitting:
    def __init__(self, text: str, fits: Fits, most: int) -> None:
        self._text = text
        self._fits = fits
        self._most = most
        self._fences = list(_fences(text))
        self._starts = [fence.start for fence in self._fences]

    def parts(self) -> Iterator[str]:
        begin = 0
        while begin < len(self._text):
            cut = self._cut(begin)
            yield self._part(begin, cut)
            begin = self._next(cut)

    def _part(self, begin: int, cut: int) -> str:
        opened, closed = self._around(begin), self._closing(cut)
        text = self._text[begin:cut]
        text = text.removesuffix("\n") if closed else text.rstrip()
        before = f"{opened.opening}\n" if opened else ""
        return before + text + (f"\n{closed.closing}" if closed else "")

    def _next(self, cut: int) -> int:
        """Where the next part begins: not with blank lines, unless these are code."""
        if self._around(cut):
            ends_a_line = self._text[cut] == "\n" != self._text[cut - 1]
            return cut + 1 if ends_a_line else cut
        fence = self._closing(cut)
        cut = fence.end if fence else cut
        blank = _SPACE.match(self._text, cut)
        begin = blank.end() if blank else cut
        line = self._text.rfind("\n", 0, begin) + 1
        return line if cut <= line and begin < len(self._text) else begin

    def _before(self, place: int) -> _Fence | None:
        """The last block of code that begins there, or before."""
        at = bisect_right(self._starts, place) - 1
        return self._fences[at] if at >= 0 else None

    def _around(self, place: int) -> _Fence | None:
        """The block of code in the middle of which that is."""
        fence = self._before(place)
        return fence if fence and fence.inside <= place < fence.after else None

    def _closing(self, cut: int) -> _Fence | None:
        """The block of code that a cut there has to close, be it just before its last line."""
        fence = self._before(cut)
        is_last = fence is not None and fence.after == cut < fence.end
        return fence if is_last else self._around(cut)

    def _cut(self, begin: int) -> int:
        highest = self._highest(begin)
        while True:
            cut = self._best(begin, highest)
            if self._fits(self._part(begin, cut)) or cut == begin + 1:
                return cut
            highest = max(begin + 1, begin + (min(cut, highest) - begin) * 7 // 8)

    def _highest(self, begin: int) -> int:
        """How far a part can reach that begins there."""
        low, high = begin + 1, min(begin + self._most, len(self._text))
        if self._fits(self._part(begin, high)):
            return high
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if self._fits(self._part(begin, middle)) else (low, middle - 1)
            )
        return low

    def _best(self, begin: int, highest: int) -> int:
        """The best place for a cut, of those that are not too near."""
        if highest == len(self._text):
            return highest
        near = begin + (highest - begin) // 3
        for places in (self._paragraphs, self._lines, self._sentences, self._code, self._words):
            found = [one for one in places(begin, highest) if near < one <= highest]
            if found:
                return found[-1]
        return self._outside_marks(max(whole_character(self._text, highest), begin + 1), begin)

    def _outside_marks(self, cut: int, begin: int) -> int:
        """`cut`, moved left out of the lines that begin and end a block of code."""
        fence = self._before(cut)
        if fence is None or self._around(cut) or cut >= fence.end:
            return cut
        edge = fence.start if cut < fence.inside else fence.after
        return edge if edge > begin else cut

    def _paragraphs(self, begin: int, highest: int) -> list[int]:
        found = [one.end() for one in _PARAGRAPH.finditer(self._text, begin, highest + 1)]
        edges = [place for fence in self._fences for place in (fence.start, fence.end)]
        return sorted(one for one in (*found, *edges) if self._is_free(one))

    def _lines(self, begin: int, highest: int) -> list[int]:
        return [one for one in self._breaks(begin, highest) if self._is_free(one)]

    def _sentences(self, begin: int, highest: int) -> list[int]:
        seen = self._text[begin : highest + 1]
        return [begin + end for _, end in sentence_spans(seen) if self._is_free(begin + end)]

    def _code(self, begin: int, highest: int) -> list[int]:
        return [one for one in self._breaks(begin, highest) if self._around(one - 1)]

    def _words(self, begin: int, highest: int) -> list[int]:
        found = [one.end() for one in _SPACE.finditer(self._text, begin, highest + 1)]
        return [one for one in found if self._outside_marks(one, begin) == one]

    def _breaks(self, begin: int, highest: int) -> list[int]:
        return [one.end() for one in _BREAK.finditer(self._text, begin, highest)]

    def _is_free(self, place: int) -> bool:
        """Whether that is not in a block of code, nor in the lines around it."""
        fence = self._before(place)
        return fence is None or place == fence.start or place >= fence.end


def _fences(text: str) -> Iterator[_Fence]:
    lines = _line_starts(text)
    for node in parsed(text).walk():
        if node.type != "fence" or len(node.markup) > _LONGEST_MARK or node.map is None:
            continue
        first, last = node.map
        start, inside, end = lines[first], lines[first + 1], lines[last]
        closed = text[lines[last - 1] : end].strip().strip("> ") == node.markup and last > first + 1
        after = lines[last - 1] if closed else end
        head = text[start:inside]
        indent = head[: len(head) - len(head.lstrip())]
        language = node.info.split(" ")[0][:_LONGEST_LANGUAGE]
        mark = indent + node.markup
        yield _Fence(start, inside, after, end, mark + language, mark)


def _line_starts(text: str) -> Sequence[int]:
    """Where each line begins, and twice where the text ends."""
    return [0, *(one.end() for one in _BREAK.finditer(text)), len(text), len(text)]
