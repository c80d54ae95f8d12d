# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The llvm dialect's operations that are LLVM instructions: arithmetic, casts, memory, aggregates.

One table, `EMIT`: operation name -> function of the writer and the operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType

from xgpu.backend.llvm_ir import fold
from xgpu.backend.llvm_ir.addresses import constant_address
from xgpu.backend.llvm_ir.constants import (
    Unsupported,
    aggregate,
    brackets,
    constant,
    element_types,
    expand,
    is_float,
    null,
)
from xgpu.backend.llvm_ir.facts import (
    ATOMIC_RMW,
    FCMP,
    ICMP,
    ORDERING,
    fast_math,
    flag,
    groups,
    integers,
    number,
    prop,
    text_of,
)
from xgpu.backend.llvm_ir.metadata import access_metadata, branch_metadata
from xgpu.backend.llvm_ir.types import quoted, symbol
from xgpu.errors import error

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Operation

    from xgpu.backend.llvm_ir.function import FunctionWriter


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
        a, b, t = w.values[lhs], w.values[rhs], w.types(lhs.type)
        if a[0] != "%" and b[0] != "%":
            folded = _fold_binary(w, op, opcode, a, b, t)
            if folded is not None:
                w.values[op.results[0]] = folded
                return
        w.define(op.results[0], f"{opcode} {flags(op) if flags else ''}{t} {a}, {b}")

    return emit


def _fold_binary(
    w: FunctionWriter, op: Operation, opcode: str, a: str, b: str, t: str
) -> str | None:
    if (folded := fold.binary(opcode, a, b, t)) is not None:
        return folded
    kind = op.results[0].type
    if isinstance(kind, VectorType):
        left, right = expand(a, kind, w.types), expand(b, kind, w.types)
        if left is not None and right is not None:
            element = w.types(kind.element_type)
            parts = [
                fold.binary(opcode, x, y, element)
                for (_, x), (_, y) in zip(left, right, strict=False)
            ]
            if None not in parts:
                return aggregate([(element, p) for p in parts if p is not None], "<", ">")
    if opcode in ("add", "sub", "xor") and ("(" in a or "(" in b):
        return f"{opcode} ({t} {a}, {t} {b})"
    return None


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
            folded = fold.cast(opcode, value, source, target)
            if folded is None and isinstance(result.type, VectorType):
                folded = _cast_vector(w, op, opcode, value)
            if folded is not None:
                w.values[result] = folded
                return
        elif source == target:
            w.values[result] = value
            return
        text = f"{opcode} {flags(op) if flags else ''}{source} {value} to {target}"
        if opcode == "inttoptr" and (attr := prop(op, "dereferenceable")) is not None:
            text += w.module.metadata.dereferenceable(attr)
        w.define(result, text)

    return emit


def _cast_vector(w: FunctionWriter, op: Operation, opcode: str, value: str) -> str | None:
    source, target = op.operands[0].type, op.results[0].type
    if not isinstance(source, VectorType) or not isinstance(target, VectorType):
        return None
    parts = expand(value, source, w.types)
    if parts is None or source.get_shape() != target.get_shape():
        return None
    to = w.types(target.element_type)
    folded = [fold.cast(opcode, v, t, to) for t, v in parts]
    return aggregate([(to, f) for f in folded if f], "<", ">") if all(folded) else None


def fneg(w: FunctionWriter, op: Operation) -> None:
    (operand,) = op.operands
    value, t = w.values[operand], w.types(operand.type)
    if value[0] != "%" and (folded := fold.negate(value, t)) is not None:
        w.values[op.results[0]] = folded
        return
    w.define(op.results[0], f"fneg {fast_math(op)}{t} {value}")


def icmp(w: FunctionWriter, op: Operation) -> None:
    lhs, rhs = op.operands
    predicate = ICMP[number(prop(op, "predicate"))]
    a, b, t = w.values[lhs], w.values[rhs], w.types(lhs.type)
    if a[0] != "%" and b[0] != "%":
        folded = fold.icmp(predicate, a, b, t)
        if folded is None and t.startswith("ptr"):
            folded = _compare_addresses(predicate, a, b)
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    w.define(op.results[0], f"icmp {predicate} {t} {a}, {b}")


