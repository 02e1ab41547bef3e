"""Whatever somebody says, nothing of it runs, and nobody is asked anything.

Each payload is a reply of its own, for replies are read as Markdown; everything else is shown as
text, which `test_poison.py` tries. Two walls hold: the sanitiser, and the policy. Each is tried
alone, by taking the other away.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from palaver import Palaver
from palaver.conversation.records import NewMessage
from tests.page.payloads import CORPUS, PAYLOADS
from tests.page.trap import Trap, trapped
from tests.page.walls import walled

AT_ONCE = 48
"""Messages of a conversation: no more than come with its first answer."""


@dataclass(frozen=True, slots=True)
class Told:
    """A home in which everything was said."""

    root: Path
    messages: dict[str, list[str]]
    """The ids of its messages, by conversation."""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    root = tmp_path_factory.mktemp("told")

    async def tell() -> dict[str, list[str]]:
        async with Palaver.open(root, index_vectors=False) as palaver:
            told: dict[str, list[str]] = {}
            for begin in range(0, len(PAYLOADS), AT_ONCE):
                payloads = PAYLOADS[begin : begin + AT_ONCE]
                conversation = await palaver.start(title=payloads[0][:255])
                messages = [NewMessage(role="assistant", content=payload) for payload in payloads]
                kept = await palaver.append_many(conversation.id, messages)
                told[conversation.id] = [message.id for message in kept]
            return told

    with ThreadPoolExecutor(1) as another:  # the browser has a loop in this one
        return Told(root, another.submit(lambda: asyncio.run(tell())).result())


def _read(trap: Trap, told: Told) -> None:
    """Goes through all conversations, upwards and from their ends again until all was there."""
    for conversation, messages in told.messages.items():
        page = trap.open(f"/c/{conversation}")
        page.wait_for_function(_ALL_SEEN, arg=messages, polling=50)
        page.close()


_ALL_SEEN = """(wanted) => {
  window.seenMessages ??= new Set();
  for (const article of document.querySelectorAll('article')) seenMessages.add(article.id);
  const scroller = document.querySelector('.talk-scroller');
  if (scroller) scroller.scrollTop = scroller.scrollTop > 0 ? scroller.scrollTop - 3000 : 1e9;
  return wanted.every((id) => seenMessages.has(id));
}"""


def test_there_are_many_payloads():
    assert len(set(PAYLOADS)) == len(PAYLOADS) >= 300
    assert all(len(kind) >= 10 for kind in CORPUS.values())


def test_nothing_runs_and_nobody_is_asked(chromium: Browser, told: Told):
    with walled(told.root) as site, trapped(chromium, site) as trap:
        _read(trap, told)
    assert (trap.ran, trap.tried, trap.violations) == ([], [], [])


def test_the_sanitiser_alone_holds(chromium: Browser, told: Told):
    with walled(told.root, has_policy=False) as site, trapped(chromium, site) as trap:
        _read(trap, told)
    assert (trap.ran, trap.tried) == ([], [])


def test_the_policy_alone_holds(chromium: Browser, told: Told, unsanitised: Path):
    with walled(told.root, built=unsanitised) as site, trapped(chromium, site) as trap:
        _read(trap, told)
    assert (trap.ran, trap.asked) == ([], [])
    assert len(trap.violations) > 50, "The policy had something to do."


def test_the_trap_works(chromium: Browser, told: Told, unsanitised: Path):
    with (
        walled(told.root, built=unsanitised, has_policy=False) as site,
        trapped(chromium, site) as trap,
    ):
        with trap.context.expect_event("request", trap.is_foreign):
            page = trap.open(f"/c/{next(iter(told.messages))}")
        page.wait_for_function("window.hasRun")
    assert trap.ran
    assert trap.asked
