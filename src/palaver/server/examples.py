"""Examples: what requests look like. A test sends every one of them."""

from __future__ import annotations

from palaver.index.records import Json

CONVERSATION = "conv-01HQXK5J7G8M3N4P5R6S7T8V9W"
ASKED, SAID = "msg-01HQXK5J7H2M9T4W6Y8Z1B3D5F", "msg-01HQXK5K3C7E9G1J3M5P7R9T1V"
DATE, DAY = "2026-02-14", "day-01HQXK5J7G8M3N4P5R6S7T8V9W"
MEMORY = "mem-01HQXK5K3C7E9G1J3M5P7R9T1V"
EXTERNAL, DRAFT = "ext-01HQXK5J7G8M3N4P5R6S7T8V9W", "draft-01HQXK5K3C7E9G1J3M5P7R9T1V"
WHEN, THEN = "2026-02-14T09:00:00.000Z", "2026-02-14T09:00:02.000Z"
QUESTION = "Which tiles do we take for the bathroom?"
ANSWER = "The blue ones, order 4711-B."
SUMMARY = f"## Summary\nThe bathroom.\n\n## Decisions\n- {ANSWER}"
PLACES: dict[str, str] = {
    "conversationId": CONVERSATION,
    "messageId": ASKED,
    "tokenId": "tok-01HQXK5J7G8M3N4P5R6S7T8V9W",
    "jobId": "rebuild:local",
    "memoryId": MEMORY,
    "externalId": EXTERNAL,
    "draftId": DRAFT,
    "channelName": "whatsapp",
    "date": DATE,
}
"""What can stand in a path, by its name there."""
REQUESTS: dict[str, list[Json]] = {
    "NewConversation": [
        {"title": "Bathroom", "metadata": {"project": "house"}},
        {"key": "bathroom-1"},
    ],
    "ChangeBody": [{"title": "Tiles for the bathroom"}, {"archived": True}, {"model": None}],
    "NewMessageBody": [
        {"role": "user", "content": QUESTION, "timestamp": WHEN, "key": "tiles-1"},
        {"role": "assistant", "content": ANSWER, "model": "my-own"},
    ],
    "EditedMessage": [{"content": "Which tiles do we take for the kitchen?"}],
    "ChatMessage": [
        {"message": QUESTION},
        {"message": "And for the floor?", "key": "floor-1", "context": {"page": "plan"}},
    ],
    "ContinuousMessage": [{"message": QUESTION, "key": "tiles-2"}],
    "DaySummaryBody": [{"summaryMarkdown": SUMMARY}],
    "NewMemoryBody": [
        {"content": "The bathroom gets blue tiles.", "type": "decision", "category": "house"},
        {"content": "I am a vegetarian.", "type": "preference", "pinned": True},
    ],
    "MemoryChangeBody": [
        {"content": "The bathroom gets blue tiles, order 4711-B."},
        {"pinned": True},
        {"archived": True, "category": None},
    ],
    "AuditFixBody": [{"kind": "stale", "memoryIds": [MEMORY]}],
    "ExtractionBody": [{"conversationId": CONVERSATION, "dryRun": True}],
    "ExternalChangeBody": [
        {"trust": "known", "policy": "answer", "scope": "They may know when we are open."},
        {"seen": True},
        {"trust": None, "policy": None, "scope": None},
    ],
    "DecisionBody": [
        {"decision": "approve"},
        {"decision": "edit", "text": "We are open from nine to five."},
        {"decision": "reject"},
    ],
    "AnswerBody": [{"text": "We are open from nine to five.", "key": "answer-1"}],
    "Regeneration": [{"key": "again-1"}],
    "ChoicesBody": [{"timezone": "Europe/Berlin"}, {"model": None}],
    "ModelName": [{"name": "offline"}],
    "LinkSignIn": [{"code": "kq3v9n6yF0xw2c7bJ1r8sT5uL4mZ0aPd"}],
    "PasswordSignIn": [{"name": "ann", "password": "four plain words together"}],
    "NewTokenBody": [{"name": "My program", "scopes": ["read", "chat"]}],
}
"""What requests carry, by shape."""
