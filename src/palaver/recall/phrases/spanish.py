"""Spanish words of time."""

from palaver.recall.phrases.language import Language, Rule

SPANISH = Language(
    months="enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre "
    "noviembre diciembre",
    weekdays="lunes martes miercoles jueves viernes sabado domingo",
    units={
        "minute": "minuto minutos",
        "hour": "hora horas",
        "day": "dia dias",
        "week": "semana semanas",
        "weekend": "fin_de_semana fines_de_semana",
        "month": "mes meses",
        "year": "ano anos",
    },
    numbers="un|una|uno dos tres cuatro cinco seis siete ocho nueve diez once doce quince",
    days={"anteayer": -2, "antes de ayer": -2, "antier": -2, "ayer": -1, "hoy": 0},
    parts={
        "manana": (4, 12),
        "mediodia": (11, 15),
        "tarde": (12, 21),
        "noche": (18, 30),
    },
    moments={
        "esta manana": (0, 4, 12),
        "esta tarde": (0, 12, 21),
        "esta noche": (0, 17, 30),
        "anoche": (-1, 17, 30),
    },
    rules=(
        Rule("day", "{day}"),
        Rule("part", "{moment}"),
        Rule("ago", "hace {n} {unit}"),
        Rule("ago", "{n} {unit} atras"),
        Rule("trailing", "(?:(?:en|durante) )?(?:los |las )?ultim[oa]s {n} {unit}"),
        Rule("trailing", "(?:(?:en|durante) )?(?:la |el )?ultim[oa] {period}"),
        Rule("last", "(?:la |el )?{span} pasad[oa]"),
        Rule("last", "(?:la |el )?pasad[oa] {span}"),
        Rule("this", "est[ea] {span}"),
        Rule("weekday", "(?:el )?{weekday} pasado"),
        Rule("weekday", r"el (?:pasado )?{weekday}(?! del?\b)"),
        Rule("weekday", "{weekday}", weak=True),
        Rule("past_month", "(?:en |el )?{month} pasado"),
        Rule("past_month", "(?:el )?pasado {month}"),
        Rule("month", "(?:en|a principios de|a finales de) {month}(?: {year})?"),
        Rule("month", "{mon} {year}"),
        Rule("month", "{month}", weak=True),
        Rule("date", "{wd}(?:el )?(?:dia )?{dom} de {mon}(?: {year})?"),
        Rule(
            "date",
            "(?:del? |entre )?(?:el )?{dom}(?: al? | y (?:el )?|{dash}){dom2} de {mon}(?: {year})?",
        ),
        Rule("year", "en (?:el )?(?:ano )?{year}"),
        Rule("year", "{year}", weak=True),
    ),
    hours=(
        "(?P<op>entre|de|desde)(?: las?)? {hw}(?: (?:y|a|hasta)(?: las?)? |{dash}){hw2}",
        "(?:(?P<op>a|sobre|despues de|antes de|desde|hasta) (?P<clock>las?) )?{h}",
    ),
    noon="mediodia",
    joiners="|a|al|por la|en la|de la|el",
    since="desde|desde el|desde la|a partir del?",
    until="hasta|hasta el|hasta la",
    before="antes del?|antes de la",
    after="despues del?|despues de la|tras",
    ranges=(("entre|entre el", "y|y el"), ("de|del|desde|desde el", "a|al|hasta|hasta el")),
    also="y|o|y en",
    refused="cada proximo proxima todos senor senora los",
    talk=r"\b(?:dije|dijiste|dijimos|hable|hablaste|hablamos|hablado|mencione|mencionaste|mencionamos|"
    r"pregunte|preguntaste|recomendaste|sugeriste|propusiste|explicaste|comente|comentaste|comentamos|"
    r"discutimos|conversamos|conversado|decidimos|acordamos|aconsejaste)\b"
    r"|\b(?:conversacion(?:es)?|mensajes?|charlas?)\b",
    asking="yo que cual cuales quien quienes cuando donde cuanto cuanta cuantos cuantas como he "
    "has fue era es son puedes podrias recuerdame",
    idle="algo de el en he hecho hice hicimos hago hacia la lo me mi nosotros nos paso pasado "
    "que se sobre todo trabaje y yo",
    year_words="(?:de|del) ",
)
