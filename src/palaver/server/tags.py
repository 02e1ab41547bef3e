"""Tags: which version of a conversation somebody has seen (`ETag`, RFC 9110)."""

from __future__ import annotations

import re
from typing import Annotated, Any

from fastapi import Depends, Header
from starlette.responses import Response

from palaver.app import Palaver
from palaver.errors import BadValue, Outdated

ANY = "*"
NOT_MODIFIED = 304
_HEADER = {"ETag": {"schema": {"type": "string"}, "description": "Changes with the conversation."}}
_KNOWN = {"description": "It is as it was when that `ETag` was given.", "headers": _HEADER}
_TAG = r'(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"'
_LIST = re.compile(rf"[ \t,]*{_TAG}[ \t]*(?:,[ \t]*(?:{_TAG}[ \t]*)?)*")
_ONE = re.compile(_TAG)
_OWN = re.compile(r'"([1-9a-f][0-9a-f]{0,15})"')


def tagged(stated: dict[str, Any], *, may_be_known: bool = False) -> dict[str, Any]:
    """What a route states about itself, if its answer has a tag."""
    answers = {200: {"headers": _HEADER}} | ({NOT_MODIFIED: _KNOWN} if may_be_known else {})
    return {**stated, "responses": {**stated["responses"], **answers}}


def tag_of(version: int) -> str:
    """The tag of a version: a strong one."""
    return f'"{version:x}"'


def read_tags(header: str) -> frozenset[str]:
    """The tags in a header, or `*` alone. Raises BadValue."""
    if header.strip() == ANY:
        return frozenset({ANY})
    if not _LIST.fullmatch(header):
        raise BadValue(
            "If-Match and If-None-Match hold tags.", remedy="Send an `ETag` as Palaver gave it."
        )
    return frozenset(_ONE.findall(header))


async def _if_match(
    header: Annotated[
        str | None,
        Header(
            alias="If-Match",
            description="The `ETag` that was seen last: if the conversation was changed since, "
            "nothing is done.",
        ),
    ] = None,
) -> frozenset[str] | None:
    return None if header is None else read_tags(header)


async def _if_none_match(
    header: Annotated[
        str | None,
        Header(
            alias="If-None-Match",
            description="The `ETag` that was seen last: without a change since, the answer is 304.",
        ),
    ] = None,
) -> frozenset[str] | None:
    return None if header is None else read_tags(header)


IfMatch = Annotated[frozenset[str] | None, Depends(_if_match)]
IfNoneMatch = Annotated[frozenset[str] | None, Depends(_if_none_match)]


async def seen_version(palaver: Palaver, conversation_id: str, tags: IfMatch) -> int | None:
    """The version that a conversation has to have still, if that matters: whoever writes checks
    it. A weak tag stands for none. Raises Outdated, NotFound."""
    if tags is None:
        return None
    if ANY in tags:
        await palaver.conversation(conversation_id)
        return None
    versions = {version for tag in tags if (version := _version(tag)) is not None}
    if len(versions) > 1:
        versions &= {(await palaver.view(conversation_id, limit=1)).version}
    if not versions:
        raise Outdated
    return versions.pop()


def _version(tag: str) -> int | None:
    """The version that a strong tag stands for, if it is one of ours."""
    found = _OWN.fullmatch(tag)
    return int(found[1], 16) if found else None


def is_known(version: int, tags: IfNoneMatch) -> bool:
    """Whether somebody has this version; here a weak tag is as good as a strong one."""
    known = {tag.removeprefix("W/") for tag in tags or ()}
    return bool(known & {ANY, tag_of(version)})


def unchanged(version: int) -> Response:
    """The answer to somebody who has this version."""
    return Response(status_code=NOT_MODIFIED, headers={"ETag": tag_of(version)})
