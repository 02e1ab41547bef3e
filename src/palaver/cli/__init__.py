"""The command line: what a person types, and what is printed for it.

Here belong commands, their options and their words. Each does its work through the library. Slow
libraries are imported where they are used, so that a command starts at once.
"""

from palaver.cli.entry import main

__all__ = ["main"]
