# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of intrinsics: operations of the llvm and nvvm dialects, or `llvm.call_intrinsic`.

Most are in a table (`ods/tables/intrinsics.txt`); what is peculiar
to a few stands in `_PECULIAR`. An intrinsic without an operation keeps its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i32

from xgpu.core import ods
from xgpu.core.ods.operation import segment_sizes
from xgpu.core.ods.spec import ONE
from xgpu.core.ods.table_files import read_intrinsics
from xgpu.dialects.llvm.attributes import ConstantRangeAttr
from xgpu.frontend.llvm_ir import constant_import
from xgpu.frontend.llvm_ir.attribute_import import argument_attributes, fast_math
from xgpu.frontend.llvm_ir.body import Body
from xgpu.frontend.llvm_ir.bundles import bundles
from xgpu.frontend.llvm_ir.debug_records import add_label, of_call
from xgpu.frontend.llvm_ir.model import (
    Constant,
    Function,
    Instruction,
    MetadataString,
    MetadataValue,
    Node,
)
from xgpu.frontend.llvm_ir.type_parser import VOID

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from xdsl.ir import Attribute, SSAValue

    from xgpu.core.ods.spec import OpSpec


#: A type in the name of an overloaded intrinsic.
_TYPE = re.compile(r"(?:i|f|bf|p|v|nxv|a)\d|s_|sl_|f_|t|isVoid|Metadata|ppcf128|x86amx")

#: (operation, places of immediates, their properties)
Row = tuple[str, tuple[int, ...], tuple[str, ...]]


@cache
def _rows() -> dict[str, Row]:
    """intrinsic -> row, of operations that MLIR imports."""
    found: dict[str, Row] = {}
    for operation, intrinsic, positions, properties in read_intrinsics():
        immediates = tuple(map(int, positions.split()))
        found[intrinsic] = (operation, immediates, tuple(properties.split()))
    return found


@cache
def _attributes(operation: str) -> frozenset[str]:
    """The names of an operation's inherent attributes."""
    spec = cast("OpSpec", ods.op_spec(operation))
    return frozenset(a.name for a in spec.attrs)


def base_name(name: str) -> str | None:
    """The intrinsic that has an operation, from a name with types; None if there is none."""
    rows = _rows()
    end = len(name)
    while end > len("llvm"):
        candidate = name[:end]
        if candidate in rows or candidate in _PECULIAR:
            suffix = name[end + 1 :]
            return candidate if not suffix or _TYPE.match(suffix) else None
        end = name.rfind(".", 0, end)
    return None


def has_operation(name: str) -> bool:
    """Whether MLIR imports the intrinsic as an operation of its own."""
    return base_name(name) is not None


def intrinsic(b: Body, i: Instruction, target: Function) -> None:
    """The call `i` of an intrinsic."""
    name = None if b.context.options.prefer_unregistered_intrinsics else base_name(target.name)
    if name is None:
        _by_name(b, i, target)
        return
    peculiar = _PECULIAR.get(name)
    if peculiar is not None:
        peculiar(b, i)
        return
    _by_table(b, i, _rows()[name])


def _check_operands(b: Body, i: Instruction) -> None:
    if any(isinstance(value, MetadataValue) for value in i.operands):
        raise b.messages.unhandled("intrinsic", i)


def _by_name(b: Body, i: Instruction, target: Function) -> None:
    """`llvm.call_intrinsic "llvm.name"(...)`"""
    _check_operands(b, i)
    operands = b.operands(i.operands)
    properties: dict[str, Attribute] = {"intrin": StringAttr(target.name), **fast_math(i.flags)}
    properties.update(argument_attributes(i))
    tags, bundled = bundles(b, i)
    properties.update(tags)
    properties["operandSegmentSizes"] = segment_sizes((len(operands), len(bundled)))
    _finish(b, i, "llvm.call_intrinsic", (*operands, *bundled), properties)


def _by_table(b: Body, i: Instruction, row: Row) -> None:
    operation, places, names = row
    _check_operands(b, i)
    known = _attributes(operation)
    properties: dict[str, Attribute] = {}
    for place, name in zip(places, names, strict=True):
        properties[name] = _immediate(b, i, place)
    operands = [b.value(v) for place, v in enumerate(i.operands) if place not in places]
    if "op_bundle_tags" in known:
        tags, bundled = bundles(b, i)
        properties.update(tags)
        operands += bundled
    if "fastmathFlags" in known:
        properties.update(fast_math(i.flags))
    if "arg_attrs" in known:
        properties.update(argument_attributes(i, places))
    if "range" in known and (bounds := i.extra["result_attributes"].known.get("range")):
        properties["range"] = ConstantRangeAttr(*bounds)
    _finish(b, i, operation, operands, properties)


def _immediate(b: Body, i: Instruction, place: int) -> Attribute:
    """The attribute of an argument that has to be a number."""
    value = i.operands[place]
    found = constant_import.scalar(value) if isinstance(value, Constant) else None
    if found is None:
        raise b.messages.unhandled("intrinsic", i)
    return found


def _finish(
    b: Body,
    i: Instruction,
    name: str,
    operands: Sequence[SSAValue],
    properties: Mapping[str, Attribute],
) -> None:
    spec = cast("OpSpec", ods.op_spec(name))
    # Where an operation has to have a result, MLIR gives it one of type void.
    needs_result = any(result.quantity == ONE for result in spec.results)
    results = () if i.type is VOID and not needs_result else (i.type,)
    op = b.create(name, operands, results, properties)
    if i.type is not VOID:
        b.values[i] = op.results[0]


