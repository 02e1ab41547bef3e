"""Idle words: those that do not say what a conversation is about."""

from __future__ import annotations

from palaver.digest.offline.asking import ASKED, TIMES
from palaver.digest.state.content import stem
from palaver.text import fold

_NEVER = """
able accept actual actually add additional adjust advise agree allow almost alone along already
also although always amazing anymore anyway apart appreciate around aside ask assist assume attend
available avoid aware away awesome back barely basic basically beautiful become been beforehand
begin being believe besides best better between beyond big bring build bunch busy buy calculate
came certain choose clarify clear come common compare complete confirm consider contain continue
convert correct couple create curious current currently daily deal decent decide definitely delete
depend describe despite determine develop different difficult directly discuss do during each
easily easy eat effective eight either else enjoy enough ensure entire entirely especially etc
even eventually ever every exact exactly excited exist expand expect explain explore extra
extremely fairly familiar far feel few fewer figure final finally find fine first five focus
follow following forget former forward four freeze full fully fun further gather general generally
generate get give glad go going good gotta gradually great greetings grow guess haha half handle
happen happy hard hate have hear hello help helpful herself hey hi highly himself hmm honestly
hope hopefully howdy huge identify immediately implement important impress impressive improve
include incorporate increase inform inspire instead interested interesting introduce involve
itself join keep know large lately later latest lead learn least leave less let like likely listen
literally little lol long longer lot lots lovely lower main mainly maintain make manage many maybe
mean meet mention merely might mine miss modify more most mostly move much multiple myself near
nearby nearly need never new next nice nine normally nothing notice obviously often ok okay old
once one ongoing optimize other otherwise ourselves overall own particular particularly pay
perfect perform perhaps personally pick please pls popular positive possible possibly prefer
prepare pretty prevent previous primarily prioritize probably promote proper properly provide
purchase put quick quickly quite random rarely rather reach read ready real realize really
reasonable receive recent recently recommend reduce refer regularly related relevant remain
remember remind remove replace reply require respond rewrite right roughly same say see seek seem
select sell send separate serious seriously seven several short shortly should show significantly
similar simple simply since sit six slightly slow slowly small solve somehow someone something
sometimes somewhat somewhere soon speak special specific specifically spend stand start stay stick
still stuck successful such suddenly suggest suitable sup super suppose sure switch take talk tell
ten tend thank themselves therefore think though thought three throughout throw thus today
together tomorrow tonight total totally toward towards tried true truly try turn twice two typical
typically ultimately um understand unfortunately unique unless unsure until upcoming useful usual
usually utilize various verify very view wait want wear weekly well whatever whether whole wide
wish within without wonder worried worry worth write wrong yearly yes yesterday yet yo yourself
"""
"""Words of English that neither begin nor end a title: verbs, adverbs, pale adjectives."""
_ALSO_VERBS = """
aim analyze answer apply book calculate call cause change check cook cover cut debug deploy design
double draft draw edit end fill finish fit fix guide hold install list look love match mind name
offer open organize plan play process question reason research return review revise run save
schedule set share sound stop study summarize support test track translate travel type update use
visit walk watch work
"""
"""Words that are nouns, too: they do not begin a title where nothing says that they are."""
_GREETINGS = """
abend afternoon ahoj bedankt boa bom bonjour bonsoir buenas buenos buna buonasera buongiorno bye
cheers ciao coucou czesc dag danke dekuji den dia dias dobry domanda dziekuje dzien evening
everyone frage god goedemiddag goedemorgen goedenavond good goodbye gracias grazie gruss gunaydin
guten hallo halo hei hej hejka hejsan hoi hola kiitos koszonom merci merhaba moi moin morgen
morgon morning multumesc namaste night noches noite obrigada obrigado ola pagi pergunta ping
pregunta question questions salaam salut salutare salve selam selamat servus szia tack tag tak
takk tarde tardes terve tesekkurler test testing thanks there thx tja vraag welcome вечер день
добрый дякую здравствуйте привет привіт спасибо шалом أهلا السلام شكرا عليكم مرحبا سلام درود
γεια ευχαριστω καλημερα नमस्ते धन्यवाद
"""
"""How people greet and thank, in many languages."""
_WEAK = """
advice april area article aspect august bit case day december detail difference example experience
fact feature february friday game hand help idea info information item january job july june level
life line list march may message moment monday month name note november number october option
paragraph part people person piece place plan point post problem process project question reason
recommendation resource result saturday section sentence september service side situation step
stuff suggestion sunday system term text thing thursday time tip topic tuesday type use value
variety version way wednesday week weekend word work world year
"""
"""Words of English that say little by themselves, though they may stand in a title."""
_ADVERBS_NOT = """
ally anomaly assembly belly bully butterfly family fly italy jelly july lily monopoly rally reply
supply
"""
"""Words that end as adverbs do, and are none."""

_IDLE = frozenset(stem(word, "en") for word in _NEVER.split())
_ALSO_VERB_STEMS = frozenset(stem(word, "en") for word in _ALSO_VERBS.split())
_WEAK_STEMS = {
    language: frozenset(stem(word, language) for word in listed)
    for language, listed in {**TIMES, "en": frozenset(_WEAK.split())}.items()
}
_ANYWHERE = frozenset(map(fold, _GREETINGS.split()))
_LY = frozenset(_ADVERBS_NOT.split())


def greets(word: str) -> bool:
    """Whether people greet or thank with a folded word."""
    return word in _ANYWHERE


def is_idle(word: str, stemmed: str, language: str) -> bool:
    """Whether a title neither begins nor ends with a word: verbs, adverbs and the like."""
    if language != "en":
        return word in ASKED.get(language, ())
    return stemmed in _IDLE or (word.endswith("ly") and word not in _LY)


def may_be_verb(stemmed: str) -> bool:
    """Whether an English word is a verb unless something before it says that it is a noun."""
    return stemmed in _ALSO_VERB_STEMS


def is_weak(stemmed: str, language: str) -> bool:
    """Whether a word says little by itself."""
    weak = stemmed in _WEAK_STEMS.get(language, ())
    return weak or (language == "en" and stemmed in _IDLE)
