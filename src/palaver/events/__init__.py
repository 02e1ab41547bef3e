"""Events: how whoever listens hears at once that something was stored.

A hint says whose ledger has grown and up to which position, never what was said. It may be late,
come twice, or get lost; the ledger from a position on is the truth.

What is not stored yet has a way of its own: the relay carries replies in the making to the nodes
where somebody follows them.
"""

from palaver.events.alone import AloneRelay
from palaver.events.home import HomeEvents
from palaver.events.local import Hints, LocalEvents
from palaver.events.port import Events, Hint
from palaver.events.relay import Relay

__all__ = ["AloneRelay", "Events", "Hint", "Hints", "HomeEvents", "LocalEvents", "Relay"]
