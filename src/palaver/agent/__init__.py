"""Who answers: models, tools, and the loop between them; the offline assistant is a model, too.

Here belong the ports of models and of those who answer, and prompts. Nothing here writes to the
ledger.
"""
