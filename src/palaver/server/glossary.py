"""The glossary: what the words of the API mean."""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from textwrap import dedent
from typing import Any, cast

from pydantic import BaseModel

from palaver.index.records import Record
from palaver.server.shapes import Body

TAGS = {
    "conversations": "List, start, look at, change, take away and erase conversations.",
    "messages": "Read what was said, keep a message, erase one.",
    "context": "What a model sees of a conversation.",
    "state": "Where a conversation stands, and what it is about.",
    "chat": "Say something and get an answer.",
    "continuous": "One conversation that goes on from day to day, a page for every day.",
    "search": "Find what was said.",
    "memories": "What is remembered: look, add, change, learn, forget.",
    "external": "What people write who are not the owner: look, decide, erase.",
    "channels": "How messages come and go besides the page, and what providers call.",
    "health": "Whether everything works, and how much is done.",
    "jobs": "What is still to be done in the background.",
    "models": "Which models there are, and whether one answers.",
    "insights": "How much was said, what it cost, and how much is kept.",
    "me": "Who is signed in, and what they have chosen.",
    "sign-in": "Sign a browser in and out.",
    "tokens": "Make, list and end tokens.",
    "description": "This description.",
}
"""Every tag, in the order in which they are read."""
WORDS = {
    "abbreviation": "The conversation in fewer words, if it has been made.",
    "actionName": "The name of an action that goes with it.",
    "activeJobRefs": "Jobs that are spoken of and not done.",
    "activeTopics": "What is spoken of now.",
    "archived": "Whether it has left the usual list.",
    "author": "Who said it.",
    "budget": "How many tokens there are at most.",
    "by": "Who said it: `user` or `assistant`.",
    "category": "What it belongs to, in a word or two.",
    "channel": "Where it comes from, such as `web` or `email`.",
    "channelMeta": "What the channel says about it.",
    "code": "Stable: programs branch on it.",
    "content": "The plain text.",
    "contextCompiledAt": "When it was put together.",
    "conversation": "The conversation itself.",
    "conversationId": "The id of the conversation.",
    "conversationName": "Another name for `title`.",
    "conversationState": "Where the conversation stands.",
    "conversationStatus": "Whether it goes on.",
    "conversations": "The conversations of this page, newest first.",
    "confidence": "How sure it is that this holds, from 0 to 1.",
    "cost": "US dollars; null when the prices are not known.",
    "created": "When it was made.",
    "customPayload": "Anything that a program keeps with it.",
    "dependents": "What stood on the words, and goes with them.",
    "done": "How much of `total` is done.",
    "expires": "When it ends by itself; null for never.",
    "from": "Not before this time.",
    "grade": "How far they are trusted.",
    "id": "Its id.",
    "inputPrice": "US dollars for a million tokens that it reads.",
    "intent": "What it is meant to do, if a program says so.",
    "jobRefs": "Jobs that it speaks of.",
    "jobs": "What is due.",
    "key": "What made a retry harmless.",
    "kind": "What kind of thing it is.",
    "lang": "Its language, as a code such as `en`.",
    "lastAccessedAt": "When a reply was last made with it; null if none was.",
    "lastIntent": "What the last message was meant to do.",
    "lastResponseType": "What kind of answer came last.",
    "lastUsed": "When it was last shown; null if it never was.",
    "leftOut": "What is missing, and why.",
    "made": "When it was made.",
    "manuallyNamed": "Whether somebody gave it its title.",
    "memories": "What is remembered of the user.",
    "memory": "The memory itself.",
    "memoryId": "The id of the memory.",
    "message": "One sentence about what went wrong.",
    "messageId": "The id of the message.",
    "messages": "The messages, oldest first.",
    "metadata": "Anything that a program keeps with it.",
    "mode": "`continuous` goes on from day to day.",
    "model": "The model that answers; null for the usual one.",
    "models": "The models, the usual one first.",
    "name": "Its name.",
    "needsAbbreviation": "Whether something was said of which the abbreviation does not tell.",
    "nextCursor": "Give it as `cursor` to go on; null at the end.",
    "offset": "How many characters come before.",
    "ok": "Whether it answered.",
    "openLoops": "What is left open.",
    "participants": "Who takes part.",
    "parts": "The pieces of a message that is more than text.",
    "pendingClarifications": "What was asked back and not answered.",
    "pinned": "Whether its channel goes on in it.",
    "problem": "Why it did not answer; null if it did.",
    "progress": "How far it has come, while it runs.",
    "provider": "Who runs the model.",
    "quote": "The words it stands on, as they were said.",
    "readOnly": "Whether it can be written to here.",
    "reason": "Why, in one sentence.",
    "recentTurnSummaries": "The last turns, one line each.",
    "remedy": "What to do about it.",
    "reply": "The answer.",
    "replyTo": "The id of the message that it answers.",
    "results": "What was found, best first.",
    "revoked": "When it was ended; null if it was not.",
    "role": "Who speaks.",
    "rollingSummary": "What was said up to the last turns, in fewer words.",
    "scopes": "What one may do with it.",
    "section": "Which part of the packet.",
    "sections": "The parts of the packet.",
    "sender": "Who sent it, if that is not plain.",
    "seq": "Its line in the conversation.",
    "skipped": "What is not remembered, and why.",
    "snippet": "The words around the best match.",
    "sourceConversationId": "Where it was said; null if nobody knows.",
    "sourceMessageId": "The message it comes from; null if nobody knows.",
    "sources": "The messages that it stands on.",
    "started": "What was done when the conversations were opened.",
    "state": "What has become of it.",
    "status": "How it is.",
    "stopped": "Whether a reply was being made, and was stopped.",
    "suggestedActions": "Actions that are offered with it.",
    "suggestedValues": "Answers that are offered with it.",
    "superseded": "The memories whose place others take.",
    "supersedes": "The id of the message whose place it took.",
    "text": "The words.",
    "thinkingText": "What the model thought before it answered.",
    "timestamp": "When it was said.",
    "timezone": "Their time zone, such as `Europe/Berlin`.",
    "title": "Its title; null while it has none.",
    "to": "Before this time.",
    "token": "The secret. It is shown this once.",
    "tokens": "How many tokens it costs.",
    "toolCalls": "The tools that were used for it, and what they gave.",
    "toolName": "The name of the tool.",
    "topics": "What it is about.",
    "tornEndsMended": "So many streams ended in the middle of a line.",
    "total": "How much there is.",
    "turn": "The number of the turn.",
    "turnCount": "How many turns there are.",
    "turnNumber": "The number of the turn; a message of the user begins the next.",
    "type": "What kind of thing is remembered.",
    "updated": "When it last became another.",
    "usage": "The tokens that the model counted.",
    "user": "The id of the user.",
    "usual": "The name of the model that answers otherwise.",
    "validFrom": "Since when it holds; null if nobody said so.",
    "Author.kind": "What they are to the user.",
    "ChangeBody.archived": "True takes it out of the usual list, false brings it back.",
    "ChannelList.channels": "The channels, in the order of the settings.",
    "ChannelTest.ok": "Whether it could be connected.",
    "ChannelView.state": "How it fares; one that is `failing` is tried again by itself.",
    "ConversationState.status": "Whether it goes on.",
    "Decided.decision": "What was decided.",
    "Decided.draftId": "The id of the draft.",
    "External.lastBy": "Who wrote last: `party` or `assistant`; null if nobody did.",
    "External.messageCount": "How many messages it has.",
    "ExternalPage.external": "The exchanges of this page, the latest first.",
    "ExternalView.drafts": "The replies that wait for the owner's word.",
    "ExternalView.external": "The exchange itself.",
    "ExternalView.hasMore": "Whether there are earlier messages.",
    "ExternalView.withheld": "Of each reply, what was not told to whoever wrote it.",
    "Delivery.channel": "The channel it goes to.",
    "Delivery.state": "How far it has come.",
    "DeliveryStatus.state": "How far it has come.",
    "Extraction.added": "What is remembered now.",
    "Extraction.merged": "What was known already.",
    "AuditFinding.kind": "What is wrong.",
    "AuditFinding.memories": "The memories it is about.",
    "AuditFixBody.kind": "The kind of the findings.",
    "AuditReport.findings": "What is not as it should be.",
    "AuditReport.shares": "Which part of them each kind is about.",
    "AuditShares.contradictory": "What a later one contradicts.",
    "AuditShares.duplicate": "What another one says, too.",
    "AuditShares.junk": "What is not worth remembering.",
    "AuditShares.stale": "What nobody has used for half a year.",
    "AuditShares.unsupported": "What stands on words that are gone.",
    "ForgetReceipt.memories": "The memories that go.",
    "Health.status": "Whether search finds everything.",
    "HistoryEntry.at": "When.",
    "HistoryEntry.by": "Who wrote it down: the owner (`user`), `offline`, a model or an agent.",
    "HistoryEntry.content": "What it said from then on.",
    "HistoryEntry.event": "What was done to it.",
    "MemoryChangeBody.content": "One or two sentences that stand by themselves.",
    "MemoryChangeBody.pinned": "Whether a model is always shown it.",
    "MemoryHistory.changes": "What was done to it, the oldest first.",
    "MemoryPage.memories": "The memories of this page, newest first, or the most relevant first.",
    "MessageAccepted.message": "The message as it is stored.",
    "Message.status": "Whether it is whole, and whether it still counts.",
    "NewMemoryBody.pinned": "Whether a model is always shown it.",
    "Receipt.messages": "How many messages of the conversation go.",
    "Replaced.by": "The memory that takes its place.",
    "Replaced.memoryId": "The memory that steps aside.",
    "ReplyFinished.turn": "The reply as it is stored.",
    "ServedHealth.status": "Whether search finds everything.",
    "LinkSignIn.code": "The code at the end of the sign-in link.",
    "PasswordSignIn.name": "The name that they sign in with.",
    "PasswordSignIn.password": "The password.",
    "Skipped.reason": "Why: `secret`, `sensitive` or `forgotten`.",
    "TokenList.tokens": "The tokens, whether they still open something or not.",
}
"""What a field means where nothing is said about it; `Shape.field` goes before `field`."""
Json = dict[str, Any]


