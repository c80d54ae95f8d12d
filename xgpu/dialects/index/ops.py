# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the index dialect: result names, verifiers, folds, patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation

from xgpu.core.ir import integers
from xgpu.core.ir.constants import int_of, int_value
from xgpu.core.ir.integers import Binary, compare, signed, unsigned
from xgpu.dialects import index
from xgpu.dialects.interfaces import Constants, Folded, Folder, cast_verifier

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


# -- Names that MLIR suggests for results of index operations.


def _constant(op: index.ConstantOp) -> list[str | None]:
    return [f"idx{op.value.value.data}"]


def _bool_constant(op: index.BoolConstantOp) -> list[str | None]:
    return ["true" if op.value.value.data else "false"]


NAMES = {"index.constant": _constant, "index.bool.constant": _bool_constant}


# -- Verifiers of index operations.


def _compatible(source: Attribute, target: Attribute) -> bool:
    """One of them is an index, the other an integer."""
    return isinstance(source, IndexType) is not isinstance(target, IndexType)


VERIFY = {
    "index.casts": cast_verifier(_compatible),
    "index.castu": cast_verifier(_compatible),
}


# -- Folds of the index dialect.
#
# An index has 32 or 64 bits, which is not known here: a fold is only done where both widths agree,
# the 32-bit result being that of 64 bits cut off.


def _index(value: int) -> Attribute:
    return IntegerAttr(signed(value, 64), IndexType())


def agreed(compute: Binary, a: int, b: int) -> int | None:
    """The result for 64 bits if that for 32 bits is its lower half."""
    wide = compute(a, b, 64)
    if wide is None:
        return None
    narrow = compute(signed(a, 32), signed(b, 32), 32)
    if narrow is None or unsigned(wide, 32) != unsigned(narrow, 32):
        return None
    return wide


def _wrapping(opcode: str) -> Binary:
    """A signed division where the smallest by -1 is the smallest again, as MLIR folds it."""

    def divide(a: int, b: int, width: int) -> int | None:
        if signed(b, width) == -1:
            return -a
        return integers.BINARY[opcode](a, b, width)

    return divide


def _ceildivs(a: int, b: int, width: int) -> int | None:
    """The least index by a positive one stays: what it is lowered to gives another sign."""
    if signed(b, width) > 0 and signed(a, width) == -(1 << (width - 1)):
        return None
    return _wrapping("ceildivs")(a, b, width)


BINARY: dict[str, Binary] = {
    f"index.{name}": integers.BINARY[opcode]
    for name, opcode in {
        "add": "add",
        "and": "and",
        "ceildivu": "ceildivu",
        "divu": "udiv",
        "maxs": "smax",
        "maxu": "umax",
        "mins": "smin",
        "minu": "umin",
        "mul": "mul",
        "or": "or",
        "rems": "srem",
        "remu": "urem",
        "shl": "shl",
        "shrs": "ashr",
        "shru": "lshr",
        "sub": "sub",
        "xor": "xor",
    }.items()
} | {
    "index.ceildivs": _ceildivs,
    "index.divs": _wrapping("sdiv"),
    "index.floordivs": _wrapping("floordivs"),
}
#: The right operand that changes nothing.
_NEUTRAL = {"index.add": 0, "index.mul": 1, "index.sub": 0}


def _binary(op: Operation, constants: Constants) -> Folded:
    a, b = int_value(constants[0]), int_value(constants[1])
    if a is not None and b is not None:
        value = agreed(BINARY[op.name], a, b)
        if value is not None:
            return [_index(value)]
    if b is not None and b == _NEUTRAL.get(op.name):
        return [op.operands[0]]
    if op.name == "index.mul" and b == 0:
        return [_index(0)]
    if op.name == "index.sub" and op.operands[0] is op.operands[1]:
        return [_index(0)]
    return None


_MIN_MAX = ("index.maxs", "index.maxu", "index.mins", "index.minu")
#: `op(op(x, c0), c1)` is `op(x, op(c0, c1))`.
ASSOCIATIVE = ("index.add", "index.mul", "index.and", "index.or", "index.xor", *_MIN_MAX)


def predicate(op: Operation) -> str:
    """The keyword of an `index.cmp`."""
    attr = op.properties["pred"]
    if isinstance(attr, IntegerAttr):
        return integers.PREDICATES[attr.value.data]
    return cast("index.CmpPredicateAttr", attr).data


_Bounds = tuple[int, int]


