"""Wording: what the small and the idle words of languages do in a title."""

# ruff: noqa: RUF001

from __future__ import annotations

import re

from palaver.text import fold

_DETERMINERS = {
    "en": "a an the my our your his her their its this that these those some any each every no",
    "de": "der die das den dem des ein eine einen einem einer eines mein meine meinen meinem "
    "meiner unser unsere unseren unserem unserer dein deine ihr ihre kein keine diese dieses",
    "fr": "le la les l un une mon ma mes notre nos votre vos son sa ses leur leurs ce cette ces",
    "es": "el la los las un una unos unas mi mis nuestro nuestra su sus tu tus este esta estos",
    "it": "il lo la i gli le l un uno una mio mia miei mie nostro nostra suo sua questo questa",
    "pt": "o a os as um uma uns umas meu minha meus minhas nosso nossa seu sua este esta",
    "nl": "de het een mijn onze ons jouw uw zijn haar hun deze dit die dat",
}
_LINKS = {
    "en": "of for in to with on from at between near without by about and vs through during",
    "de": "für von vom in im nach mit zu zum zur auf aus bei beim über und am an ohne gegen",
    "fr": "de du des d à au aux en pour avec sur et sans entre",
    "es": "de del en para con sobre a al y sin entre",
    "it": "di del della dei delle dello dell in nel nella per con su sul sulla a al alla e da dal",
    "pt": "de do da dos das em no na para com sobre e sem entre",
    "nl": "van voor in met op naar over en aan bij zonder uit tussen",
    "ru": "в во на для с со из по о об от к ко и без до между при через",
    "uk": "в у на для з із зі по про від до і та й без між при через",
    "pl": "w we na dla z ze do od po o i bez przy między przez",
    "cs": "v ve na pro s se z ze do od po o a bez při mezi přes",
    "ar": "في عن إلى على مع من بين بدون",
}
_ABOUT = {
    "en": "About {}",
    "de": "Thema {}",
    "fr": "À propos : {}",
    "es": "Sobre {}",
    "it": "Tema {}",
    "pt": "Sobre {}",
    "nl": "Over {}",
    "sv": "Om {}",
    "da": "Om {}",
    "no": "Om {}",
    "fi": "Aihe: {}",
    "pl": "Temat: {}",
    "cs": "Téma: {}",
    "hu": "Téma: {}",
    "ro": "Despre {}",
    "tr": "Konu: {}",
    "id": "Tentang {}",
    "ru": "Тема: {}",
    "uk": "Тема: {}",
    "el": "Θέμα: {}",
    "ar": "حول {}",
    "fa": "درباره {}",
    "hi": "विषय: {}",
    "ta": "பொருள்: {}",
    "hy": "Թեմա: {}",
}
"""How a conversation is named that has a single telling word."""
_BOTH = {
    "en": "and",
    "de": "und",
    "fr": "et",
    "es": "y",
    "it": "e",
    "pt": "e",
    "nl": "en",
    "sv": "och",
    "da": "og",
    "no": "og",
    "fi": "ja",
    "pl": "i",
    "cs": "a",
    "hu": "és",
    "ro": "și",
    "tr": "ve",
    "id": "dan",
    "ru": "и",
    "uk": "і",
    "el": "και",
}
"""What stands between two things."""
_NOTHING = {
    "en": "Brief Exchange",
    "de": "Kurzer Austausch",
    "fr": "Bref échange",
    "es": "Breve intercambio",
    "it": "Breve scambio",
    "pt": "Breve conversa",
    "nl": "Kort gesprek",
}
"""How one is named that has none."""


def _listed(words: dict[str, str]) -> dict[str, frozenset[str]]:
    return {language: frozenset(map(fold, listed.split())) for language, listed in words.items()}


_INFINITIVES = {
    "es": re.compile(r"(?:ar|er|ir)(?:me|te|se|nos|l[oae]s?)?$"),
    "pt": re.compile(r"(?:ar|er|ir)(?:-(?:me|te|se|nos|l[oa]s?))?$"),
    "it": re.compile(r"(?:are|ere|ire|ar|er|ir)(?:mi|ti|si|ci|l[oaie])?$"),
    "fr": re.compile(r"(?:er|ir|oir|dre|tre|ire)$"),
    "pl": re.compile(r"[aeiy]c$"),
    "ru": re.compile(r"(?:[аяеиыу]ть|ться|[еи]шь|[еи]тся|[юя]тся|ите)$"),
    "uk": re.compile(r"(?:[аяеиіу]ти|тися|[еи]ш|ється|иться)$"),
}
DETERMINERS = _listed(_DETERMINERS)
LINKS = _listed(_LINKS)


def is_infinitive(word: str, language: str) -> bool:
    """Whether a folded word looks like the form of a verb that requests are made with."""
    ending = _INFINITIVES.get(language)
    return ending is not None and len(word) > 4 and ending.search(word) is not None


def about(word: str, language: str) -> str:
    """A name for what has one telling word."""
    return _ABOUT.get(language, _ABOUT["en"]).format(word)


def both(language: str) -> str:
    """What stands between two things in a title."""
    return _BOTH.get(language, "&")


def nothing(language: str) -> str:
    """A name for what has none."""
    return _NOTHING.get(language, _NOTHING["en"])
