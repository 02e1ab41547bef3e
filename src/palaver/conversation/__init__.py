"""What happens to a message between whoever sends it and the ledger, and what comes back.

Here belong conversations and their changes, messages and how they are stamped, the turn (a message
and its reply), and erasure with its receipt. Nothing here knows a channel, HTTP or a model.
"""
