# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm.intr.*`: calls of LLVM's intrinsics.

Nearly all of them are `llvm.<name>` of the operands in their order. `IMMEDIATE` says which argument
places are filled from attributes; the few that differ are functions in `EMIT`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.backend.llvm_ir.attributes import each, parameter
from xgpu.backend.llvm_ir.calls import bundles, result_attributes
from xgpu.backend.llvm_ir.facts import fast_math, flag, integers, number, prop
from xgpu.backend.llvm_ir.instruction_metadata import alias_metadata
from xgpu.backend.llvm_ir.literals import float_text, int_text

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.core.ods.attributes import StructAttr

#: Operation -> (place in the argument list, attribute), ascending.
IMMEDIATE: dict[str, tuple[tuple[int, str], ...]] = {
    "llvm.intr.abs": ((1, "is_int_min_poison"),),
    "llvm.intr.ctlz": ((1, "is_zero_poison"),),
    "llvm.intr.cttz": ((1, "is_zero_poison"),),
    "llvm.intr.expect.with.probability": ((2, "prob"),),
    "llvm.intr.invariant.end": ((1, "size"),),
    "llvm.intr.invariant.start": ((0, "size"),),
    "llvm.intr.is.fpclass": ((1, "bit"),),
    "llvm.intr.memcpy.inline": ((2, "len"), (3, "isVolatile")),
    "llvm.intr.memcpy": ((3, "isVolatile"),),
    "llvm.intr.memmove": ((3, "isVolatile"),),
    "llvm.intr.memset.inline": ((2, "len"), (3, "isVolatile")),
    "llvm.intr.memset": ((3, "isVolatile"),),
    "llvm.intr.prefetch": ((1, "rw"), (2, "hint"), (3, "cache")),
    "llvm.intr.ubsantrap": ((0, "failureKind"),),
    "llvm.intr.vector.extract": ((1, "pos"),),
    "llvm.intr.vector.insert": ((2, "pos"),),
}


#: Operations that are not named as their intrinsics.
NAMES = {
    "llvm.intr.vacopy": "llvm.va_copy",
    "llvm.intr.vaend": "llvm.va_end",
    "llvm.intr.vastart": "llvm.va_start",
}


def _immediate(w: FunctionWriter, attr: Attribute | None) -> str:
    if isinstance(attr, FloatAttr):
        t = w.types(attr.type)
        return f"{t} {float_text(attr.value.data, t)}"
    if isinstance(attr, IntegerAttr):
        width = attr.type.width.data if isinstance(attr.type, IntegerType) else 64
        return f"i{width} {int_text(attr.value.data, width)}"
    return f"i32 {number(attr)}"


def intrinsic(w: FunctionWriter, op: Operation) -> None:
    """An intrinsic without peculiarities."""
    immediate = IMMEDIATE.get(op.name, ())
    operands = list(op.operands)
    bundled: list[SSAValue] = []
    if sizes := integers(prop(op, "op_bundle_sizes")):
        count = len(operands) - sum(sizes)
        operands, bundled = operands[:count], operands[count:]
    attrs = prop(op, "arg_attrs")
    values: list[str] = []
    for value, own in zip(operands, each(attrs, len(operands)), strict=False):
        values.append(
            f"{w.types(value.type)} {parameter(op, own, w.types) if own else ''}{w.values[value]}"
        )
    for place, name in immediate:
        values.insert(place, _immediate(w, prop(op, name)))
    name = NAMES.get(op.name) or "llvm." + op.name[10:]
    w.module.uses.intrinsics.add(name)
    result = w.types(op.results[0].type) if op.results else "void"
    flags = fast_math(op) if op.results else ""
    text = f"call {flags}{result_attributes(w, op)}{result} @{name}({', '.join(values)})"
    text += bundles(w, op, bundled) + alias_metadata(w, op)
    if op.results:
        w.define(op.results[0], text)
    else:
        w.line(text)


def _undef_like(w: FunctionWriter, t: Attribute) -> str:
    return f"{w.types(t)} poison"


def masked_load(w: FunctionWriter, op: Operation) -> None:
    """masked.load and masked.gather: the alignment stands on the pointer."""
    pointer, mask, *rest = op.operands
    (result,) = op.results
    t = w.types(result.type)
    through = w.typed(rest[0]) if rest else _undef_like(w, result.type)
    align = f"align {number(prop(op, 'alignment'))} "
    name = "llvm." + op.name[10:]
    w.module.uses.intrinsics.add(name)
    text = f"call {t} @{name}({w.types(pointer.type)} {align}{w.values[pointer]}, "
    text += f"{w.typed(mask)}, {through})"
    if flag(op, "nontemporal"):
        text += f", !nontemporal {w.module.metadata.tuple(['i32 1'])}"
    w.define(result, text)


def masked_store(w: FunctionWriter, op: Operation) -> None:
    """masked.store and masked.scatter"""
    value, pointer, mask = op.operands
    align = f"align {number(prop(op, 'alignment'))} "
    name = "llvm." + op.name[10:]
    w.module.uses.intrinsics.add(name)
    text = f"call void @{name}({w.typed(value)}, {w.types(pointer.type)} {align}"
    w.line(f"{text}{w.values[pointer]}, {w.typed(mask)})")


def matrix_multiply(w: FunctionWriter, op: Operation) -> None:
    sizes = [f"i32 {number(prop(op, n))}" for n in ("lhs_rows", "lhs_columns", "rhs_columns")]
    _matrix(w, op, "multiply", [*map(w.typed, op.operands), *sizes])