# --- peculiar ones -------------------------------------------------------------------------------
def _align(i: Instruction, place: int) -> IntegerAttr:
    """The alignment of an argument; 1 if nothing is said."""
    return IntegerAttr(i.extra["argument_attributes"][place].known.get("align", 1), i32)


def _masked(name: str, pointer: int, *, optional: bool = False) -> Callable[..., None]:
    """A masked access, whose alignment stands on the argument `pointer`."""

    def convert(b: Body, i: Instruction) -> None:
        properties: dict[str, Attribute] = {"alignment": _align(i, pointer)}
        if optional and "nontemporal" in i.metadata:
            properties["nontemporal"] = UnitAttr()
        _finish(b, i, name, b.operands(i.operands), properties)

    return convert


def _matrix(name: str, operands: int, *properties: str) -> Callable[..., None]:
    """Operands first, then numbers."""

    def convert(b: Body, i: Instruction) -> None:
        numbers = {n: _immediate(b, i, operands + at) for at, n in enumerate(properties)}
        # MLIR makes operations of the numbers, too.
        values = b.operands(i.operands)[:operands]
        _finish(b, i, name, values, numbers)

    return convert


#: The words of rounding modes and exception behaviors, in MLIR's order.
_ROUNDING = {
    "round.towardzero": 0,
    "round.tonearest": 1,
    "round.upward": 2,
    "round.downward": 3,
    "round.tonearestaway": 4,
    "round.dynamic": 7,
}
_EXCEPTIONS = {"fpexcept.ignore": 0, "fpexcept.maytrap": 1, "fpexcept.strict": 2}


def _constrained(name: str, *, rounds: bool) -> Callable[..., None]:
    """A conversion of floats whose rounding and exceptions are said by metadata."""

    def convert(b: Body, i: Instruction) -> None:
        from xdsl.dialects.builtin import i64

        properties: dict[str, Attribute] = {}
        if rounds:
            mode = _ROUNDING.get(_word(i, 1), -1)
            if mode < 0:
                raise b.messages.unhandled("intrinsic", i)
            properties["roundingmode"] = IntegerAttr(mode, i64)
        behavior = _EXCEPTIONS.get(_word(i, 1 + rounds), -1)
        if behavior < 0:
            raise b.messages.unhandled("intrinsic", i)
        properties["fpExceptionBehavior"] = IntegerAttr(behavior, i64)
        _finish(b, i, name, b.operands(i.operands[:1]), properties)

    return convert


def _word(i: Instruction, place: int) -> str:
    value = i.operands[place]
    if isinstance(value, MetadataValue) and isinstance(value.metadata, MetadataString):
        return value.metadata.text
    return ""


def _scope_declaration(b: Body, i: Instruction) -> None:
    """Without an access that uses the scope, nothing is left of its declaration."""
    value = i.operands[0]
    assert isinstance(value, MetadataValue)
    assert isinstance(value.metadata, Node)
    scopes = b.context.aliasing.lookup_scopes(value.metadata)
    if scopes is None:
        return
    if len(scopes) != 1:
        raise b.messages.unhandled("intrinsic", i)
    _finish(b, i, "llvm.intr.experimental.noalias.scope.decl", (), {"scope": scopes[0]})


def _debug_variable(kind: str) -> Callable[..., None]:
    """The older form of a debug record."""

    def convert(b: Body, i: Instruction) -> None:
        b.debug.append(of_call(i, kind))

    return convert


def _debug_label(b: Body, i: Instruction) -> None:
    add_label(b, of_call(i, "label"))


_SHAPE = ("rows", "columns")
_PECULIAR: dict[str, Callable[[Body, Instruction], None]] = {
    "llvm.masked.load": _masked("llvm.intr.masked.load", 0, optional=True),
    "llvm.masked.store": _masked("llvm.intr.masked.store", 1),
    "llvm.masked.gather": _masked("llvm.intr.masked.gather", 0),
    "llvm.masked.scatter": _masked("llvm.intr.masked.scatter", 1),
    "llvm.matrix.multiply": _matrix(
        "llvm.intr.matrix.multiply", 2, "lhs_rows", "lhs_columns", "rhs_columns"
    ),
    "llvm.matrix.transpose": _matrix("llvm.intr.matrix.transpose", 1, *_SHAPE),
    "llvm.matrix.column.major.load": _matrix(
        "llvm.intr.matrix.column.major.load", 2, "isVolatile", *_SHAPE
    ),
    "llvm.matrix.column.major.store": _matrix(
        "llvm.intr.matrix.column.major.store", 3, "isVolatile", *_SHAPE
    ),
    "llvm.experimental.constrained.fptrunc": _constrained(
        "llvm.intr.experimental.constrained.fptrunc", rounds=True
    ),
    "llvm.experimental.constrained.sitofp": _constrained(
        "llvm.intr.experimental.constrained.sitofp", rounds=True
    ),
    "llvm.experimental.constrained.uitofp": _constrained(
        "llvm.intr.experimental.constrained.uitofp", rounds=True
    ),
    "llvm.experimental.constrained.fpext": _constrained(
        "llvm.intr.experimental.constrained.fpext", rounds=False
    ),
    "llvm.experimental.noalias.scope.decl": _scope_declaration,
    "llvm.dbg.declare": _debug_variable("declare"),
    "llvm.dbg.value": _debug_variable("value"),
    "llvm.dbg.label": _debug_label,
}
