"""`palaver copy`: everything of one user, from a home or a database to another."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from palaver.cli.common import Common, takes_options
from palaver.cli.output import say, say_json
from palaver.cli.showing import counted
from palaver.cli.waiting import progress

if TYPE_CHECKING:
    from palaver.portability.copy import Copied

_PLACE = "HOME_OR_URL"


@takes_options
def copy(
    common: Common,
    to: Annotated[
        str,
        typer.Option(
            metavar=_PLACE, help="A new home, or postgresql://… where the user has said nothing."
        ),
    ],
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar=_PLACE,
            help="What is copied. Default: the database that is set, or the home.",
        ),
    ] = None,
) -> None:
    """Copy everything a user ever said to another place, exactly as it is, and check it there.

    The source is not changed, and takes no messages meanwhile. A copy that was interrupted goes on
    when it is run again; until it is finished, the place it goes to cannot be used. Index and
    vectors are not copied: they are made again there. Nor are accounts, settings and models.
    """
    from palaver.cli.ends import Place, resolved
    from palaver.portability.copy import copy as copy_everything

    common = resolved(common, from_)
    source, target = Place.of(from_, common), Place.of(to, common)
    with ExitStack() as stack:
        sender, receiver = source.sender(stack), target.receiver(stack)
        with progress("Copying") as advance:
            copied = copy_everything(sender, receiver, advance)
    _report(common, copied, source.shown, target.shown)


def _report(common: Common, copied: Copied, source: str, target: str) -> None:
    lines = sum(seen.lines for seen in copied.streams.values())
    size = sum(seen.size for seen in copied.streams.values())
    damage = sum(item.damage for item in copied.findings)
    if common.json:
        document = {
            "from": source,
            "to": target,
            "user": common.user,
            "streams": len(copied.streams),
            "lines": lines,
            "bytes": size,
            "verified": True,
            "resumed": copied.resumed,
            "damage": damage,
            "left": copied.left,
        }
        say_json(document)
        return
    say(f"Copied and checked: {counted(lines, 'line')}, {counted(size, 'byte')}.")
    say(f"From {source}")
    say(f"To   {target}")
    if damage:
        say(f"{counted(damage, 'problem')} copied as found; `palaver verify` names the places.")
    for file in copied.left:
        say(f"Not copied, because it is not a conversation: {file}")
