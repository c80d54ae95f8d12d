# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons of constant addresses, and of integers that come from them, as LLVM's folder has
them.

What is not known: whether a weak symbol is there at all, whether address 0 of another address space
than the first holds something, and how two globals lie to each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType, VectorType, i1
from xdsl.ir import Attribute

from xgpu.backend.llvm_ir.addresses import INBOUNDS, WEAK, integer_behind, linkage_of, symbol_op
from xgpu.backend.llvm_ir.facts import number, prop
from xgpu.backend.llvm_ir.literals import (
    Address,
    Expression,
    as_int,
    elements,
    int_text,
    is_null,
    vector,
)
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.integers import SWAPPED, TRUE_ON_EQUAL, compare
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.context import ModuleContext


def compare_symbolic(m: ModuleContext, predicate: str, a: str, b: str, t: Attribute) -> str | None:
    """A comparison where at least one constant is no number."""
    if isinstance(a, Expression | Address):
        found = _compare_expression(m, predicate, a, b, t)
        if found is not None:
            return found
    elif isinstance(b, Expression | Address):
        return compare_symbolic(m, SWAPPED[predicate], b, a, t)
    return _compare_related(m, predicate, a, b, t)


def _compare_expression(
    m: ModuleContext, predicate: str, a: Expression | Address, b: str, t: Attribute
) -> str | None:
    if isinstance(a, Expression) and a.opcode in ("inttoptr", "ptrtoint"):
        found = _compare_behind_casts(m, predicate, a, b, t)
        if found is not None:
            return found
    if isinstance(t, LLVMPointerType) and predicate[0] != "s":
        return _compare_offsets(m, predicate, a, b, t)
    return None


def _compare_behind_casts(
    m: ModuleContext, predicate: str, a: Expression, b: str, t: Attribute
) -> str | None:
    """Addresses that were integers, integers that were addresses, or null beside them."""
    other = b if isinstance(b, Expression) and b.opcode == a.opcode else None
    if other is None and not is_null(b, t):
        return None
    if a.opcode == "inttoptr":
        t = cast("LLVMPointerType", t)
        start, end = integer_behind(m, a, t), integer_behind(m, b, t)
        if start is None or end is None:
            return None
        kind = IntegerType(m.layout.pointer_width(t.data))
        width = kind.width.data
        return icmp(m, predicate, int_text(start, width), int_text(end, width), kind)
    pointer = a.types[0]
    if (
        m.layout.index_width(cast("LLVMPointerType", pointer).data)
        != cast("IntegerType", t).width.data
    ):
        return None
    if other is None:
        return icmp(m, predicate, a.operands[0], "null", pointer)
    same = other.types[0] == pointer
    return icmp(m, predicate, a.operands[0], other.operands[0], pointer) if same else None


def _compare_offsets(
    m: ModuleContext, predicate: str, a: str, b: str, t: LLVMPointerType
) -> str | None:
    """Two addresses in one object, by how far they are in it; signed, as offsets are."""
    anywhere = predicate in ("eq", "ne")
    (base, at), (other, end) = _stripped(a, anywhere), _stripped(b, anywhere)
    if base != other:
        return None
    width = m.layout.index_width(t.data)
    holds = compare(predicate.replace("u", "s", 1), at, end, width)
    return "true" if holds else "false"


def _stripped(value: str, anywhere: bool) -> tuple[str, int]:
    """An address without its offset; without one that may leave the object if `anywhere`."""
    if isinstance(value, Address) and (anywhere or value.flags & INBOUNDS):
        return value.base, value.offset
    return value, 0


#: Relation of two addresses -> what predicates of it are; those that are not there are not known.
_DECIDED: dict[str, dict[str, bool]] = {
    "ugt": {"ugt": True, "uge": True, "ne": True, "ult": False, "ule": False, "eq": False},
    "ult": {"ult": True, "ule": True, "ne": True, "ugt": False, "uge": False, "eq": False},
    "ne": {"ne": True, "eq": False},
}


