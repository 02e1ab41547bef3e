"""The offline assistant: with no model connected, it answers with what was said before.

To the agent it is a language model like any other: it calls the same tools and reads what they
give. It has no more than rules, and never pretends to have.
"""

from palaver.agent.offline.model import OfflineModel

__all__ = ["OfflineModel"]
