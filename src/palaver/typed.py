"""Types, checked where the library is entered: a wrong one is a BadValue, not a failure inside."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from pydantic import ConfigDict, ValidationError, validate_call
from pydantic.alias_generators import to_camel

from palaver.errors import BadValue

C = TypeVar("C")
P = ParamSpec("P")
R = TypeVar("R")


def typed(kind: type[C]) -> type[C]:
    """Checks what is given to each public coroutine method of a class against its annotations."""
    for name, method in list(vars(kind).items()):
        if inspect.iscoroutinefunction(method) and not name.startswith("_"):
            setattr(kind, name, _checking(method))
    return kind


def _checking(method: Callable[P, Coroutine[Any, Any, R]]) -> Callable[P, Coroutine[Any, Any, R]]:
    @wraps(method)
    def begin(*args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, R]:
        return method(*args, **kwargs)

    checked = validate_call(config=ConfigDict(strict=True))(begin)
    names = list(inspect.signature(method).parameters)

    @wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            begun = checked(*args, **kwargs)
        except ValidationError as error:
            raise BadValue(complaint(error, names)) from None
        return await begun

    return call


def complaint(error: ValidationError, names: Sequence[str] = ()) -> str:
    """One sentence about the first thing that is wrong; `names` are those of the arguments."""
    first = error.errors(include_input=False, include_url=False)[0]
    place = list(first["loc"])
    if names and isinstance(place[0], int):
        place[0] = names[place[0]]
    name = ".".join(to_camel(str(part)) for part in place) or "The value"
    return f"{name} is not valid: {first['msg'].lower()}."
