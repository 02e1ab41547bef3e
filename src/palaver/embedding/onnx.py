"""Writes ONNX models: the few messages of its protobuf format that a graph of ours needs.

The `onnx` package would do it too, but nobody should have to install it to search. The numbers
below are the field numbers of onnx.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONTRIB = "com.microsoft"  # the operators ONNX Runtime adds to the standard ones
_IR_VERSION = 8
_OPSETS = {"": 17, CONTRIB: 1}
_FLOAT = 1
_ELEMENT_TYPES = {"float32": _FLOAT, "uint8": 2, "int8": 3, "int64": 7}


class Graph:
    """A graph of operators that grows from its inputs to its output."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []

    def constant(self, array: NDArray[Any]) -> str:
        """Puts a tensor into the graph, and returns its name."""
        name = f"constant{len(self._constants)}"
        shape = b"".join(_number(1, size) for size in array.shape)
        kind = _number(2, _ELEMENT_TYPES[array.dtype.name])
        self._constants.append(shape + kind + _text(8, name) + _block(9, array.tobytes()))
        return name

    def node(
        self,
        operator: str,
        *inputs: str,
        outputs: Sequence[str] = (),
        domain: str = "",
        **given: Any,
    ) -> str:
        """Adds an operator, and returns the name of its first output."""
        results = outputs or (f"node{len(self._nodes)}",)
        self._nodes.append(
            b"".join(_text(1, name) for name in inputs)
            + b"".join(_text(2, name) for name in results)
            + _text(4, operator)
            + b"".join(_block(5, _attribute(name, value)) for name, value in given.items())
            + _text(7, domain)
        )
        return results[0]

    def model(
        self, source: tuple[str, Sequence[str | int]], result: tuple[str, Sequence[str | int]]
    ) -> bytes:
        """The whole model; its input and its output are float tensors with these dimensions."""
        graph = (
            b"".join(_block(1, node) for node in self._nodes)
            + _text(2, "palaver")
            + b"".join(_block(5, constant) for constant in self._constants)
            + _block(11, _tensor(*source))
            + _block(12, _tensor(*result))
        )
        opsets = (_text(1, domain) + _number(2, version) for domain, version in _OPSETS.items())
        return (
            _number(1, _IR_VERSION)
            + _block(7, graph)
            + b"".join(_block(8, opset) for opset in opsets)
        )


def _attribute(name: str, value: float | Sequence[int]) -> bytes:
    match value:
        case int():
            return _text(1, name) + _number(3, value) + _number(20, 2)
        case float():
            return _text(1, name) + _tag(2, 5) + struct.pack("<f", value) + _number(20, 1)
        case _:
            numbers = b"".join(_number(8, number) for number in value)
            return _text(1, name) + numbers + _number(20, 7)


def _tensor(name: str, dimensions: Sequence[str | int]) -> bytes:
    """The name, type and shape of an input or output; a dimension with a name may vary."""
    sizes = (_text(2, size) if isinstance(size, str) else _number(1, size) for size in dimensions)
    shape = b"".join(_block(1, size) for size in sizes)
    return _text(1, name) + _block(2, _block(1, _number(1, _FLOAT) + _block(2, shape)))


def _number(field: int, value: int) -> bytes:
    return _tag(field, 0) + _varint(value & (1 << 64) - 1)


def _text(field: int, text: str) -> bytes:
    return _block(field, text.encode())


def _block(field: int, content: bytes) -> bytes:
    return _tag(field, 2) + _varint(len(content)) + content


def _tag(field: int, kind: int) -> bytes:
    return _varint(field << 3 | kind)


def _varint(value: int) -> bytes:
    """Seven bits to a byte, the lowest first; the eighth says that more follow."""
    written = bytearray()
    while value > 0x7F:
        written.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*written, value])
