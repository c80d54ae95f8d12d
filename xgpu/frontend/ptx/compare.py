# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons and selections in PTX."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, f16, f32
from xdsl.ir import SSAValue

from xgpu.frontend.ptx.floats import flushed
from xgpu.frontend.ptx.grammar import Operand
from xgpu.frontend.ptx.instructions import (
    FLOATS,
    Built,
    element_type,
    instruction,
    join,
    scalar_of,
    split,
)
from xgpu.frontend.ptx.registers import I1, I64, as_integer, as_type, integer_type

_INTEGERS = {"eq": "eq", "ne": "ne", "lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
#: As LLVM numbers them; those of PTX without a u are false of NaN.
_FLOATS = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 6, "num": 7, "equ": 8, "gtu": 9,
           "geu": 10, "ltu": 11, "leu": 12, "neu": 13, "nan": 14}  # fmt: skip
_BOOLEAN = {"and": "and", "or": "or", "xor": "xor"}
_PAIRS = ("f16x2", "bf16x2")


def _compared(p: Built, first: int) -> SSAValue:
    """Whether the comparison of two operands holds; takes the modifiers."""
    name = p.take_type()
    ty = scalar_of(name)
    if ty is None or ty[2] != 1:
        p.refuse(f"'.{name}'")
    flushes = p.take("ftz") is not None
    predicate = p.words.pop(0) if p.words else p.refuse()
    kind, width, _ = ty
    b = p.b
    if kind in ("f", "bf"):
        number = _FLOATS.get(predicate)
        if number is None:
            p.refuse(f"'.{predicate}'")
        of = element_type(kind, width)
        x, y = p.float(first, of), p.float(first + 1, of)
        if flushes and of in (f16, f32):
            x, y = flushed(b, x), flushed(b, y)
        return b.value("llvm.fcmp", (x, y), I1, {"predicate": IntegerAttr(number, I64)})
    known = _INTEGERS.get(predicate)
    if known is None:
        if predicate not in ("lt", "le", "gt", "ge"):
            p.refuse(f"'.{predicate}'")
        known = f"{'s' if kind == 's' else 'u'}{predicate}"
    x, y = (p.integer(at, width, kind == "s") for at in (first, first + 1))
    return b.icmp(known, x, y)


@instruction("setp", pure=True)
def set_predicate(p: Built) -> None:
    """setp.<op>[.<bool>][.ftz].<type> p[|q], a, b[, c]; of pairs p and q are for one each"""
    b = p.b
    combine = p.take(*_BOOLEAN)
    if p.words and p.words[-1] in _PAIRS:
        first, other = _compared_pairs(p)
    else:
        first = _compared(p, 1)
        other = b.binary("xor", first, 1)
    p.finish()
    if combine is not None:
        third = p.predicate(3)
        first, other = (b.binary(_BOOLEAN[combine], v, third) for v in (first, other))
    p.write_pair(first, other)


def _compared_pairs(p: Built) -> list[SSAValue]:
    """Whether the comparison holds of the lower halves, and of the upper ones."""
    b = p.b
    ty = element_type(*(scalar_of(p.take_type()) or p.refuse())[:2])
    flushes = p.take("ftz") is not None and ty == f16
    number = _FLOATS.get(p.words.pop(0) if p.words else "")
    if number is None:
        p.refuse()
    pairs = [[as_type(b, v, ty) for v in split(b, p.integer(at, 32), 2)] for at in (1, 2)]
    if flushes:
        pairs = [[flushed(b, value) for value in values] for values in pairs]
    return [
        b.value("llvm.fcmp", (x, y), I1, {"predicate": IntegerAttr(number, I64)})
        for x, y in zip(*pairs, strict=True)
    ]


@instruction("set", pure=True)
def set_value(p: Built) -> None:
    """set.<op>[.<bool>][.ftz].<type of the result>.<type>: all bits, or 1.0. Of pairs each half is
    such a result."""
    b = p.b
    combine = p.take(*_BOOLEAN)
    target = p.words.pop(-2) if len(p.words) > 1 else p.refuse()
    is_pair = p.words[-1] in _PAIRS
    found = _compared_pairs(p) if is_pair else [_compared(p, 1)]
    p.finish()
    if combine is not None:
        third = p.predicate(3)
        found = [b.binary(_BOOLEAN[combine], holds, third) for holds in found]
    kind, width, lanes = scalar_of(target) or p.refuse(f"'.{target}'")
    if (kind, width) not in _RESULTS or lanes > len(found):
        p.refuse(f"'.{target}'")
    if is_pair:
        width = 16
    results: list[SSAValue] = []
    for holds in found:
        if kind in ("f", "bf"):
            of = element_type(kind, width)
            real = b.select(holds, b.real(1.0, of), b.real(0.0, of))
            results.append(as_integer(b, real, width) if is_pair else real)
        else:
            results.append(b.cast("sext", holds, integer_type(width)))
    p.write(0, join(b, results) if is_pair else results[0])


#: Types of results of `set`.
_RESULTS = (("u", 32), ("s", 32), ("f", 32), ("u", 16), ("s", 16), ("f", 16), ("bf", 16))


# -- properties of a float


@instruction("testp", pure=True)
def test_property(p: Built) -> None:
    """testp.<property>.<type> p, a; zeros are normal numbers."""
    b = p.b
    name = p.take_type()
    wanted = p.need("finite", "infinite", "number", "notanumber", "normal", "subnormal")
    p.finish()
    p.expect(2)
    if name not in ("f32", "f64"):
        p.refuse(f"'.{name}'")
    width, digits = (32, 23) if name == "f32" else (64, 52)
    infinite = (1 << width - 1) - (1 << digits)
    size = b.binary("and", as_integer(b, p.float(1, FLOATS[name]), width), (1 << width - 1) - 1)
    if wanted in _SIZES:
        p.write(0, b.icmp(_SIZES[wanted], size, infinite))
        return
    # One less than zero is above all others.
    is_small = b.icmp("ult", b.binary("sub", size, 1), (1 << digits) - 1)
    if wanted == "normal":
        is_small = b.binary("and", b.icmp("ult", size, infinite), b.binary("xor", is_small, 1))
    p.write(0, is_small)


#: How the bits without the sign compare with those of infinity.
_SIZES = {"finite": "ult", "infinite": "eq", "number": "ule", "notanumber": "ugt"}


# -- selections


def _chosen(p: Built, holds: SSAValue, width: int) -> SSAValue:
    def bits(at: int | Operand) -> SSAValue:
        return p.integer(at, width)

    return p.b.select(holds, bits(1), bits(2))


@instruction("selp", pure=True)
def select(p: Built) -> None:
    width = (scalar_of(p.take_type()) or p.refuse())[1]
    p.finish()
    p.write(0, _chosen(p, p.predicate(3), width))


@instruction("slct", pure=True)
def select_by_sign(p: Built) -> None:
    b = p.b
    by = p.take_type()
    p.take("ftz")
    width = (scalar_of(p.take_type()) or p.refuse())[1]
    p.finish()
    if by == "s32":
        holds = b.icmp("sge", p.integer(3, 32), 0)
    else:
        value = p.float(3, f32)
        properties = {"predicate": IntegerAttr(_FLOATS["ge"], I64)}
        holds = b.value("llvm.fcmp", (value, b.real(0.0, f32)), I1, properties)
    p.write(0, _chosen(p, holds, width))
