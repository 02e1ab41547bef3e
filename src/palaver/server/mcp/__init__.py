"""Recall for agents: the tools of the Model Context Protocol, over the official SDK.

Here belongs what that protocol sees of Palaver. What a tool finds is found by the library.
"""

from palaver.server.mcp.stdio import serve_stdio

__all__ = ["serve_stdio"]
