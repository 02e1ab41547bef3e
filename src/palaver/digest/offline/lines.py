"""Lines: sentences of a conversation that may stand in its abbreviation, word for word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from palaver.digest.notes import Kind, flat, is_told, weighed
from palaver.digest.port import Point
from palaver.digest.state.heard import BREAK, Heard, hear
from palaver.digest.state.records import Item
from palaver.digest.state.sentences import Sentence
from palaver.index.records import Message, SummarySource
from palaver.text import whole_character

LONGEST = 200
"""A line has at most so many characters; of a longer sentence, its first clauses."""
_SHORTEST = 60
_BEFORE = 3.0
"""What a line of the digest before stands for: many lines that are not here any more."""
_SPEAKS = {"user": 1.0, "assistant": 0.05}
"""What a conversation is about is told by the user; a reply says it when the user does not."""
_OPENING = 240
"""What is read of a reply, in characters: it says at its beginning what it is about."""
_DEEPER = 2_000
"""What is read of it when the user says little."""
_ENOUGH = 1_000
"""So many characters of the user are enough to tell of the conversation."""
_TELLS = 2
"""With fewer telling words a sentence says nothing by itself."""
_LEAD = re.compile(
    r"(?:(?:also|and|so|but|ok|okay|well|oh|ah|hey|hi|hello|by the way|btw|actually|anyway|great"
    r"|thanks?(?: you)?(?: (?:so|very) much| a lot)?|cool|sure|yes|yeah|no|hmm?|um|i mean"
    r"|speaking of which|übrigens|und|aber|hallo|danke|ja|nein|au fait|bonjour|salut|merci|oui|et"
    r"|mais|por cierto|hola|gracias|bueno|pero|a proposito|ciao|grazie|allora|aliás|olá|trouwens"
    r"|obrigad[oa]|bedankt|hoi)"
    r"(?:[,.!:;\u2026-]+|(?<=and)|(?<=so)|(?<=but)|(?<=und)|(?<=et)|(?<=aber)|(?<=pero))\s+)+",
    re.IGNORECASE,
)
"""What a sentence may begin with and says nothing."""
_FINE = r"(?:great|good|amazing|wonderful|nice|perfect|delicious|lovely|fun|helpful|awesome)"
_PLEASANT = re.compile(
    r"^(?:many |ok,? |great,? )?(?:thank|thx|danke|vielen dank|merci|gracias|muchas gracias|grazie|"
    r"obrigad|bedankt|you'?re welcome|i (?:really )?appreciate|glad|happy to help|of course|"
    r"certainly|absolutely|i hope|i'?m sorry|good luck|enjoy|have (?:a|fun)|feel free|let me know|"
    r"i apologi[sz]e|"
    r"(?:(?:they|these|those|that|it|this)(?: all)? )?(?:sounds?|looks?|is|'?s|was|would be) "
    rf"(?:so |really |very |all |pretty |like )?(?:a )?{_FINE})"
)
"""Pleasantries, if little else is said with them."""
_LITTLE = 4
_REPLIED: tuple[Kind, float] = ("said", 0.0)
"""What a sentence of a reply is and is worth: what the assistant suggests is no decision."""
_BOILERPLATE = re.compile(r"\bas an? (?:ai|language model|large language model)\b")


Clip = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, where it stands and what it is worth."""

    text: str
    kind: Kind
    worth: float
    weight: float
    """How much it has to be spoken for by what is chosen."""
    terms: frozenset[str]
    place: tuple[int, int]
    """The number of its message, and where it begins there."""
    sources: tuple[SummarySource, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of a conversation."""

    lines: list[Line]
    heard: list[Heard]

    @property
    def language(self) -> str:
        return spoken_most(self.heard)


def spoken_most(heard: Sequence[Heard]) -> str:
    """The language of most messages."""
    spoken = Counter(one.language for one in heard)
    return spoken.most_common(1)[0][0] if heard else "en"


def read(messages: Sequence[Message], clip: Clip) -> Reading:
    """What the messages say; of replies, how they begin."""
    told = [(number, message) for number, message in enumerate(messages) if is_told(message)]
    own = sum(len(message.content) for _, message in told if message.role == "user")
    reach = _OPENING if own >= _ENOUGH else _DEEPER
    heard: list[Heard] = []
    lines: list[Line] = []
    spoken = "en"
    for number, message in told:
        said = _heard(message, spoken, reach)
        spoken = said.language
        heard.append(said)
        lines += _lines(said, number, clip)
    return Reading(lines, heard)


def open_line(item: Item, clip: Clip) -> Line:
    """What is left open, as a line."""
    quote = clip(item.text)
    source = _source(item.message_id, quote, item.turn, "open", item.said_by)
    place = (-1, item.seq)
    return Line(flat(quote), "open", 1.0, 1.0, frozenset(item.terms), place, (source,))


def line_before(point: Point, number: int, terms: frozenset[str]) -> Line:
    """A line of the digest before."""
    kind: Kind = "decision" if any(one.kind == "decision" for one in point.sources) else "said"
    place = (-1, number)
    return Line(point.text, kind, 1.0, _BEFORE, terms, place, tuple(point.sources))


def plain_line(message: Message, quote: str, place: tuple[int, int]) -> Line:
    """Any words of a message, where it has no better ones."""
    source = _source(message.id, quote, message.turn_number, "said", message.role)
    return Line(flat(quote), "said", 0.0, 0.0, frozenset(), place, (source,))


def clipped(text: str, most: int = LONGEST) -> str:
    """The beginning of a text, to the end of a clause or at least of a word."""
    if len(text) <= most:
        return text
    head = text[: whole_character(text, most) or most]
    clauses = [found.start() for found in BREAK.finditer(head) if found.start() >= _SHORTEST]
    cut = clauses[-1] if clauses else head.rfind(" ")
    return head[:cut].rstrip() if cut >= min(_SHORTEST, most) // 2 else head


def is_pleasantry(sentence: Sentence) -> bool:
    """Whether a sentence only keeps the conversation going."""
    if _BOILERPLATE.search(sentence.low):
        return True
    return len(sentence.terms) <= _LITTLE and bool(_PLEASANT.match(sentence.low))


def _heard(message: Message, spoken: str, reach: int) -> Heard:
    if message.role == "user" or len(message.content) <= reach:
        return hear(message, spoken)
    opening = message.model_copy(update={"content": message.content[:reach]})
    heard = hear(opening, spoken)
    return replace(heard, sentences=heard.sentences[:-1] or heard.sentences)  # the last is cut


def _lines(heard: Heard, number: int, clip: Clip) -> Iterator[Line]:
    begin = 0
    for sentence in heard.sentences:
        begin = max(heard.message.content.find(sentence.text, begin), begin)
        if len(sentence.terms) >= _TELLS and not is_pleasantry(sentence):
            yield _line(heard, sentence, (number, begin), clip)


def _line(heard: Heard, sentence: Sentence, place: tuple[int, int], clip: Clip) -> Line:
    lead = _LEAD.match(sentence.text)
    quote = clip(sentence.text[lead.end() :] if lead else sentence.text)
    kind, worth = weighed(heard, sentence) if heard.speaker == "user" else _REPLIED
    message = heard.message
    source = _source(message.id, quote, message.turn_number, kind, heard.speaker)
    weight = _SPEAKS[heard.speaker]
    return Line(flat(quote), kind, worth, weight, sentence.terms, place, (source,))


def _source(message_id: str, quote: str, turn: int, kind: str, by: str) -> SummarySource:
    return SummarySource(message_id=message_id, quote=quote, turn=turn, kind=kind, by=by)
