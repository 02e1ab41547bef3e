"""Leases: who may make the next reply in a conversation, among all processes that could.

Here belongs what keeps two processes from doing the same at once. A lease ends with whoever holds
it, at the latest when their process ends. It knows nothing of replies.
"""

from palaver.leases.files import HomeLeases
from palaver.leases.port import Leases

__all__ = ["HomeLeases", "Leases"]
