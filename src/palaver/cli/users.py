"""`palaver users`: those who share a server, each with conversations of their own."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from palaver.cli.common import LOCAL_USER, Common, takes_common
from palaver.cli.output import note, one_line, say, say_json
from palaver.errors import BadText, InputError

if TYPE_CHECKING:
    from datetime import tzinfo

    from palaver.accounts import Accounts, User

app = typer.Typer(help="Add, list and remove those who share a server.", rich_markup_mode=None)
NameArgument = Annotated[
    str, typer.Argument(metavar="NAME", help="What they sign in with, such as ann.")
]
StdinOption = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from standard input.")
]


@app.command("add")
@takes_common
def add_user(common: Common, name: NameArgument, password_stdin: StdinOption = False) -> None:
    """Add a user. Asks for a password; without a terminal and without --password-stdin there is
    none, and they can be given tokens only."""
    with _accounts(common, create=True) as accounts:
        accounts.check_free(name)
        user = accounts.add_user(name, _password(password_stdin))
    if common.json:
        say_json(_as_json(user))
        return
    say(f"{one_line(user.name)} is added, as {user.id}.")
    if not user.has_password:
        say("There is no password, so they cannot sign in by one:")
        say(f"  palaver tokens create --user {user.id}    makes a token for them,")
        say(f"  palaver users password {user.id}    gives them a password.")


@app.command("list")
@takes_common
def list_users(common: Common) -> None:
    """List users: the owner first, then those who came first."""
    with _accounts(common) as accounts:
        users = accounts.users()
    if common.json:
        say_json({"users": [_as_json(user) for user in users]})
        return
    zone = common.settings().user.zone
    for user in users:
        say((user.id, "dim"), (f"  {one_line(user.name)}", "bold"), f"  {_state(user, zone)}")


@app.command("password")
@takes_common
def set_password(common: Common, name: NameArgument, password_stdin: StdinOption = False) -> None:
    """Give a user another password. It signs them out everywhere; their tokens stay."""
    with _accounts(common, create=True) as accounts:
        user = accounts.user_named(name)
        password = _password(password_stdin)
        if password is None:
            raise InputError(
                "Nobody is there to type a password, so nothing was changed.",
                remedy="Add --password-stdin and give it on standard input.",
            )
        accounts.set_password(user.id, password)
    if common.json:
        say_json(_as_json(replace(user, has_password=True)))
    else:
        say(f"{one_line(user.name)} has another password, and is signed out everywhere.")


@app.command("remove")
@takes_common
def remove_user(common: Common, name: NameArgument) -> None:
    """Remove a user: nothing they sign in with works any more. What they said is kept."""
    with _accounts(common) as accounts:
        user = accounts.remove_user(name)
    kept = _kept(common, user)
    if common.json:
        say_json({**_as_json(user), "kept": kept})
        return
    say(
        f"{one_line(user.name)} is removed: no password, token or browser of theirs opens anything."
    )
    if kept is None:
        say(f"What they said is kept in the database, under {user.id}. To erase it, delete their")
        say(f"conversations: `palaver conversations delete ID --user {user.id}`.")
    else:
        say(f"What they said is kept in {kept}. To erase it, stop Palaver and delete that folder.")


@contextmanager
def _accounts(common: Common, *, create: bool = False) -> Generator[Accounts]:
    from palaver.engines import open_accounts

    settings = common.settings()
    if settings.database.url is None and not create:
        replace(common, user=LOCAL_USER).existing()
    with closing(open_accounts(settings)) as accounts:
        yield accounts


def _password(from_stdin: bool) -> str | None:
    """What somebody types twice, or what comes in; None when nobody is there. Raises InputError."""
    if from_stdin:
        return _line_of_stdin()
    if not sys.stdin.isatty():
        return None
    from getpass import getpass

    from palaver.accounts.passwords import check_password

    note("The password has at least 8 characters. It is not shown.")
    try:
        password = check_password(getpass("Password: ", stream=sys.stderr))
        again = getpass("Again: ", stream=sys.stderr)
    except EOFError:  # somebody pressed Ctrl-D instead
        raise InputError("No password was typed, so nothing was changed.") from None
    if again != password:
        raise InputError("These were two different passwords, so nothing was changed.")
    return password


def _line_of_stdin() -> str:
    """Without the end of the line, which `echo` adds."""
    try:
        text = sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise BadText("The password is not UTF-8.") from None
    return text.removesuffix("\n").removesuffix("\r")


def _kept(common: Common, user: User) -> str | None:
    """The folder with what somebody said; None in a database."""
    from palaver.engines import home_of

    settings = common.settings()
    return None if settings.database.url else str(home_of(settings.home, user.id).root)


def _state(user: User, zone: tzinfo) -> str:
    from palaver.portability.text import local_time

    has = "has a password" if user.has_password else "has no password"
    return f"{has}, added {local_time(user.created, zone)}" if user.created else has


def _as_json(user: User) -> dict[str, Any]:
    return {
        "id": user.id,
        "name": user.name,
        "created": user.created,
        "hasPassword": user.has_password,
    }