def _bounds(name: str, limit: int, width: int) -> tuple[_Bounds, _Bounds]:
    """The least and the largest result, as signed and as unsigned numbers, of `name` with `limit`
    for one operand."""
    top, half = (1 << width) - 1, 1 << (width - 1)
    if name.endswith("s"):
        known = signed(limit, width)
        low, high = (known, half - 1) if name == "index.maxs" else (-half, known)
        # The same bits are in this order as unsigned numbers, too, where no sign changes.
        same = (low < 0) == (high < 0)
        return (low, high), (unsigned(low, width), unsigned(high, width)) if same else (0, top)
    known = unsigned(limit, width)
    low, high = (known, top) if name == "index.maxu" else (0, known)
    same = (low < half) == (high < half)
    return (signed(low, width), signed(high, width)) if same else (-half, half - 1), (low, high)


def _decided(keyword: str, value: _Bounds, other: int) -> bool | None:
    """What `value` keyword `other` is for every value within bounds; None if it depends."""
    low, high = value
    less, at_most = high < other, high <= other
    greater, at_least = low > other, low >= other
    yes, no = {
        "lt": (less, at_least),
        "le": (at_most, greater),
        "gt": (greater, at_most),
        "ge": (at_least, less),
    }[keyword]
    return True if yes else False if no else None


def _compare_bounded(keyword: str, name: str, limit: int, other: int, width: int) -> bool | None:
    """The comparison of `name(x, limit)` with `other`, whatever x is."""
    as_signed, as_unsigned = _bounds(name, limit, width)
    if keyword in ("eq", "ne"):
        apart = all(
            not low <= number <= high
            for (low, high), number in (
                (as_signed, signed(other, width)),
                (as_unsigned, unsigned(other, width)),
            )
        )
        return keyword == "ne" if apart else None
    if keyword.startswith("s"):
        return _decided(keyword[1:], as_signed, signed(other, width))
    return _decided(keyword[1:], as_unsigned, unsigned(other, width))


def _cmp(op: Operation, constants: Constants) -> Folded:
    keyword = predicate(op)
    a, b = int_value(constants[0]), int_value(constants[1])
    if a is not None and b is not None:
        wide = compare(keyword, a, b, 64)
        if wide == compare(keyword, a, b, 32):
            return [IntegerAttr.from_bool(wide)]
    inner = op.operands[0].owner
    if b is not None and isinstance(inner, Operation) and inner.name in _MIN_MAX:
        limit = int_of(inner.operands[1])
        if limit is not None:
            at_64, at_32 = (_compare_bounded(keyword, inner.name, limit, b, w) for w in (64, 32))
            if at_64 is not None and at_64 == at_32:
                return [IntegerAttr.from_bool(at_64)]
    if op.operands[0] is op.operands[1]:
        return [IntegerAttr.from_bool(keyword in integers.TRUE_ON_EQUAL)]
    return None


def _cast(op: Operation, constants: Constants) -> Folded:
    value = int_value(constants[0])
    if value is None:
        return None
    to, from_ = op.results[0].type, op.operands[0].type
    number = unsigned if op.name == "index.castu" else signed
    if isinstance(to, IntegerType):
        # From an index: the width that it has must not matter.
        width = to.width.data
        wide, narrow = number(value, 64), number(value, 32)
        if unsigned(wide, width) != unsigned(narrow, width):
            return None
        return [IntegerAttr(signed(wide, width), to)]
    if isinstance(from_, IntegerType):
        return [_index(number(value, from_.width.data))]
    return None


FOLD: dict[str, Folder] = {
    **dict.fromkeys(BINARY, _binary),
    "index.casts": _cast,
    "index.castu": _cast,
    "index.cmp": _cmp,
}


# -- Canonicalization patterns of the index dialect.


def associate_constants(op: Operation, rw: GreedyRewriter) -> bool:
    """op(op(x, c0), c1) -> op(x, op(c0, c1))"""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or inner.name != op.name:
        return False
    a, b = int_of(inner.operands[1]), int_of(op.operands[1])
    if a is None or b is None:
        return False
    value = agreed(BINARY[op.name], a, b)
    if value is None:
        return False
    attr = IntegerAttr(signed(value, 64), IndexType())
    c = rw.value("index.constant", (), IndexType(), {"value": attr})
    rw.replace_with(op, op.name, (inner.operands[0], c), (IndexType(),))
    return True


def compare_difference(op: Operation, rw: GreedyRewriter) -> bool:
    """cmp(pred, sub(x, y), 0) -> cmp(pred, x, y), and with the sides exchanged

    Not for unsigned numbers, of which no difference is below zero.
    """
    if predicate(op).startswith("u"):
        return False
    zeros = [int_of(value) == 0 for value in op.operands]
    if not any(zeros):
        return False
    inner = op.operands[0 if zeros[1] else 1].owner
    if not isinstance(inner, Operation) or inner.name != "index.sub":
        return False
    operands = list(inner.operands) if zeros[1] else list(reversed(inner.operands))
    rw.replace_with(op, op.name, operands, (op.results[0].type,), dict(op.properties))
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    **dict.fromkeys(ASSOCIATIVE, (associate_constants,)),
    "index.cmp": (compare_difference,),
}
