"""`palaver verify` and `palaver rebuild`: is it still what was said; make the index again."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import say, say_json
from palaver.cli.showing import counted
from palaver.cli.waiting import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from palaver.index.records import Health
    from palaver.ledger.port import Finding


@takes_common
def verify(common: Common) -> None:
    """Read every line and every row, and say what is wrong. Changes nothing."""
    with progress("Reading every line"):
        found = _findings(common)
    damage = sum(finding.damage for finding in found)
    if common.json:
        say_json({"damage": damage, "findings": [asdict(finding) for finding in found]})
    else:
        _say_findings(found, damage)
    if damage:
        raise typer.Exit(1)


def _findings(common: Common) -> list[Finding]:
    """Those of a home as its files lie there; a database is read through the library."""
    if common.settings().database.url is None:
        from palaver.cli.verifying import findings

        return findings(common.existing())
    with common.opened() as home:
        return home.run(home.palaver.verify())


@takes_common
def rebuild(common: Common) -> None:
    """Make the index again from the ledger."""
    with common.opened() as home, progress("Building the index") as advance:

        def tell(health: Health) -> None:
            advance(health.done, health.total)

        home.run(home.palaver.rebuild(tell))
        health = home.palaver.health()
    if common.json:
        say_json(health.to_json())
    elif health.lost:
        _say_lost(health.lost)
    else:
        say(health.detail)
    if health.lost:
        raise typer.Exit(1)


def _say_lost(streams: Sequence[str]) -> None:
    say("The index was made again, but lines are missing from the ledger:")
    for stream in streams:
        say(f"  {stream}")
    say("Restore these files from a backup; `palaver verify` says what is missing.")


def _say_findings(found: list[Finding], damage: int) -> None:
    for finding in found:
        style = "red" if finding.damage else "dim"
        say((_place(finding), style), f": {finding.message}")
    if damage:
        say(f"{counted(damage, 'problem')} found. What can still be read was left as it is.")
    else:
        say("Everything is as it was written.")


def _place(finding: Finding) -> str:
    line = f":{finding.line}" if finding.line is not None else ""
    offset = f" (byte {finding.offset})" if finding.offset is not None else ""
    return f"{finding.file}{line}{offset}"
