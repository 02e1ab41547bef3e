"""The contract of channels: what every one promises, whoever its provider is.

    class TestMine(ChannelContract):
        @pytest.fixture
        async def harness(self) -> AsyncIterator[Harness]:
            ...

A harness has the channel, connected to a provider on this machine that does as it is told. Channels
whose providers call pass `WebhookContract`, too.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Literal, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palaver.channels.port import (
    Channel,
    Outgoing,
    Place,
    Received,
    State,
    Take,
    Tested,
    Update,
    Webhook,
)
from palaver.errors import (
    BadJson,
    BadValue,
    ChannelRefused,
    ChannelUncertain,
    ChannelUnreachable,
    StorageFull,
    WebhookRefused,
)

Fault = Literal["down", "refusing", "silent"]
"""Nobody listens; the provider says no; it does what it is asked and does not say so."""
CODE = "\n".join(f"    {n}: print('{'long ' * 10}')" for n in range(150))
LONG = {
    "one paragraph": "This is a sentence of an ordinary length. " * 300,
    "paragraphs": "\n\n".join(f"Paragraph {n}. " + "It goes on. " * 40 for n in range(30)),
    "one word": "x" * 12_000,
    "one line of code": f"```\n{'y' * 9_000}\n```",
    "code": f"See this:\n\n```python\n{CODE}\n```\n\nThat is all.",
    "a list": "\n".join(
        f"- **Point {n}** is about `{n}` and [this](https://example.org/{n})" for n in range(300)
    ),
    "faces": "👩‍👩‍👧‍👦" * 2_000,
    "accents": "e\u0301" * 5_000,
    "marks": "<&>*_`~[](#)" * 600,
    "a table": "| a | b |\n|---|---|\n" + "| one | two |\n" * 500,
    "a quotation": "> quoted words\n" * 500,
}
pieces = st.sampled_from(
    ["word", " ", "\n", "\n\n", "```\n", "- ", "**", "_", "> ", "# ", "|", "👍"]
)
texts = st.one_of(st.text(max_size=60), st.lists(pieces, max_size=400).map("".join))


class Harness(Protocol):
    """A channel with its provider."""

    channel: Channel
    place: Place
    """Where something can be sent to."""
    people: Sequence[Sequence[str]]
    """Spellings of several people: those of one together."""
    nobody: Sequence[str]
    """What names no person of this channel."""

    def shown(self) -> list[str]:
        """The texts that whoever is written to sees, in order."""
        ...

    def fail(self, fault: Fault | None) -> None:
        """From now on the provider has this fault, or none."""
        ...

    def write(self, text: str) -> None:
        """Somebody writes to the agent."""
        ...

    def again(self) -> None:
        """The provider tells everything once more, as if it had not been answered."""
        ...

    async def hear(self, take: Take) -> None:
        """Has the channel receive what was written, and returns when there is nothing left. What
        `take` raises may come through, or be tried again."""
        ...


def message(place: Place, text: str, number: int = 1) -> Outgoing:
    return Outgoing(id=f"out-{number}", place=place, text=text)


class Taken:
    """What was received; it can be full."""

    def __init__(self) -> None:
        self.updates: list[Update] = []
        self.refusals = 0

    @property
    def messages(self) -> list[Received]:
        return [one for one in self.updates if isinstance(one, Received)]

    async def __call__(self, update: Update) -> None:
        if self.refusals:
            self.refusals -= 1
            raise StorageFull
        self.updates.append(update)


class Told:
    """The states that a channel told."""

    def __init__(self) -> None:
        self.states: list[tuple[State, str | None]] = []
        self._changed = asyncio.Event()

    def __call__(self, state: State, why: str | None) -> None:
        self.states.append((state, why))
        self._changed.set()

    async def until(self, state: State) -> str | None:
        """Waits until that is the state; why it is so."""
        async with asyncio.timeout(30):
            while not self.states or self.states[-1][0] != state:
                self._changed.clear()
                await self._changed.wait()
        return self.states[-1][1]


class ChannelContract:
    """Promised by every channel."""

    def test_it_is_found_by_its_name(self, harness: Harness) -> None:
        found = entry_points(group="palaver.channels", name=harness.channel.name)
        assert len(found) == 1
        assert callable(next(iter(found)).load())

    # -- people ----------------------------------------------------------------------------------

    def test_a_person_is_the_same_in_every_spelling(self, harness: Harness) -> None:
        found = [{harness.channel.person(one) for one in spellings} for spellings in harness.people]
        assert [len(one) for one in found] == [1] * len(harness.people)
        assert len({one for several in found for one in several}) == len(harness.people)

    def test_what_is_normalised_stays_so(self, harness: Harness) -> None:
        @given(st.text(max_size=40) | st.from_regex(r"[ +0-9@:.a-z-]{1,30}", fullmatch=True))
        def stays(identity: str) -> None:
            try:
                found = harness.channel.person(identity)
            except BadValue:
                return
            assert harness.channel.person(found) == found

        stays()
        for spellings in harness.people:
            for one in map(harness.channel.person, spellings):
                assert harness.channel.person(one) == one

    def test_what_is_nobody_is_refused(self, harness: Harness) -> None:
        for identity in ("", " ", *harness.nobody):
            with pytest.raises(BadValue):
                harness.channel.person(identity)

    async def test_somebody_who_has_not_written_can_be_reached(self, harness: Harness) -> None:
        person = harness.channel.person(harness.people[0][0])
        place, details = harness.channel.reach(person, "A question")
        assert len(json.dumps(details)) <= 16 << 10
        await harness.channel.send(Outgoing("out-1", place, "Hello", details=details))
        assert harness.shown() == ["Hello"]

    # -- sending ---------------------------------------------------------------------------------

    def test_a_short_reply_is_one_part(self, harness: Harness) -> None:
        assert harness.channel.split("Hello, **you**.") == ["Hello, **you**."]

    def test_no_part_is_empty(self, harness: Harness) -> None:
        @given(texts)
        def split(text: str) -> None:
            parts = harness.channel.split(text)
            assert parts
            assert all(part.strip() for part in parts)

        split()

    @pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
    async def test_each_part_of_a_long_reply_is_taken(self, harness: Harness, text: str) -> None:
        parts = harness.channel.split(text)
        assert len(parts) > 1
        for number, part in enumerate(parts):
            await harness.channel.send(message(harness.place, part, number))
        assert len(harness.shown()) == len(parts)

    def test_nothing_of_a_long_reply_is_lost(self, harness: Harness) -> None:
        for name in ("one paragraph", "paragraphs", "one word", "faces", "accents"):
            joined = "".join(harness.channel.split(LONG[name]))
            assert "".join(joined.split()) == "".join(LONG[name].split())

    def test_no_part_begins_inside_a_character(self, harness: Harness) -> None:
        for part in harness.channel.split(LONG["faces"]):
            assert part.replace("👩‍👩‍👧‍👦", "") == ""
        assert all(part.startswith("e") for part in harness.channel.split(LONG["accents"]))

    def test_code_is_closed_and_opened_again(self, harness: Harness) -> None:
        parts = harness.channel.split(LONG["code"])
        code = [part for part in parts if "print" in part]
        assert len(code) > 1
        assert all(part.count("```") == 2 for part in code)
        assert all("```python\n" in part for part in code)
        said = [line for part in code for line in part.split("\n") if "print" in line]
        assert said == CODE.split("\n")

    async def test_what_is_sent_is_shown_and_has_an_id(self, harness: Harness) -> None:
        first = await harness.channel.send(message(harness.place, "One", 1))
        second = await harness.channel.send(message(harness.place, "Two", 2))
        assert first
        assert second
        assert first != second
        assert harness.shown() == ["One", "Two"]

    async def test_a_provider_that_is_away_can_be_tried_again(self, harness: Harness) -> None:
        harness.fail("down")
        with pytest.raises(ChannelUnreachable):
            await harness.channel.send(message(harness.place, "Hello"))
        assert harness.shown() == []
        harness.fail(None)
        await harness.channel.send(message(harness.place, "Hello"))
        assert harness.shown() == ["Hello"]

    async def test_a_refusal_is_final_and_says_why(self, harness: Harness) -> None:
        harness.fail("refusing")
        with pytest.raises(ChannelRefused) as refused:
            await harness.channel.send(message(harness.place, "Hello"))
        assert refused.value.message
        assert refused.value.remedy
        assert harness.shown() == []

    async def test_nobody_knows_when_no_answer_comes(self, harness: Harness) -> None:
        harness.fail("silent")
        with pytest.raises(ChannelUncertain):
            await harness.channel.send(message(harness.place, "Hello"))
        assert harness.shown() == ["Hello"]  # it was sent, and nobody could know
        harness.fail(None)
        if harness.channel.repeatable:
            await harness.channel.send(message(harness.place, "Hello"))
            assert harness.shown() == ["Hello"]

    # -- receiving -------------------------------------------------------------------------------

    async def test_what_is_written_comes_in_order(self, harness: Harness) -> None:
        taken = Taken()
        for text in ("One", "Two", "Three"):
            harness.write(text)
        await harness.hear(taken)
        assert [one.text for one in taken.messages] == ["One", "Two", "Three"]
        assert len({one.id for one in taken.messages}) == 3

    async def test_what_is_told_again_is_the_same(self, harness: Harness) -> None:
        first, second = Taken(), Taken()
        harness.write("Hello")
        harness.write("Hello")
        await harness.hear(first)
        harness.again()
        await harness.hear(second)
        assert len(first.updates) == 2
        assert second.updates == first.updates

    async def test_what_could_not_be_stored_is_told_again(self, harness: Harness) -> None:
        taken = Taken()
        taken.refusals = 1
        harness.write("Hello")
        try:
            await harness.hear(taken)
        except StorageFull:
            assert taken.updates == []
            await harness.hear(taken)
        assert [one.text for one in taken.messages] == ["Hello"]

    # -- how it fares ----------------------------------------------------------------------------

    async def test_it_tells_how_it_fares(self, harness: Harness) -> None:
        told = Told()
        harness.fail("down")
        running = asyncio.create_task(harness.channel.run(Taken(), told))
        why = await told.until("failing")
        assert why
        assert why.count(".") >= 1
        harness.fail(None)
        assert await told.until("connected") is None
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()

    async def test_a_test_says_what_came_of_it(self, harness: Harness) -> None:
        found = await harness.channel.test()
        assert found.ok
        assert found.message.endswith(".")
        harness.fail("down")
        failed: Tested = await harness.channel.test()
        assert not failed.ok
        assert failed.message
        assert failed.remedy
        assert harness.shown() == []

    async def test_it_can_be_closed_at_any_time(self, harness: Harness) -> None:
        await harness.channel.test()
        await harness.channel.close()
        await harness.channel.close()


class WebhookHarness(Harness, Protocol):
    """A channel whose provider calls it."""

    def call(self) -> tuple[bytes, dict[str, str]]:
        """A call as the provider makes it, with its headers."""
        ...

    def claim(self, body: bytes) -> dict[str, str]:
        """The headers with which the provider would send that body."""
        ...

    def without_secret(self) -> Channel:
        """A channel that was given no secret."""
        ...


class WebhookContract:
    """Promised by every channel whose provider calls."""

    def test_a_call_is_read(self, harness: WebhookHarness) -> None:
        assert hook(harness.channel).read(*harness.call())

    def test_nothing_is_looked_at_before_the_sender_is_known(self, harness: WebhookHarness) -> None:
        for body in (b"", b"{", b"\xff\xfe", b"[" * 100_000, harness.call()[0]):
            with pytest.raises(WebhookRefused):
                hook(harness.channel).read(body, {})

    def test_without_a_secret_everything_is_refused(self, harness: WebhookHarness) -> None:
        channel = hook(harness.without_secret())
        body, headers = harness.call()
        for given_ in (headers, {}, dict.fromkeys(headers, "")):
            with pytest.raises(WebhookRefused):
                channel.read(body, given_)
        with pytest.raises(WebhookRefused):
            channel.challenged({"hub.mode": "subscribe", "hub.verify_token": ""})

    @pytest.mark.parametrize(
        "body",
        [
            *(b"", b"{", b"[]", b"1", b'"text"', b"null", b"\xff\xfe{\x00}\x00", b'{"a":1,"a":2}'),
            *(b'{"a":NaN}', b'{"a":' + b"9" * 5000 + b"}", b"[" * 100_000, b'{"a":' * 1000),
            b'{"a":"' + b"x" * (5 << 20) + b'"}',
        ],
        ids=lambda body: f"{body[:12]!r} of {len(body)}",
    )
    def test_what_cannot_be_read_is_said_to_be_so(
        self, harness: WebhookHarness, body: bytes
    ) -> None:
        with pytest.raises(BadJson):
            hook(harness.channel).read(body, harness.claim(body))

    def test_what_is_of_no_use_gives_nothing(self, harness: WebhookHarness) -> None:
        body = b'{"object":"page","update_id":7,"entry":[]}'
        assert list(hook(harness.channel).read(body, harness.claim(body))) == []


def hook(channel: Channel) -> Webhook:
    assert isinstance(channel, Webhook)
    return channel
