"""`palaver memories audit`: how far what is remembered can be trusted, and one key to mend it."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, Opened, takes_common
from palaver.cli.output import one_line, say, say_json
from palaver.cli.waiting import wait_for_index

if TYPE_CHECKING:
    from palaver.memory.records import AuditFinding, AuditReport

_KINDS = {
    "junk": "not worth remembering",
    "duplicate": "said twice",
    "unsupported": "stands on words that are gone",
    "contradictory": "contradicted by a later one",
    "stale": "not used for half a year",
}
_FIXES = {
    "archive": "archive it",
    "merge": "keep the first, and let the others go",
    "forget": "forget it",
    "supersede": "let the later one take its place",
    "keep": "keep it, without its source",
}
_SAFE = ("archive", "merge", "supersede", "keep")
"""What takes nothing away that nobody has: an archived memory comes back, a duplicate says the
same, and what is replaced stays to be seen."""
_KEYS = {"y": "y", "n": "n", "\r": "n", "\n": "n", "a": "a", "q": "q", "\x04": "q", "": "q"}
_ASK = "Mend it? [y]es, [n]o, [a]ll of these, [q]uit "


@takes_common
def audit_memories(
    common: Common,
    fix: Annotated[
        bool,
        typer.Option("--fix", help="Mend everything that can be mended without losing anything."),
    ] = False,
) -> None:
    """Find junk, duplicates, contradictions, and what nobody uses or can prove. At a terminal, one
    key mends each."""
    with common.opened() as home:
        wait_for_index(home)
        report = home.run(home.palaver.memories.audit())
        safe = [one for one in report.findings if one.fix in _SAFE]
        if common.json:
            mended = _mend(home, safe) if fix else []
            shown = {"fixed": [one.to_json() for one in mended]} if fix else {}
            say_json(report.to_json() | shown)
            return
        _say_report(report)
        if fix:
            say(f"{len(_mend(home, safe))} of {len(report.findings)} mended.")
        elif report.findings and sys.stdin.isatty() and sys.stdout.isatty():
            _offer(home, report.findings)


def _say_report(report: AuditReport) -> None:
    looked_at = "1 memory was" if report.total == 1 else f"{report.total:,} memories were"
    say((f"{looked_at} looked at.", "bold"))
    shares = dict(report.shares)
    for kind, meaning in _KINDS.items():
        say(f"{shares[kind]:>7.1%}  {kind:<13}  ", (meaning, "dim"))
    for number, finding in enumerate(report.findings, 1):
        _say_finding(number, finding)
    if not report.findings:
        say("Nothing was found.")


def _say_finding(number: int, finding: AuditFinding) -> None:
    say()
    say((f"{number}. ", "bold"), f"{finding.kind}: {one_line(finding.reason)}")
    for memory in finding.memories:
        say((f"   {memory.id}  ", "dim"), one_line(memory.content))
    say((f"   To mend it: {_FIXES[finding.fix]}.", "dim"))


def _mend(home: Opened, findings: Iterable[AuditFinding]) -> list[AuditFinding]:
    """What was mended: some may not hold any more, once others are."""
    done: list[AuditFinding] = []
    for one in findings:
        done += home.run(home.palaver.memories.fix(one.kind, one.memory_ids)).fixed
    return done


def _offer(home: Opened, findings: Sequence[AuditFinding]) -> None:
    """Asks about each, one key each."""
    every: set[str] = set()
    mended = 0
    with _single_keys():
        for number, finding in enumerate(findings, 1):
            key = "y" if finding.kind in every else _asked(number, finding)
            if key == "q":
                break
            if key == "a":
                every.add(finding.kind)
            if key in ("y", "a"):
                mended += len(_mend(home, [finding]))
    say(f"{mended} of {len(findings)} mended.")


@contextmanager
def _single_keys() -> Generator[None]:
    """Keys are read as they are pressed, also those that were pressed before; Ctrl-C still ends
    it."""
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin, termios.TCSADRAIN)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _asked(number: int, finding: AuditFinding) -> str:
    """The key that was pressed: one of y, n, a and q."""
    _say_finding(number, finding)
    sys.stdout.write(_ASK)
    sys.stdout.flush()
    while True:
        pressed = os.read(sys.stdin.fileno(), 1).decode(errors="replace").lower()
        if key := _KEYS.get(pressed):
            say(key)
            return key
