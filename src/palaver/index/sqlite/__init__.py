"""The index in SQLite: rows and full text in one file of the home."""

from palaver.index.sqlite.index import SqliteIndex

__all__ = ["SqliteIndex"]
