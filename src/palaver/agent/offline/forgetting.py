"""What the user asks to have forgotten: what is remembered of it, and what makes it go.

Nothing is erased by a plain word: the command and the button show first what goes, and ask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from palaver.agent.markdown import code, link
from palaver.agent.offline.asked import Asked
from palaver.agent.offline.evidence import telling_words
from palaver.agent.offline.knowing import TOOL, held_by, item, looked_up, sources_of
from palaver.agent.offline.plan import Plan, Spoken, just
from palaver.agent.offline.telling import Teller
from palaver.agent.offline.texts import (
    FORGET_COMMAND,
    FORGET_ON_PAGE,
    FORGETTING,
    NOT_KNOWN,
    WOULD_GO,
)
from palaver.index.records import Json
from palaver.text import fold

# Looked for in text without case and diacritics.
_POLITELY = (
    r"^(?:please |bitte |can you |could you |would you |will you |kannst du |konntest du "
    r"|s'il te plait |por favor |per favore |alsjeblieft |peux-tu |puedes |puoi |kun je |podes? )*"
)
_VERB = (
    r"(?:delete|erase|forget|remove|wipe|losche?|vergiss|oublie[rz]?|efface[rz]?|supprime[rz]?"
    r"|olvidar?|borrar?|eliminar?|dimentica(?:re)?|cancella(?:re)?|vergeet|vergeten|verwijder|wis"
    r"|esquec[ea]r?|apaga(?:r)?)"
)
_NOT = r"(?! (?:bitte |das |es |mal |alsjeblieft |dat |het )*(?:nicht|niet|pas)\b)"
_IDIOM = r"(?!(?: about)? (?:it|that|das|es|ca|cela|eso|esto|dat|het|isso)\W*$)"
_ERASE = re.compile(rf"{_POLITELY}{_VERB}\b{_NOT}{_IDIOM}")
_WORD = re.compile(r"\w+")
_TELLS_NOTHING = re.compile(rf"{_VERB}|everything|alle?s?|tout|todo|tutto|tudo")


def asks_to_forget(asked: Asked) -> bool:
    return asked.says(_ERASE)


def what_would_go(asked: Asked, teller: Teller) -> Plan:
    """What is remembered of what is to be forgotten, and the command that makes it go."""
    if not asked.offers(TOOL):
        return just(FORGETTING)
    return _what_would_go(asked, teller)


def _what_would_go(asked: Asked, teller: Teller) -> Plan:
    about = [one for one in telling_words(asked.text) if not _TELLS_NOTHING.fullmatch(fold(one))]
    found = (yield from looked_up(" ".join(about))) if about else ()
    going = [one for one in found if held_by(one["content"], about)]
    if not going:
        return Spoken(f"{NOT_KNOWN} {FORGETTING}" if about else FORGETTING)
    word = code(f"/forget {_word(asked.text, about, going)}")
    page = "/memories" + (f"?memory={going[0]['memoryId']}" if len(going) == 1 else "")
    ways = [
        FORGET_COMMAND.format(command=word),
        FORGET_ON_PAGE.format(page=link("Memories", page)),
    ]
    told = [WOULD_GO, "\n".join(item(one, teller) for one in going), " ".join(ways)]
    return Spoken("\n\n".join(told), sources_of(going))


def _word(text: str, about: Sequence[str], going: Sequence[Json]) -> str:
    """The word by which all of that is found: a name rather than another, and the last of these,
    because what is done mostly stands before what it is done to."""
    telling = {fold(one) for one in about}
    spelt = [one for one in _WORD.findall(text) if fold(one) in telling]
    shared = [one for one in spelt if all(held_by(memory["content"], [one]) for memory in going)]
    named = [one for one in shared if one[0].isupper()]
    return (named or shared or spelt or about)[-1]
