"""Recall for agents: the tools of the Model Context Protocol, over the official SDK.

Here belongs what that protocol sees of Palaver. What a tool finds is found by the library.
"""

from palaver.server.mcp.route import mcp_route

__all__ = ["mcp_route"]