def _compare_addresses(predicate: str, a: str, b: str) -> str | None:
    if predicate not in ("eq", "ne"):
        return None
    if a == b:
        return "true" if predicate == "eq" else "false"
    plain = {a, b} - {"null"}
    if len(plain) == 2 or (len(plain) == 1 and next(iter(plain))[0] == "@"):
        return "false" if predicate == "eq" else "true"
    return None


def fcmp(w: FunctionWriter, op: Operation) -> None:
    lhs, rhs = op.operands
    predicate = FCMP[number(prop(op, "predicate"))]
    a, b = w.values[lhs], w.values[rhs]
    if a[0] != "%" and b[0] != "%" and (folded := fold.fcmp(predicate, a, b)) is not None:
        w.values[op.results[0]] = folded
        return
    w.define(op.results[0], f"fcmp {fast_math(op)}{predicate} {w.types(lhs.type)} {a}, {b}")


def select(w: FunctionWriter, op: Operation) -> None:
    condition, yes, no = op.operands
    c, a, b = (w.values[o] for o in op.operands)
    if c[0] != "%" and a[0] != "%" and b[0] != "%" and c in ("true", "false"):
        w.values[op.results[0]] = a if c == "true" else b
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
    text = w.types(result.type)
    if is_float(text):
        w.values[result] = constant_zero_float(text)
    else:
        w.values[result] = null(result.type)


def constant_zero_float(text: str) -> str:
    from xgpu.backend.llvm_ir.constants import float_text

    return float_text(0.0, text)


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


# --- aggregates and vectors ----------------------------------------------------------------------
def _position(op: Operation) -> list[int]:
    return integers(prop(op, "position"))


def extractvalue(w: FunctionWriter, op: Operation) -> None:
    (container,) = op.operands
    value, t = w.values[container], container.type
    if value[0] != "%":
        for index in _position(op):
            parts = expand(value, t, w.types)
            if parts is None:
                break
            value, t = parts[index][1], element_types(t)[index]
        else:
            w.values[op.results[0]] = value
            return
    at = ", ".join(map(str, _position(op)))
    w.define(op.results[0], f"extractvalue {w.typed(container)}, {at}")


def insertvalue(w: FunctionWriter, op: Operation) -> None:
    container, value = op.operands
    whole, part = w.values[container], w.values[value]
    if whole[0] != "%" and part[0] != "%":
        folded = _insert(w, whole, container.type, part, _position(op))
        if folded is not None:
            w.values[op.results[0]] = folded
            return
    at = ", ".join(map(str, _position(op)))
    w.define(op.results[0], f"insertvalue {w.typed(container)}, {w.typed(value)}, {at}")


def _insert(w: FunctionWriter, whole: str, t: object, part: str, at: list[int]) -> str | None:
    parts = expand(whole, t, w.types)  # pyright: ignore[reportArgumentType]
    if parts is None:
        return None
    index, rest = at[0], at[1:]
    text, old = parts[index]
    if rest:
        inner = _insert(w, old, element_types(t)[index], part, rest)  # pyright: ignore
        if inner is None:
            return None
        part = inner
    parts[index] = (text, part)
    return aggregate(parts, *brackets(t))  # pyright: ignore[reportArgumentType]


def extractelement(w: FunctionWriter, op: Operation) -> None:
    vector, position = op.operands
    if w.values[vector][0] != "%" and (at := fold.as_int(w.values[position])) is not None:
        parts = expand(w.values[vector], vector.type, w.types)
        if parts is not None and 0 <= at < len(parts):
            w.values[op.results[0]] = parts[at][1]
            return
    w.define(op.results[0], f"extractelement {w.typed(vector)}, {w.typed(position)}")


def insertelement(w: FunctionWriter, op: Operation) -> None:
    vector, value, position = op.operands
    if w.values[vector][0] != "%" and w.values[value][0] != "%":
        at = fold.as_int(w.values[position])
        parts = expand(w.values[vector], vector.type, w.types) if at is not None else None
        if parts is not None and at is not None and 0 <= at < len(parts):
            parts[at] = (parts[at][0], w.values[value])
            w.values[op.results[0]] = aggregate(parts, "<", ">")
            return
    w.define(
        op.results[0], f"insertelement {w.typed(vector)}, {w.typed(value)}, {w.typed(position)}"
    )


