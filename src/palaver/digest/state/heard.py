"""What was heard: a message in sentences, with the cues of its language."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

from palaver.digest.state.confided import tells_secret, without_secrets
from palaver.digest.state.content import content, kept
from palaver.digest.state.cues import LANGUAGES, Patterns, patterns
from palaver.digest.state.records import MAX_TEXT, Item, Kind, Speaker
from palaver.digest.state.sentences import Sentence, sentences
from palaver.index.records import Message
from palaver.text import language, words
from palaver.text.stops import STOP_WORDS

_TELLING = 4
"""So many words tell a language; fewer are taken for the one spoken before."""
_LAST = 6
_TELLS = 2
"""With fewer telling words, a sentence is understood only with the one before it."""
BREAK = re.compile(r"[,;:] |\s(?:but|and|so|aber|und|mais|et|pero|y|ma|e|mas|maar|en)\s")
"""What stands between two clauses."""


@dataclass(frozen=True)
class Heard:
    """A message of the user or of the assistant."""

    message: Message
    speaker: Speaker
    language: str
    cues: Patterns
    sentences: list[Sentence]

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset[str]().union(*(sentence.terms for sentence in self.sentences))

    @cached_property
    def last_terms(self) -> frozenset[str]:
        """What the end of the message is about, which is where the next one goes on."""
        return frozenset[str]().union(*(one.terms for one in self.sentences[-_LAST:]))

    @cached_property
    def statements(self) -> list[Sentence]:
        return [sentence for sentence in self.sentences if not sentence.asks]

    @cached_property
    def told(self) -> int:
        """How many words are neither a question nor a mere yes."""
        agreed = self.cues.agreed
        return sum(one.size for one in self.statements if not agreed.search(one.low))

    @cached_property
    def clauses(self) -> list[tuple[str, frozenset[str]]]:
        """The parts of the statements that say one thing each, with what they are about."""
        return [
            (part, content(part, self.language))
            for sentence in self.statements
            for part in BREAK.split(sentence.low)
        ]

    def questions(self) -> Iterator[Sentence]:
        """The sentences that want an answer: no greetings, no rhetoric, none answered at once."""
        for sentence, following in zip_longest(self.sentences, self.sentences[1:]):
            if sentence.asks and not self._idle(sentence, following):
                yield sentence

    def item(
        self, kind: Kind, sentence: Sentence, owed_by: Speaker, terms: Collection[str]
    ) -> Item:
        """Something that this message leaves open, and what it is about."""
        return Item(
            kind=kind,
            text=self._text(sentence),
            message_id=self.message.id,
            seq=self.message.seq,
            turn=self.message.turn_number,
            owed_by=owed_by,
            said_by=self.speaker,
            terms=kept(terms),
        )

    def _text(self, sentence: Sentence) -> str:
        """The words of a sentence; if they tell little by themselves, with the sentence before."""
        place = self.sentences.index(sentence) if sentence in self.sentences else 0
        before = self.sentences[place - 1]
        if place == 0 or not len(sentence.terms) < _TELLS <= len(before.terms):
            return sentence.text
        said = self.message.content
        start = said.find(before.text)
        end = said.find(sentence.text, max(start, 0)) + len(sentence.text)
        both = said[start:end] if 0 <= start < end <= start + MAX_TEXT else sentence.text
        return sentence.text if tells_secret(both) else both

    def _idle(self, sentence: Sentence, following: Sentence | None) -> bool:
        cues = self.cues
        if cues.greeting.search(sentence.low) or cues.rhetorical.search(sentence.low):
            return True
        return following is not None and bool(cues.self_answer.search(following.low))


def hear(message: Message, spoken: str) -> Heard:
    """`message`, in a conversation where `spoken` is the language so far. A sentence
    that tells a secret is not heard: it would stand in a title, or among the topics."""
    said = words(message.content[:2000])
    own = language(said) if len(said) >= _TELLING else spoken
    speaker: Speaker = "assistant" if message.role == "assistant" else "user"
    guessed = own == "en" and STOP_WORDS["en"].isdisjoint(said)
    cues = patterns(*(LANGUAGES if guessed else (own, spoken)))
    told = without_secrets(sentences(message.content, own))
    return Heard(message, speaker, own, cues, told)
