# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folds of the index dialect.

An index has 32 or 64 bits, which is not known here: a fold is only done where both widths agree,
the 32-bit result being that of 64 bits cut off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.arith.fold import compare
from xgpu.ir.constants import int_value, signed, unsigned

Constants = list[Attribute | None]
Folded = list[SSAValue | Attribute] | bool | None
Compute = Callable[[int, int, int], int | None]


def _index(value: int) -> Attribute:
    return IntegerAttr(signed(value, 64), IndexType())


def agreed(compute: Compute, a: int, b: int) -> int | None:
    """The result for 64 bits if that for 32 bits is its lower half."""
    wide = compute(a, b, 64)
    if wide is None:
        return None
    narrow = compute(signed(a, 32), signed(b, 32), 32)
    if narrow is None or unsigned(wide, 32) != unsigned(narrow, 32):
        return None
    return wide


def _truncated(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _divs(a: int, b: int, w: int) -> int | None:
    return None if b == 0 else _truncated(a, b)


def _divu(a: int, b: int, w: int) -> int | None:
    return None if b == 0 else unsigned(a, w) // unsigned(b, w)


def _ceildivs(a: int, b: int, w: int) -> int | None:
    return None if b == 0 else -(-a // b)


def _ceildivu(a: int, b: int, w: int) -> int | None:
    return None if b == 0 else -(-unsigned(a, w) // unsigned(b, w))


def _floordivs(a: int, b: int, w: int) -> int | None:
    return None if b == 0 else a // b


def _rems(a: int, b: int, w: int) -> int | None:
    return None if b == 0 else a - _truncated(a, b) * b


def _remu(a: int, b: int, w: int) -> int | None:
    return None if b == 0 else unsigned(a, w) % unsigned(b, w)


def _shift(compute: Compute) -> Compute:
    def checked(a: int, b: int, w: int) -> int | None:
        return compute(a, b, w) if 0 <= b < w else None

    return checked


BINARY: dict[str, Compute] = {
    "index.add": lambda a, b, w: a + b,
    "index.and": lambda a, b, w: a & b,
    "index.ceildivs": _ceildivs,
    "index.ceildivu": _ceildivu,
    "index.divs": _divs,
    "index.divu": _divu,
    "index.floordivs": _floordivs,
    "index.maxs": lambda a, b, w: max(a, b),
    "index.maxu": lambda a, b, w: max(unsigned(a, w), unsigned(b, w)),
    "index.mins": lambda a, b, w: min(a, b),
    "index.minu": lambda a, b, w: min(unsigned(a, w), unsigned(b, w)),
    "index.mul": lambda a, b, w: a * b,
    "index.or": lambda a, b, w: a | b,
    "index.rems": _rems,
    "index.remu": _remu,
    "index.shl": _shift(lambda a, b, w: a << b),
    "index.shrs": _shift(lambda a, b, w: a >> b),
    "index.shru": _shift(lambda a, b, w: unsigned(a, w) >> b),
    "index.sub": lambda a, b, w: a - b,
    "index.xor": lambda a, b, w: a ^ b,
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
_KEYWORDS = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
_TRUE_ON_EQUAL = ("eq", "sle", "sge", "ule", "uge")


def _cmp(op: Operation, constants: Constants) -> Folded:
    attr: Any = op.properties["pred"]
    keyword: str = attr.data if isinstance(attr.data, str) else _KEYWORDS[attr.value.data]
    a, b = int_value(constants[0]), int_value(constants[1])
    number = _KEYWORDS.index(keyword)
    if a is not None and b is not None:
        wide = compare(number, a, b, 64)
        if wide == compare(number, signed(a, 32), signed(b, 32), 32):
            return [IntegerAttr.from_bool(wide)]
    if op.operands[0] is op.operands[1]:
        return [IntegerAttr.from_bool(keyword in _TRUE_ON_EQUAL)]
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


FOLD: dict[str, Any] = {
    **dict.fromkeys(BINARY, _binary),
    "index.casts": _cast,
    "index.castu": _cast,
    "index.cmp": _cmp,
}
