# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names in a format, resolved to what they name in the operation's definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.core.ods.registry import attr_spec
from xgpu.core.ods.spec import ONE, OPTIONAL, Field, OpSpec
from xgpu.core.syntax.formats.format_parser import (
    AnyOrder,
    Directive,
    Element,
    FormatError,
    Group,
    Variable,
)

if TYPE_CHECKING:
    from xdsl.ir import Attribute, Block, Region
    from xdsl.parser import UnresolvedOperand

    from xgpu.core.syntax.parser_base import Operand


# -- the state of a parser before the operation is made


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


class Fields:
    """Finds `$name`: its kind, index and definition."""

    __slots__ = ("spec", "table")

    def __init__(self, spec: OpSpec) -> None:
        self.spec = spec
        self.table: dict[str, tuple[str, int, object]] = {}
        for kind, fields in (
            (RESULT, spec.results),
            (SUCCESSOR, spec.successors),
            (REGION, spec.regions),
            (ATTRIBUTE, spec.attrs),
            (OPERAND, spec.operands),
        ):
            for index, field in enumerate(fields):
                if field.name:
                    self.table[field.name] = (kind, index, field)

    def find(self, name: str) -> tuple[str, int, Any]:
        found = self.table.get(name)
        if found is None:
            raise FormatError(f"{self.spec.name}: no ${name} in {self.spec.format!r}")
        return found

    def of(self, element: Element) -> tuple[str, int, Field]:
        """What `$x`, `type($x)`, `ref($x)`, `qualified($x)` speak of."""
        while isinstance(element, Directive) and element.arguments:
            element = element.arguments[0]
        if not isinstance(element, Variable):
            raise FormatError(f"{self.spec.name}: a variable is expected in {self.spec.format!r}")
        return self.find(element.name)


def walk(elements: list[Element]) -> list[Element]:
    """All elements, nested ones too, but for the arguments of `ref`."""
    found: list[Element] = []
    for element in elements:
        found.append(element)
        if isinstance(element, Directive) and element.name != "ref":
            found.extend(walk(element.arguments))
        elif isinstance(element, Group):
            found.extend(walk(element.then))
            found.extend(walk(element.otherwise))
        elif isinstance(element, AnyOrder):
            for clause in element.clauses:
                found.extend(walk(clause))
    return found


def attributes_in(elements: list[Element], fields: Fields) -> set[str]:
    """Names of the attributes that a format spells out, which its dictionary then leaves out."""
    return {
        e.name
        for e in walk(elements)
        if isinstance(e, Variable) and fields.find(e.name)[0] == ATTRIBUTE
    }


def uses_directive(elements: list[Element], name: str) -> bool:
    return any(isinstance(e, Directive) and e.name == name for e in walk(elements))


def stripped_type(field: Field) -> bool:
    """Whether `type($field)` is spelled without the type's name: one type of ours with a format.

    MLIR does so where the constraint fixes the C++ class, and that class has a format.
    """
    if field.quantity != ONE:
        return False
    name = type_name(field)
    if name is None:
        return False
    spec = attr_spec("!" + name)
    return spec is not None and (spec.format is not None or spec.custom_format)


def type_name(field: Field) -> str | None:
    """MLIR's name of the type of ours that a field must have, or None."""
    return getattr(field.constraint, "attr_name", None)
