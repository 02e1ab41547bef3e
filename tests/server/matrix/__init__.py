"""The cross-user matrix: every way to name something, by everybody who must not reach it.

It is derived from what the server says it takes: a route, a message or a tool that it does not know
how to ask makes it fail, and so does a field that might be an id and that nobody has looked at.
"""
