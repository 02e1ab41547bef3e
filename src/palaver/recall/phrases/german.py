"""German words of time."""

from palaver.recall.phrases.language import Language, Rule

GERMAN = Language(
    months="januar|janner februar|feber marz april mai juni juli august september oktober "
    "november dezember",
    weekdays="montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag",
    units={
        "minute": "minute minuten",
        "hour": "stunde stunden",
        "day": "tag tage tagen",
        "week": "woche wochen",
        "weekend": "wochenende wochenenden",
        "month": "monat monate monaten monats",
        "year": "jahr jahre jahren jahres",
    },
    numbers="ein|eine|einem|einer|einen zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    days={"vorgestern": -2, "gestern": -1, "heute": 0},
    parts={
        "morgens": (4, 12),
        "nachmittags": (12, 18),
        "abends": (17, 24),
        "nachts": (18, 30),
        "fruh": (4, 11),
        "morgen": (4, 12),
        "vormittag": (6, 13),
        "mittag": (11, 15),
        "nachmittag": (12, 18),
        "abend": (17, 24),
        "nacht": (18, 30),
    },
    moments={"letzte nacht": (-1, 17, 30), "heute nacht": (-1, 17, 30)},
    rules=(
        Rule("day", "{day}"),
        Rule("part", "{moment}"),
        Rule("ago", "vor {n} {unit}"),
        Rule("trailing", "(?:in |wahrend )?(?:den |der |die )?(?:letzten|vergangenen) {n} {unit}"),
        Rule("last", "(?:in der |im |am )?(?:letzte|vergangene|vorige)[nrsm]? {span}"),
        Rule("this", "(?:in )?diese[nrsm]? {span}"),
        Rule(
            "weekday", "(?:am |am letzten |letzten |am vergangenen |vergangenen |vorigen ){weekday}"
        ),
        Rule("weekday", "{weekday}", weak=True),
        Rule("past_month", "(?:im )?(?:letzten|vergangenen|vorigen) {month}"),
        Rule("month", "(?:im|anfang|mitte|ende) {month}(?: {year})?"),
        Rule("month", "{mon} {year}"),
        Rule("month", "{month}", weak=True),
        Rule("date", "{wd}(?:am |dem |den )?{dom} {mon}(?: {year})?"),
        Rule(
            "date",
            "(?:vom |zwischen (?:dem )?|von )?{dom}(?: bis (?:zum )?| und (?:dem )?|{dash})"
            "{dom2} {mon}(?: {year})?",
        ),
        Rule("year", "(?:im jahr|im jahre) {year}"),
        Rule("year", "{year}", weak=True),
    ),
    hours=(
        "(?P<op>zwischen|von) {hw}(?: und | bis |{dash}){hw2}",
        "{h}(?: bis |{dash}){h2}",
        "(?:(?P<op>um|gegen|nach|ab|vor|bis|seit) )?{h}",
    ),
    noon="mittag",
    joiners="|am|um|in der",
    since="seit|ab|seit dem|ab dem",
    until="bis|bis zum",
    before="vor|vor dem",
    after="nach|nach dem",
    ranges=(("zwischen", "und"), ("von|vom", "bis|bis zum")),
    also="und|oder",
    refused="jeden jede jedes jeder nachsten nachste nachster nachstes kommenden kommende herr "
    "frau",
    talk=r"\b(?:ich|wir|du|sie|ihr)\b.{0,80}\b(?:gesagt|sagte|sagten|gesprochen|sprachen|besprochen|"
    r"geredet|erwahnt|gefragt|empfohlen|vorgeschlagen|diskutiert|erklart|unterhalten|beschlossen|"
    r"entschieden|vereinbart|erzahlt)\b|\b(?:gesprache?n?s?|unterhaltung(?:en)?|nachrichten?)\b",
    asking="ich was welche welcher welches welchen wer wen wem wessen wann wo wohin woher warum "
    "wie habe hatte hast hat war waren ist sind kannst konntest erinnere",
    idle="der die den dem ein eine und mit fur auf von zu alles am an da das denn getan gemacht "
    "gearbeitet habe haben ich ist ging gab es in los mir passiert so uns war was wir woran "
    "woruber worum",
    short_months="jan feb mar|mrz apr - jun jul aug sep|sept okt nov dez",
    capital_nouns=True,
)
