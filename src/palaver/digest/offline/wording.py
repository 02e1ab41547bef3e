"""Wording: what the small and the idle words of languages do in a title."""

# ruff: noqa: RUF001

from __future__ import annotations

import re

from palaver.digest.state.content import stem
from palaver.text import fold

_DETERMINERS = {
    "en": "a an the my our your his her their its this that these those some any each every no",
    "de": "der die das den dem des ein eine einen einem einer eines mein meine meinen meinem meiner "
    "unser unsere unseren unserem unserer dein deine ihr ihre kein keine dieser diese dieses",
    "fr": "le la les l un une mon ma mes notre nos votre vos son sa ses leur leurs ce cet cette ces",
    "es": "el la los las un una unos unas mi mis nuestro nuestra su sus tu tus este esta estos estas",
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

_NEVER = """
able accept actual actually add additional adjust advise agree allow almost alone along already also
although always amazing anymore anyway apart appreciate around aside ask assist assume attend available
avoid away awesome aware back barely basic basically beautiful become been beforehand begin being
believe besides best better between beyond big bring build busy buy calculate came certain choose
clarify clear come common compare complete confirm consider contain continue convert correct create
curious current currently daily deal decent decide definitely delete depend describe despite determine
develop different difficult directly discuss do during each easily easy eat effective either else
enjoy enough ensure entire entirely especially etc even eventually ever every exact exactly excited
exist expand expect explain explore extra extremely fairly familiar far feel few fewer figure final finally
find first focus follow following forget former forward freeze full fully fun further gather general
generally generate get give glad go going good gotta gradually great grow guess handle happen happy hard
hate have hear help helpful herself highly himself honestly hope hopefully huge identify immediately
implement important impress impressive improve include incorporate increase inform inspire instead
interested interesting introduce involve itself join keep know large lately later latest lead learn least
leave less let like likely listen literally little long longer lovely lower main mainly maintain make
manage many maybe mean meet mention merely might mine miss modify more most mostly move much
multiple myself near nearby nearly need never new next nice normally nothing notice obviously often
ok okay old ongoing optimize other otherwise ourselves overall own particular particularly pay perfect
perform perhaps personally pick please popular positive possible possibly prefer prepare pretty prevent
previous primarily prioritize probably promote proper properly provide purchase put quick quickly
quite random rarely rather reach read ready real realize really reasonable receive recent recently
recommend reduce refer regularly related relevant remain remember remind remove replace reply require
respond rewrite right roughly same say see seek seem select sell send separate serious
seriously several short shortly should show significantly similar simple simply since sit slightly
slow slowly small solve somehow someone something sometimes somewhat somewhere soon speak special specific
specifically spend stand start stay stick still stuck successful such fine suddenly suggest suitable super
suppose sure switch take talk tell tend thank themselves therefore think though thought throughout
throw thus today together tomorrow tonight total totally toward towards tried true truly try turn
typical typically ultimately understand unfortunately unique unless unsure until upcoming useful usual
usually utilize various verify very view wait want wear weekly well whatever whether whole wide wish
within without wonder worried worry worth write wrong yearly yes yesterday yet yourself
two three four five six seven eight nine ten one once twice half couple bunch lot lots
hi hello hey yo sup howdy greetings lol haha hmm um pls
"""
"""Words of English that neither begin nor end a title: verbs, adverbs, pale adjectives."""
_ALSO_VERBS = """
aim answer apply book call cause change check cook cover cut design double draft draw end fill finish fit
fix guide hold list look love match mind name offer open plan play process question reason research
return review revise run save set share sound stop study support test track travel type update use visit
walk watch work cause debug deploy organize schedule edit translate summarize calculate analyze install
"""
"""Words that are nouns, too: they do not begin a title where nothing says that they are."""
_GREETINGS = """
bonjour bonsoir salut coucou hola buenos buenas dias tardes noches ciao salve buongiorno buonasera ola
bom boa dia tarde noite hallo moin servus gruss guten tag abend hoi goedemorgen goedemiddag goedenavond
dag hej hejsan god morgon tja hei moi terve czesc dzien dobry hejka ahoj dobry den привет здравствуйте
добрый день вечер merhaba selam gunaydin halo selamat pagi namaste salaam шалом szia buna salutare
thanks thx cheers question questions frage pregunta domanda pergunta vraag danke merci gracias grazie
obrigado obrigada bedankt спасибо tesekkurler kiitos tack tak takk dziekuje dekuji multumesc koszonom
test testing ping morgen good morning evening afternoon night everyone there welcome bye goodbye
"""
_WEAK = """
advice aspect area bit case day detail difference example experience fact feature hand help idea info
information item job level life line list moment month name note number option part people person piece
place plan point problem process project question reason recommendation resource result service side
situation step stuff suggestion system term thing time tip topic type use value variety version way
week weekend word work world year january february march april may june july august september
october november december monday tuesday wednesday thursday friday saturday sunday article message text post section paragraph sentence game
"""
SMALL = frozenset(
    "a an the and or nor but of for in to with on from at by as vs via per into onto over".split()
)
"""Words that stay small inside an English title."""


def _listed(words: dict[str, str]) -> dict[str, frozenset[str]]:
    return {language: frozenset(map(fold, listed.split())) for language, listed in words.items()}


_INFINITIVES = {
    "es": re.compile(r"(?:ar|er|ir)(?:me|te|se|nos|l[oae]s?)?$"),
    "pt": re.compile(r"(?:ar|er|ir)(?:-(?:me|te|se|nos|l[oa]s?))?$"),
    "it": re.compile(r"(?:are|ere|ire|ar|er|ir)(?:mi|ti|si|ci|l[oaie])?$"),
    "fr": re.compile(r"(?:er|ir|oir|dre|tre|ire)$"),
}
DETERMINERS = _listed(_DETERMINERS)
LINKS = _listed(_LINKS)
_IDLE = frozenset(stem(word, "en") for word in _NEVER.split())
_ALSO_VERB_STEMS = frozenset(stem(word, "en") for word in _ALSO_VERBS.split())
_ANYWHERE = frozenset(_GREETINGS.split())
_LY = frozenset(
    "ally anomaly assembly belly bully butterfly family fly italy jelly july lily monopoly rally reply "
    "supply".split()
)
"""Words that end as adverbs do, and are none."""
_WEAK_STEMS = frozenset(stem(word, "en") for word in _WEAK.split())


def is_idle(word: str, stemmed: str, language: str) -> bool:
    """Whether a title neither begins nor ends with a word: greetings, verbs and the like."""
    if word in _ANYWHERE:
        return True
    return language == "en" and (stemmed in _IDLE or (word.endswith("ly") and word not in _LY))


def may_be_verb(stemmed: str) -> bool:
    """Whether an English word is a verb unless something before it says that it is a noun."""
    return stemmed in _ALSO_VERB_STEMS


def is_infinitive(word: str, language: str) -> bool:
    """Whether a folded word looks like the form of a verb that requests are made with."""
    ending = _INFINITIVES.get(language)
    return ending is not None and len(word) > 4 and ending.search(word) is not None


def is_weak(stemmed: str, language: str) -> bool:
    """Whether a word says little by itself, though it may stand in a title."""
    return language == "en" and (stemmed in _WEAK_STEMS or stemmed in _IDLE)


def about(word: str, language: str) -> str:
    """A name for what has one telling word."""
    return _ABOUT.get(language, _ABOUT["en"]).format(word)


def both(language: str) -> str:
    """What stands between two things in a title."""
    return _BOTH.get(language, "&")


def nothing(language: str) -> str:
    """A name for what has none."""
    return _NOTHING.get(language, _NOTHING["en"])
