"""The languages in which a query can say when."""

from palaver.recall.phrases.dutch import DUTCH
from palaver.recall.phrases.english import ENGLISH
from palaver.recall.phrases.french import FRENCH
from palaver.recall.phrases.german import GERMAN
from palaver.recall.phrases.italian import ITALIAN
from palaver.recall.phrases.portuguese import PORTUGUESE
from palaver.recall.phrases.spanish import SPANISH

LANGUAGES = (ENGLISH, FRENCH, GERMAN, SPANISH, ITALIAN, PORTUGUESE, DUTCH)
