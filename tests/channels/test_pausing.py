"""How long a channel waits before it tries again."""

from palaver.channels.pausing import Pauses


async def test_it_waits_longer_each_time_until_something_works() -> None:
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    pauses = Pauses(wait)
    for _ in range(8):
        await pauses.pause()
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    await pauses.pause(90)
    pauses.reset()
    await pauses.pause()
    await pauses.pause(0.5)
    assert waits[8:] == [90, 1, 2]
