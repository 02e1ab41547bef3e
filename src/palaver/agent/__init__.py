"""Who answers: the port behind which a reply is made, and the offline assistant.

Here belong responders, what they are asked and what they answer. Nothing here writes to the ledger.
"""
