"""English words of time."""

from palaver.recall.phrases.language import Language, Rule

ENGLISH = Language(
    months="january february march april may june july august september october november december",
    weekdays="monday tuesday wednesday thursday friday saturday sunday",
    units={
        "minute": "minute minutes",
        "hour": "hour hours",
        "day": "day days",
        "week": "week weeks",
        "weekend": "weekend weekends",
        "fortnight": "fortnight fortnights",
        "month": "month months",
        "year": "year years",
    },
    numbers="a|an|one two|couple_of|a_couple_of three four five six seven eight nine ten eleven "
    "twelve",
    days={"the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0},
    parts={
        "early morning": (4, 10),
        "morning": (5, 12),
        "afternoon": (12, 18),
        "evening": (17, 24),
        "night": (18, 30),
    },
    moments={
        "this morning": (0, 4, 12),
        "this afternoon": (0, 12, 18),
        "this evening": (0, 17, 24),
        "tonight": (0, 17, 30),
        "last night": (-1, 17, 30),
    },
    rules=(
        Rule("day", "{day}"),
        Rule("part", "{moment}"),
        Rule("ago", "{n} {unit} ago"),
        Rule(
            "trailing",
            "(?:(?:in|over|during|within) )?(?:the |these )?(?:last|past|previous) {n} {unit}"
            "(?! of)",
        ),
        Rule(
            "trailing", "(?:(?:in|over|during|within) )?(?:the (?:last|past)|past) {period}(?! of)"
        ),
        Rule("last", "(?:last|the previous) {span}(?! of)"),
        Rule("last", "(?:the |this )?(?:last|past) {weekend}(?! of)"),
        Rule("this", "(?:earlier )?this {span}"),
        Rule("weekday", "(?:on|on last|last|this past|on the past) {weekday}(?! of)"),
        Rule("weekday", "{weekday}", weak=True),
        Rule("past_month", r"(?<!the\s)last {month}"),
        Rule("month", "(?:in|during|this) (?:early |mid[- ]|late )?{month}(?: {year})?"),
        Rule("month", "{mon} {year}"),
        Rule("month", "{month}", weak=True),
        Rule("date", "{wd}{dom} {mon}", capital=True),
        Rule("date", "{wd}(?:on |the |on the )?{dom} (?:of )?{mon} {year}"),
        Rule("date", "{wd}(?:on |the |on the ){dom} (?:of )?{mon}"),
        Rule("date", r"{wd}(?=\d+[snrt]){dom} (?:of )?{mon}"),
        Rule("date", "{wd}{mon} {dom}", capital=True),
        Rule("date", "{wd}{mon} {dom} {year}"),
        Rule("date", "{wd}on {mon} (?:the )?{dom}"),
        Rule("date", r"{wd}{mon} (?:the )?(?=\d+[snrt]){dom}"),
        Rule(
            "date",
            "(?:between |from )?(?:the )?{dom}(?: to | and |{dash}){dom2} (?:of )?{mon}"
            "(?: {year})?",
        ),
        Rule("date", "(?:between |from )?{mon} {dom}(?: to | and |{dash}){dom2}(?: {year})?"),
        Rule("year", "(?:in|during) (?:the year )?{year}"),
        Rule("year", "{year}", weak=True),
    ),
    hours=(
        "(?P<op>between|from) {hw}(?: and | to | until | till |{dash}){hw2}",
        "{h}{dash}{h2}",
        "(?:(?P<op>at|around|about|after|before|since|until) )?{h}",
        "(?P<op>at|around|about|after|before) (?:half|quarter|a quarter) (?:past|to) {hw}",
    ),
    noon="noon",
    joiners=r"|in the|on|at|in|of",
    since="since|ever since|starting",
    until="until|till|up to|up until",
    before="before|prior to",
    after="after",
    ranges=(("between", "and"), ("from", "to|until|till|through")),
    also="and|or",
    refused="every each per next coming following upcoming most any mr mrs ms miss dr tomorrow",
    talk=r"\b(?:i|we|you|us)\b(?:'ve|'d)?(?: \w+)?(?: \w+)? (?:say|said|saying|talk|talked|talking|"
    r"discuss|discussed|discussing|mention|mentioned|mentioning|chat|chatted|chatting|speak|spoke|"
    r"recommend|recommended|suggest|suggested|explain|explained|agree|agreed|decide|decided|"
    r"conclude|concluded|(?:ask|asked|tell|told) (?:me|you|us))\b"
    r"|\b(?:conversations?|chats?|discussions?|messages?)\b",
    asking="i i'm i've i'd what what's which who whom whose when where why how did do does was "
    "were is are am have has had can could would should will remind recall tell",
    idle="a an at for from with about all and anything did do doing done everything happen "
    "happened happening has have i in me my of on our say show so something the there thing "
    "things to up us was we were what what's went work worked working you",
    short_months="jan feb mar apr - jun jul aug sep|sept oct nov dec",
    doubtful="may march mar",
)
