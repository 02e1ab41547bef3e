"""Which engine: files unless a database is named. Nobody else asks."""

from __future__ import annotations

from collections.abc import Sequence

from palaver.accounts import Accounts
from palaver.engines.embedded import EmbeddedEngine
from palaver.engines.loading import ModelLoader
from palaver.engines.port import Engine
from palaver.engines.users import check_user, home_of
from palaver.jobs.work import Work
from palaver.settings import Settings
from palaver.times import Clock

_CREDENTIALS = 4
"""How many connections look after credentials: they never wait for those of conversations."""


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


def open_accounts(settings: Settings, user: str) -> Accounts:
    """Who may do what: those of the user's home, or of everybody in the database.

    Raises BadValue, HomeUnusable, DatabaseUnusable, DatabaseTooNew.
    """
    home = home_of(settings.home, user)
    if settings.database.url is None:
        home.create()
        return Accounts.in_file(home.accounts)
    from palaver.accounts.postgres import PostgresRows
    from palaver.engines.databases import open_database

    return Accounts(PostgresRows(open_database(settings.database.url, size=_CREDENTIALS)))


def is_known(settings: Settings, user: str) -> bool:
    """Whether the database has somebody of that name. Raises DatabaseUnusable, DatabaseTooNew."""
    from palaver.engines.databases import has_user

    return settings.database.url is not None and has_user(settings.database.url, check_user(user))
