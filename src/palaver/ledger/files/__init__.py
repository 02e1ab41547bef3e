"""The ledger on disk: one JSONL file per stream, in a home with one writer at a time."""

from palaver.ledger.files.home import Home
from palaver.ledger.files.ledger import FileLedger
from palaver.ledger.files.ops import FileOps, OsFileOps
from palaver.ledger.files.store import FileStore

__all__ = ["FileLedger", "FileOps", "FileStore", "Home", "OsFileOps"]
