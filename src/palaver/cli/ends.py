"""The places a copy goes from and to: a home or a database, told apart by how they are written."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from palaver.cli.common import Common
from palaver.errors import BadValue, NotFound

if TYPE_CHECKING:
    from palaver.ledger.receiving import Receiver, Sender
    from palaver.postgres import Pool

_LIKE_AN_ADDRESS = re.compile("postgres[a-z]*:")
_SCHEMES = ("postgresql", "postgres")
_FORM = "Write postgresql://user@host:5432/database, with special characters as %40 and the like."


@dataclass(frozen=True, slots=True)
class Place:
    """One end of a copy."""

    common: Common
    url: str | None
    shown: str
    """How it is told to people: without a password."""

    @classmethod
    def of(cls, written: str | None, common: Common) -> Place:
        """Raises BadValue."""
        if written is None:
            written = common.settings().database.url
        if written and _is_address(written):
            return cls(common, written, _without_password(written))
        chosen = common if written is None else replace(common, home=Path(written))
        return cls(chosen, None, str(chosen.folder().root))

    def sender(self, stack: ExitStack) -> Sender:
        """Opens it to be read. Raises HomeUnusable, DatabaseUnusable, NotFound."""
        if self.url is None:
            from palaver.ledger.files import FileStore
            from palaver.ledger.files.sending import FileSender

            return FileSender(FileStore(self.common.existing()), self.common.user)
        from palaver.ledger.postgres.sending import PostgresSender

        return PostgresSender(_pool(self.url, stack, create=False), self.common.user)

    def receiver(self, stack: ExitStack) -> Receiver:
        """Opens it to be filled; makes it if it is not there. The same errors."""
        if self.url is None:
            from palaver.ledger.files import FileStore
            from palaver.ledger.files.receiving import FileReceiver

            home = self.common.folder()
            home.create()
            return FileReceiver(FileStore(home))
        from palaver.ledger.postgres.receiving import PostgresReceiver

        return PostgresReceiver(_pool(self.url, stack, create=True), self.common.user)


def resolved(common: Common, written: str | None) -> Common:
    """The user by their id, as the place knows them that a copy goes from. Raises NotFound."""
    from palaver.accounts.names import is_id
    from palaver.engines import id_of
    from palaver.settings import DatabaseSettings

    if written is None or is_id(common.user):
        return common.resolved()
    settings = common.settings()
    if _is_address(written):
        there = settings.moved(database_url=written)
    else:
        there = settings.moved(home=written).model_copy(update={"database": DatabaseSettings()})
    return replace(common, user=id_of(there, common.user))


def _is_address(written: str) -> bool:
    return bool(_LIKE_AN_ADDRESS.match(written)) or "://" in written


def _pool(url: str, stack: ExitStack, *, create: bool) -> Pool:
    from palaver.postgres import Pool, is_set_up, migrate

    pool = Pool(url)
    stack.callback(pool.close)
    pool.open()
    if not (create or is_set_up(pool)):
        raise NotFound("Nothing of Palaver is in that database.", remedy="Correct --from.")
    migrate(pool)
    return pool


def _without_password(url: str) -> str:
    """The address without what nobody is to see. Raises BadValue, which does not repeat it."""
    from palaver.settings import is_ambiguous

    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise BadValue("The address of the database cannot be read.", remedy=_FORM) from None
    if parts.scheme not in _SCHEMES or "://" not in url or is_ambiguous(url):
        raise BadValue("The address of the database cannot be read.", remedy=_FORM)
    user = f"{parts.username}@" if parts.username else ""
    return f"{parts.scheme}://{user}{parts.hostname or ''}{port}{parts.path}"
