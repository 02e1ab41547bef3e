"""The library as a whole: what it promises to other programs."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import palaver as public
from palaver import errors
from palaver.app import Palaver, home_of
from palaver.errors import BadValue, DatabaseUnusable, HomeUnusable, PalaverError
from palaver.index.records import Record
from palaver.settings import Settings
from tests.library import Clock, library

NAMES = """
AccessError AddressUnavailable AlreadyExists AuditFinding AuditFix AuditReport AuditShares Author
BadCursor BadHost BadId BadJson BadMethod BadSetting BadText BadValue Caller Change ChannelError
ChannelRefused ChannelUncertain ChannelUnreachable Checkpoint Choices Conflict ContextPacket
Continuous ContinuousExcerpt ContinuousPage ConversationDigest ConversationMeta ConversationPage
ConversationState CopyUnfinished DatabaseTooNew DatabaseUnusable DayEntry DayLoop DayPage
DaySummary DayView DependentRef DigestPart DigestUnusable EmptyMessage Erased ExcerptMessage
Extraction Finding Forbidden ForgetReceipt FoundMessage FoundSummary Happening Happenings Health
HistoryEntry HomeUnusable IndexDegraded IndexRebuilding IndexTooNew IndexUnavailable InputError
Insights Job KeyReused LeftOut LimitReached Line LiveReply LoopEnd Memories Memory MemoryChange
MemoryHistory MemoryPage Merged Message MessageAccepted MessageHit MessagePage ModelBusy
ModelDamaged ModelDeclined ModelError ModelInfo ModelKeyRefused ModelMalformed ModelMissing
ModelNotConnected ModelOverfull ModelProblem ModelResting ModelTest ModelTimeout ModelUnknown
ModelUnreachable NewMemory NewMessage NotEmpty NotFound OpenItem Outdated Output PacketSection
PageMissing Palaver PalaverError Profile ReadOnly Receipt Replaced Reply ReplyDelta ReplyFinished
ReplyStarted ReplyThinking ReplyTool SaidByModel SaidOnChannel SaidOnDay SearchPage SearchResult
SecretRefused Settings SignInRequired Skipped Source StartReport StateItem Stopping StorageBusy
StorageError StorageFailed StorageFull StorageUncertain StorageUnreachable StorageUse StreamDamaged
SummaryLine TimeWindow TooFarBehind TooLarge Tool TurnSummary View WebhookRefused
apply_context_window
"""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["files", "database"])
def database(request: pytest.FixtureRequest) -> str | None:
    """Where it is kept: in files of the home when it is None."""
    return request.getfixturevalue("database_url") if request.param == "database" else None


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
        (
            "import palaver",
            "pydantic apsw fastapi starlette typer rich uvicorn structlog prometheus_client",
        ),
        (
            "from palaver import Palaver",
            "fastapi starlette typer rich uvicorn yaml onnxruntime tokenizers dateparser mcp "
            "pydantic_ai openai anthropic genai_prices httpx2 "
            "psycopg structlog prometheus_client",
        ),
        ("from palaver.server import create_app", "mcp pydantic_ai openai anthropic httpx2"),
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


async def test_the_example_of_the_readme(tmp_path: Path, database: str | None):
    async with Palaver.open(home=tmp_path, database_url=database) as palaver:
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


async def test_a_restart_keeps_everything(tmp_path: Path, clock: Clock, database: str | None):
    async with library(tmp_path, clock, database_url=database) as palaver:
        await some_history(palaver)
        before = await snapshot(palaver)
    async with library(tmp_path, clock, database_url=database) as palaver:
        assert await snapshot(palaver) == before
        assert [one for one in await palaver.verify() if one.damage] == []


async def test_the_index_may_be_made_again(tmp_path: Path, clock: Clock, database: str | None):
    async with library(tmp_path, clock, database_url=database) as palaver:
        await some_history(palaver)
        before = await snapshot(palaver)
        await palaver.rebuild()
        assert await snapshot(palaver) == before


async def test_the_index_may_be_deleted(tmp_path: Path, clock: Clock):
    async with library(tmp_path, clock) as palaver:
        await some_history(palaver)
        before = await snapshot(palaver)
    remove_index(tmp_path)
    async with library(tmp_path, clock) as palaver:
        await palaver.settle()
        assert await snapshot(palaver) == before


@pytest.mark.parametrize("clocks", ["one node", "two nodes"])
async def test_two_libraries_see_each_others_messages(
    tmp_path: Path, clock: Clock, database: str | None, clocks: str
):
    own = clock if clocks == "one node" else Clock()
    async with (
        library(tmp_path, clock, database_url=database) as one,
        library(tmp_path, own, database_url=database) as other,
    ):
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


async def test_records_go_out_in_camel_case(tmp_path: Path, clock: Clock, database: str | None):
    async with library(tmp_path, clock, database_url=database) as palaver:
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


async def test_the_engines_keep_the_same(tmp_path: Path, database_url: str):
    """Ids and salts are random; what was said, in which order and when, is not."""
    kept: list[Any] = []
    for database in (None, database_url):
        async with library(tmp_path, Clock(), database_url=database) as palaver:
            await some_history(palaver)
            kept.append(shape(list((await snapshot(palaver)).values())))
    assert kept[0] == kept[1] != []


def shape(record: Any) -> Any:
    """Records without their random parts."""
    if isinstance(record, Record):
        told = record.to_json()
        if "score" in told:  # each engine rounds vectors in its own way
            told["score"] = round(told["score"], 2)
        return re.sub(r"(conv|msg|evt)-[0-9A-Z]{26}", r"\1", repr(told))
    return [shape(one) for one in record]


async def test_a_home_is_not_made_for_a_database(tmp_path: Path, database_url: str):
    async with Palaver.open(tmp_path / "home", database_url=database_url) as palaver:
        await palaver.send("Hello")
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("postgresql://me:hidden@127.0.0.1:1/db", "refused"),
        ("postgresql://me:hidden@/db?host=/nowhere", "No such file"),
        ("postgresql://me:hidden@host/db?nonsense=1", "address of the database cannot be read"),
    ],
)
async def test_a_database_that_is_not_there_is_named(tmp_path: Path, address: str, sentence: str):
    with pytest.raises(DatabaseUnusable, match=sentence) as caught:
        async with Palaver.open(tmp_path, database_url=address):
            pass
    assert "hidden" not in f"{caught.value.message} {caught.value.remedy}"
    assert "PALAVER_DATABASE_URL" in caught.value.remedy


def test_the_home_argument_goes_before_the_settings(tmp_path: Path):
    settings = Settings.load(tmp_path / "one", agent__name="Ada")
    opened = Palaver.open(tmp_path / "other", settings=settings)
    assert opened.home.root == tmp_path / "other"
    assert opened.settings.home == tmp_path / "other"
    assert opened.settings.agent.name == "Ada"
    assert Palaver.open(settings=settings, index_vectors=False).home.root == tmp_path / "one"


async def test_each_user_sees_only_their_own(tmp_path: Path, database: str | None):
    async with (
        Palaver.open(tmp_path, user="usr-01HQ", database_url=database) as other,
        Palaver.open(tmp_path, database_url=database) as local,
    ):
        sent = await other.send("The xylophone is blue.")
        assert other.home.root == tmp_path / "users" / "usr-01HQ"
        assert await local.search("xylophone") == []
        with pytest.raises(errors.NotFound):
            await local.conversation(sent.conversation_id)


@pytest.mark.parametrize("user", ["", "bob", "../x", "usr-../x", "usr-"])
def test_a_user_is_local_or_an_id(tmp_path: Path, user: str):
    with pytest.raises(BadValue):
        home_of(tmp_path, user)
    with pytest.raises(BadValue):
        Palaver.open(tmp_path, user=user, database_url="postgresql://host/db")


async def test_a_home_that_is_a_file_is_refused(tmp_path: Path):
    (tmp_path / "home").write_text("not a folder")
    with pytest.raises(HomeUnusable):
        async with Palaver.open(tmp_path / "home"):
            pass
