"""What every command takes (`--home`, `--user`, `--json`), and how it reaches the library."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

from palaver.errors import HomeUnusable

if TYPE_CHECKING:
    from asyncio import Runner
    from datetime import tzinfo

    from palaver.app import Palaver
    from palaver.ledger.files import Home
    from palaver.settings import Settings

SHARED_OPTIONS = ("--home", "--user", "--json")
LOCAL_USER = "local"
_NO_HOME = (
    "Correct --home, --user or PALAVER_HOME; `palaver chat` or `palaver serve` makes a new home."
)
P = ParamSpec("P")
T = TypeVar("T")

HomeOption = Annotated[
    Path | None,
    typer.Option("--home", metavar="FOLDER", readable=False, help="The home. Default: ~/.palaver."),
]
UserOption = Annotated[str, typer.Option("--user", metavar="NAME", help="Whose conversations.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document, nothing else.")]
ConversationArgument = Annotated[
    str, typer.Argument(metavar="ID", help="The conversation, such as conv-01HQXK5J7G8M3N4P5R.")
]


@dataclass(frozen=True, slots=True)
class Common:
    """The options every command takes."""

    home: Path | None = None
    user: str = LOCAL_USER
    json: bool = False

    def settings(self, **overrides: object) -> Settings:
        from palaver.settings import Settings

        return Settings.load(self.home, **overrides)

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

    def creatable(self) -> Home:
        """The same, but the home of the local user may be made. Raises HomeUnusable."""
        return self.folder() if self.user == LOCAL_USER else self.existing()

    @contextmanager
    def opened(self, *, create: bool = False) -> Generator[Opened]:
        """The home, opened, and closed again afterwards; only `create` may make a new one."""
        import asyncio

        from palaver.app import Palaver

        settings = self.settings()
        (self.creatable if create else self.existing)()
        with asyncio.Runner() as runner:
            stack = AsyncExitStack()
            opening = Palaver.open(settings=settings, user=self.user)
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
        return self.palaver.settings.user.zone


def _signs_of(home: Home) -> tuple[Path, ...]:
    """What makes a folder a home: any of these."""
    from palaver.ledger.lines import USER_STREAM

    return home.conversations, home.accounts, home.config, home.stream(USER_STREAM)


def takes_common(command: Callable[Concatenate[Common, P], None]) -> Callable[..., None]:
    """Gives a command the options every command takes; it gets them as one `Common`."""

    def called(*, home: Path | None, user: str, json: bool, **given: object) -> None:
        command(Common(home, user, json), **given)  # pyright: ignore[reportCallIssue]

    called.__name__, called.__doc__ = command.__name__, command.__doc__
    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
        for name, kind, default in (
            ("home", HomeOption, None),
            ("user", UserOption, LOCAL_USER),
            ("json", JsonOption, False),
        )
    ]
    called.__signature__ = inspect.Signature([*own, *shared])  # pyright: ignore[reportFunctionMemberAccess]
    return called
