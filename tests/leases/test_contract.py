"""What every kind of lease promises."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from palaver.errors import StorageFailed
from palaver.leases import HomeLeases, Leases
from palaver.leases.postgres import PostgresLeases

Make = Callable[[], Leases]
_HOLD = """
import asyncio, sys
from pathlib import Path
from palaver.leases import HomeLeases
from palaver.leases.postgres import PostgresLeases

async def hold(kind, where):
    leases = HomeLeases(Path(where)) if kind == "home" else PostgresLeases(where)
    async with leases.hold("a"):
        print("held", flush=True)
        await asyncio.Event().wait()

asyncio.run(hold(*sys.argv[1:]))
"""


@pytest.fixture(params=["home", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    if request.param == "home":
        return "home", str(tmp_path / "replies.lock")
    return "postgres", str(request.getfixturevalue("database_url"))


@pytest.fixture
async def make(place: tuple[str, str]) -> AsyncIterator[Make]:
    kind, where = place
    async with AsyncExitStack() as stack:

        def made() -> Leases:
            leases = HomeLeases(Path(where)) if kind == "home" else PostgresLeases(where)
            stack.callback(leases.close)
            return leases

        yield made


async def holds(leases: Leases, name: str, log: list[str], mark: str) -> None:
    async with leases.hold(name):
        log.append(f"{mark} in")
        for _ in range(3):
            await asyncio.sleep(0)
        log.append(f"{mark} out")


async def test_one_at_a_time_holds_a_name(make: Make):
    one, other, log = make(), make(), list[str]()
    await asyncio.gather(
        *(holds(leases, "a", log, str(n)) for n, leases in enumerate([one, other, one]))
    )
    marks = [line.split()[0] for line in log]
    assert marks[::2] == marks[1::2]
    assert sorted(marks[::2]) == ["0", "1", "2"]


async def test_names_do_not_wait_for_each_other(make: Make):
    one, other = make(), make()
    async with one.hold("a"), one.hold("b"), other.hold("c"):
        pass


async def test_a_name_can_be_held_again(make: Make):
    leases = make()
    for _ in range(3):
        async with leases.hold("a"):
            pass


async def test_what_fails_inside_gives_it_back(make: Make):
    one, other = make(), make()
    with pytest.raises(ZeroDivisionError):
        async with one.hold("a"):
            raise ZeroDivisionError
    async with other.hold("a"):
        pass


async def test_whoever_gives_up_waiting_does_not_hold_it(make: Make):
    one, other = make(), make()
    async with one.hold("a"):
        waiting = asyncio.create_task(holds(other, "a", [], ""))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with one.hold("a"), other.hold("b"):
        pass


async def test_closing_one_lets_another_keep_what_it_holds(make: Make):
    one, other, third = make(), make(), make()
    async with one.hold("a"):
        async with other.hold("b"):
            pass
        other.close()
        log = list[str]()
        waiting = asyncio.create_task(holds(third, "a", log, ""))
        done, _ = await asyncio.wait([waiting], timeout=0.1)
        assert not done
        assert log == []
    await waiting


async def test_it_ends_with_the_process(make: Make, place: tuple[str, str]):
    leases = make()
    holder = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _HOLD, *place, stdout=asyncio.subprocess.PIPE
    )
    assert holder.stdout
    assert await holder.stdout.readline() == b"held\n"
    log = list[str]()
    waiting = asyncio.create_task(holds(leases, "a", log, ""))
    done, _ = await asyncio.wait([waiting], timeout=0.1)
    assert not done
    os.kill(holder.pid, signal.SIGKILL)
    await holder.wait()
    await waiting
    assert log


async def test_a_home_that_cannot_be_written_to_says_so(tmp_path: Path):
    with pytest.raises(StorageFailed, match=r"replies\.lock cannot be opened"):
        async with HomeLeases(tmp_path / "gone" / "replies.lock").hold("a"):
            pass


async def test_a_lost_connection_loses_no_name(database_url: str):
    leases = PostgresLeases(database_url)
    async with leases.hold("a"):
        leases._pool._idle[0].close()  # pyright: ignore[reportPrivateUsage]
    async with leases.hold("a"):
        pass
    leases.close()


async def test_whether_it_is_held_is_seen_by_everybody(make: Make) -> None:
    one, other = make(), make()
    async with one.hold("a"):
        assert await one.is_held("a")
        assert await other.is_held("a")
        assert not await other.is_held("b")
    assert not await one.is_held("a")
    async with other.hold("a"):
        assert await one.is_held("a")