def explain(schemas: Json) -> None:
    """Says of every field what it means, unless it is said already."""
    kinds = {kind.__name__: kind for base in (Record, Body) for kind in _all_below(base)}
    for name, schema in schemas.items():
        meanings = _docstrings(kinds[name]) if name in kinds else {}
        for field, about in schema.get("properties", {}).items():
            words = WORDS.get(f"{name}.{field}") or WORDS.get(field)
            if said := meanings.get(field) or words:
                about.setdefault("description", said)


def _all_below(kind: type[BaseModel]) -> list[type[BaseModel]]:
    return [kind, *(one for below in kind.__subclasses__() for one in _all_below(below))]


def _docstrings(kind: type[BaseModel]) -> dict[str, str]:
    """What stands behind each field, by the name that the field has outside."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            found |= _docstrings_of_its_own(base)
    fields = kind.model_fields
    return {fields[name].alias or name: said for name, said in found.items() if name in fields}


def _docstrings_of_its_own(kind: type[BaseModel]) -> dict[str, str]:
    definition = cast("ast.ClassDef", ast.parse(dedent(inspect.getsource(kind))).body[0])
    return {
        field.target.id: inspect.cleandoc(said.value.value)
        for field, said in pairwise(definition.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(said, ast.Expr)
        and isinstance(said.value, ast.Constant)
        and isinstance(said.value.value, str)
    }
