"""Content: the words that tell what a sentence is about, so that two can be compared."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from palaver.text import fold, terms, words
from palaver.text.stops import STOP_WORDS

MAX_TERMS = 16

_PAST = """
ate:eat became:become began:begin begun:begin bought:buy broke:break broken:break brought:bring
built:build came:come caught:catch chose:choose chosen:choose dealt:deal did:do done:do drew:draw
drove:drive fed:feed felt:feel flew:fly forgot:forget found:find gave:give given:give got:get
gotten:get grew:grow heard:hear held:hold hung:hang kept:keep knew:know laid:lay led:lead left:leave
lent:lend lost:lose made:make meant:mean met:meet paid:pay rang:ring ran:run rung:ring said:say
saw:see seen:see sent:send shot:shoot showed:show shown:show sold:sell spent:spend spoke:speak
spoken:speak swept:sweep swam:swim taken:take taught:teach thought:think threw:throw thrown:throw
told:tell took:take went:go won:win woke:wake wore:wear written:write wrote:write
"""
PAST: dict[str, str] = {
    past: verb for past, _, verb in (one.partition(":") for one in _PAST.split())
}
"""Past forms of English that no stemmer knows."""

_SAID_OFTEN = """
haven hasn didn doesn don isn aren wasn weren couldn wouldn shouldn won even finally missing miss
pending owe owes whether totally basically simply maybe vale claro luego despues tarde spater
nachher plus tard ensuite actually again ago also already always another anything back bit bring
come could currently do else ever every everything find get give go gonna good got great guess
have hello hey hi hm idea itself keep kind know last later let like little look lot make many mean
moment much must need never new next nice oh ok okay one ones please possible probably put quite
rather really right s said say see seem set should show since something soon sort still stuff sure
take tell thank thanks then thing things think though time today together tomorrow tonight try two
use want way well will within without would yeah yes yesterday yet wait waiting hear heard dois
doit muss devo debo remind reminder forget daran erinnere bescheid rappelle recuerdame ricordami
lembre herinner hour hours minute minutes am pm ready lundi mardi mercredi jeudi vendredi samedi
dimanche montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miercoles jueves
viernes sabado domingo woche semaine semana matin soir rappellemoi monday tuesday wednesday
thursday friday saturday sunday morning afternoon evening night week weekend month bitte danke gut
heute ja jetzt machen mal morgen noch aujourd'hui bien demain encore faire faut merci oui plait
ahora bueno favor gracias hacer hoy manana por tengo todavia ancora bene domani fare grazie oggi
amanha ainda fazer hoje obrigado preciso bedankt goed graag moet nog
"""
_GENERIC = frozenset(_SAID_OFTEN.split())
"""Words that say little about a subject in any conversation."""

_HASTE = re.compile(
    r"\b(?:(?P<neg>do|does|did|have|has|had|is|are|was|were|could|would|should|ca|wo)nt|(?P<be>i)m"
    r"|(?P<have>i|we)ve|(?P<is>that|what|where|how|who|when|let)s(?= )|(?P<are>you|they)re"
    r"|(?P<you>u)"
    r"|(?P<will>(?:(?<=^)|(?<=[,.!;] )|(?<=ok )|(?<=and )|(?<=so )|(?<=but ))i)ll(?= \w))\b"
)
_MENDED = {"neg": "n't", "be": "'m", "have": "'ve", "is": "'s", "are": "'re", "will": "'ll"}
"""Apostrophes that are left out in haste."""


def plain(text: str) -> str:
    """`text` as cues are looked for in it: without case and diacritics, apostrophes in place."""
    return _HASTE.sub(_mend, " ".join(fold(text).split()))


def _mend(found: re.Match[str]) -> str:
    kind = found.lastgroup or ""
    return "you" if kind == "you" else found[kind] + _MENDED[kind]


def content(text: str, language: str) -> frozenset[str]:
    """The stems of the telling words of `text`."""
    found = (telling(word, language) for word in words(text))
    return frozenset(term for term in found if term)


@lru_cache(maxsize=1 << 15)
def telling(word: str, language: str) -> str:
    """The stem of a word that tells something; "" of one that does not."""
    if word in STOP_WORDS.get(language, ()) or _says_little(word):
        return ""
    return stem(word, language)


def stem(word: str, language: str) -> str:
    """What the forms of a word have in common."""
    if language == "en":
        word = PAST.get(word, word)
    return terms(word, language)[-1].removeprefix("~")


def kept(terms: Collection[str]) -> tuple[str, ...]:
    """The terms as a record keeps them: few, and always in the same order."""
    return tuple(sorted(sorted(terms, key=lambda term: (-len(term), term))[:MAX_TERMS]))


def share(wanted: Collection[str], held: Collection[str]) -> float:
    """How much of `wanted` is among `held`."""
    return len(set(wanted).intersection(held)) / len(wanted) if wanted else 0.0


def _says_little(word: str) -> bool:
    """A word that is about nothing, or a single letter of a script with spaces."""
    bare = fold(word)
    single = len(word) == 1 and word < "\u0e00" and not word.isdigit()
    return single or bare in _GENERIC or PAST.get(bare) in _GENERIC
