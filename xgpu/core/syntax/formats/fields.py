# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names in a format, resolved to what they name in the operation's definition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xgpu.core.ods.spec import ONE, OpSpec
from xgpu.core.syntax.formats.format_parser import (
    AnyOrder,
    Directive,
    Element,
    FormatError,
    Group,
    Variable,
)
from xgpu.core.syntax.formats.parser_state import ATTRIBUTE, OPERAND, REGION, RESULT, SUCCESSOR

if TYPE_CHECKING:
    from xgpu.core.ods.spec import Field


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
    from xgpu.core.ods.registry import attr_spec

    spec = attr_spec("!" + name)
    return spec is not None and (spec.format is not None or spec.custom_format)


def type_name(field: Field) -> str | None:
    """MLIR's name of the type of ours that a field must have, or None."""
    return getattr(field.constraint, "attr_name", None)
