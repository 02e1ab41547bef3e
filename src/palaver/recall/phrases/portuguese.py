"""Portuguese words of time."""

from palaver.recall.phrases.language import Language, Rule

PORTUGUESE = Language(
    months="janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro "
    "dezembro",
    weekdays="segunda-feira|segunda terca-feira|terca quarta-feira|quarta quinta-feira|quinta "
    "sexta-feira|sexta sabado domingo",
    units={
        "minute": "minuto minutos",
        "hour": "hora horas",
        "day": "dia dias",
        "week": "semana semanas",
        "weekend": "fim_de_semana fins_de_semana",
        "month": "mes meses",
        "year": "ano anos",
    },
    numbers="um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze",
    days={"anteontem": -2, "ontem": -1, "hoje": 0},
    parts={
        "manha": (4, 12),
        "tarde": (12, 19),
        "noite": (17, 30),
    },
    moments={
        "esta manha": (0, 4, 12),
        "hoje de manha": (0, 4, 12),
        "esta tarde": (0, 12, 19),
        "esta noite": (0, 17, 30),
        "ontem a noite": (-1, 17, 30),
        "a noite passada": (-1, 17, 30),
    },
    rules=(
        Rule("day", "{day}"),
        Rule("part", "{moment}"),
        Rule("ago", "(?:ha|faz) {n} {unit}(?: atras)?"),
        Rule("ago", "{n} {unit} atras"),
        Rule("trailing", "(?:n?[oa]s )?ultim[oa]s {n} {unit}"),
        Rule("last", "(?:n?[oa] )?{span} passad[oa]"),
        Rule("last", "(?:n?[oa] )?ultim[oa] {span}"),
        Rule("this", "(?:n?est[ea]) {span}"),
        Rule("weekday", "(?:n?[oa] )?{weekday} passad[oa]"),
        Rule("weekday", "n[oa] (?:ultim[oa] )?{weekday}(?<!da)(?<!ta)(?<!ca)"),
        Rule("weekday", "{weekday}(?<!da)(?<!ta)(?<!ca)", weak=True),
        Rule("past_month", "(?:em )?{month} passado"),
        Rule("month", "(?:em|no mes de|no inicio de|no fim de) {month}(?: {year})?"),
        Rule("month", "{mon} {year}"),
        Rule("month", "{month}", weak=True),
        Rule("date", "{wd}(?:em |no dia |dia |a )?{dom} de {mon}(?: {year})?"),
        Rule(
            "date",
            "(?:de |entre )?(?:o )?(?:dia )?{dom}(?: a | e (?:o )?|{dash}){dom2} de {mon}"
            "(?: {year})?",
        ),
        Rule("year", "em {year}"),
        Rule("year", "{year}", weak=True),
    ),
    hours=(
        "(?P<op>entre|das?|de)(?: as)? {hw}(?: e(?: as)? | as | a |{dash}){hw2}",
        "(?:(?P<clock>(?P<op>as|pelas|depois das|antes das|desde as|ate as)) )?{h}",
    ),
    noon="meio-dia",
    joiners="|a|as|de|da|pela|em|na|no",
    since="desde|desde o|desde a|a partir de",
    until="ate|ate o|ate a",
    before="antes de|antes do|antes da|antes das",
    after="depois de|depois do|depois da|depois das|apos",
    ranges=(("entre|entre o|entre a", "e|e o|e a"), ("de|desde", "a|ate")),
    also="e|ou|e em",
    refused="cada proximo proxima todos todas toda todo senhor senhora",
    talk=r"\b(?:disse|disseste|dissemos|falei|falamos|falaste|falou|falado|mencionei|mencionamos|perguntei|"
    r"recomendaste|recomendou|sugeriste|sugeriu|propuseste|explicaste|explicou|comentei|comentamos|"
    r"discutimos|conversamos|conversado|decidimos|combinamos)\b"
    r"|\b(?:conversas?|mensagens|mensagem)\b",
    asking="eu que qual quais quem quando onde porque como quanto quanta quantos quantas fui foi "
    "era e sao pode podes lembra",
    idle="a aconteceu algo de em estava eu fiz fizemos fazendo me nos o que se sobre trabalhei "
    "tudo",
    year_words="(?:de|do) ",
)
