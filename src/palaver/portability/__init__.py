"""Getting out: conversations as exact lines, as Markdown and as a page.

Here belong formats that other programs and people read. Nothing here changes what is stored.
"""

from palaver.portability.everything import all_conversations, export_everything
from palaver.portability.export import (
    FORMATS,
    MEDIA_TYPES,
    SUFFIXES,
    Format,
    Readable,
    export_conversations,
    export_day,
)
from palaver.portability.folder import export_folder

__all__ = [
    "FORMATS",
    "MEDIA_TYPES",
    "SUFFIXES",
    "Format",
    "Readable",
    "all_conversations",
    "export_conversations",
    "export_day",
    "export_everything",
    "export_folder",
]
