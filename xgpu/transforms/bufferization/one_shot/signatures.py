# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions as their callers see them: types, attributes of arguments, what is done to those."""

from __future__ import annotations

from collections import defaultdict

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.calls import callee_name
from xgpu.core.ir.symbols import resolve

ACCESS, LAYOUT, WRITABLE = (
    "bufferization.access",
    "bufferization.buffer_layout",
    "bufferization.writable",
)


def function_type(function: Operation) -> FunctionType:
    kind = function.properties["function_type"]
    assert isinstance(kind, FunctionType)
    return kind


def callee(call: Operation) -> Operation | None:
    """The function that a `func.call` calls."""
    name = callee_name(call)
    path = None if name is None else resolve(call, name)
    return path[-1] if path and path[-1].name == "func.func" else None


def argument_attribute(function: Operation, index: int, name: str) -> Attribute | None:
    """The attribute `name` of an argument."""
    attributes = function.properties.get("arg_attrs")
    if not isinstance(attributes, ArrayAttr):
        return None
    entry = attributes.data[index]
    return entry.data.get(name) if isinstance(entry, DictionaryAttr) else None


def returns_of(function: Operation) -> list[Operation]:
    """The `func.return`s of a function."""
    blocks = function.regions[0].blocks
    return [b.last_op for b in blocks if b.last_op is not None and b.last_op.name == "func.return"]


class Facts:
    """What one function does to its arguments."""

    __slots__ = ("aliases", "equivalent", "read", "written")

    def __init__(self) -> None:
        #: The results that may share each argument's buffer.
        self.aliases: dict[int, list[int]] = defaultdict(list)
        #: The argument whose buffer a result is.
        self.equivalent: dict[int, int] = {}
        self.read: set[int] = set()
        self.written: set[int] = set()


class FunctionFacts:
    """What is known of the functions that have been analyzed."""

    def __init__(self) -> None:
        self._facts: dict[Operation, Facts] = {}

    def of(self, call: Operation) -> Facts | None:
        """The facts of what `call` calls; None if it has not been analyzed."""
        function = callee(call)
        return None if function is None else self._facts.get(function)

    def state(self, function: Operation, facts: Facts) -> None:
        """Says what is known of a function."""
        self._facts[function] = facts
