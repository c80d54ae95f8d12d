# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`custom<Name>(...)` in formats: the dialect's functions, and MLIR's own few."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from xgpu.core.ods.operation import group_slicer
from xgpu.core.ods.registry import hooks
from xgpu.core.ods.spec import ONE, OPTIONAL
from xgpu.core.syntax.formats.fields import (
    ATTRIBUTE,
    OPERAND,
    REGION,
    RESULT,
    AttributeSlot,
    Fields,
    Slot,
)
from xgpu.core.syntax.formats.format_parser import Directive, Element, FormatError, Text, Variable

if TYPE_CHECKING:
    from xdsl.printer import Printer


#: Makes an argument of a directive, of the state (reading) or the operation (printing).
Argument = Callable[..., object]

#: Where directives that several dialects use are written.
_SHARED = "builtin"


def find_directive(
    op_name: str, name: str
) -> tuple[Callable[..., bool | None], Callable[..., None]] | None:
    """The functions (parse, print) for a directive: the dialect's, or shared ones."""
    dialect = op_name.partition(".")[0]
    found = hooks(dialect, "syntax", "DIRECTIVES").get(name)
    if found is None:
        from xgpu.core.syntax.formats.common_directives import COMMON

        found = COMMON.get(name) or hooks(_SHARED, "syntax", "DIRECTIVES").get(name)
    return found


class MissingDirectiveError(NotImplementedError):
    """A format uses a directive that no one has written yet."""


def functions_of(
    op_name: str, element: Directive
) -> tuple[Callable[..., bool | None], Callable[..., None]]:
    found = find_directive(op_name, element.custom or "")
    if found is None:
        raise MissingDirectiveError(f"{op_name}: directive custom<{element.custom}>")
    return found


def slot_maker(fields: Fields, element: Element) -> Argument:
    if isinstance(element, Text):
        text = element.text
        return lambda state: text
    is_type = False
    while isinstance(element, Directive):
        is_type = is_type or element.name == "type"
        if not element.arguments:
            if element.name == "attr-dict":
                return lambda state: state.attributes
            raise FormatError(f"{fields.spec.name}: {element.name} as an argument of a directive")
        element = element.arguments[0]
    if not isinstance(element, Variable):
        raise FormatError(f"{fields.spec.name}: argument of a directive")
    kind, index, field = fields.find(element.name)
    if kind == ATTRIBUTE:
        name = field.name
        return lambda state: AttributeSlot(state.properties, name)
    quantity = field.quantity
    if is_type:
        if kind == OPERAND:
            return lambda state: Slot(state.operand_types, index, quantity)
        return lambda state: Slot(state.result_types, index, quantity)
    if kind == OPERAND:
        return lambda state: Slot(state.operands, index, quantity)
    if kind == REGION:
        return lambda state: Slot(state.regions, index, quantity)
    return lambda state: Slot(state.successors, index, quantity)


def write_custom(fields: Fields, element: Directive) -> Callable[[Printer, Operation], None]:
    """The step that calls the directive's print function."""
    write = functions_of(fields.spec.name, element)[1]
    getters = [_value_getter(fields, argument) for argument in element.arguments]

    def step(printer: Printer, op: Operation) -> None:
        write(printer, op, *[get(op) for get in getters])

    return step


def _value_getter(fields: Fields, element: Element) -> Argument:
    if isinstance(element, Text):
        text = element.text
        return lambda op: text
    is_type = False
    while isinstance(element, Directive):
        is_type = is_type or element.name == "type"
        if not element.arguments:
            return lambda op: op.attributes
        element = element.arguments[0]
    kind, index, field = fields.find(element.name)  # pyright: ignore
    if kind == ATTRIBUTE:
        name = field.name
        return lambda op: op.properties.get(name)
    group = group_getter(fields, kind, index)
    quantity = field.quantity
    if quantity in (ONE, OPTIONAL):
        if is_type:
            return lambda op: values[0].type if (values := group(op)) else None
        return lambda op: values[0] if (values := group(op)) else None
    if is_type:
        return lambda op: tuple(value.type for value in group(op))
    return lambda op: tuple(group(op))


def group_getter(fields: Fields, kind: str, index: int) -> Callable[[Operation], Sequence[Any]]:
    """The values, regions or successors of one field."""
    spec = fields.spec
    if kind == OPERAND:
        segmented = "AttrSizedOperandSegments" in spec.traits
        return group_slicer(spec.operands, index, kind, segmented)
    if kind == RESULT:
        return group_slicer(spec.results, index, kind, "AttrSizedResultSegments" in spec.traits)
    parts = spec.regions if kind == REGION else spec.successors
    attribute = "regions" if kind == REGION else "_successors"
    if parts[index].quantity in (ONE, OPTIONAL):
        return lambda op: getattr(op, attribute)[index : index + 1]
    return lambda op: getattr(op, attribute)[index:]
