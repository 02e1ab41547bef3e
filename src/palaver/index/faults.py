"""What can be wrong with the rows of an index, whatever engine stores them."""

from __future__ import annotations


class Unusable(Exception):
    """The rows have to be made again; the message is a sentence that says why."""


class Missing(Unusable):
    """There are no rows, or others have taken their place."""


class Incomplete(Unusable):
    """Rows are missing that a rebuild has to make."""


class Failed(Exception):
    """The rows cannot be used now; the message is a sentence that says why."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy
