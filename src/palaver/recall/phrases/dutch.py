"""Dutch words of time."""

from palaver.recall.phrases.language import Language, Rule

DUTCH = Language(
    months="januari februari maart april mei juni juli augustus september oktober november "
    "december",
    weekdays="maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    units={
        "minute": "minuut minuten",
        "hour": "uur",
        "day": "dag dagen",
        "week": "week weken",
        "weekend": "weekend weekeinde weekends",
        "month": "maand maanden",
        "year": "jaar jaren",
    },
    numbers="een twee drie vier vijf zes zeven acht negen tien elf twaalf",
    days={"eergisteren": -2, "gisteren": -1, "vandaag": 0},
    parts={
        "'s ochtends": (4, 12),
        "'s middags": (12, 18),
        "'s avonds": (17, 24),
        "ochtend": (4, 12),
        "morgen": (4, 12),
        "middag": (12, 18),
        "avond": (17, 24),
        "nacht": (18, 30),
    },
    moments={
        "vanmorgen": (0, 4, 12),
        "vanochtend": (0, 4, 12),
        "vanmiddag": (0, 12, 18),
        "vanavond": (0, 17, 24),
        "gisterochtend": (-1, 4, 12),
        "gistermorgen": (-1, 4, 12),
        "gistermiddag": (-1, 12, 18),
        "gisteravond": (-1, 17, 24),
        "vannacht": (-1, 17, 30),
        "afgelopen nacht": (-1, 17, 30),
    },
    rules=(
        Rule("day", "{day}"),
        Rule("part", "{moment}"),
        Rule("ago", "{n} {unit} geleden"),
        Rule("trailing", "(?:in )?(?:de )?(?:afgelopen|laatste|voorbije) {n} {unit}"),
        Rule("trailing", "(?:in )?(?:de |het )afgelopen {period}"),
        Rule("last", "(?:vorige?|verleden) {span}"),
        Rule("last", "(?:het )?(?:afgelopen|voorbije) {span}"),
        Rule("this", "(?:deze|dit) {span}"),
        Rule("weekday", "(?:op |afgelopen |vorige |op afgelopen ){weekday}"),
        Rule("weekday", "{weekday}", weak=True),
        Rule("past_month", "(?:afgelopen|vorige) {month}"),
        Rule("month", "(?:in|begin|eind|half) {month}(?: {year})?"),
        Rule("month", "{mon} {year}"),
        Rule("month", "{month}", weak=True),
        Rule("date", "{wd}(?:op )?{dom} {mon}(?: {year})?"),
        Rule(
            "date",
            "(?:van |tussen )?{dom}(?: tot | en | t/m |{dash}){dom2} {mon}(?: {year})?",
        ),
        Rule("year", "in (?:het jaar )?{year}"),
        Rule("year", "{year}", weak=True),
    ),
    hours=(
        "(?P<op>tussen|van) {hw}(?: en | tot |{dash}){hw2}",
        "{h}(?: tot |{dash}){h2}",
        "(?:(?P<op>om|rond|na|vanaf|voor|tot|sinds) )?{h}",
    ),
    noon="twaalf",
    joiners="|om|in de|op",
    since="sinds|vanaf",
    until="tot|tot en met",
    before="voor",
    after="na",
    ranges=(("tussen", "en"), ("van", "tot|tot en met")),
    also="en|of",
    refused="elke iedere volgende komende aanstaande meneer mevrouw",
    talk=r"\b(?:ik|we|wij|je|jij|u)\b.{0,80}\b(?:gezegd|zei|zeiden|gesproken|spraken|besproken|gepraat|"
    r"genoemd|gevraagd|aanbevolen|aangeraden|voorgesteld|uitgelegd|verteld|besloten|afgesproken)\b"
    r"|\b(?:gesprek(?:ken)?|berichten?)\b",
    asking="ik wat welke welk wie wanneer waar waarom hoe heb had heeft was waren is zijn kun "
    "kan herinner",
    idle="aan alles de er gebeurde gebeurd gedaan gewerkt heb hebben het ik is mij ons waaraan "
    "was wat we wij zo een en van in met voor op te",
    short_months="jan feb mrt apr - jun jul aug sep|sept okt nov dec",
    bare_weekdays=True,
)
