"""`palaver doctor`: can Palaver work here, and what to do if it cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import say, say_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from palaver.cli.checks import Check
    from palaver.settings import Settings

_STYLES = {"ok": "green", "warn": "yellow", "fail": "red"}


@takes_common
def doctor(common: Common) -> None:
    """Check that Palaver can work here. Says what to do if it cannot."""
    checks = list(_checks(common))
    if common.json:
        say_json({"checks": [check.to_json() for check in checks]})
    else:
        for check in checks:
            _say_check(check)
        say(("It does not read every line: `palaver verify` does.", "dim"))
    if any(check.status == "fail" for check in checks):
        raise typer.Exit(1)


def _checks(common: Common) -> Iterator[Check]:
    from palaver.cli.channel_checks import check_channels

    settings = common.settings()
    yield from _of_storage(common, settings)
    yield from check_channels(settings.channels)


def _of_storage(common: Common, settings: Settings) -> Iterator[Check]:
    from palaver.cli import checks
    from palaver.ledger.files import Home

    models = Home(settings.home).models
    if settings.database.url is None:
        yield from checks.check_everything(common.folder(), models, settings)
        return
    from palaver.cli import database_checks

    yield from database_checks.check_everything(settings, models)


def _say_check(check: Check) -> None:
    say((f"{check.status:<4}", _STYLES[check.status]), f"  {check.name}: {check.message}")
    if check.remedy:
        say(f"      {check.remedy}")