def matrix_transpose(w: FunctionWriter, op: Operation) -> None:
    sizes = [f"i32 {number(prop(op, n))}" for n in ("rows", "columns")]
    _matrix(w, op, "transpose", [w.typed(op.operands[0]), *sizes])


def matrix_load(w: FunctionWriter, op: Operation) -> None:
    pointer, stride = op.operands
    sizes = [f"i32 {number(prop(op, n))}" for n in ("rows", "columns")]
    element = op.results[0].type.element_type  # pyright: ignore[reportAttributeAccessIssue]
    text = f"{w.types(pointer.type)} align {w.module.layout.align(element)} {w.values[pointer]}"
    volatile = "i1 true" if number(prop(op, "isVolatile")) else "i1 false"
    _matrix(w, op, "column.major.load", [text, w.typed(stride), volatile, *sizes])


def matrix_store(w: FunctionWriter, op: Operation) -> None:
    matrix, pointer, stride = op.operands
    sizes = [f"i32 {number(prop(op, n))}" for n in ("rows", "columns")]
    element = matrix.type.element_type  # pyright: ignore[reportAttributeAccessIssue]
    text = f"{w.types(pointer.type)} align {w.module.layout.align(element)} {w.values[pointer]}"
    volatile = "i1 true" if number(prop(op, "isVolatile")) else "i1 false"
    _matrix(w, op, "column.major.store", [w.typed(matrix), text, w.typed(stride), volatile, *sizes])


def _matrix(w: FunctionWriter, op: Operation, name: str, values: list[str]) -> None:
    result = op.results[0].type if op.results else None
    text = w.call(op, result, f"llvm.matrix.{name}", values)
    if text is not None:
        w.values[op.results[0]] = text


_ROUNDING = {
    "towardzero": "round.towardzero",
    "tonearest": "round.tonearest",
    "upward": "round.upward",
    "downward": "round.downward",
    "tonearestaway": "round.tonearestaway",
    "dynamic": "round.dynamic",
}
_ROUNDING_VALUES = {0: "towardzero", 1: "tonearest", 2: "upward", 3: "downward"}
_ROUNDING_VALUES.update({4: "tonearestaway", 7: "dynamic"})
_EXCEPTIONS = ("ignore", "maytrap", "strict")


def constrained(w: FunctionWriter, op: Operation) -> None:
    """Constrained floating-point: rounding and exception behaviour travel as metadata."""
    values = [w.typed(v) for v in op.operands]
    if (rounding := prop(op, "roundingmode")) is not None:
        values.append(f'metadata !"{_ROUNDING[_ROUNDING_VALUES[number(rounding)]]}"')
    behaviour = _EXCEPTIONS[number(prop(op, "fpExceptionBehavior"))]
    values.append(f'metadata !"fpexcept.{behaviour}"')
    name = "llvm." + op.name[10:]
    w.module.uses.intrinsics.add(name)
    t = w.types(op.results[0].type)
    w.define(op.results[0], f"call {t} @{name}({', '.join(values)}) strictfp")


def noalias_scope(w: FunctionWriter, op: Operation) -> None:
    scopes = w.module.metadata.alias_scopes([cast("StructAttr", prop(op, "scope"))])
    w.call(op, None, "llvm.experimental.noalias.scope.decl", [f"metadata {scopes}"])


def debug_variable(w: FunctionWriter, op: Operation) -> None:
    """dbg.value and dbg.declare become records, where they have a place."""
    if not w.suffix:
        return
    at = w.suffix.removeprefix(", !dbg ")
    debug = w.module.debug_info
    kind = "value" if op.name.endswith("value") else "declare"
    variable = debug.node(prop(op, "varInfo"))
    expression = debug.expression(prop(op, "locationExpr"))
    operand = w.typed(op.operands[0])
    w.current.append((None, f"    #dbg_{kind}({operand}, {variable}, {expression}, {at})"))


def debug_label(w: FunctionWriter, op: Operation) -> None:
    if not w.suffix:
        return
    at = w.suffix.removeprefix(", !dbg ")
    label = w.module.debug_info.node(prop(op, "label"))
    w.current.append((None, f"    #dbg_label({label}, {at})"))


def coro_end(w: FunctionWriter, op: Operation) -> None:
    """The operation has a result (whether to unwind), the intrinsic of LLVM 22 has none."""
    name = "llvm.coro.end"
    w.module.uses.intrinsics.add(name)
    w.line(f"call void @{name}({', '.join(w.typed(v) for v in op.operands)})")
    for result in op.results:
        w.values[result] = "false"


EMIT: dict[str, Callable[[FunctionWriter, Operation], None]] = {
    "llvm.intr.masked.load": masked_load,
    "llvm.intr.masked.gather": masked_load,
    "llvm.intr.masked.store": masked_store,
    "llvm.intr.masked.scatter": masked_store,
    "llvm.intr.matrix.multiply": matrix_multiply,
    "llvm.intr.matrix.transpose": matrix_transpose,
    "llvm.intr.matrix.column.major.load": matrix_load,
    "llvm.intr.matrix.column.major.store": matrix_store,
    "llvm.intr.experimental.constrained.fpext": constrained,
    "llvm.intr.experimental.constrained.fptrunc": constrained,
    "llvm.intr.experimental.constrained.sitofp": constrained,
    "llvm.intr.experimental.constrained.uitofp": constrained,
    "llvm.intr.experimental.noalias.scope.decl": noalias_scope,
    "llvm.intr.coro.end": coro_end,
    "llvm.intr.dbg.value": debug_variable,
    "llvm.intr.dbg.declare": debug_variable,
    "llvm.intr.dbg.label": debug_label,
}
