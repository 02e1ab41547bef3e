"""Palaver: the conversation system of a personal AI agent.

Everything a program needs is imported from here; every other module may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from palaver.errors import (
    AccessError,
    AddressUnavailable,
    AlreadyExists,
    BadCursor,
    BadHost,
    BadId,
    BadJson,
    BadMethod,
    BadSetting,
    BadText,
    BadValue,
    Conflict,
    CopyUnfinished,
    DatabaseTooNew,
    DatabaseUnusable,
    DigestUnusable,
    EmptyMessage,
    Erased,
    Forbidden,
    HomeUnusable,
    IndexDegraded,
    IndexRebuilding,
    IndexTooNew,
    IndexUnavailable,
    InputError,
    KeyReused,
    ModelBusy,
    ModelDamaged,
    ModelDeclined,
    ModelError,
    ModelKeyRefused,
    ModelMalformed,
    ModelMissing,
    ModelNotConnected,
    ModelOverfull,
    ModelResting,
    ModelTimeout,
    ModelUnknown,
    ModelUnreachable,
    NotEmpty,
    NotFound,
    PalaverError,
    ReadOnly,
    SignInRequired,
    StorageBusy,
    StorageError,
    StorageFailed,
    StorageFull,
    StorageUncertain,
    StorageUnreachable,
    StreamDamaged,
    TooFarBehind,
    TooLarge,
)

if TYPE_CHECKING:
    from palaver.agent.language import ModelInfo
    from palaver.agent.models.trying import ModelProblem, ModelTest
    from palaver.agent.toolbox import Caller, Output, Tool
    from palaver.app import Palaver
    from palaver.context.packet import (
        ContextPacket,
        LeftOut,
        OpenItem,
        PacketSection,
        TurnSummary,
    )
    from palaver.context.window import apply_context_window
    from palaver.conversation.happenings import Happening, Happenings
    from palaver.conversation.live_reply import LiveReply
    from palaver.conversation.records import (
        Change,
        ConversationPage,
        DependentRef,
        NewMessage,
        Receipt,
        Reply,
    )
    from palaver.conversation.steps import (
        MessageAccepted,
        ReplyDelta,
        ReplyFinished,
        ReplyStarted,
        ReplyThinking,
        ReplyTool,
    )
    from palaver.digest.checkpoint import Checkpoint, ConversationState, StateItem
    from palaver.digest.reading import ConversationDigest, DigestPart
    from palaver.engines.starting import StartReport
    from palaver.index.records import Author, ConversationMeta, Health, Message, MessagePage, Source
    from palaver.jobs.port import Job
    from palaver.ledger.lines import Line
    from palaver.ledger.port import Finding
    from palaver.recall.results import MessageHit, SearchPage, SearchResult
    from palaver.recall.window import TimeWindow
    from palaver.settings import Settings

_PLACES = {
    "palaver.agent.toolbox": ("Caller", "Output", "Tool"),
    "palaver.agent.language": ("ModelInfo",),
    "palaver.agent.models.trying": ("ModelProblem", "ModelTest"),
    "palaver.app": ("Palaver",),
    "palaver.context.packet": (
        "ContextPacket",
        "LeftOut",
        "OpenItem",
        "PacketSection",
        "TurnSummary",
    ),
    "palaver.context.window": ("apply_context_window",),
    "palaver.conversation.happenings": ("Happening", "Happenings"),
    "palaver.conversation.records": (
        "Change",
        "ConversationPage",
        "DependentRef",
        "NewMessage",
        "Receipt",
        "Reply",
    ),
    "palaver.conversation.live_reply": ("LiveReply",),
    "palaver.conversation.steps": (
        "MessageAccepted",
        "ReplyDelta",
        "ReplyFinished",
        "ReplyStarted",
        "ReplyThinking",
        "ReplyTool",
    ),
    "palaver.digest.checkpoint": ("Checkpoint", "ConversationState", "StateItem"),
    "palaver.digest.reading": ("ConversationDigest", "DigestPart"),
    "palaver.engines.starting": ("StartReport",),
    "palaver.index.records": (
        "Author",
        "ConversationMeta",
        "Health",
        "Message",
        "MessagePage",
        "Source",
    ),
    "palaver.jobs.port": ("Job",),
    "palaver.ledger.lines": ("Line",),
    "palaver.ledger.port": ("Finding",),
    "palaver.recall.results": ("MessageHit", "SearchPage", "SearchResult"),
    "palaver.recall.window": ("TimeWindow",),
    "palaver.settings": ("Settings",),
}
_PLACE = {name: place for place, names in _PLACES.items() for name in names}

__all__ = [
    "AccessError",
    "AddressUnavailable",
    "AlreadyExists",
    "Author",
    "BadCursor",
    "BadHost",
    "BadId",
    "BadJson",
    "BadMethod",
    "BadSetting",
    "BadText",
    "BadValue",
    "Caller",
    "Change",
    "Checkpoint",
    "Conflict",
    "ContextPacket",
    "ConversationDigest",
    "ConversationMeta",
    "ConversationPage",
    "ConversationState",
    "CopyUnfinished",
    "DatabaseTooNew",
    "DatabaseUnusable",
    "DependentRef",
    "DigestPart",
    "DigestUnusable",
    "EmptyMessage",
    "Erased",
    "Finding",
    "Forbidden",
    "Happening",
    "Happenings",
    "Health",
    "HomeUnusable",
    "IndexDegraded",
    "IndexRebuilding",
    "IndexTooNew",
    "IndexUnavailable",
    "InputError",
    "Job",
    "KeyReused",
    "LeftOut",
    "Line",
    "LiveReply",
    "Message",
    "MessageAccepted",
    "MessageHit",
    "MessagePage",
    "ModelBusy",
    "ModelDamaged",
    "ModelDeclined",
    "ModelError",
    "ModelInfo",
    "ModelKeyRefused",
    "ModelMalformed",
    "ModelMissing",
    "ModelNotConnected",
    "ModelOverfull",
    "ModelProblem",
    "ModelResting",
    "ModelTest",
    "ModelTimeout",
    "ModelUnknown",
    "ModelUnreachable",
    "NewMessage",
    "NotEmpty",
    "NotFound",
    "OpenItem",
    "Output",
    "PacketSection",
    "Palaver",
    "PalaverError",
    "ReadOnly",
    "Receipt",
    "Reply",
    "ReplyDelta",
    "ReplyFinished",
    "ReplyStarted",
    "ReplyThinking",
    "ReplyTool",
    "SearchPage",
    "SearchResult",
    "Settings",
    "SignInRequired",
    "Source",
    "StartReport",
    "StateItem",
    "StorageBusy",
    "StorageError",
    "StorageFailed",
    "StorageFull",
    "StorageUncertain",
    "StorageUnreachable",
    "StreamDamaged",
    "TimeWindow",
    "TooFarBehind",
    "TooLarge",
    "Tool",
    "TurnSummary",
    "apply_context_window",
]


def __getattr__(name: str) -> object:
    """Imports a name when it is first used: a command that only prints its help stays quick."""
    if name not in _PLACE:
        raise AttributeError(f"module 'palaver' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_PLACE[name]), name)
    return value