def shufflevector(w: FunctionWriter, op: Operation) -> None:
    first, second = op.operands
    mask = integers(prop(op, "mask"))
    a, b = w.values[first], w.values[second]
    if a[0] != "%" and b[0] != "%":
        left, right = expand(a, first.type, w.types), expand(b, second.type, w.types)
        if left is not None and right is not None:
            both = left + right
            parts = [both[i] if i >= 0 else (both[0][0], "poison") for i in mask]
            w.values[op.results[0]] = aggregate(parts, "<", ">")
            return
    scalable = "vscale x " if "vscale" in w.types(op.results[0].type) else ""
    lanes = ", ".join(f"i32 {i}" if i >= 0 else "i32 poison" for i in mask)
    text = f"<{lanes}>"
    if scalable:
        text = "zeroinitializer" if not any(mask) else "poison"
    w.define(
        op.results[0],
        f"shufflevector {w.typed(first)}, {w.typed(second)}, <{scalable}{len(mask)} x i32> {text}",
    )


# --- memory --------------------------------------------------------------------------------------
def _alignment(op: Operation) -> str:
    align = number(prop(op, "alignment"))
    return f", align {align}" if align else ""


def alloca(w: FunctionWriter, op: Operation) -> None:
    element, (size,), (result,) = prop(op, "elem_type"), op.operands, op.results
    assert element is not None
    text = "inalloca " if flag(op, "inalloca") else ""
    text = f"alloca {text}{w.types(element)}, {w.typed(size)}{_alignment(op)}"
    space: int = result.type.data  # pyright: ignore[reportAttributeAccessIssue]
    w.define(result, text + (f", addrspace({space})" if space else ""))


def _atomic(op: Operation) -> str:
    """` syncscope("x") ordering` behind an atomic load or store."""
    ordering = ORDERING[number(prop(op, "ordering"))]
    return f"{_syncscope(op)} {ordering}" if ordering else ""


def _syncscope(op: Operation) -> str:
    scope = prop(op, "syncscope")
    return f' syncscope("{quoted(text_of(scope))}")' if scope is not None else ""


def load(w: FunctionWriter, op: Operation) -> None:
    (address,), (result,) = op.operands, op.results
    atomic = _atomic(op)
    text = f"load {'atomic ' if atomic else ''}{'volatile ' if flag(op, 'volatile_') else ''}"
    text += f"{w.types(result.type)}, {w.typed(address)}{atomic}"
    text += _alignment(op) or _natural(w, op, result.type, atomic)
    w.define(result, text + access_metadata(w, op))


def store(w: FunctionWriter, op: Operation) -> None:
    value, address = op.operands
    atomic = _atomic(op)
    text = f"store {'atomic ' if atomic else ''}{'volatile ' if flag(op, 'volatile_') else ''}"
    text += f"{w.typed(value)}, {w.typed(address)}{atomic}"
    text += _alignment(op) or _natural(w, op, value.type, atomic)
    w.line(text + access_metadata(w, op))


def _natural(w: FunctionWriter, op: Operation, t: object, atomic: str) -> str:
    """The alignment of an atomic access, which LLVM's parser asks for, as IRBuilder has it."""
    if not atomic:
        return ""
    return f", align {w.module.layout.align(t)}"  # pyright: ignore[reportArgumentType]


def atomicrmw(w: FunctionWriter, op: Operation) -> None:
    address, value = op.operands
    text = f"atomicrmw {'volatile ' if flag(op, 'volatile_') else ''}"
    text += f"{ATOMIC_RMW[number(prop(op, 'bin_op'))]} {w.typed(address)}, {w.typed(value)}"
    text += f"{_syncscope(op)} {ORDERING[number(prop(op, 'ordering'))]}{_alignment(op)}"
    w.define(op.results[0], text + access_metadata(w, op))


def cmpxchg(w: FunctionWriter, op: Operation) -> None:
    text = f"cmpxchg {'weak ' if flag(op, 'weak') else ''}"
    text += "volatile " if flag(op, "volatile_") else ""
    text += ", ".join(map(w.typed, op.operands))
    text += f"{_syncscope(op)} {ORDERING[number(prop(op, 'success_ordering'))]} "
    text += f"{ORDERING[number(prop(op, 'failure_ordering'))]}{_alignment(op)}"
    w.define(op.results[0], text + access_metadata(w, op))


def fence(w: FunctionWriter, op: Operation) -> None:
    w.line(f"fence{_syncscope(op)} {ORDERING[number(prop(op, 'ordering'))]}")


def getelementptr(w: FunctionWriter, op: Operation) -> None:
    base, *dynamic = op.operands
    element, (result,) = prop(op, "elem_type"), op.results
    assert element is not None
    bits = number(prop(op, "noWrapFlags"))
    rest = iter(dynamic)
    indices = [
        w.typed(next(rest)) if i == -(1 << 31) else f"i32 {i}"
        for i in integers(prop(op, "rawConstantIndices"))
    ]
    if w.values[base][0] != "%" and "%" not in "".join(indices):
        folded = constant_address(w, base, element, indices, bits)
        if folded is not None:
            w.values[result] = folded
            return
    flags = "inbounds " if bits & 1 else "nusw " if bits & 2 else ""
    flags += "nuw " if bits & 4 else ""
    text = f"getelementptr {flags}{w.types(element)}, {w.typed(base)}"
    w.define(result, ", ".join([text, *indices]))


def va_arg(w: FunctionWriter, op: Operation) -> None:
    w.define(op.results[0], f"va_arg {w.typed(op.operands[0])}, {w.types(op.results[0].type)}")


# --- control flow --------------------------------------------------------------------------------
def br(w: FunctionWriter, op: Operation) -> None:
    w.line(f"br {w.label(op.successors[0])}{branch_metadata(w, op)}")


def cond_br(w: FunctionWriter, op: Operation) -> None:
    yes, no = op.successors
    text = f"br {w.typed(op.operands[0])}, {w.label(yes)}, {w.label(no)}"
    w.line(text + branch_metadata(w, op))


def switch(w: FunctionWriter, op: Operation) -> None:
    value = groups(op, 3)[0][0]
    default, *cases = op.successors
    t = w.types(value.type)
    numbers = integers(prop(op, "case_values"))
    targets = " ".join(f"{t} {n}, {w.label(b)}" for n, b in zip(numbers, cases, strict=False))
    text = f"switch {w.typed(value)}, {w.label(default)} [ {targets} ]"
    w.line(text + branch_metadata(w, op))


def indirectbr(w: FunctionWriter, op: Operation) -> None:
    targets = ", ".join(map(w.label, op.successors))
    w.line(f"indirectbr {w.typed(op.operands[0])}, [{targets}]")


def ret(w: FunctionWriter, op: Operation) -> None:
    w.line(f"ret {w.typed(op.operands[0])}" if op.operands else "ret void")


def unreachable(w: FunctionWriter, op: Operation) -> None:
    w.line("unreachable")


def resume(w: FunctionWriter, op: Operation) -> None:
    w.line(f"resume {w.typed(op.operands[0])}")


def landingpad(w: FunctionWriter, op: Operation) -> None:
    text = f"landingpad {w.types(op.results[0].type)}"
    if flag(op, "cleanup"):
        text += " cleanup"
    for operand in op.operands:
        kind = "filter" if w.types(operand.type).startswith("[") else "catch"
        text += f" {kind} {w.typed(operand)}"
    w.define(op.results[0], text)


def nothing(w: FunctionWriter, op: Operation) -> None:
    """An operation without a trace in LLVM IR."""


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
    "llvm.blocktag": nothing,
    "llvm.extractvalue": extractvalue,
    "llvm.insertvalue": insertvalue,
    "llvm.extractelement": extractelement,
    "llvm.insertelement": insertelement,
    "llvm.shufflevector": shufflevector,
    "llvm.alloca": alloca,
    "llvm.load": load,
    "llvm.store": store,
    "llvm.atomicrmw": atomicrmw,
    "llvm.cmpxchg": cmpxchg,
    "llvm.fence": fence,
    "llvm.getelementptr": getelementptr,
    "llvm.va_arg": va_arg,
    "llvm.br": br,
    "llvm.cond_br": cond_br,
    "llvm.switch": switch,
    "llvm.indirectbr": indirectbr,
    "llvm.return": ret,
    "llvm.unreachable": unreachable,
    "llvm.resume": resume,
    "llvm.landingpad": landingpad,
}
