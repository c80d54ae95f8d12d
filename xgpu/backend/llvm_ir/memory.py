# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory: allocas, loads, stores, atomics, addresses."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from xgpu.backend.llvm_ir.addresses import constant_address
from xgpu.backend.llvm_ir.facts import (
    ORDERING,
    flag,
    integers,
    number,
    prop,
    text_of,
)
from xgpu.backend.llvm_ir.instruction_metadata import access_metadata
from xgpu.backend.llvm_ir.types import quoted
from xgpu.dialects.llvm.attributes import ATOMIC_RMW, DYNAMIC_INDEX

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.function import FunctionWriter


def _alignment(op: Operation) -> str:
    align = number(prop(op, "alignment"))
    return f", align {align}" if align else ""


def alloca(w: FunctionWriter, op: Operation) -> None:
    element, (size,), (result,) = prop(op, "elem_type"), op.operands, op.results
    assert element is not None
    if w.values[size].startswith("%"):
        w.module.uses.features.add("dynamic alloca")
    text = "inalloca " if flag(op, "inalloca") else ""
    text = f"alloca {text}{w.types(element)}, {w.typed(size)}{_alignment(op)}"
    space: int = result.type.data  # pyright: ignore[reportAttributeAccessIssue]
    w.define(result, text + (f", addrspace({space})" if space else ""))


def _atomic(w: FunctionWriter, op: Operation, word: str) -> str:
    """` syncscope("x") ordering` behind an atomic load or store."""
    ordering = ORDERING[number(prop(op, "ordering"))]
    if not ordering:
        return ""
    w.module.uses.features.add(f"{word} atomic")
    return f"{_syncscope(w, op)} {ordering}"


def _syncscope(w: FunctionWriter, op: Operation) -> str:
    scope = prop(op, "syncscope")
    if scope is None:
        return ""
    name = text_of(scope)
    w.module.uses.features.add(f"syncscope {name}")
    return f' syncscope("{quoted(name)}")'


def load(w: FunctionWriter, op: Operation) -> None:
    (address,), (result,) = op.operands, op.results
    atomic = _atomic(w, op, "load")
    text = f"load {'atomic ' if atomic else ''}{'volatile ' if flag(op, 'volatile_') else ''}"
    text += f"{w.types(result.type)}, {w.typed(address)}{atomic}"
    text += _alignment(op) or _natural(w, op, result.type, atomic)
    w.define(result, text + access_metadata(w, op))


def store(w: FunctionWriter, op: Operation) -> None:
    value, address = op.operands
    atomic = _atomic(w, op, "store")
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
    kind = ATOMIC_RMW[number(prop(op, "bin_op"))]
    if kind == "xchg" and isinstance(value.type, VectorType):
        w.module.uses.features.add("atomicrmw xchg of vectors")
    text = f"atomicrmw {'volatile ' if flag(op, 'volatile_') else ''}"
    text += f"{kind} {w.typed(address)}, {w.typed(value)}"
    text += f"{_syncscope(w, op)} {ORDERING[number(prop(op, 'ordering'))]}{_alignment(op)}"
    w.define(op.results[0], text + access_metadata(w, op))


def cmpxchg(w: FunctionWriter, op: Operation) -> None:
    text = f"cmpxchg {'weak ' if flag(op, 'weak') else ''}"
    text += "volatile " if flag(op, "volatile_") else ""
    text += ", ".join(map(w.typed, op.operands))
    text += f"{_syncscope(w, op)} {ORDERING[number(prop(op, 'success_ordering'))]} "
    text += f"{ORDERING[number(prop(op, 'failure_ordering'))]}{_alignment(op)}"
    w.define(op.results[0], text + access_metadata(w, op))


def fence(w: FunctionWriter, op: Operation) -> None:
    w.line(f"fence{_syncscope(w, op)} {ORDERING[number(prop(op, 'ordering'))]}")


def getelementptr(w: FunctionWriter, op: Operation) -> None:
    base, *dynamic = op.operands
    element, (result,) = prop(op, "elem_type"), op.results
    assert element is not None
    bits = number(prop(op, "noWrapFlags"))
    rest = iter(dynamic)
    indices = [
        w.typed(next(rest)) if i == DYNAMIC_INDEX else f"i32 {i}"
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
    w.module.uses.features.add("va_arg")
    w.define(op.results[0], f"va_arg {w.typed(op.operands[0])}, {w.types(op.results[0].type)}")


EMIT: dict[str, Callable[[FunctionWriter, Operation], None]] = {
    "llvm.alloca": alloca,
    "llvm.load": load,
    "llvm.store": store,
    "llvm.atomicrmw": atomicrmw,
    "llvm.cmpxchg": cmpxchg,
    "llvm.fence": fence,
    "llvm.getelementptr": getelementptr,
    "llvm.va_arg": va_arg,
}
