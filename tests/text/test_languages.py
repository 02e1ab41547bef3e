"""The language of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.text import LANGUAGES, language, words

SENTENCES = [
    ("en", "The kettle is broken and I need a new one."),
    ("en", "Where did we put the keys?"),
    ("en", "laptops delivered"),
    ("de", "Der Wasserkocher ist kaputt und ich brauche einen neuen."),
    ("de", "Wo haben wir die Schlüssel?"),
    ("fr", "La bouilloire est cassée et il m'en faut une autre."),
    ("fr", "Le démarrage échoue encore."),
    ("es", "¿Dónde pusimos las llaves?"),
    ("es", "No puedo ir mañana."),
    ("it", "Dove abbiamo messo le chiavi?"),
    ("it", "Non posso venire domani."),
    ("pt", "Não posso ir amanhã."),
    ("pt", "Onde colocamos as chaves?"),
    ("nl", "De waterkoker is kapot en ik heb een nieuwe nodig."),
    ("sv", "Vattenkokaren är trasig och jag behöver en ny."),
    ("da", "Jeg kan ikke komme i morgen, fordi jeg skal af sted."),
    ("no", "Jeg vet ikke hvor mye det koster."),
    ("fi", "Missä avaimet ovat?"),
    ("ru", "Чайник сломался, и мне нужен новый."),
    ("ru", "Где ключи?"),
    ("uk", "Чайник зламався, і мені потрібен новий."),
    ("pl", "Czajnik jest zepsuty i potrzebuję nowego."),
    ("cs", "Konvice je rozbitá a potřebuji novou."),
    ("ro", "Fierbătorul este stricat și am nevoie de unul nou."),
    ("hu", "A vízforraló elromlott, és kell egy új."),
    ("tr", "Su ısıtıcısı bozuldu ve yeni bir tane lazım."),
    ("id", "Ketel itu rusak dan saya harus membeli yang baru."),
    ("el", "Ο βραστήρας χάλασε."),
    ("ar", "الغلاية معطلة وأحتاج إلى واحدة جديدة"),
    ("fa", "کتری خراب است و من یک کتری جدید می‌خواهم"),
    ("hi", "केतली टूट गई है"),
    ("ta", "கெட்டில் உடைந்துவிட்டது"),
    ("hy", "Թեյնիկը կոտրվել է"),
    ("", "东京铁塔"),
    ("", "ありがとうございます"),
    ("", "안녕하세요"),
    ("", "12 34 👍"),
    ("", ""),
]


@pytest.mark.parametrize(("code", "text"), SENTENCES)
def test_the_language_of_a_sentence(code: str, text: str):
    assert language(words(text)) == code


def test_every_language_is_tried():
    assert {code for code, _ in SENTENCES} == {"", *LANGUAGES}


def test_only_the_languages_in_question_are_considered():
    found = words("die hard")
    assert language(found) == "de"
    assert language(found, among=["en", "fr"]) == "en"
    assert language(found, among=["fr"]) == ""
    assert language(found, among=[]) == ""


@given(st.text())
def test_any_text_is_of_a_known_language_or_of_none(text: str):
    assert language(words(text)) in {"", *LANGUAGES}