def _compare_related(m: ModuleContext, predicate: str, a: str, b: str, t: Attribute) -> str | None:
    if is_null(b, t) and predicate in ("uge", "ult"):
        return "true" if predicate == "uge" else "false"
    if a == b:
        return "true" if predicate in TRUE_ON_EQUAL else "false"
    relation = _relation(m, a, b, t) if isinstance(t, LLVMPointerType) else None
    decided = _DECIDED[relation].get(predicate) if relation is not None else None
    if decided is not None:
        return "true" if decided else "false"
    if is_null(a, t) and not is_null(b, t):
        return _compare_related(m, SWAPPED[predicate], b, a, t)
    return None


def _complexity(value: str) -> int:
    if isinstance(value, Expression | Address):
        return 2
    return 1 if value[:1] == "@" else 0


def _relation(m: ModuleContext, a: str, b: str, t: LLVMPointerType) -> str | None:
    """How two different addresses are to each other: "ugt", "ult", "ne", or None."""
    if _complexity(a) < _complexity(b):
        relation = _relation(m, b, a, t)
        return SWAPPED[relation] if relation is not None else None
    if isinstance(a, Address):
        if b == "null" and a.flags & INBOUNDS and _is_present(m, a.base):
            return "ugt"
        return None
    if a[:1] != "@":
        return None
    if b == "null":
        # In other address spaces something may be at null.
        return "ugt" if t.data == 0 and _is_surely_there(m, a) else None
    if b[:1] != "@":
        return None
    return "ne" if _is_its_own(m, a) and _is_its_own(m, b) else None


def _is_present(m: ModuleContext, text: str) -> bool:
    """Whether a symbol is linked in any case."""
    op = symbol_op(m, text)
    return op is not None and linkage_of(op) != "extern_weak"


def _is_surely_there(m: ModuleContext, text: str) -> bool:
    """Whether a symbol's address is not null, where nothing is at null."""
    op = symbol_op(m, text)
    return op is not None and op.name != "llvm.mlir.alias" and linkage_of(op) != "extern_weak"


def _is_its_own(m: ModuleContext, text: str) -> bool:
    """Whether no other symbol may have the address of this one."""
    op = symbol_op(m, text)
    if op is None or op.name == "llvm.mlir.alias" or linkage_of(op) in WEAK:
        return False
    if number(prop(op, "unnamed_addr")) == 2:
        return False
    kind = prop(op, "global_type")
    try:
        return kind is None or m.layout.size(kind) > 0
    except DiagnosticError:
        return False


def truth(holds: bool) -> str:
    return "true" if holds else "false"


def compare_vector(
    m: ModuleContext,
    scalar: Callable[[ModuleContext, str, str, str, Attribute], str | None],
    predicate: str,
    a: str,
    b: str,
    t: VectorType,
) -> str | None:
    left, right = elements(a, t, m.types), elements(b, t, m.types)
    if left is None or right is None:
        return None
    found = [scalar(m, predicate, x, y, t.element_type) for x, y in zip(left, right, strict=True)]
    known = [text for text in found if text is not None]
    return vector(known, VectorType(i1, t.shape), m.types) if len(known) == len(found) else None


def icmp(m: ModuleContext, predicate: str, a: str, b: str, t: Attribute) -> str | None:
    """A comparison of integers or addresses."""
    if isinstance(t, VectorType):
        return compare_vector(m, icmp, predicate, a, b, t)
    if "poison" in (a, b):
        return "poison"
    if "undef" in (a, b):
        if predicate in ("eq", "ne") or a == b:
            return "undef"
        return truth(predicate in TRUE_ON_EQUAL)
    x, y = as_int(a), as_int(b)
    if isinstance(t, IntegerType) and x is not None and y is not None:
        return truth(compare(predicate, x, y, t.width.data))
    return compare_symbolic(m, predicate, a, b, t)
