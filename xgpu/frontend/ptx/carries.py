# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic with the carry of PTX: add.cc, addc, sub.cc, subc, mad.cc, madc; products.

The carry is a register of the body of one bit; a subtraction's is what it borrows.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from xgpu.frontend.ptx.grammar import Instruction
from xgpu.frontend.ptx.instructions import Built, instruction, scalar_of
from xgpu.frontend.ptx.registers import integer_type

_WITH = ("addc", "subc", "madc")


def uses_carry(instruction: Instruction) -> bool:
    """Whether an instruction reads or writes the carry."""
    return instruction.words[0] in _WITH or "cc" in instruction.words


@instruction("addc", "subc", "madc", pure=True)
def with_carry(p: Built) -> None:
    """{addc,subc,madc.{lo,hi}}[.cc].<type> d, a, b[, c]"""
    name = p.take_type()
    carried(p, p.instruction.words[0][:3], scalar_of(name) or p.refuse(f"'.{name}'"))


def carried(p: Built, name: str, ty: tuple[str, int, int]) -> None:
    """add, sub or mad that reads the carry, or writes it, or both."""
    b, (kind, width, lanes) = p.b, ty
    slot = p.registers.carry
    part = p.take("lo", "hi") if name == "mad" else None
    writes = p.take("cc") is not None
    p.finish()
    if lanes != 1 or width not in (32, 64) or slot is None or (name == "mad") != (part is not None):
        p.refuse()
    x, y = (p.integer(at, width, kind == "s") for at in (1, 2))
    if name == "mad":
        x = b.binary("mul", x, y) if part == "lo" else high_product(p, ty, x, y)
        y = p.integer(3, width, kind == "s")
    reads = p.instruction.words[0] in _WITH
    given = b.cast("zext", p.registers.read(slot), integer_type(width)) if reads else None
    found, carry = _difference(p, x, y, given) if name == "sub" else _sum(p, x, y, given)
    p.write(0, found)
    if writes:
        p.registers.write(slot, carry)


def _sum(p: Built, x: SSAValue, y: SSAValue, given: SSAValue | None) -> tuple[SSAValue, SSAValue]:
    """x + y + given, and whether that is too large."""
    b = p.b
    first = b.binary("add", x, y)
    over = b.icmp("ult", first, x)
    if given is None:
        return first, over
    whole = b.binary("add", first, given)
    return whole, b.binary("or", over, b.icmp("ult", whole, first))


def _difference(
    p: Built, x: SSAValue, y: SSAValue, given: SSAValue | None
) -> tuple[SSAValue, SSAValue]:
    """x - y - given, and whether that is below zero."""
    b = p.b
    first = b.binary("sub", x, y)
    under = b.icmp("ult", x, y)
    if given is None:
        return first, under
    return b.binary("sub", first, given), b.binary("or", under, b.icmp("ult", first, given))


# -- products


def high_product(p: Built, ty: tuple[str, int, int], x: SSAValue, y: SSAValue) -> SSAValue:
    """The upper half of a product."""
    b, (kind, width, _) = p.b, ty
    whole = wide_product(p, ty, x, y)
    return b.cast("trunc", b.binary("lshr", whole, width), integer_type(width)) if kind else whole


def wide_product(p: Built, ty: tuple[str, int, int], x: SSAValue, y: SSAValue) -> SSAValue:
    b, (kind, width, _) = p.b, ty
    extend = "sext" if kind == "s" else "zext"
    wide = integer_type(2 * width)
    return b.binary("mul", b.cast(extend, x, wide), b.cast(extend, y, wide))
