"""The library as a whole: what it promises to other programs."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

import palaver as public
from palaver import errors
from palaver.app import Palaver, home_of
from palaver.errors import BadSetting, BadValue, HomeUnusable, PalaverError
from palaver.index.records import Record
from palaver.settings import Settings
from tests.library import Clock, library

NAMES = """
AccessError AddressUnavailable AlreadyExists Author BadCursor BadHost BadId BadJson BadMethod
BadSetting BadText BadValue Change Conflict ConversationMeta ConversationPage CopyUnfinished
DatabaseTooNew DatabaseUnusable DependentRef EmptyMessage Erased Finding Forbidden Health
HomeUnusable IndexDegraded IndexRebuilding IndexTooNew IndexUnavailable InputError KeyReused Line
Message MessageHit MessagePage ModelDamaged ModelMissing NewMessage NotEmpty NotFound Palaver
PalaverError ReadOnly Receipt Reply SearchPage SearchResult Settings SignInRequired Source
StorageBusy StorageError StorageFailed StorageFull StorageUncertain StorageUnreachable StreamDamaged
TimeWindow TooLarge
"""


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_the_public_names():
    assert public.__all__ == NAMES.split()
    for name in public.__all__:
        assert getattr(public, name).__name__ == name
    with pytest.raises(AttributeError):
        _ = public.nothing  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportAttributeAccessIssue]


def test_every_error_is_public_and_has_a_remedy():
    def below(kind: type[PalaverError]) -> set[type[PalaverError]]:
        return {kind}.union(*(below(one) for one in kind.__subclasses__()))

    ours = {kind for kind in below(PalaverError) if kind.__module__ == errors.__name__}
    assert {kind.__name__ for kind in ours} <= set(public.__all__)
    assert all(kind.remedy and kind.__doc__ for kind in ours)


@pytest.mark.parametrize(
    ("statement", "unwanted"),
    [
        ("import palaver", "pydantic apsw fastapi starlette typer rich uvicorn"),
        (
            "from palaver import Palaver",
            "fastapi starlette typer rich uvicorn yaml onnxruntime tokenizers dateparser mcp",
        ),
    ],
)
def test_importing_loads_nothing_slow_that_is_not_used(statement: str, unwanted: str):
    program = (
        f"{statement}; import sys; print(sorted(set('{unwanted}'.split()) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_the_example_of_the_readme(tmp_path: Path):
    async with Palaver.open(home=tmp_path) as palaver:
        mail = await palaver.start(channel="email")
        await palaver.append(mail.id, role="user", content="The login bug is in the cookie.")

        reply = await palaver.send("What did we decide about the login bug?")
        hits = await palaver.search("login bug", channel="email")
        rounds = await palaver.search_messages("login bug", limit=10)
        turns = await palaver.fetch(hits[0].conversation_id, around=hits[0].matched_turns[0])
        assert reply.reply.role == "assistant"
        assert hits[0].conversation_id == mail.id
        assert {mail.id, reply.conversation_id} == {one.conversation_id for one in rounds}
        assert [turn.content for turn in turns] == ["The login bug is in the cookie."]

        conversation = await palaver.start(channel="web")
        await palaver.append(
            conversation.id, role="user", content="Hello", timestamp=None, sender=None, key=None
        )
        await palaver.append(conversation.id, role="assistant", content="Hi!")
        await palaver.settle()
        assert palaver.health().status == "ok"


async def snapshot(palaver: Palaver) -> dict[str, object]:
    """Everything that can be read."""
    await palaver.settle()
    found: dict[str, object] = {}
    for archived in (False, True):
        page = await palaver.conversations(archived=archived, limit=200)
        for conversation in page.conversations:
            messages = await palaver.messages(conversation.id, limit=200)
            found[conversation.id] = (conversation, messages)
    found["search"] = await palaver.search("xylophone")
    return found


async def some_history(palaver: Palaver) -> None:
    sent = await palaver.send("The xylophone is blue.", new=True, key="k")
    await palaver.send("What colour is the xylophone?")
    await palaver.update(sent.conversation_id, public.Change(title="Colours"))
    other = await palaver.start(channel="email", metadata={"a": 1})
    said = await palaver.append(other.id, "user", "Gone soon", sender="Ann")
    await palaver.append(other.id, "assistant", "Rich", usage={"input": 1}, cost=0.5, parts=[{}])
    await palaver.redact(other.id, said.id)
    await palaver.update(other.id, public.Change(archived=True))


def remove_index(home: Path) -> None:
    for path in home.glob("conversations/conversations.db*"):
        path.unlink()


async def test_a_restart_keeps_everything(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        await some_history(palaver)
        before = await snapshot(palaver)
    async with library(tmp_path, clock) as palaver:
        assert await snapshot(palaver) == before
        assert [one for one in await palaver.verify() if one.damage] == []


async def test_the_index_may_be_deleted_or_made_again(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        await some_history(palaver)
        before = await snapshot(palaver)
        await palaver.rebuild()
        assert await snapshot(palaver) == before
    remove_index(tmp_path)
    async with library(tmp_path, clock) as palaver:
        await palaver.settle()
        assert await snapshot(palaver) == before


async def test_two_libraries_on_one_home_see_each_others_messages(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as one, library(tmp_path, clock) as other:
        sent = await one.send("The xylophone is blue.", new=True, key="k")
        assert await other.send("The xylophone is blue.", key="k") == sent
        answer = await other.send("What colour is the xylophone?", new=True)
        assert answer.reply.sources
        assert await snapshot(one) == await snapshot(other)
        await asyncio.gather(
            *(
                side.append(sent.conversation_id, "user", f"{name} {number}")
                for number in range(10)
                for name, side in (("one", one), ("other", other))
            )
        )
        lines = await one.lines(sent.conversation_id)
        assert [line.seq for line in lines] == list(range(len(lines)))
        assert len(lines) == 3 + 20
        await one.delete(sent.conversation_id)
        assert await snapshot(one) == await snapshot(other)


async def test_records_go_out_in_camel_case(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        sent = await palaver.send("The xylophone is blue.")
        records: list[Record] = [
            sent,
            await palaver.conversation(sent.conversation_id),
            await palaver.messages(sent.conversation_id),
            await palaver.search_page("xylophone"),
            await palaver.delete(sent.conversation_id, preview=True),
            palaver.health(),
        ]
        for record in records:
            assert not any("_" in name for name in record.to_json())
            assert type(record).model_validate(record.to_json()) == record


def test_postgresql_is_not_there_yet(tmp_path: Path):
    with pytest.raises(BadSetting) as caught:
        Palaver.open(tmp_path, database_url="postgresql://localhost/palaver")
    assert "PostgreSQL" in caught.value.message
    assert "database_url" in caught.value.remedy


def test_the_home_argument_goes_before_the_settings(tmp_path: Path):
    settings = Settings.load(tmp_path / "one", agent__name="Ada")
    opened = Palaver.open(tmp_path / "other", settings=settings)
    assert opened.home.root == tmp_path / "other"
    assert opened.settings.home == tmp_path / "other"
    assert opened.settings.agent.name == "Ada"
    assert Palaver.open(settings=settings, index_vectors=False).home.root == tmp_path / "one"


async def test_each_user_has_a_home_of_their_own(tmp_path: Path):
    async with Palaver.open(tmp_path, user="usr-01HQ") as other, Palaver.open(tmp_path) as local:
        sent = await other.send("The xylophone is blue.")
        assert other.home.root == tmp_path / "users" / "usr-01HQ"
        assert await local.search("xylophone") == []
        with pytest.raises(errors.NotFound):
            await local.conversation(sent.conversation_id)


@pytest.mark.parametrize("user", ["", "bob", "../x", "usr-../x", "usr-"])
def test_a_user_is_local_or_an_id(tmp_path: Path, user: str):
    with pytest.raises(BadValue):
        home_of(tmp_path, user)


async def test_a_home_that_is_a_file_is_refused(tmp_path: Path):
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(HomeUnusable):
        async with Palaver.open(tmp_path / "home"):
            pass
