# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constant addresses, as LLVM's folder has them.

A `getelementptr` with constant indices is an offset in bytes: `getelementptr inbounds nuw (i8, ptr
@g, i64 52)`; from null, or from an integer, it is the integer. Addresses that become integers and
back are what they were, differences and comparisons within a global are known, and so are the low
bits of an aligned one. Comparisons are in `address_comparisons`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop
from xgpu.backend.llvm_ir.literals import Address, Expression, as_int, int_text
from xgpu.core.ir.errors import DiagnosticError
from xgpu.core.ir.integers import signed, unsigned
from xgpu.dialects.llvm.types import LLVMPointerType

if TYPE_CHECKING:
    from xgpu.backend.llvm_ir.context import ModuleContext
    from xgpu.backend.llvm_ir.function import FunctionWriter

INBOUNDS, NUSW, NUW = 1, 2, 4


# --- getelementptr -------------------------------------------------------------------------------
def constant_address(
    w: FunctionWriter, base: SSAValue, element: Attribute, indices: Sequence[str], flags: int
) -> str | None:
    """The folded address, or None where LLVM would keep an instruction."""
    t = base.type
    if not isinstance(t, LLVMPointerType) or not indices:
        return None
    values = [i.rpartition(" ")[2] if i[-1] != ")" else "" for i in indices]
    if "poison" in (w.values[base], *values):
        return "poison"
    numbers = [as_int(v) for v in values]
    if w.values[base] == "undef":
        return "undef"
    if None in numbers:
        return None
    try:
        distance = w.module.layout.offset(element, [n for n in numbers if n is not None])
    except DiagnosticError:
        return None
    return None if distance is None else _plus(w.module, w.values[base], t, distance, flags)


def _plus(m: ModuleContext, text: str, t: LLVMPointerType, distance: int, flags: int) -> str:
    """The address `distance` bytes behind the address `text` of type `t`."""
    width = m.layout.index_width(t.data)
    if isinstance(text, Address):
        distance += text.offset
        flags &= text.flags
        text = text.base
    distance = signed(distance, width)
    start = integer_behind(m, text, t)
    if start is not None and t.data not in m.layout.no_integers:
        # An address that is a number stays one.
        return _number_as_address(m, unsigned(start + distance, width), width, t)
    if distance == 0:
        return text
    size = m.dereferenceable(text)
    if distance >= 0 and size is not None and distance <= size:
        flags |= INBOUNDS | NUSW
    if flags & (INBOUNDS | NUSW) and distance >= 0:
        flags |= NUW
    shown = "inbounds " if flags & INBOUNDS else "nusw " if flags & NUSW else ""
    shown += "nuw " if flags & NUW else ""
    found = Address(f"getelementptr {shown}(i8, {m.types(t)} {text}, i{width} {distance})")
    found.base, found.offset, found.flags, found.type = text, distance, flags, t
    return found


def integer_behind(m: ModuleContext, text: str, t: LLVMPointerType) -> int | None:
    """The number that an address is: of null, or of a constant that became an address."""
    if text == "null":
        return 0
    if isinstance(text, Expression) and text.opcode == "inttoptr":
        value, kind = as_int(text.operands[0]), text.types[0]
        if value is not None and isinstance(kind, IntegerType):
            return unsigned(unsigned(value, kind.width.data), m.layout.pointer_width(t.data))
    return None


def _number_as_address(m: ModuleContext, value: int, width: int, t: LLVMPointerType) -> str:
    if not value:
        return "null"
    kind = IntegerType(width)
    return _expression(m, "inttoptr", int_text(value, width), kind, t)


# --- casts ---------------------------------------------------------------------------------------
_CASTS = frozenset(("trunc", "ptrtoint", "inttoptr", "bitcast", "addrspacecast"))


def _expression(
    m: ModuleContext, opcode: str, value: str, source: Attribute, target: Attribute
) -> str:
    text = Expression(f"{opcode} ({m.types(source)} {value} to {m.types(target)})")
    text.opcode, text.operands, text.types = opcode, (value,), (source,)
    return text


def cast_expression(
    m: ModuleContext, opcode: str, value: str, source: Attribute, target: Attribute
) -> str | None:
    """The expression that a cast of an address, or of what comes from one, is."""
    if opcode not in _CASTS or value[:1] in ("<", "[", "{") or value == "zeroinitializer":
        return None
    if isinstance(value, Expression):
        found = _cast_of_cast(m, opcode, value, source, target)
        if found is not None:
            return found
    if opcode == "ptrtoint" and isinstance(value, Address) and value.base == "null":
        # Where addresses are no numbers, an offset from null is not made one before.
        offset = unsigned(value.offset, m.layout.index_width(cast("LLVMPointerType", source).data))
        return int_text(offset, cast("IntegerType", target).width.data)
    return _expression(m, opcode, value, source, target)


def _cast_of_cast(
    m: ModuleContext, opcode: str, value: Expression, source: Attribute, target: Attribute
) -> str | None:
    """What is left of two casts; None if both are."""
    inner = value.operands[0]
    kind = value.types[0]
    if opcode == "inttoptr" and value.opcode == "ptrtoint":
        whole = cast("IntegerType", source).width.data >= m.layout.pointer_width(
            cast("LLVMPointerType", kind).data
        )
        return inner if whole and kind == target else None
    if opcode == "ptrtoint" and value.opcode == "inttoptr":
        start = integer_behind(m, value, cast("LLVMPointerType", source))
        return None if start is None else int_text(start, cast("IntegerType", target).width.data)
    if opcode == value.opcode == "addrspacecast":
        return inner if kind == target else _expression(m, opcode, inner, kind, target)
    if opcode == value.opcode == "trunc":
        return _expression(m, opcode, inner, kind, target)
    if opcode == value.opcode == "bitcast" and kind == target:
        return inner
    return None


