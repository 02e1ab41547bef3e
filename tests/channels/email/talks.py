"""Threads of mail between the owner and the agent, as different mail programs carry them on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from random import Random

from palaver.channels.email.writing import letter
from palaver.channels.port import Outgoing, Received
from tests.channels.email.mails import NOW, OWN, OWNER, SERVER, read

GOOD = f"Authentication-Results: {SERVER}; spf=pass smtp.mailfrom={OWNER}"
FORGOTTEN = timedelta(days=30)

SUBJECTS = [
    "Lunch",
    "Invoice 2026/14",
    "Reise nach Köln",
    "Réunion demain",
    "会議",
    "Your order #77",
]
PREFIXES = [
    "Re: ",
    "RE: ",
    "AW: ",
    "Antw: ",
    "SV: ",
    "Rif: ",
    "Res: ",
    "RE : ",
    "回复：",
    "Re[2]: ",
]

Style = Callable[[str, Sequence[str]], list[str]]
"""What a program writes when it answers a mail: of its id, and of all before it."""


def _ids(ids: Sequence[str], between: str = " ") -> str:
    return between.join(f"<{one}>" for one in ids)


STYLES: dict[str, Style] = {
    "complete": lambda last, before: [
        f"In-Reply-To: <{last}>",
        f"References: {_ids([*before, last])}",
    ],
    "folded": lambda last, before: [
        f"In-Reply-To:\r\n\t<{last}>",
        f"References: {_ids([*before, last], chr(13) + chr(10) + chr(9))}",
    ],
    "only the answered one": lambda last, before: [f"In-Reply-To: <{last}>"],
    "only references": lambda last, before: [f"References: {_ids([*before, last])}"],
    "the last two": lambda last, before: [
        f"In-Reply-To: <{last}>",
        f"References: {_ids([*before, last][-2:])}",
    ],
    "the first and the last": lambda last, before: [f"References: {_ids([*before[:1], last])}"],
    "with words": lambda last, before: [
        f'In-Reply-To: Your message of "Mon, 2 Mar 2026 08:00" <{last}>',
    ],
    "with a comment": lambda last, before: [f"In-Reply-To: <{last}> (owner's message)"],
    "without brackets": lambda last, before: [f"In-Reply-To: {last}"],
    "broken inside": lambda last, before: [
        f"References: <{last[:8]}\r\n {last[8:]}>",
    ],
    "commas": lambda last, before: [f"References: {_ids([*before, last], ', ')}"],
    "strangers among them": lambda last, before: [
        "In-Reply-To: <lost@nowhere.test>",
        f"References: <first@nowhere.test> {_ids(before)} <{last}> <lost@nowhere.test>",
    ],
    "the last one is lost": lambda last, before: [
        "In-Reply-To: <rewritten@gateway.test>",
        f"References: {_ids(before)} <rewritten@gateway.test>",
    ],
    "nothing at all": lambda last, before: [],
    "nothing but strangers": lambda last, before: ["In-Reply-To: <rewritten@gateway.test>"],
}


@dataclass
class Router:
    """Which thread a mail belongs to, as `docs/explanation/channels.md` has it."""

    known: dict[str, str] = field(default_factory=dict[str, str])
    """The thread of every id."""
    last: dict[str, tuple[str, str, datetime]] = field(
        default_factory=dict[str, tuple[str, str, datetime]]
    )
    """Of each thread its subject, whom it is with, and when something was last said."""

    def route(self, mail: Received, now: datetime) -> str:
        named = (self.known.get(one) for one in (mail.answers or "", *mail.thread))
        thread = next((one for one in named if one), None) or self._by_subject(mail, now)
        thread = thread or mail.id
        self.note(mail.id, thread, str(mail.details["subjectKey"]), mail.sender.id, now)
        return thread

    def _by_subject(self, mail: Received, now: datetime) -> str | None:
        if not mail.details["replyPrefix"] or mail.proof != "proven":
            return None
        alike = [
            (when, thread)
            for thread, (subject, whom, when) in self.last.items()
            if subject == mail.details["subjectKey"]
            and whom == mail.sender.id
            and now - when <= FORGOTTEN
        ]
        return max(alike)[1] if alike else None

    def note(self, sent: str, thread: str, subject: str, whom: str, now: datetime) -> None:
        self.known[sent] = thread
        self.last[thread] = (subject, whom, now)


@dataclass(frozen=True)
class Step:
    """One mail of the owner, and the thread that it really belongs to."""

    raw: bytes
    talk: int
    when: datetime
    style: str


def talks(number: int, seed: int) -> Iterator[tuple[list[Step], Router, list[str]]]:
    """Threads one after the other, each with its steps, routed by one router."""
    random = Random(seed)
    router = Router()
    when = NOW - timedelta(days=400)
    for talk in range(number):
        when += timedelta(hours=random.randint(1, 30))
        steps: list[Step] = []
        routed: list[str] = []
        subject = f"{random.choice(SUBJECTS)} {random.choice(['', talk])}".strip()
        before: list[str] = []
        for count in range(random.randint(2, 6)):
            when += timedelta(hours=random.randint(1, 48))
            own_id = f"{random.randbytes(6).hex()}.{talk}.{count}@mail.example.com"
            style = random.choice(list(STYLES)) if count else "new"
            fields = STYLES[style](before[-1], before[:-1]) if count else []
            shown = f"{random.choice(PREFIXES)}{subject}" if count else subject
            if style == "complete" and random.random() < 0.2:
                shown = f"Something else (was: {subject})"
            step = Step(_mail(own_id, shown, fields, when), talk, when, style)
            got = read(step.raw)
            thread = router.route(got, when)
            steps.append(step)
            routed.append(thread)
            sent = _answered(got, f"msg-{talk}-{count}", when)
            router.note(sent, thread, str(got.details["subjectKey"]), OWNER, when)
            before += [got.id, sent]
        yield steps, router, routed


def _answered(got: Received, own: str, when: datetime) -> str:
    """The agent answers; gives the id of its mail."""
    answer = Outgoing(own, got.place, "Yes.", answers=got.id, details=got.details)
    return letter(answer, OWN, when).id


def _mail(own_id: str, subject: str, fields: list[str], when: datetime) -> bytes:
    lines = [
        GOOD,
        f"From: Owner <{OWNER}>",
        f"To: {OWN}",
        f"Subject: {subject}",
        f"Message-ID: <{own_id}>",
        f"Date: {format_datetime(when)}",
        *fields,
    ]
    return ("\r\n".join(lines) + "\r\n\r\nHello\r\n").encode()
