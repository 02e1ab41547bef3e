"""What the user asks to have remembered: whether it is by now, and that secrets never are."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.agent.offline.asked import Asked
from palaver.agent.offline.knowing import TOOL, item
from palaver.agent.offline.plan import Plan, Spoken, Steps, call
from palaver.agent.offline.quotation import wants_answer
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import ADDING, NEVER_KEPT, NOT_REMEMBERED, NOTED, NOW_REMEMBERED
from palaver.digest.state.others import own_words
from palaver.digest.state.secrets import is_secret
from palaver.index.records import Json
from palaver.memory.echoes import is_in
from palaver.memory.model.wish import asks_to_remember
from palaver.text import sentence_spans

_MOST = 10


def concerns_memory(asked: Asked) -> bool:
    """Whether a message asks to have something remembered, or tells a secret."""
    return asked.offers(TOOL) and (_asks(asked) or _tells_secret(asked))


def what_is_remembered(asked: Asked, teller: Teller, otherwise: Plan) -> Plan:
    """What of the message is remembered, and what is not; then what else is asked."""
    if not _asks(asked):
        return Spoken(f"{NOTED}\n\n{NEVER_KEPT}")
    kept = yield from _looked_up(asked)
    told = [_list(kept, teller)] if kept else []
    if is_secret(asked.text):
        told.append(f"{NOT_REMEMBERED} {NEVER_KEPT}")
    elif not kept and not wants_answer(asked.text):
        told.append(f"{NOT_REMEMBERED} {ADDING}")
    if told and not _asks_more(asked):
        return Spoken("\n\n".join(told))
    said = yield from otherwise
    return Spoken("\n\n".join([*told, said.text]), said.sources)


def _asks(asked: Asked) -> bool:
    return asks_to_remember(own_words(asked.text))


def _tells_secret(asked: Asked) -> bool:
    return not wants_answer(asked.text) and is_secret(asked.text)


def _looked_up(asked: Asked) -> Steps[list[Json]]:
    """The memories that came of the message, or that say what it says."""
    (found,) = yield [call(TOOL, query=asked.text, limit=_MOST)]
    return [
        one
        for one in found.get("memories", ())
        if one["state"] == "kept"
        and (one["messageId"] in asked.ids or is_in(one["content"], asked.text))
    ]


def _list(kept: Sequence[Json], teller: Teller) -> str:
    return "\n".join([NOW_REMEMBERED, "", *(item(one, teller) for one in kept)])


def _asks_more(asked: Asked) -> bool:
    """Whether another sentence than the wish asks for something."""
    sentences = [asked.text[start:end] for start, end in sentence_spans(asked.text)]
    return any(wants_answer(one) and not asks_to_remember(one) for one in sentences)
