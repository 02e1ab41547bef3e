"""External communications: what people write who are not the owner, and what becomes of it.

An exchange is no conversation: nothing that reads conversations reads it. Here belongs how far
somebody is trusted, what may be done for them, and what the owner decides.
"""
