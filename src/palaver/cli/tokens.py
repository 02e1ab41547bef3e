"""`palaver tokens`: what programs show to use the API."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from palaver.cli.common import Common, takes_common
from palaver.cli.output import one_line, say, say_json

if TYPE_CHECKING:
    from datetime import datetime, tzinfo

    from palaver.accounts import Accounts, Token

app = typer.Typer(help="Create, list and revoke tokens for the API.", rich_markup_mode=None)


@app.command("create")
@takes_common
def create_token(
    common: Common,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SCOPE", help="What it may do; repeat it for more. Default: all but admin."
        ),
    ] = None,
    name: Annotated[str, typer.Option(metavar="NAME", help="What it is for.")] = "",
    expires: Annotated[
        str | None, typer.Option(metavar="DATE", help="When it ends. Default: never.")
    ] = None,
) -> None:
    """Create a token. It is shown this once."""
    from palaver.accounts import DEFAULT_SCOPES

    with _accounts(common, create=True) as accounts:
        made = accounts.create_token(
            common.user, name=name, scopes=scope or DEFAULT_SCOPES, expires=_moment(common, expires)
        )
    if common.json:
        say_json({"token": made.secret, **_as_json(made.token)})
    else:
        say(made.secret)


@app.command("list")
@takes_common
def list_tokens(common: Common) -> None:
    """List tokens, newest first."""
    with _accounts(common) as accounts:
        tokens = accounts.tokens(common.user)
    if common.json:
        say_json({"tokens": [_as_json(token) for token in tokens]})
        return
    zone = common.settings().user.zone
    for token in tokens:
        say((token.id, "dim"), f"  {_state(token)}", (f"  {_name(token)}", "bold"))
        say(f"    {_times(token, zone)}")
        say((f"    may: {' '.join(token.scopes)}", "dim"))
    if not tokens:
        say("There is no token.")


@app.command("revoke")
@takes_common
def revoke_token(
    common: Common,
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The token, such as tok-01HQ….")],
) -> None:
    """End a token for good."""
    with _accounts(common) as accounts:
        token = accounts.revoke_token(common.user, token_id)
    if common.json:
        say_json(_as_json(token))
    else:
        say("It is revoked.")


@contextmanager
def _accounts(common: Common, *, create: bool = False) -> Generator[Accounts]:
    from palaver.engines import open_accounts

    settings = common.settings()
    if not (create and settings.database.url):  # a first token makes its user there
        common.check_user(create=create)
    with closing(open_accounts(settings)) as accounts:
        yield accounts


def _moment(common: Common, text: str | None) -> datetime | None:
    from palaver.times import parse

    return parse(text, zone=common.settings().user.zone) if text else None


def _name(token: Token) -> str:
    return one_line(token.name) or "(no name)"


def _times(token: Token, zone: tzinfo) -> str:
    """When it was made and last used, and when it ends."""
    from palaver.portability.text import local_time

    used = f"last used {local_time(token.last_used, zone)}" if token.last_used else "never used"
    if token.revoked:
        ends = f"revoked {local_time(token.revoked, zone)}"
    else:
        ends = f"ends {local_time(token.expires, zone)}" if token.expires else "never ends"
    return f"created {local_time(token.created, zone)}, {used}, {ends}"


def _state(token: Token) -> str:
    from palaver.times import iso, system_clock

    if token.revoked:
        return "revoked"
    return "valid  " if token.valid(iso(system_clock())) else "ended  "


def _as_json(token: Token) -> dict[str, Any]:
    fields = asdict(token)
    fields["lastUsed"] = fields.pop("last_used")
    return fields
