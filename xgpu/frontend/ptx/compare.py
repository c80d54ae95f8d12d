# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparisons and selections in PTX."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, f16, f32
from xdsl.ir import SSAValue

from xgpu.frontend.ptx.floats import flushed
from xgpu.frontend.ptx.grammar import Operand
from xgpu.frontend.ptx.instructions import (
    Built,
    element_type,
    instruction,
    scalar_of,
    split,
)
from xgpu.frontend.ptx.registers import I1, I64, as_type, integer_type

_INTEGERS = {"eq": "eq", "ne": "ne", "lo": "ult", "ls": "ule", "hi": "ugt", "hs": "uge"}
#: As LLVM numbers them; those of PTX without a u are false of NaN.
_FLOATS = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 6, "num": 7, "equ": 8, "gtu": 9,
           "geu": 10, "ltu": 11, "leu": 12, "neu": 13, "nan": 14}  # fmt: skip
_BOOLEAN = {"and": "and", "or": "or", "xor": "xor"}


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
    if p.words and p.words[-1] in ("f16x2", "bf16x2"):
        _compare_pairs(p)
        return
    combine = p.take(*_BOOLEAN)
    holds = _compared(p, 1)
    p.finish()
    other = b.binary("xor", holds, 1)
    if combine is not None:
        third = p.predicate(3)
        holds, other = (b.binary(_BOOLEAN[combine], v, third) for v in (holds, other))
    p.write_pair(holds, other)


def _compare_pairs(p: Built) -> None:
    b = p.b
    ty = element_type(*(scalar_of(p.take_type()) or p.refuse())[:2])
    flushes = p.take("ftz") is not None and ty == f16
    number = _FLOATS.get(p.words.pop(0) if p.words else "")
    p.finish()
    if number is None:
        p.refuse()
    pairs = [[as_type(b, v, ty) for v in split(b, p.integer(at, 32), 2)] for at in (1, 2)]
    if flushes:
        pairs = [[flushed(b, value) for value in values] for values in pairs]
    holds = [
        b.value("llvm.fcmp", (x, y), I1, {"predicate": IntegerAttr(number, I64)})
        for x, y in zip(*pairs, strict=True)
    ]
    p.write_pair(holds[0], holds[1])


@instruction("set", pure=True)
def set_value(p: Built) -> None:
    """set.<op>[.<bool>][.ftz].<type of the result>.<type>: all bits, or 1.0."""
    b = p.b
    combine = p.take(*_BOOLEAN)
    target = p.words.pop(-2) if len(p.words) > 1 else p.refuse()
    holds = _compared(p, 1)
    p.finish()
    if combine is not None:
        holds = b.binary(_BOOLEAN[combine], holds, p.predicate(3))
    if target == "f32":
        p.write(0, b.select(holds, b.real(1.0, f32), b.real(0.0, f32)))
        return
    if target not in ("u32", "s32"):
        p.refuse(f"'.{target}'")
    p.write(0, b.cast("sext", holds, integer_type(32)))


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
