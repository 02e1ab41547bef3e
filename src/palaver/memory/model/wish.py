"""Wishes: whether somebody asks to have something remembered.

A model judges what is asked for; this only knows the words without which nobody asks for it.
"""

from __future__ import annotations

import re

from palaver.digest.state.content import plain
from palaver.text import sentence_spans

_ASKS = re.compile(
    r"\b(?:remember|memori[sz]e|(?:keep|bear) (?:\w+ )?in (?:mind|memory)|(?:make|take) (?:a )?note"
    r"|(?:do not|don't|never) forget|note(?: down)?(?: that| this| it|:)"
    r"|(?:write|jot) (?:\w+ )?down"
    r"|(?:save|store) (?:this|that|it|my|our)|for (?:your|the) (?:records?|memory|notes|files?)"
    r"|merk(?:e|t|en)?|notier(?:e|t|en)?|speicher(?:e|t|n)?|schreib\w* .{0,20}\bauf"
    r"|(?:vergiss|vergesst|vergessen sie) .{0,20}\bnicht|denk\w* (?:bitte )?dara?n"
    r"|behalt\w* .{0,30}\bim (?:kopf|hinterkopf|gedachtnis)"
    r"|souviens|souvenez|rappelle[- ]toi|rappelez[- ]vous|reti(?:ens|enez)|memorise[rz]?"
    r"|enregistre[rz]?|note[rz]?(?: bien)? que|prends note|n'oublie\w*"
    r"|garde[rz]? en (?:tete|memoire)"
    r"|recuerd[ae]\w*|acuerdate|anot[ae]\w*|apunta\w*|memoriza\w*|guard[ae]\w*|no (?:te )?olvides"
    r"|ten en cuenta|ricorda\w*|annota\w*|segnati|appunta\w*|memorizza\w*"
    r"|tieni (?:a mente|presente)"
    r"|non dimentica\w*|lembr[ae]\w*|nao (?:te |se )?esque\w*|tenha em mente"
    r"|onthoud\w*|noteer\w*|sla (?:dit|dat|het) op|vergeet .{0,20}\bniet|houd .{0,20}\bin gedachten"
    r"|zapamieta\w*|zanotuj\w*|zapamatuj\w*|kom ihag|husk (?:at|det)|muista\w*|unutma|hatirla\w*)\b"
    r"|запомни|запиши|запам.ятаи|تذكر|记住|记下|記住|覚えて|メモして|기억해"
)
_DOES_NOT = re.compile(
    r"\b(?:do|did|don't|didn't) (?:you|i|we|they|he|she)\b.{0,20}\bremember"
    r"|\b(?:i|we|he|she|they)(?: \w+| don't| can't| cannot)? remember\b"
    r"|\bremember (?:to|when|how|what|who|where|why|if|me|us)\b"
    r"|\b(?:do not|don't|never|no need to) (?:remember|save|store|note|memori[sz]e|keep|write)\b"
    r"|\b(?:merk|notier|speicher)\w* (?:(?:dir|das|dies|es|bitte) )*nicht\b"
    r"|\bne (?:retiens|note|garde|enregistre)\w* pas\b|\bno (?:lo )?(?:recuerdes|guardes|anotes)\b"
)


def asks_to_remember(text: str) -> bool:
    """Whether there is a sentence in it that may ask for that."""
    sentences = (plain(text[start:end]) for start, end in sentence_spans(text))
    return any(_ASKS.search(one) and not _DOES_NOT.search(one) for one in sentences)
