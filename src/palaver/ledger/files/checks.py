"""What `verify` has to say about the files of a home beyond the lines in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from palaver.ledger.files.home import SUFFIX, TORN, is_stream_file
from palaver.ledger.files.mending import is_whole, unterminated
from palaver.ledger.lines import USER_STREAM, Line
from palaver.ledger.port import Finding

if TYPE_CHECKING:
    from palaver.ledger.files.store import FileStore


@dataclass(slots=True)
class FileCheck:
    """Looks at the end of one file."""

    store: FileStore
    stream: str
    lines: int = 0

    def line(self, line: Line) -> None:
        self.lines += 1

    def end(self) -> Iterator[Finding]:
        return _tail(self.store, self.stream, self.store.place(self.stream), self.lines)


def other_findings(store: FileStore) -> Iterator[Finding]:
    """Files that should not be there, and files that are no streams."""
    if store.ops.file_size(store.home.unfinished) is not None:
        message = "A copy to this home was begun and is not finished: run it again."
        place = store.home.relative(store.home.unfinished)
        yield Finding("unfinished_copy", message, damage=True, file=place)
    yield from _unfinished_deletions(store)
    yield from _other_files(store)


def _tail(store: FileStore, stream: str, place: str, lines: int) -> Iterator[Finding]:
    try:
        handle = store.ops.open_read(store.home.stream(stream))
    except FileNotFoundError:  # it was deleted meanwhile
        return
    try:
        size, fragment = store.ops.size(handle), unterminated(store, handle)
    finally:
        store.ops.close(handle)
    if size == 0:
        yield Finding("empty_file", "The file has no line.", damage=True, file=place, offset=0)
    if fragment:
        whole = is_whole(fragment)
        code = "missing_newline" if whole else "torn_tail"
        message = (
            "The last line lacks its newline; it is added at the next start."
            if whole
            else "The file ends in the middle of a line; the next start sets the fragment aside."
        )
        start = size - len(fragment)
        yield Finding(code, message, damage=True, file=place, line=lines + 1, offset=start)


def _unfinished_deletions(store: FileStore) -> Iterator[Finding]:
    for line in store.lines(USER_STREAM):
        gone = line.data.get("stream")
        if line.event == "deleted" and isinstance(gone, str) and store.size(gone) is not None:
            message = "This conversation was deleted, but its file is still there."
            place = store.place(gone)
            yield Finding("unfinished_erasure", message, damage=True, file=place)


def _other_files(store: FileStore) -> Iterator[Finding]:
    for folder in (store.home.conversations, store.home.external):
        for name in sorted(store.ops.sizes(folder)):
            place = store.home.relative(folder / name)
            if name.endswith(TORN):
                message = (
                    "The file once ended in the middle of a line; what stood there is kept here."
                )
                yield Finding("torn_fragment", message, damage=False, file=place)
            elif name.endswith(SUFFIX) and not is_stream_file(name):
                message = "The name is not that of a conversation; the file is left alone."
                yield Finding("ignored_file", message, damage=False, file=place)
