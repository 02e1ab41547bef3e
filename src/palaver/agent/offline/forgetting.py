"""What the user asks to have forgotten: what is remembered of it, and what makes it go.

Nothing is erased by a plain word: the command and the button show first what goes, and ask.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from palaver.agent.lists import word_set
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
_DOINGS = word_set(
    """
    am are be been did do does drink drinking eat eating enjoy enjoyed enjoying feel felt go going
    got had has hate hated have having is keep kept like liked likes liking live lived lives living
    love loved loves loving moved need needed own owned play playing prefer preferred study use used
    want wanted was were work worked working works
    arbeite arbeitet bin bist brauche esse gehe habe hasse hatte ist lebe liebe mache mag mochte
    trinke war will wohne
    adore ai aime aimais bois deteste habite mange prefere suis travaille veux vis
    bebo como estoy gusta gustan odio prefiero quiero soy tengo trabajo vivo
    abito amo bevo ho lavoro mangio piace piacciono sono voglio
    ben drink eet haat heb hou wil woon werk
    estou gosto moro sou tenho trabalho
    """
)
"""What is done to something, or how it is: so much is done to other things, too."""


def asks_to_forget(asked: Asked) -> bool:
    return asked.says(_ERASE)


def what_would_go(asked: Asked, teller: Teller) -> Plan:
    """What is remembered of what is to be forgotten, and the command that makes it go."""
    if not asked.offers(TOOL):
        return just(FORGETTING)
    return _what_would_go(asked, teller)


def _what_would_go(asked: Asked, teller: Teller) -> Plan:
    about = [one for one in telling_words(asked.text) if not _TELLS_NOTHING.fullmatch(fold(one))]
    things = [one for one in about if fold(one) not in _DOINGS]
    sought = things or about
    found = (yield from looked_up(" ".join(sought))) if sought else ()
    going = [one for one in found if held_by(one["content"], sought)]
    if not going:
        return Spoken(f"{NOT_KNOWN} {FORGETTING}" if about else FORGETTING)
    ways: list[str] = []
    if word := _word(asked.text, things, going):
        going = _with(word, going)
        ways.append(FORGET_COMMAND.format(command=code(f"/forget {word}")))
    page = "/memories" + (f"?memory={going[0]['memoryId']}" if len(going) == 1 else "")
    ways.append(FORGET_ON_PAGE.format(page=link("Memories", page)))
    told = [WOULD_GO, "\n".join(item(one, teller) for one in going), " ".join(ways)]
    return Spoken("\n\n".join(told), sources_of(going))


def _word(text: str, things: Sequence[str], going: Sequence[Json]) -> str | None:
    """The word that names the thing: the one that the fewest of the memories hold, a name rather
    than another, and the last of these, because what is done mostly stands before what it is
    done to. None, if nothing is named: a verb would find what is to stay."""
    telling = {fold(one) for one in things}
    spelt = [one for one in _WORD.findall(text) if fold(one) in telling]
    held = {one: count for one in spelt if (count := len(_with(one, going)))}
    rarest = [one for one, count in held.items() if count == min(held.values())]
    named = [one for one in rarest if one[0].isupper()]
    return next(reversed(named or rarest), None)


def _with(word: str, memories: Sequence[Json]) -> list[Json]:
    return [one for one in memories if held_by(one["content"], [word])]
