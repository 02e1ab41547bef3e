"""French words of time."""

from palaver.recall.phrases.language import Language, Rule

FRENCH = Language(
    months="janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    weekdays="lundi mardi mercredi jeudi vendredi samedi dimanche",
    units={
        "minute": "minute minutes",
        "hour": "heure heures",
        "day": "jour jours",
        "week": "semaine semaines",
        "weekend": "week-end weekend week-ends",
        "month": "mois",
        "year": "an ans annee annees",
    },
    numbers="un|une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
    "quinze",
    days={"avant-hier": -2, "hier": -1, "aujourd'hui": 0},
    parts={
        "matin": (4, 12),
        "midi": (11, 15),
        "apres-midi": (12, 18),
        "soir": (17, 24),
        "nuit": (18, 30),
    },
    moments={
        "ce matin": (0, 4, 12),
        "cet apres-midi": (0, 12, 18),
        "cette apres-midi": (0, 12, 18),
        "ce soir": (0, 17, 24),
        "cette nuit": (-1, 17, 30),
        "la nuit derniere": (-1, 17, 30),
    },
    rules=(
        Rule("day", "{day}"),
        Rule("part", "{moment}"),
        Rule("ago", "il y a {n} {unit}"),
        Rule(
            "trailing",
            "(?:(?:dans|durant|pendant) )?(?:les |ces |des )?{n} derni(?:er|ere)s {unit}",
        ),
        Rule("trailing", "(?:(?:dans|durant|pendant) )?(?:les |ces )derni(?:er|ere)s {n} {unit}"),
        Rule("last", "(?:la |le |l')?{span} (?:derniere?|passee?)"),
        Rule("this", "(?:cette|ce|cet) {span}"),
        Rule("weekday", "(?:le )?{weekday} (?:dernier|passe)"),
        Rule("weekday", "(?:ce )?{weekday}", weak=True),
        Rule("past_month", "(?:en |au mois de )?{month} (?:dernier|passe)"),
        Rule("month", "(?:en|au mois de|au mois d'|debut|fin|mi) ?{month}(?: {year})?"),
        Rule("month", "{mon} {year}"),
        Rule("month", "{month}", weak=True),
        Rule("date", "{wd}(?:le |du |au |ce ){wd}{dom} {mon}(?: {year})?"),
        Rule("date", "{wd}{dom} {mon} {year}"),
        Rule("date", "{wd}{dom} {month}(?<!mars)"),
        Rule(
            "date",
            "(?:du |entre )?(?:le )?{dom}(?: au | et (?:le )?|{dash}){dom2} {mon}(?: {year})?",
        ),
        Rule("year", "en {year}"),
        Rule("year", "{year}", weak=True),
    ),
    hours=(
        "(?P<op>entre|de) {hw}(?: et | a |{dash}){hw2}",
        "{h}(?: a |{dash}){h2}",
        "(?:(?P<op>a|vers|apres|des|avant|jusqu'a|depuis) )?{h}",
    ),
    noon="midi",
    joiners="|a|au|dans la|dans l'|le|vers",
    since="depuis|depuis le|depuis la|a partir du|a partir de|des",
    until="jusqu'a|jusqu'au|jusque",
    before="avant|avant le|avant la",
    after="apres|apres le|apres la",
    ranges=(("entre|entre le", "et|et le"), ("de|du", "a|au")),
    also="et|ou|et en",
    refused="chaque prochain prochaine tous monsieur madame mme m",
    talk=r"\b(?:j'|je\b|nous\b|on\b|tu\b|t'|vous\b).{0,80}\b(?:dit|parle|discute|mentionne|demande|"
    r"recommande|conseille|propose|suggere|evoque|explique|decide|convenu)e?s?\b"
    r"|\b(?:conversations?|discussions?|echanges?|messages?)\b",
    asking="je j'ai quel quelle quels quelles qui que qu'est quoi quand ou pourquoi comment "
    "combien est etait ai as a-t-il ai-je peux pourrais rappelle",
    idle="a ai ai-je avons c'est ce de en est fait fais faisais j'ai je me moi nous on passe "
    "qu'ai qu'est que quoi s'est se sur tout travaille y avec des du la le les pour un une",
    doubtful="hier",
    bare_weekdays=True,
)
