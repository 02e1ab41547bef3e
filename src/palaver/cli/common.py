"""What every command takes (`--home`, `--user` and so on), and how it reaches the library."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

from palaver.errors import HomeUnusable, NotFound

if TYPE_CHECKING:
    from asyncio import Runner
    from datetime import tzinfo

    from palaver.app import Palaver
    from palaver.ledger.files import Home
    from palaver.settings import Settings

SHARED_OPTIONS = ("--home", "--user", "--database-url", "--json")
LOCAL_USER = "local"
_NO_HOME = (
    "Correct --home, --user or PALAVER_HOME; `palaver chat` or `palaver serve` makes a new home."
)
_NO_USER = (
    "Correct --user or PALAVER_DATABASE_URL; `palaver chat` or `palaver serve` makes the user "
    "local, `palaver users add NAME` any other."
)
P = ParamSpec("P")
T = TypeVar("T")

HomeOption = Annotated[
    Path | None,
    typer.Option("--home", metavar="FOLDER", readable=False, help="The home. Default: ~/.palaver."),
]
UserOption = Annotated[
    str, typer.Option("--user", metavar="NAME", help="Whose conversations: a name or an id.")
]
DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        metavar="URL",
        help="A PostgreSQL database instead of files; better as PALAVER_DATABASE_URL.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document, nothing else.")]
ConversationArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The conversation, such as conv-01HQXK5J7G8M3N4P5R.")
]
MemoryArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The memory, such as mem-01HQXK5J7G8M3N4P5R.")
]


@dataclass(frozen=True, slots=True)
class Common:
    """The options every command takes."""

    home: Path | None = None
    user: str = LOCAL_USER
    json: bool = False
    database_url: str | None = None

    def resolved(self) -> Common:
        """The same with the id of the user instead of their name. Raises NotFound."""
        if self.user == LOCAL_USER:
            return self
        from palaver.accounts.names import is_id
        from palaver.engines import id_of

        return self if is_id(self.user) else replace(self, user=id_of(self.settings(), self.user))

    def settings(self, **overrides: object) -> Settings:
        from palaver.settings import Settings

        return Settings.load(self.home, database__url=self.database_url, **overrides)

    def folder(self) -> Home:
        """Where the files of the user lie; there may be none yet."""
        from palaver.app import home_of

        return home_of(self.settings().home, self.user)

    def existing(self) -> Home:
        """Where the files of the user lie. Raises HomeUnusable when there are none."""
        home = self.folder()
        if home.root.exists() and not home.root.is_dir():
            raise HomeUnusable(f"{home.root} is a file, not a folder.")
        if not any(path.exists() for path in _signs_of(home)):
            raise HomeUnusable(f"There is no home at {home.root}.", remedy=_NO_HOME)
        return home

    def check_user(self, *, create: bool = False) -> Settings:
        """The settings, for a user who is there, or the local one if `create` may make them.

        Raises HomeUnusable, NotFound, DatabaseUnusable, DatabaseTooNew.
        """
        settings = self.settings()
        if create and self.user == LOCAL_USER:
            return settings
        from palaver.engines import is_known

        if settings.database.url is not None:
            if not is_known(settings, self.user):
                raise NotFound(f"The database has no user {self.user}.", remedy=_NO_USER)
        elif self.user == LOCAL_USER or not is_known(settings, self.user):
            self.existing()  # somebody with an account may have said nothing yet
        return settings

    @contextmanager
    def opened(self, *, create: bool = False, stays: bool = False) -> Generator[Opened]:
        """What is kept, opened, and closed again afterwards; only `create` may make a new home. A
        command that `stays` digests conversations meanwhile; others would only begin to."""
        import asyncio

        from palaver.app import Palaver

        settings = self.check_user(create=create)
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            opening = Palaver.open(settings=settings, user=self.user, digests=stays)
            palaver = runner.run(stack.enter_async_context(opening))
            try:
                yield Opened(palaver, runner)
            finally:
                runner.run(stack.aclose())


@dataclass(frozen=True, slots=True)
class Opened:
    """An open home, and a way to wait for what it does."""

    palaver: Palaver
    runner: Runner

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    @property
    def zone(self) -> tzinfo:
        return self.palaver.zone()


def _signs_of(home: Home) -> tuple[Path, ...]:
    """What makes a folder a home: any of these."""
    from palaver.ledger.lines import USER_STREAM

    return home.conversations, home.accounts, home.config, home.stream(USER_STREAM)


def takes_common(command: Callable[Concatenate[Common, P], None]) -> Callable[..., None]:
    """Gives a command the options every command takes; it gets them as one `Common`, in which the
    user is an id."""

    @wraps(command)
    def resolved(common: Common, *args: P.args, **given: P.kwargs) -> None:
        command(common.resolved(), *args, **given)

    return takes_options(resolved)


def takes_options(command: Callable[Concatenate[Common, P], None]) -> Callable[..., None]:
    """The same with the user as they were named: which home or database knows them may depend on
    other options."""

    def called(
        *, home: Path | None, user: str, json: bool, database_url: str | None, **given: object
    ) -> None:
        command(Common(home, user, json, database_url), **given)  # pyright: ignore[reportCallIssue]

    called.__name__, called.__doc__ = command.__name__, command.__doc__
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, kind, default in (
            ("home", HomeOption, None),
            ("user", UserOption, LOCAL_USER),
            ("database_url", DatabaseOption, None),
            ("json", JsonOption, False),
        )
    ]
    called.__signature__ = inspect.Signature([*own, *shared])  # pyright: ignore[reportFunctionMemberAccess]
    return called
