"""The phrases by which mail programs say that something was written before, or how it is signed.

English, German, French, Spanish, Italian, Portuguese and Dutch, and some of others.
"""

from __future__ import annotations

import re

_OPENING = ("on", "am", "le", "el", "il", "em", "op", "den", "w dniu", "dne", "no dia", "a", "at")
OPENERS = (*(f"{word} " for word in _OPENING), "1", "2")
"""How the line begins that says who wrote what follows, in small letters."""
CLOSERS = re.compile(
    r"\b(?:wrote|writes|schrieb|geschrieben|a écrit|escribió|ha scritto|scrive|escreveu|schreef"
    r"|geschreven|skrev|pisze|napisał|napisała|napsal|пишет|написал|написала)\b"
    r"|写道|のメール|님이 작성",
    re.IGNORECASE,
)
"""What stands in it."""
BEGINNINGS = (
    "original message",
    "original appointment",
    "ursprüngliche nachricht",
    "original-nachricht",
    "originalnachricht",
    "message d'origine",
    "message d\u2019origine",
    "message original",
    "mensaje original",
    "messaggio originale",
    "mensagem original",
    "oorspronkelijk bericht",
    "oorspronkelijke bericht",
    "ursprungligt meddelande",
    "forwarded message",
    "forwarded by",
    "begin forwarded message",
    "weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht",
    "weitergeleitet von",
    "message transféré",
    "message réexpédié",
    "début du message",
    "mensaje reenviado",
    "inicio del mensaje reenviado",
    "messaggio inoltrato",
    "inizio messaggio inoltrato",
    "inizio del messaggio inoltrato",
    "mensagem encaminhada",
    "mensagem reencaminhada",
    "início da mensagem",
    "doorgestuurd bericht",
    "begin doorgestuurd bericht",
    "пересылаемое сообщение",
    "исходное сообщение",
    "原始邮件",
    "转发邮件",
)
"""What a line says after which everything was written before."""

_FROM_WORDS = "from von de da van från fra od от 发件人 差出人 보낸사람"
_FIELD_WORDS = """
sent date to cc bcc subject reply-to gesendet datum an kopie betreff envoyé à objet enviado enviada
fecha para asunto inviato data a oggetto verzonden aan onderwerp assunto skickat till ämne sendt til
emne wysłano do temat дата кому тема 发送时间 收件人 主题 送信日時 宛先 件名 importance priority
antwort antworten wichtigkeit
"""
FROM = frozenset(_FROM_WORDS.split())
"""The first line of a header that stands in a text."""
FIELDS = frozenset(_FIELD_WORDS.split())
"""The others."""

DEVICES = re.compile(
    r"(?:sent (?:from|via|with|using) (?:my |the |yahoo|outlook|mail|proton|gmail|samsung|a )"
    r"|sent from (?:iphone|ipad|android)"
    r"|von meinem .{1,40} gesendet|gesendet (?:von|mit|via|aus) |diese nachricht wurde von mein"
    r"|envoyé (?:de|depuis|à partir de) |enviado (?:desde|do|de|a partir do) |inviato (?:da|dal) "
    r"|verzonden (?:vanaf|met|vanuit|via) |verstuurd vanaf |skickat från min|sendt fra min"
    r"|get outlook for |outlook für .{1,20} (?:beziehen|herunterladen)|holen sie sich outlook"
    r"|obtenez outlook|télécharger outlook|obtener outlook|scarica outlook|ottieni outlook"
    r"|obter o outlook|outlook voor .{1,20} downloaden)",
    re.IGNORECASE,
)
"""What a telephone puts below everything."""
