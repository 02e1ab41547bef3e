"""Italian words of time."""

from palaver.recall.phrases.language import Language, Rule

ITALIAN = Language(
    months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
    weekdays="lunedi martedi mercoledi giovedi venerdi sabato domenica",
    units={
        "minute": "minuto minuti",
        "hour": "ora ore",
        "day": "giorno giorni",
        "week": "settimana settimane",
        "weekend": "weekend fine_settimana",
        "month": "mese mesi",
        "year": "anno anni",
    },
    numbers="un|una|uno due tre quattro cinque sei sette otto nove dieci undici dodici",
    days={"l'altro ieri": -2, "l'altroieri": -2, "altro ieri": -2, "ieri": -1, "oggi": 0},
    parts={
        "mattina": (4, 12),
        "mattino": (4, 12),
        "pomeriggio": (12, 19),
        "sera": (17, 24),
        "notte": (18, 30),
    },
    moments={
        "stamattina": (0, 4, 12),
        "questa mattina": (0, 4, 12),
        "questo pomeriggio": (0, 12, 19),
        "stasera": (0, 17, 24),
        "stanotte": (-1, 17, 30),
        "la notte scorsa": (-1, 17, 30),
    },
    rules=(
        Rule("day", "{day}"),
        Rule("part", "{moment}"),
        Rule("ago", "{n} {unit} fa"),
        Rule("trailing", "(?:(?:negli|nelle|gli|le) )ultim[ie] {n} {unit}"),
        Rule("trailing", "(?:nell'|l')ultim[oa] {period}"),
        Rule("last", "(?:la |il |l'|lo )?{span} (?:scors[oa]|passat[oa])"),
        Rule("last", "(?:la |lo )?scors[oa] {span}"),
        Rule("this", "quest[oa'] ?{span}"),
        Rule("weekday", "{weekday} (?:scors[oa]|passat[oa])"),
        Rule("weekday", "{weekday}", weak=True),
        Rule("past_month", "(?:a |il |lo )?{month} (?:scorso|passato)"),
        Rule("month", "(?:a|in|nel|ad|a inizio|a fine|nel mese di) {month}(?: {year})?"),
        Rule("month", "{mon} {year}"),
        Rule("month", "{month}", weak=True),
        Rule("date", "{wd}(?:il |l'|del |dal |al )?{dom} {mon}(?: {year})?"),
        Rule(
            "date",
            "(?:dal? |tra (?:il )?|fra (?:il )?)?{dom}(?: al? | e (?:il )?|{dash}){dom2} {mon}"
            "(?: {year})?",
        ),
        Rule("year", "nel {year}"),
        Rule("year", "{year}", weak=True),
    ),
    hours=(
        "(?P<op>tra|fra|dalle)(?: le)? {hw}(?: e(?: le)? | alle |{dash}){hw2}",
        "(?:(?P<clock>(?P<op>alle|verso le|dopo le|dalle|prima delle|fino alle)) )?{h}",
    ),
    noon="mezzogiorno",
    joiners="|a|alle|di|nel|in",
    since="da|dal|dalle|dallo|dalla|dall'|a partire da|a partire dal",
    until="fino a|fino al|fino alla|fino alle",
    before="prima di|prima del|prima della|prima delle",
    after="dopo|dopo il|dopo la",
    ranges=(("tra|fra|tra il|fra il", "e|e il"), ("da|dal", "a|al")),
    also="e|o",
    refused="ogni prossimo prossima signor signora",
    talk=r"\b(?:ho|abbiamo|hai|avevo|avevamo|avevi)(?: \w+)? (?:detto|parlato|discusso|menzionato|"
    r"chiesto|consigliato|suggerito|raccomandato|proposto|spiegato|deciso|concordato)\b"
    r"|\b(?:parlavamo|dicevamo|dicevi|dissi)\b|\b(?:conversazion[ei]|discussion[ei]|messaggi[o]?)\b",
    asking="io che cosa cos'e quale quali chi quando dove perche come quanto quanta quanti "
    "quante ho hai era e sono puoi potresti ricordami",
    idle="abbiamo che chi cosa di e fatto facevo ho il in io lavorato mi noi quello si su "
    "successo tutto",
    bare_weekdays=True,
)
