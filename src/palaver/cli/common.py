"""What every command takes (`--home`, `--user`, `--json`), and how it reaches the library."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Generator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec, TypeVar

import typer

if TYPE_CHECKING:
    from asyncio import Runner
    from datetime import tzinfo

    from palaver.app import Palaver
    from palaver.ledger.files import Home
    from palaver.settings import Settings

SHARED_OPTIONS = ("--home", "--user", "--json")
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
    user: str = "local"
    json: bool = False

    def settings(self, **overrides: object) -> Settings:
        from palaver.settings import Settings

        return Settings.load(self.home, **overrides)

    def folder(self) -> Home:
        """Where the files of the user lie; there may be none yet."""
        from palaver.app import home_of

        return home_of(self.settings().home, self.user)

    @contextmanager
    def opened(self) -> Generator[Opened]:
        """The home, opened, and closed again afterwards."""
        import asyncio

        from palaver.app import Palaver

        settings = self.settings()
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
            ("user", UserOption, "local"),
            ("json", JsonOption, False),
        )
    ]
    called.__signature__ = inspect.Signature([*own, *shared])  # pyright: ignore[reportFunctionMemberAccess]
    return called
