"""The witness: one message, asked what it bears out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from palaver.digest.model.checking import located
from palaver.digest.model.figures import Figures
from palaver.digest.state.content import content, stem, telling
from palaver.digest.state.others import own_words
from palaver.memory.model.wish import asks_to_remember
from palaver.memory.port import Saying
from palaver.text import fold, language, words

_WORD = re.compile(r"[^\W\d_]+")
_OWN = 0.5
"""So much of a quotation is in the owner's own words, at least."""
_FRAME = 3
"""So many words of a question may go into what an answer to it says."""
_READ = 1000
"""So many characters tell the language."""
_ALIKE = 5
"""German writes every noun with a capital: letters that a word and one that was said begin with."""


class Witness:
    """What one message says."""

    def __init__(self, saying: Saying) -> None:
        self._saying = saying

    def quotation(self, quote: str) -> str:
        """The words as they stand in it; "" when they do not."""
        return located(quote, self._saying.text) if quote else ""

    def is_own(self, quotation: str) -> bool:
        """Whether the owner says these words themselves, not somebody whom they quote."""
        found = re.finditer(re.escape(quotation), self._saying.text)
        size = len("".join(quotation.split()))
        own = (self._own[one.start() : one.end()] for one in found)
        return any(len("".join(one.split())) >= _OWN * size for one in own)

    @cached_property
    def asks(self) -> bool:
        """Whether it asks to have something remembered."""
        return asks_to_remember(self._own)

    def lacks(self, told: str) -> list[str]:
        """The numbers and names in a text that are not in the message."""
        return [*self._figures.lacks(told), *self._unsaid_names(told)]

    def bears(self, told: str, quotation: str) -> bool:
        """Whether a text is about what its quotation says, and no more than the frame of it comes
        from the question before."""
        tongue = self._language(told)
        stems, said = content(told, tongue), content(self._saying.text, tongue)
        question = (stems & content(self._saying.asked, tongue)) - said
        quoted = stems & content(quotation, tongue)
        return not stems or (bool(quoted) and len(question) <= _FRAME)

    def _unsaid_names(self, told: str) -> Iterator[str]:
        tongue = self._language(told)
        for word in dict.fromkeys(_WORD.findall(told)):
            if word != word.lower() and not self._has(word, tongue):
                yield word

    def _has(self, word: str, tongue: str) -> bool:
        """Whether a word with a capital was said, in any form. One that says nothing has its
        capital from the beginning of a sentence."""
        low = fold(word)
        if low in self._words or not telling(word.lower(), tongue):
            return True
        if any(stem(word.lower(), tongue) == stem(one, tongue) for one in self._words):
            return True
        return tongue == "de" and any(low[:_ALIKE] in one for one in self._words)

    def _language(self, told: str) -> str:
        """A sentence tells its language better than a few words do."""
        return language(words(f"{told}\n{self._saying.text[:_READ]}"))

    @cached_property
    def _own(self) -> str:
        return own_words(self._saying.text)

    @cached_property
    def _figures(self) -> Figures:
        return Figures(self._saying.text)

    @cached_property
    def _words(self) -> frozenset[str]:
        split = _WORD.findall(self._saying.text)
        return frozenset(map(fold, [*words(self._saying.text), *split]))
