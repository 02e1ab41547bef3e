"""Intents: in one word, what a message of the user wants and what a reply gives."""

from __future__ import annotations

from palaver.digest.state.heard import Heard
from palaver.digest.state.records import Item
from palaver.digest.state.replies import knows_not, only_agrees


def intent(heard: Heard, opened: list[Item], *, told: bool) -> str:
    """What the user wants: as the line says, else by what the message opens or closes."""
    if heard.message.intent:
        return heard.message.intent
    if opened:
        return opened[-1].kind
    if told:
        return "answer"
    return "greeting" if _greets(heard) else "statement"


def response_type(heard: Heard, asked_back: list[Item], promised: list[Item]) -> str:
    """What a reply gives: as the line says, else by its form."""
    if heard.message.action_name:
        return heard.message.action_name
    if asked_back:
        return "clarification"
    if promised:
        return "promise"
    if knows_not(heard):
        return "unknown"
    return "acknowledgement" if only_agrees(heard) else "answer"


def _greets(heard: Heard) -> bool:
    return any(heard.cues.greeting.search(one.low) for one in heard.sentences)
