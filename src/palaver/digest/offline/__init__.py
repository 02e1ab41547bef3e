"""The maker without a model: what is said in fewer words is chosen, never written.

Pure functions of the messages: the same words always give the same digest, on every machine.
"""
