# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a parser has gathered of an operation before the operation is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.core.ods.spec import ONE, OPTIONAL, OpSpec

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, Region
    from xdsl.parser import UnresolvedOperand

    from xgpu.core.syntax.operands import Operand

#: The kinds of things that formats and slots speak of.
OPERAND, RESULT, ATTRIBUTE, REGION, SUCCESSOR = (
    "operand",
    "result",
    "attribute",
    "region",
    "successor",
)

#: Kinds of attributes that are flags: `unit-prop` is `false` where it is off, and not absent.
UNITS = frozenset(("unit", "unit-prop"))


class ReadState:
    """The parts read so far; a list for each operand, result, region, successor of the definition.

    None stands for what was not read. `all_operands` and the likes are set by the directives
    `operands`, `type(operands)`, `functional-type(operands, results)`.
    """

    __slots__ = (
        "all_operand_types",
        "all_operands",
        "all_regions",
        "all_result_types",
        "all_successors",
        "attributes",
        "operand_types",
        "operands",
        "position",
        "properties",
        "regions",
        "result_types",
        "successors",
    )

    def __init__(self, spec: OpSpec, position: int) -> None:
        self.operands: list[list[UnresolvedOperand] | None] = [None] * len(spec.operands)
        self.operand_types: list[list[Attribute] | None] = [None] * len(spec.operands)
        self.result_types: list[list[Attribute] | None] = [None] * len(spec.results)
        self.regions: list[list[Region] | None] = [None] * len(spec.regions)
        self.successors: list[list[Block] | None] = [None] * len(spec.successors)
        self.properties: dict[str, Attribute] = {}
        self.attributes: dict[str, Attribute] = {}
        self.all_operands: list[UnresolvedOperand] | None = None
        self.all_operand_types: list[Attribute] | None = None
        self.all_result_types: list[Attribute] | None = None
        self.all_regions: list[Region] | None = None
        self.all_successors: list[Block] | None = None
        self.position = position


class Slot:
    """An argument of a custom directive, while reading: a place in the state."""

    __slots__ = ("_lists", "_many", "_place")

    def __init__(
        self, lists: list[list[Attribute | Block | Operand] | None], place: int, quantity: str
    ) -> None:
        self._lists = lists
        self._place = place
        self._many = quantity not in (ONE, OPTIONAL)

    def get(self) -> Any:
        """What was set: None if nothing, a list if the field is variadic."""
        values = self._lists[self._place]
        if self._many:
            return [] if values is None else values
        return values[0] if values else None

    def set(self, value: Any) -> None:
        """Sets one value or None; a sequence if the field is variadic."""
        if self._many:
            self._lists[self._place] = [] if value is None else list(value)
        elif isinstance(value, list | tuple):
            self._lists[self._place] = list(value)
        else:
            self._lists[self._place] = [] if value is None else [value]


class AttributeSlot:
    """The slot of an attribute."""

    __slots__ = ("_name", "_properties")

    def __init__(self, properties: dict[str, Attribute], name: str) -> None:
        self._properties = properties
        self._name = name

    def get(self) -> Attribute | None:
        return self._properties.get(self._name)

    def set(self, value: Attribute | None) -> None:
        if value is None:
            self._properties.pop(self._name, None)
        else:
            self._properties[self._name] = value
