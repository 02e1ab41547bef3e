"""Choosing: which way of answering a message asks for, by rules alone."""

from __future__ import annotations

import re

from palaver.agent.offline.asked import Asked
from palaver.agent.offline.daily import day_in, what_happened
from palaver.agent.offline.evidence import search_words, telling_words
from palaver.agent.offline.forgetting import asks_to_forget, what_would_go
from palaver.agent.offline.knowing import (
    asks_about_user,
    may_be_known,
    what_answers,
    what_is_known,
)
from palaver.agent.offline.looking import Lookout
from palaver.agent.offline.opening import what_is_open
from palaver.agent.offline.plan import Plan, just
from palaver.agent.offline.pleasantries import pleasantry
from palaver.agent.offline.quotation import wants_answer
from palaver.agent.offline.summing import sum_up
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import ABILITIES, CANNOT, CONNECT, HELP
from palaver.agent.offline.wishing import concerns_memory, what_is_remembered
from palaver.text import fold
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
    r"all(?:es)?|conversation|chat|dies\w*|discussion|everything|far|fass\w*|gesprach|give|gib|kurz"
    r"|konversation|please|bitte|recap|short|shortly|so|sum|summar\w*|tl|dr|tldr|today|unterhaltung|up"
    r"|zusammen|zusammenfass\w*"
)
_OPEN = re.compile(
    r"\bwhat(?:'s|s)? (?:\w+ ){0,3}?(?:open|outstanding|pending|unanswered|unfinished|undone)\b"
    r"|\bwhat(?:'s| is) left to do\b|\bto-?dos?\b"
    r"|\bopen (?:questions?|loops?|points?|items?|issues?|tasks?)\b"
    r"|\bwas (?:ist|steht|bleibt|war) (?:\w+ ){0,2}?(?:offen|aus)\b"
    r"|\boffenen? (?:fragen?|punkte?|aufgaben?|themen)\b"
    r"|\b(?:all|my) (?:my )?tasks\b|\b(?:allen?|meinen?) (?:meinen? )?aufgaben\b"
    r"|\bwhat (?:should|must|do) i (?:still )?(?:have to )?do\b"
    r"|\bwas (?:muss|soll) ich\b.*\b(?:tun|machen)\b"
)
_DECISION = re.compile(
    r"\bdeci(?:de[ds]?|sions?)\b|\bagree[ds]?\b|\bentschied\w*|\bentscheidung\w*|\bbeschl(?:oss|uss)\w*"
    r"|\bvereinbart\b"
)
_POLITELY = r"^(?:please |bitte |can you |could you |would you |will you |kannst du |konntest du )*"
_WORK = re.compile(
    rf"{_POLITELY}(?:calculate|code|compose|draft|explain|generate|help me|imagine|improve|invent"
    r"|paraphrase|program|rewrite|rephrase|translate|write|berechne|erklare|erfinde|hilf mir"
    r"|schreibe?|ubersetze|verfasse)\b"
    rf"|{_POLITELY}tell me an? (?:\w+ )?(?:joke|story|poem)\b|{_POLITELY}erzahle? (?:mir )?eine[n ]"
    rf"|{_POLITELY}(?:book|buy|call|email|order|send|set (?:an? )?(?:alarm|reminder|timer))\b"
    rf"|{_POLITELY}remind me (?:again )?(?:to|in|at|on|every|tomorrow|tonight|later|next)\b"
    rf"|{_POLITELY}erinner(?:e|st du)? mich (?:bitte )?(?:am|daran|heute|in|morgen|um)\b"
    r"|^(?:(?:what|how much)(?:'s| is) |(?:was|wie ?viel) (?:ist|sind) )?"
    r"[(\s]*\d[\d.,)]*(?:\s*[+*/x^]| - )[\d.,()+*/x^\s-]+\W*$"
)
_WHO_AM_I = re.compile(r"^(?:who am i|wer bin ich|wie hei(?:ss|ß)e? ich)\W*$")
_NAMES = ("name", "heiße")


def choose(asked: Asked, teller: Teller, clock: Clock) -> Plan:
    """The way to answer."""
    if said := _at_once(asked, teller.name):
        return just(said)
    if asks_to_forget(asked):
        return what_would_go(asked, teller)
    lookout = Lookout(asked, teller, clock)
    if concerns_memory(asked):
        return what_is_remembered(asked, teller, lookout.what_was_said())
    if label := _day_meant(asked, teller, clock):
        return what_happened(asked, teller, label, lookout.what_was_said())
    return _looked_up(asked, teller, lookout)


def _looked_up(asked: Asked, teller: Teller, lookout: Lookout) -> Plan:
    if asked.says(_SUMMARY):
        about = [word for word in telling_words(asked.text) if not _is_of_a_summary(word)]
        return lookout.what_was_said(about) if about else sum_up(asked, teller)
    if asked.says(_WHO_AM_I):
        names = lookout.what_was_said(_NAMES)
        return what_is_known(asked, teller, names) if asks_about_user(asked) else names
    if asks_about_user(asked):
        return what_is_known(asked, teller, lookout.what_was_said())
    if asked.says(_OPEN):
        return what_is_open(asked, teller, lookout.what_was_said())
    if asked.says(_DECISION) and wants_answer(asked.text):
        return lookout.what_was_decided()
    said = lookout.what_was_said()
    return what_answers(asked, teller, said) if may_be_known(asked) else said


def _day_meant(asked: Asked, teller: Teller, clock: Clock) -> str | None:
    """The day that is asked about as a whole, if one is and it can be looked up."""
    found = day_in(asked.text, teller.zone, clock) if asked.low else None
    if found is None or not asked.offers("conversation_get"):
        return None
    label, reading = found
    if asked.says(_SUMMARY):
        about = [word for word in telling_words(reading.query) if not _is_of_a_summary(word)]
        return None if about else label
    is_whole = reading.only_time and wants_answer(asked.text)
    return label if is_whole and not asked.says(_DECISION) and not asked.says(_OPEN) else None


def _at_once(asked: Asked, name: str) -> str:
    """The answer for which nothing has to be looked up; empty when there is none."""
    if opening := pleasantry(asked.text, name):
        return f"{opening} {HELP}"
    if not any(character.isalnum() for word in search_words(asked.text) for character in word):
        return HELP  # signs and emoji ask for nothing
    if asked.says(_ABOUT_ITSELF):
        return f"{ABILITIES}\n\n{CONNECT}"
    return f"{CANNOT}\n\n{CONNECT}" if asked.says(_WORK) else ""


def _is_of_a_summary(word: str) -> bool:
    return _SAID_OF_A_SUMMARY.fullmatch(fold(word)) is not None