# --- what is known of symbols --------------------------------------------------------------------
WEAK = frozenset(("weak", "linkonce", "common", "extern_weak"))


def symbol_op(m: ModuleContext, text: str) -> Operation | None:
    """The operation of the symbol `@name`."""
    return m.symbols.get(text[1:].strip('"')) if text[:1] == "@" else None


def linkage_of(op: Operation) -> str:
    from xgpu.backend.llvm_ir.module import linkage

    return linkage(op).strip() or "external"


def _alignment(m: ModuleContext, text: str) -> int:
    """The bytes that the address of a global variable is surely a multiple of."""
    op = symbol_op(m, text)
    if op is None or op.name != "llvm.mlir.global":
        return 1
    stated = number(prop(op, "alignment"))
    kind = prop(op, "global_type")
    if stated or kind is None:
        return stated or 1
    linkage = linkage_of(op)
    try:
        weak = linkage in WEAK or linkage in ("weak_odr", "linkonce_odr", "available_externally")
        if weak or not m.is_defined(op):
            return m.layout.align(kind)
        preferred = m.layout.preferred_align(kind)
        return max(preferred, 16) if m.layout.bits(kind) > 128 else preferred
    except DiagnosticError:
        return 1


# --- integers that are addresses -----------------------------------------------------------------
def _global_and_offset(m: ModuleContext, value: str) -> tuple[str, int] | None:
    """The global that an address, or an address as integer, is in, and how far; not negative, of
    the width that offsets have."""
    if isinstance(value, Expression) and value.opcode in ("ptrtoint", "bitcast"):
        return _global_and_offset(m, value.operands[0])
    if isinstance(value, Address):
        offset = unsigned(value.offset, m.layout.index_width(value.type.data))
        return (value.base, offset) if value.base[:1] == "@" else None
    return (value, 0) if value[:1] == "@" else None


def difference(m: ModuleContext, a: str, b: str, t: IntegerType) -> str | None:
    """a - b, if both are in one global."""
    left, right = _global_and_offset(m, a), _global_and_offset(m, b)
    if left is None or right is None or left[0] != right[0]:
        return None
    return int_text(left[1] - right[1], t.width.data)


def known_and(m: ModuleContext, a: str, b: str, t: IntegerType) -> str | None:
    """`and` of two constants by the bits that are known of them."""
    width = t.width.data
    whole = (1 << width) - 1
    (zeros, ones), (other_zeros, other_ones) = _known(m, a, width), _known(m, b, width)
    if other_ones | zeros == whole:
        return a
    if ones | other_zeros == whole:
        return b
    if zeros | other_zeros | (ones & other_ones) == whole:
        return int_text(ones & other_ones, width)
    # LLVM takes it that functions lie at multiples of four.
    mask, value = (as_int(b), a) if as_int(b) is not None else (as_int(a), b)
    if mask is not None and not unsigned(mask, width) & ~3 and _is_function(m, value):
        return int_text(0, width)
    return None


def _is_function(m: ModuleContext, value: str) -> bool:
    """Whether an integer is the address of a function."""
    if not isinstance(value, Expression) or value.opcode != "ptrtoint":
        return False
    op = symbol_op(m, value.operands[0])
    return op is not None and op.name == "llvm.func"


def _known(m: ModuleContext, value: str, width: int) -> tuple[int, int]:
    """The bits of an integer constant that are known to be zero, and those known to be one."""
    whole = (1 << width) - 1
    exact = as_int(value)
    if exact is not None:
        return whole & ~exact, whole & exact
    if not isinstance(value, Expression):
        return 0, 0
    if value.opcode == "ptrtoint":
        return _known_of_address(m, value, width)
    if value.opcode == "trunc":
        kind = cast("IntegerType", value.types[0])
        zeros, ones = _known(m, value.operands[0], kind.width.data)
        return zeros & whole, ones & whole
    if value.opcode in ("add", "sub", "xor"):
        left, right = (_known(m, v, width) for v in value.operands)
        return _known_sum(value.opcode, left, right, whole)
    return 0, 0


def _known_of_address(m: ModuleContext, value: Expression, width: int) -> tuple[int, int]:
    kind = cast("LLVMPointerType", value.types[0])
    pointer = m.layout.pointer_width(kind.data)
    high = ((1 << width) - 1) & ~((1 << pointer) - 1)
    place = _global_and_offset(m, value)
    if place is None:
        return high, 0
    low = (_alignment(m, place[0]) - 1) & ((1 << min(width, pointer)) - 1)
    return high | (low & ~place[1]), low & place[1]


def _known_sum(
    opcode: str, left: tuple[int, int], right: tuple[int, int], whole: int
) -> tuple[int, int]:
    (zeros, ones), (other_zeros, other_ones) = left, right
    both = (zeros | ones) & (other_zeros | other_ones)
    if opcode == "xor":
        value = ones ^ other_ones
        return both & ~value & whole, both & value
    carry = 0
    if opcode == "sub":
        # a - b is a + ~b + 1.
        other_zeros, other_ones, carry = other_ones, other_zeros, 1
    # The sums with all unknown bits one, and zero: where they agree on the carry, it is known.
    most = (whole & ~zeros) + (whole & ~other_zeros) + carry
    least = ones + other_ones + carry
    carry_zero = ~(most ^ zeros ^ other_zeros)
    carry_one = least ^ ones ^ other_ones
    known = both & (carry_zero | carry_one) & whole
    return known & ~least & whole, known & least
