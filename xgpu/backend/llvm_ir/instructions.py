# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The llvm dialect's operations that are LLVM instructions: arithmetic, casts, constants.

One table, `EMIT`: operation name -> function of the writer and the operation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from xgpu.backend.llvm_ir import fold
from xgpu.backend.llvm_ir.address_comparisons import icmp as fold_icmp
from xgpu.backend.llvm_ir.constants import constant
from xgpu.backend.llvm_ir.facts import (
    fast_math,
    flag,
    number,
    prop,
)
from xgpu.backend.llvm_ir.literals import Unsupported, is_float, null
from xgpu.backend.llvm_ir.types import symbol
from xgpu.core.ir.errors import error
from xgpu.dialects.llvm.attributes import FCMP, ICMP

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter
    from xgpu.core.ods.attributes import StructAttr


def overflow(op: Operation) -> str:
    """`nuw nsw ` as `overflowFlags` says."""
    attr = prop(op, "overflowFlags")
    if attr is None:
        return ""
    text = getattr(attr, "data", None)
    if isinstance(text, str):
        return ("nuw " if "nuw" in text else "") + ("nsw " if "nsw" in text else "")
    bits = number(attr)
    return ("nuw " if bits & 2 else "") + ("nsw " if bits & 1 else "")


def _binary(opcode: str, flags: Callable[[Operation], str] | None) -> Callable[..., None]:
    def emit(w: FunctionWriter, op: Operation) -> None:
        lhs, rhs = op.operands
        a, b = w.values[lhs], w.values[rhs]
        if a[0] != "%" and b[0] != "%":
            folded = fold.binary(w.module, opcode, a, b, lhs.type)
            if folded is not None:
                w.values[op.results[0]] = folded
                return
        t = w.types(lhs.type)
        w.define(op.results[0], f"{opcode} {flags(op) if flags else ''}{t} {a}, {b}")

    return emit


def _exact(op: Operation) -> str:
    return "exact " if flag(op, "isExact") else ""


def _disjoint(op: Operation) -> str:
    return "disjoint " if flag(op, "isDisjoint") else ""


def _non_negative(op: Operation) -> str:
    return "nneg " if flag(op, "nonNeg") else ""


def _cast(opcode: str, flags: Callable[[Operation], str] | None = None) -> Callable[..., None]:
    def emit(w: FunctionWriter, op: Operation) -> None:
        (operand,) = op.operands
        (result,) = op.results
        value, source, target = w.values[operand], w.types(operand.type), w.types(result.type)
        if value[0] != "%":
            folded = fold.cast(w.module, opcode, value, operand.type, result.type)
            if folded is not None:
                w.values[result] = folded
                return
        elif source == target:
            w.values[result] = value
            return
        text = f"{opcode} {flags(op) if flags else ''}{source} {value} to {target}"
        if opcode == "inttoptr" and (attr := prop(op, "dereferenceable")) is not None:
            text += w.module.metadata.dereferenceable(cast("StructAttr", attr))
        w.define(result, text)

    return emit


def fneg(w: FunctionWriter, op: Operation) -> None:
    (operand,) = op.operands
    value, t = w.values[operand], w.types(operand.type)
    if value[0] != "%" and (folded := fold.negate(w.module, value, operand.type)) is not None:
        w.values[op.results[0]] = folded
        return
    w.define(op.results[0], f"fneg {fast_math(op)}{t} {value}")


def icmp(w: FunctionWriter, op: Operation) -> None:
    lhs, rhs = op.operands
    predicate = ICMP[number(prop(op, "predicate"))]
    a, b = w.values[lhs], w.values[rhs]
    if a[0] != "%" and b[0] != "%":
        folded = fold_icmp(w.module, predicate, a, b, lhs.type)
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    w.define(op.results[0], f"icmp {predicate} {w.types(lhs.type)} {a}, {b}")


def fcmp(w: FunctionWriter, op: Operation) -> None:
    lhs, rhs = op.operands
    predicate = FCMP[number(prop(op, "predicate"))]
    a, b = w.values[lhs], w.values[rhs]
    if a[0] != "%" and b[0] != "%":
        folded = fold.fcmp(w.module, predicate, a, b, lhs.type)
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    w.define(op.results[0], f"fcmp {fast_math(op)}{predicate} {w.types(lhs.type)} {a}, {b}")


