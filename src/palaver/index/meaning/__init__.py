"""Meaning: the model and its vectors, and what is near to a question."""
