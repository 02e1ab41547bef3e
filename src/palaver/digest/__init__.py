"""Saying it in fewer words: what is derived from a conversation for those who go on with it."""
