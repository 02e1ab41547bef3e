"""Events: how whoever listens hears at once that something was stored.

A hint says whose ledger has grown and up to which position, never what was said. It may be late,
come twice, or get lost; the ledger from a position on is the truth.
"""

from palaver.events.home import HomeEvents
from palaver.events.local import Hints, LocalEvents
from palaver.events.port import Events, Hint

__all__ = ["Events", "Hint", "Hints", "HomeEvents", "LocalEvents"]
