"""Choosing: which way of answering a message asks for, by rules alone."""

from __future__ import annotations

import re

from palaver.agent.offline.asked import Asked
from palaver.agent.offline.evidence import search_words, telling_words
from palaver.agent.offline.looking import Lookout
from palaver.agent.offline.opening import what_is_open
from palaver.agent.offline.plan import Plan, just
from palaver.agent.offline.pleasantries import pleasantry
from palaver.agent.offline.quotation import wants_answer
from palaver.agent.offline.summing import sum_up
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import ABILITIES, CANNOT, CONNECT, HELP
from palaver.times import Clock

# All of these are looked for in text without case and diacritics.
_ABOUT_ITSELF = re.compile(
    r"^(?:help|hilfe)\W*$|\bwhat (?:can|do) you do\b|\bwhat are you (?:able|good)\b|\bwho are you\b"
    r"|\bhow do you work\b|\bwas kannst du\b|\bwer bist du\b|\bwie funktionierst du\b"
    r"|\bhow (?:do|can) i connect (?:a|another) model\b|\bmodell? (?:verbinden|anschliessen)\b"
)
_SUMMARY = re.compile(
    r"\bsummar(?:i[sz]e|y)\b|\bsum (?:\w+ ){0,3}up\b|\brecap\b|\btl;?dr\b|\bzusammenfass"
    r"|\bfass\w*\b.*\bzusammen\b"
)
_SAID_OF_A_SUMMARY = re.compile(
    r"conversation|discussion|everything|far|fass|gesprach|give|gib|kurz|konversation|please|bitte"
    r"|recap|short|so|sum|tl|today|unterhaltung|up|zusammen"
)
_OPEN = re.compile(
    r"\bwhat(?:'s|s)? (?:\w+ ){0,3}?(?:open|outstanding|pending|unanswered|unfinished|undone)\b"
    r"|\bwhat(?:'s| is) left to do\b|\bto-?dos?\b"
    r"|\bopen (?:questions?|loops?|points?|items?|issues?|tasks?)\b"
    r"|\bwas (?:ist|steht|bleibt|war) (?:\w+ ){0,2}?(?:offen|aus)\b"
    r"|\boffenen? (?:fragen?|punkte?|aufgaben?|themen)\b"
)
_DECISION = re.compile(
    r"\bdeci(?:de[ds]?|sions?)\b|\bagree[ds]?\b|\bentschied\w*|\bentscheidung\w*|\bbeschl(?:oss|uss)\w*"
    r"|\bvereinbart\b"
)
_WORK = re.compile(
    r"^(?:please |bitte |can you |could you |would you |kannst du )*(?:calculate|code|compose|draft"
    r"|explain|generate|imagine|improve|invent|paraphrase|program|rewrite|rephrase|translate|write"
    r"|berechne|erklare|erfinde|schreibe?|ubersetze|verfasse)\b"
)


def choose(asked: Asked, teller: Teller, clock: Clock) -> Plan:
    """The way to answer."""
    if said := _at_once(asked, teller.name):
        return just(said)
    if asked.says(_SUMMARY) and _is_about_nothing_else(asked):
        return sum_up(asked, teller)
    lookout = Lookout(asked, teller, clock)
    if asked.says(_OPEN):
        return what_is_open(asked, teller, lookout.what_was_said())
    if asked.says(_DECISION) and wants_answer(asked.text):
        return lookout.what_was_decided()
    return lookout.what_was_said()


def _at_once(asked: Asked, name: str) -> str:
    """The answer for which nothing has to be looked up; empty when there is none."""
    if opening := pleasantry(asked.text, name):
        return f"{opening} {HELP}"
    if not any(character.isalnum() for word in search_words(asked.text) for character in word):
        return HELP  # signs and emoji ask for nothing
    if asked.says(_ABOUT_ITSELF):
        return f"{ABILITIES}\n\n{CONNECT}"
    return f"{CANNOT}\n\n{CONNECT}" if asked.says(_WORK) else ""


def _is_about_nothing_else(asked: Asked) -> bool:
    return all(_SAID_OF_A_SUMMARY.match(word) for word in telling_words(asked.low))
