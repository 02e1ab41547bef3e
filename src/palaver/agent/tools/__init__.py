"""The agent's tools for looking back: what was said, where, and what is still open.

The server of the Model Context Protocol gives the same ones to other people's agents.
"""