def select(w: FunctionWriter, op: Operation) -> None:
    condition, yes, no = op.operands
    c, a, b = (w.values[o] for o in op.operands)
    if c[0] != "%" and a[0] != "%" and b[0] != "%":
        folded = fold.select(w.module, c, a, b, condition.type, yes.type)
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    # LLVM takes fast-math flags only where the result is floating-point.
    flags = fast_math(op) if _has_floats(w, op) else ""
    w.define(
        op.results[0],
        f"select {flags}{w.types(condition.type)} {c}, {w.typed(yes)}, {w.typed(no)}",
    )


def _has_floats(w: FunctionWriter, op: Operation) -> bool:
    t = op.results[0].type
    while hasattr(t, "element_type"):
        t = t.element_type  # pyright: ignore[reportAttributeAccessIssue]
    return is_float(w.types(t))


def freeze(w: FunctionWriter, op: Operation) -> None:
    w.define(op.results[0], f"freeze {w.typed(op.operands[0])}")


# --- constants -----------------------------------------------------------------------------------
def mlir_constant(w: FunctionWriter, op: Operation) -> None:
    value, (result,) = prop(op, "value"), op.results
    assert value is not None
    try:
        w.values[result] = constant(value, result.type, w.types)
    except Unsupported as reason:
        raise error(op, str(reason)) from None


def _literal(text: str) -> Callable[..., None]:
    def emit(w: FunctionWriter, op: Operation) -> None:
        w.types(op.results[0].type)
        w.values[op.results[0]] = text

    return emit


def zero(w: FunctionWriter, op: Operation) -> None:
    (result,) = op.results
    w.types(result.type)
    w.values[result] = null(result.type)


def addressof(w: FunctionWriter, op: Operation) -> None:
    name = prop(op, "global_name")
    assert name is not None
    w.values[op.results[0]] = f"@{symbol(name.string_value())}"  # pyright: ignore


def dso_local_equivalent(w: FunctionWriter, op: Operation) -> None:
    name = prop(op, "function_name")
    assert name is not None
    w.values[op.results[0]] = f"dso_local_equivalent @{symbol(name.string_value())}"  # pyright: ignore


def blockaddress(w: FunctionWriter, op: Operation) -> None:
    w.values[op.results[0]] = w.module.block_address(op)


def blocktag(w: FunctionWriter, op: Operation) -> None:
    """Names the block for `llvm.blockaddress`; leaves no trace itself."""
    w.tag(number(prop(op, "tag").id))  # pyright: ignore


EMIT: dict[str, Callable[[FunctionWriter, Operation], None]] = {
    **{f"llvm.{n}": _binary(n, overflow) for n in ("add", "sub", "mul", "shl")},
    **{f"llvm.{n}": _binary(n, _exact) for n in ("udiv", "sdiv", "lshr", "ashr")},
    **{f"llvm.{n}": _binary(n, None) for n in ("urem", "srem", "and", "xor")},
    "llvm.or": _binary("or", _disjoint),
    **{f"llvm.{n}": _binary(n, fast_math) for n in ("fadd", "fsub", "fmul", "fdiv", "frem")},
    **{
        f"llvm.{n}": _cast(n)
        for n in [
            "sext",
            "fptrunc",
            "fpext",
            "fptosi",
            "fptoui",
            "sitofp",
            "inttoptr",
            "ptrtoint",
            "bitcast",
            "addrspacecast",
        ]
    },
    "llvm.trunc": _cast("trunc", overflow),
    "llvm.zext": _cast("zext", _non_negative),
    "llvm.uitofp": _cast("uitofp", _non_negative),
    "llvm.fneg": fneg,
    "llvm.icmp": icmp,
    "llvm.fcmp": fcmp,
    "llvm.select": select,
    "llvm.freeze": freeze,
    "llvm.mlir.constant": mlir_constant,
    "llvm.mlir.undef": _literal("undef"),
    "llvm.mlir.poison": _literal("poison"),
    "llvm.mlir.none": _literal("none"),
    "llvm.mlir.zero": zero,
    "llvm.mlir.addressof": addressof,
    "llvm.dso_local_equivalent": dso_local_equivalent,
    "llvm.blockaddress": blockaddress,
    "llvm.blocktag": blocktag,
}
