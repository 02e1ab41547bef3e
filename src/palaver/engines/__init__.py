"""Engines: where the conversations of a user are kept, in the files of a home or in a database.

Here belongs what puts a ledger and an index together. What they do is done in their own rooms.
"""

from palaver.engines.choosing import (
    engine_of,
    id_of,
    is_known,
    open_accounts,
    others_may_come,
)
from palaver.engines.loading import ModelLoader
from palaver.engines.port import Engine
from palaver.engines.starting import StartReport
from palaver.engines.users import LOCAL, check_user, home_of

__all__ = [
    "LOCAL",
    "Engine",
    "ModelLoader",
    "StartReport",
    "check_user",
    "engine_of",
    "home_of",
    "id_of",
    "is_known",
    "open_accounts",
    "others_may_come",
]
