"""Asking words: how people ask for something, in languages that have other idle words than English.

They stand around what a conversation is about, and name nothing themselves: verbs of wanting and
helping, questions, small adverbs. Months and the like may stand in a title, but do not make one.
"""

from __future__ import annotations

from palaver.text import fold

_ASKED = {
    "de": """
    bekomme bekommen brauche brauchen braucht eigentlich erklär erkläre gebe geben gibt helfe
    helfen hilf hilft kannst kannste koennen kriege können könnte könntest mache macht möchte
    möchten schon schreib schreibe schreiben suche suchen ungefähr vielleicht wüsste zeig zeige
    """,
    "fr": """
    aide aider aidez aimerais aimerait aller apprendre après avant avoir beaucoup besoin bonjour
    cherche cherchons combien comment connais conseille conseilles conseillez depuis deux dire dis
    dites dois dois-je doit donne encore environ explique expliquer faire fais faut moins peu peut
    peut-on peux peux-tu plutôt pourquoi pourrais pourriez pouvez pouvez-vous puis-je quand quel
    quelle quelles quels quoi recommandes sais savoir toujours travaille trouver vaut veux voici
    voudrais voulez
    """,
    "es": """
    acerca alguna alguno aproximadamente ayuda ayudame ayudar ayudarme ayudas busca buscamos busco
    cerca como cual cuales cuando cuanta cuantas cuanto cuantos dame deberia debo dime dos explica
    explicame gustaria hace hacer hay me necesitamos necesito podria podrias puede puedes puedo
    queremos quiero quisiera recomienda recomiendas saber sabes seria tener tengo tiene unos voy
    """,
    "it": """
    aiuta aiutami aiutarmi aiuto bisogno cerca cerchiamo cerco che circa come conviene cosa devo
    dimmi dove due fare fino ho piacerebbe possiamo posso potrei potresti prepara puoi quale quali
    quando quanta quante quanti quanto sai sapere serve servono spiega spiegami spiegarmi vicino
    vogliamo voglio vorrei vorremmo
    """,
    "pt": """
    ajuda ajudar ajude aproximadamente cerca comece começo como devo diga dois duas explique fazer
    faço gostaria onde pode poderia posso precisa precisamos preciso procuro quais qual quando
    quanta quantas quanto quantos queremos queria quero recomenda recomendas sabe saber tem tenho
    ter tirar usar voce vou
    """,
    "nl": """
    alvast gaan gaat geldt geven graag help helpen helpt hoe hoelang hoeveel klopt koop kopen kost
    kosten krijg krijgen kun kunnen kunt laat laten leggen maken moeten mogelijk nodig ongeveer
    schrijven staan staat uitleggen vertel vinden volgens waar waarom wanneer welk welke werkt
    wilde willen wilt zeggen zegt zoek zoeken zou zouden
    """,
    "ru": """
    будет было быть ваш где давай добрый должен должна если есть запускается здравствуйте знаешь
    знаю какая какие какого какой какую когда кто куда лучше мне могу можешь можно мой моя надо
    нужен нужна нужно объясни отлично пишет подойдут подскажи подскажите пожалуйста покажи помоги
    помогите посоветуешь посоветуй посоветуйте почему привет работает расскажи свой сейчас сколько
    спасибо стоит удобнее хотел хотела хотим хочу что чтобы
    """,
    "uk": """
    будь де доброго допоможи допоможіть дякую завжди коли котрий краще куди ласка мені можеш можна
    можу навіщо напиши порадь потрібен потрібна потрібно поясни привіт підкажи підкажіть скільки
    треба хочу чому яка яке який які
    """,
    "pl": """
    będzie chcemy chciałabym chciałbym chcę cześć czym dlaczego dobry dzień dziękuję gdzie ile
    jaka jaki jakie jest jeść każdy kiedy lubi lubię mam mogę może możesz można musimy muszę
    napisać napisz około planuję polecasz poleć pomocy pomoż pomożesz pomóż poproszę potrzebuję
    proszę przygotować sprawie szukam szukamy wiesz wyjaśnij zrobić
    """,
    "ar": """
    أبدأ أحتاج أريد أستخدم أستطيع أفضل أم أن أنا أي أين التي الذي السلام بسبب تكفي تكون توجد ثم
    حوالي خلال ساعدني شكرا عليكم عند قد كان كلاهما كم كيف لا لكن لماذا ما ماذا متى مرحبا مناسب نعم
    هذا هذه هل هناك هو هي وهل يكلف يمكن يمكنك يمكنني يوجد
    """,
}
_TIMES = {
    "de": """
    anfang april august dezember ende februar frage jahr jahre januar juli juni mai mitte monat
    monate märz november oktober september stunde stunden tag tage thema
    """,
    "fr": """
    an année ans août avril début décembre fin février heure heures janvier jour jours juillet
    juin kg mai mars minute minutes mois novembre octobre question septembre
    """,
    "es": """
    abril agosto año años diciembre día días enero febrero fin hora horas julio junio kilómetros
    marzo mayo mes meses metros noviembre octubre pregunta semana septiembre
    """,
    "it": """
    agosto anni anno aprile chilometri dicembre differenza domanda febbraio fine gennaio giorni
    giorno giugno luglio maggio marzo mese mesi novembre ora ore ottobre settembre settimana tempo
    """,
    "pt": """
    abril agosto ano anos dez dezembro dia dias fevereiro fim hora horas janeiro julho junho maio
    março meses mês novembro outubro pergunta semana setembro
    """,
    "nl": """
    april augustus dag dagen december euro februari jaar januari jaren juli juni kilometer maand
    maanden maart mei november oktober september uren uur vraag week
    """,
    "ru": """
    августе апреле вопрос год года декабре день дней июле июне конца лет мае марте месяц минут
    недели неделю ноябре октябре сентябре феврале час январе
    """,
    "pl": """
    czerwca dni godzin grudnia kwietnia lat lipca listopada lutego maja marca metry miesiąc
    października pytanie rok sierpnia stycznia tydzień tysięcy września złotych
    """,
}


def _listed(words: dict[str, str]) -> dict[str, frozenset[str]]:
    return {language: frozenset(map(fold, listed.split())) for language, listed in words.items()}


ASKED = _listed(_ASKED)
TIMES = _listed(_TIMES)
