"""Mail that no person wrote to us: it is kept, and never answered."""

from __future__ import annotations

import re

from palaver.channels.email.headers import Header
from palaver.channels.email.threads import message_id
from palaver.channels.port import Person

LOOP = "x-palaver-loop"
"""The field that says that we wrote a mail. Its value is our address."""

MARK = "palaver."
"""How the ids of our own mails begin."""

_BULK = ("bulk", "list", "junk", "auto_reply", "auto-reply")
_LISTS = (
    "list-id",
    "list-unsubscribe",
    "list-post",
    "list-help",
    "list-subscribe",
    "list-owner",
    "list-archive",
    "mailing-list",
    "x-mailing-list",
)
_MACHINES = re.compile(
    r"(?:mailer-?daemon|postmaster|bounces?|no-?reply|do-?not-?reply|donotreply|nobody|noreply"
    r"|listserv|majordomo|auto-?reply|autoresponder)(?:[-+._=].{0,200})?"
    r"|.{0,100}[-+._](?:no-?reply|donotreply|do-not-reply|bounces?)"
    r"|.{0,100}-(?:request|owner)"
)
_AWAY = re.compile(
    r"(?:automatic reply|auto(?:matic)?[ -]?(?:response|reply)|out of (?:the )?office|abwesen"
    r"|automatische antwort|réponse automatique|absence du bureau|respuesta automática"
    r"|fuera de la oficina|risposta automatica|fuori sede|resposta automática|fora do escritório"
    r"|automatisch antwoord|afwezig|on vacation|undeliver|delivery status notification"
    r"|mail delivery (?:failed|failure|subsystem)|returned mail|unzustellbar|非送达|自动回复)",
    re.IGNORECASE,
)


def why_unanswerable(header: Header, sender: Person | None, own: str) -> str | None:
    """Why a mail is never answered, or None if it may be."""
    if sender is None:
        return "Nobody knows who sent it."
    return _own(header, sender, own) or _automatic(header, sender) or _listed(header)


def _own(header: Header, sender: Person, own: str) -> str | None:
    """What we wrote has come back."""
    domain = own.rpartition("@")[2]
    ours = message_id(header.text("message-id")) or ""
    if sender.id == own or own in (header.word(LOOP), header.word("x-loop")):
        return "The agent wrote it itself."
    if header.all(LOOP):
        return "Another agent wrote it."
    if ours.startswith(MARK) and ours.endswith(f"@{domain}"):
        return "The agent wrote it itself."
    return None


def _automatic(header: Header, sender: Person) -> str | None:
    submitted = header.word("auto-submitted")
    suppressed = header.word("x-auto-response-suppress")
    if submitted not in ("", "no") or suppressed not in ("", "none"):
        return "It was written by a machine."
    if any(header.all(name) for name in ("x-autoreply", "x-autorespond", "x-autoresponse")):
        return "It is an automatic reply."
    reported = header.word("content-type").startswith(("multipart/report", "message/"))
    if reported or header.raw("return-path").replace(b" ", b"") == b"<>":
        return "It is a report about delivery."
    if _MACHINES.fullmatch(sender.id.rpartition("@")[0].strip('"')):
        return "Its sender takes no replies."
    replies = header.raw("in-reply-to") or header.raw("references")
    if replies and _AWAY.match(header.text("subject")[:200].strip()):
        return "It is an automatic reply."
    return None


def _listed(header: Header) -> str | None:
    if header.word("precedence") in _BULK:
        return "It was sent to many."
    if any(header.all(name) for name in _LISTS):
        return "It came by a mailing list."
    return None
