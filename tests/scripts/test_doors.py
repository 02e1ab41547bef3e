"""The check for what goes round the doors, with faults that it must find."""

from __future__ import annotations

from textwrap import dedent

import pytest

from scripts import doors, walls


def test_nothing_goes_round_them() -> None:
    assert list(doors.check()) == []


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            """
            @router.get("/api/conversations/{conversationId}")
            async def show(palaver: CurrentPalaver, conversation_id: str) -> Shown: ...
            """,
            "x.py: show takes conversation_id as str",
        ),
        (
            """
            async def _change(palaver: CurrentPalaver, message_id: Text) -> Shown: ...
            router.add_api_route("/api/x", _change, methods=["PUT"])
            """,
            "x.py: _change takes message_id as Text",
        ),
        (
            """
            @router.get("/api/x")
            async def show(*, before: Annotated[str | None, Query()] = None) -> Shown: ...
            """,
            "x.py: show takes before",
        ),
        ("class Chat(Body):\n    conversation_id: str | None = None", "Chat takes conversation_id"),
        ("class Ask(_Request):\n    before: str", "x.py: Ask takes before as str"),
        ("opened = Owned(text)", "makes an id that came through no door"),
        ("text = named.opened(str)", "makes an id that came through no door"),
        ("check_conversation_id(body.text)", "uses check_conversation_id"),
        ("wanted = request.query_params.get('conversation')", "takes something from the address"),
        ("async with entry.libraries.of(body.user) as palaver: ...", "the library of body.user"),
        ("async with entry.libraries.of('local') as palaver: ...", "the library of 'local'"),
        ("conversation_id = cast('Owned', text)", "makes an id that came through no door"),
        ("streams.check_conversation_id(body.text)", "uses check_conversation_id"),
        ("for palaver in entry.libraries.opened(): ...", "the libraries of everybody: opened"),
        ("await look(entry.libraries)", "hands the libraries of everybody on"),
        ("entry.accounts.tokens(body.user)", "asks the accounts about ['body.user']: tokens"),
        ("await to_thread(entry.accounts.tokens, user)", "asks the accounts about ['user']"),
        ("entry.channels.states(body.user)", "asks the channels about ['body.user']: states"),
        ("async with Palaver.open(user=user) as palaver: ...", "opens a library itself"),
    ],
)
def test_what_goes_round_them_is_told(source: str, said: str) -> None:
    found = list(doors.check_module("x.py", dedent(source)))
    assert any(said in one for one in found), found


def test_what_comes_by_a_channel_is_brought_to_whom_it_belongs() -> None:
    source = "async with self._libraries.of(user) as palaver: ..."
    assert list(doors.check_module(doors.HOSTING, source)) == []
    assert list(doors.check_module("x.py", source)) != []


def test_what_comes_through_them_is_fine() -> None:
    source = """
    @router.put("/api/conversations/{conversationId}")
    async def change(conversation_id: ConversationId, before: Position, body: Chat) -> Shown:
        async with entry.libraries.of(principal.user) as palaver:
            await to_thread(entry.accounts.tokens, principal.user)
            return palaver.x(access_conversation(principal, body.conversation_id))

    class Chat(Body):
        conversation_id: Named | None = None
        request_id: str
    """
    assert list(doors.check_module("x.py", dedent(source))) == []


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT line FROM palaver.lines WHERE stream = %s",
        "SELECT l.line FROM palaver.lines AS l JOIN palaver.streams AS s ON s.no = l.stream "
        "WHERE s.owner = palaver.me()",
        "DELETE FROM palaver.keys USING palaver.streams AS s WHERE s.owner = palaver.me()",
        "UPDATE palaver.lines SET line = (SELECT x FROM palaver.keys) WHERE owner = palaver.me()",
        "SELECT id FROM palaver_n.messages WHERE id = %s",
        "SELECT m.id FROM palaver_n.messages AS m JOIN palaver_n.streams AS s ON s.no = m.stream "
        "WHERE s.book = palaver_n.book()",
        "SELECT secret FROM palaver.tokens WHERE id = %(id)s",
        "SELECT message FROM palaver_jobs.notes WHERE id = %(id)s",
    ],
)
def test_a_statement_that_leaves_it_open_is_told(sql: str) -> None:
    assert list(walls.complaints("x", sql, walls.tables()))


def test_each_owned_table_is_known() -> None:
    found = walls.tables()
    assert {"palaver.lines", "palaver.tokens", "palaver.vectors", "palaver_n.books"} <= found.keys()
    assert found["palaver_n.messages"] == "book"
    assert "palaver.users" not in found
    assert len(list(walls.statements())) > 200


def test_a_predicate_that_is_taken_away_is_told() -> None:
    """Whatever statement loses one, of all that say whose rows they are about."""
    owned, noticed, tried = walls.tables(), 0, 0
    for name, sql in walls.statements():
        twice = "owner = %(owner)s" in sql  # those of the vectors say it in two ways
        if name in walls.LISTED or twice or "WHERE owner = palaver.me() AND " not in sql:
            continue
        tried += 1
        less = sql.replace("WHERE owner = palaver.me() AND ", "WHERE ", 1)
        noticed += bool(list(walls.complaints(name, less, owned)))
    assert noticed == tried > 10
