"""The state of a conversation: topics, open loops, pending clarifications, jobs.

A pure fold over its messages, with no model: the same messages always give the same state.
"""

from palaver.digest.state.fold import continues, fold, fold_all, with_status
from palaver.digest.state.records import STATE_VERSION, Closing, Item, Referent, State, Status

__all__ = [
    "STATE_VERSION",
    "Closing",
    "Item",
    "Referent",
    "State",
    "Status",
    "continues",
    "fold",
    "fold_all",
    "with_status",
]
