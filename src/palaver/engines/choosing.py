"""Which engine: files unless a database is named. Nobody else asks."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from palaver.accounts import Accounts
from palaver.engines.embedded import EmbeddedEngine
from palaver.engines.loading import ModelLoader
from palaver.engines.port import Engine
from palaver.engines.users import check_user, home_of
from palaver.errors import NotFound
from palaver.jobs.work import Work
from palaver.ledger.files import Home
from palaver.settings import Settings
from palaver.times import Clock

_CREDENTIALS = 4
"""How many connections look after credentials: they never wait for those of conversations."""
_ADD = "`palaver users add {name}` adds them; `palaver users list` tells who there is."


def engine_of(
    settings: Settings,
    user: str,
    load: ModelLoader | None,
    clock: Clock,
    work: Sequence[Work] = (),
) -> Engine:
    """What keeps the conversations of a user; it is still closed. `work` is what others bring to be
    done. Raises BadValue."""
    if settings.database.url is None:
        home = home_of(settings.home, user)
        return EmbeddedEngine(home, user, load, clock, zone=settings.user.zone, work=work)
    from palaver.engines.background import Background
    from palaver.engines.postgres import PostgresEngine

    background = Background.of(settings)
    return PostgresEngine(
        settings.database.url, check_user(user), load, clock, background, work=work
    )


def open_accounts(settings: Settings) -> Accounts:
    """Who may do what: everybody in the home, or in the database.

    Raises HomeUnusable, DatabaseUnusable, DatabaseTooNew.
    """
    if settings.database.url is None:
        home = Home(settings.home)
        home.create()
        return Accounts.in_file(home.accounts)
    from palaver.accounts.postgres import PostgresRows
    from palaver.engines.databases import open_database

    return Accounts(PostgresRows(open_database(settings.database.url, size=_CREDENTIALS)))


@contextmanager
def existing_accounts(settings: Settings) -> Generator[Accounts | None]:
    """The same for somebody who only looks: None where there are none yet."""
    if settings.database.url is None and not Home(settings.home).accounts.exists():
        yield None
        return
    with closing(open_accounts(settings)) as accounts:
        yield accounts


def is_known(settings: Settings, user: str) -> bool:
    """Whether there is somebody with that id: in the database, or with an account in the home.

    Raises DatabaseUnusable, DatabaseTooNew.
    """
    if settings.database.url is not None:
        from palaver.engines.databases import has_user

        return has_user(settings.database.url, check_user(user))
    with existing_accounts(settings) as accounts:
        return accounts is not None and user in [known.id for known in accounts.users()]


def id_of(settings: Settings, name: str) -> str:
    """The id of somebody, by the name they sign in with. Raises NotFound, and as above."""
    with existing_accounts(settings) as accounts:
        if accounts is not None:
            return accounts.user_named(name).id
    raise NotFound(f"There is no user {name[:80]!r}.", remedy=_ADD.format(name=name[:80]))


def others_may_come(settings: Settings) -> bool:
    """Whether anybody has a password, so that a server can be open to other machines."""
    with existing_accounts(settings) as accounts:
        return accounts is not None and accounts.somebody_has_password()
