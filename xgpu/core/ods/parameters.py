# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the constructor of an operation's class takes.

One list, from the operation's definition, of which the constructor, its signature, the docstring
and the stubs for type checkers are made.

* Operands come first, in the definition's order, and may be given by position up to the first one
  that has to be given behind one that need not be.
* Attributes, results, regions and successors are given by name.
* So may attributes that an operation's definition does not have and its syntax and verifier do,
  such as the name of a `gpu.func`.
* What follows from something else is not asked for: segment sizes, and the static sizes of an
  operation whose sizes are values or numbers (`static_offsets` beside `offsets`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, TypeAlias

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core.ods.operation import KNOWN_ATTRIBUTES, accessor_name, field_name
from xgpu.core.ods.spec import ONE, OPTIONAL, VARIADIC_OF_VARIADIC, AttrField, Field, OpSpec

# -- types of parameters, for the stubs of the dialects


#: One operand: a value, or the operation whose only result it is.
ValueLike: TypeAlias = SSAValue | Operation
#: An operand that a number may stand for.
SizeLike: TypeAlias = SSAValue | Operation | int
#: Any number of operands.
ValuesLike: TypeAlias = Sequence[ValueLike] | ValueLike
SizesLike: TypeAlias = Sequence[SizeLike] | ValueLike
#: A region: itself, its blocks, or the operations of its only block.
RegionLike: TypeAlias = Region | Block | Sequence[Block] | Sequence[Operation]
#: Attributes by name: attributes, or what plain ones are made of.
Attributes: TypeAlias = Mapping[str, Attribute | str | bool | int | float]


OPERAND, ATTRIBUTE, RESULT = "operand", "attribute", "result"
REGION, SUCCESSOR, EXTRA = "region", "successor", "extra"
DISCARDABLE = "discardable"

#: Kinds of attributes that are flags: absent means off.
_FLAGS = ("unit", "unit-prop")


class ConstructorParameter:
    """One parameter: `name` is Python's; `field` the definition's operand, attribute, ..., which is
    number `index` of its `role`. `static` is the attribute that takes an operand's numbers."""

    __slots__ = ("field", "index", "name", "positional", "required", "role", "static")

    def __init__(self, name: str, role: str, index: int, field: Any, required: bool) -> None:
        self.name = name
        self.role = role
        self.index = index
        self.field = field
        self.required = required
        self.positional = False
        self.static: AttrField | None = None


def constructor_parameters(spec: OpSpec) -> tuple[ConstructorParameter, ...]:
    """The parameters of the constructor, in the order of its signature."""
    from xgpu.core.ods.result_types import is_inferred

    found = _operands(spec)
    given_elsewhere = {p.static.name for p in found if p.static is not None}
    given_elsewhere |= {f.sizes for f in spec.operands if f.sizes is not None}
    for index, attr in enumerate(spec.attrs):
        if attr.name in given_elsewhere:
            continue
        flag = attr.constraint.kind in _FLAGS
        required = not attr.optional and attr.default is None and not flag
        name = accessor_name(attr.name)
        found.append(ConstructorParameter(name, ATTRIBUTE, index, attr, required))
    for index, result in enumerate(spec.results):
        required = result.quantity == ONE and not is_inferred(spec, index)
        name = field_name(result, RESULT, index, len(spec.results))
        found.append(ConstructorParameter(name, RESULT, index, result, required))
    for role, fields in ((REGION, spec.regions), (SUCCESSOR, spec.successors)):
        for index, field in enumerate(fields):
            required = role == SUCCESSOR and field.quantity == ONE
            name = field_name(field, role, index, len(fields))
            found.append(ConstructorParameter(name, role, index, field, required))
    for index, known in enumerate(KNOWN_ATTRIBUTES.get(spec.name, ())):
        found.append(ConstructorParameter(known.parameter, DISCARDABLE, index, known, False))
    for index, name in enumerate(("attributes", "location")):
        found.append(ConstructorParameter(name, EXTRA, index, None, False))
    return tuple(found)


def _operands(spec: OpSpec) -> list[ConstructorParameter]:
    attributes = {attr.name: attr for attr in spec.attrs}
    found: list[ConstructorParameter] = []
    positional, optional_before = True, False
    for index, field in enumerate(spec.operands):
        required = field.quantity == ONE
        if required and optional_before:
            positional = False
        optional_before = optional_before or not required
        name = field_name(field, OPERAND, index, len(spec.operands))
        parameter = ConstructorParameter(name, OPERAND, index, field, required)
        parameter.positional = positional
        if not required and field.quantity != OPTIONAL:
            parameter.static = _static_attribute(field, attributes)
        found.append(parameter)
    return found


def _static_attribute(field: Field, attributes: dict[str, AttrField]) -> AttrField | None:
    """The attribute that has the numbers of a list of which some members are values:
    `static_offsets` of `offsets`, `staticUpperBound` of `dynamicUpperBound`."""
    plain = field.name.removeprefix("dynamic_").removeprefix("dynamic")
    for name in (f"static_{plain}", f"static{plain[:1].upper()}{plain[1:]}"):
        attr = attributes.get(name)
        if attr is not None and attr.constraint.kind == "dense-array":
            return attr
    return None


def nested(field: Field) -> bool:
    """Whether an operand is a list of lists."""
    return field.quantity == VARIADIC_OF_VARIADIC


def signature_of(spec: OpSpec) -> Signature:
    """The signature of the constructor, for `inspect`."""
    return Signature(
        [
            Parameter(
                p.name,
                Parameter.POSITIONAL_OR_KEYWORD if p.positional else Parameter.KEYWORD_ONLY,
                default=Parameter.empty if p.required else None,
            )
            for p in constructor_parameters(spec)
        ]
    )
