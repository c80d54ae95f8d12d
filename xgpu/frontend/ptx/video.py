# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Video instructions of PTX: arithmetic on a byte, a half or the whole of registers, and on two
halves or four bytes side by side.

    vadd.s32.u32.u32.sat.max %r1, %r2.b0, %r3.h1, %r4;
    vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4;

Types of the result and of the operands stand behind the name. Intermediate results have so many
bits that nothing is lost before `.sat` (PTX ISA, "Video Instructions").
"""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from xgpu.frontend.ptx.instructions import Built, instruction
from xgpu.frontend.ptx.registers import I32, I64, integer_type

_I128 = integer_type(128)
#: The first bit of a part of a register, and its bits.
_PARTS = {
    **{f"b{at}": (8 * at, 8) for at in range(4)},
    **{f"h{at}": (16 * at, 16) for at in range(2)},
    "": (0, 32),
}
_SECOND = ("add", "min", "max")
_COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
_TYPES = ("u32", "s32")


def _types(p: Built, count: int) -> list[bool]:
    """Whether the types behind the name are signed."""
    names, p.words = p.words[:count], p.words[count:]
    if len(names) < count or any(name not in _TYPES for name in names):
        p.refuse("its types")
    return [name == "s32" for name in names]


def _part(p: Built, at: int) -> tuple[int, int]:
    """Which bits of an operand take part: the first, and how many."""
    return _PARTS.get(p.instruction.selectors[at].lstrip("-")) or p.refuse("a part of a register")


def _field(
    p: Built, value: SSAValue, part: tuple[int, int], signed: bool, ty: IntegerType
) -> SSAValue:
    """Those bits of an i32, extended."""
    b, (first, width) = p.b, part
    if width < 32:
        up = b.binary("shl", value, 32 - first - width) if first + width < 32 else value
        value = b.binary("ashr" if signed else "lshr", up, 32 - width)
    return value if ty == I32 else b.cast("sext" if signed else "zext", value, ty)


def _operand(p: Built, at: int, signed: bool, ty: IntegerType) -> SSAValue:
    return _field(p, p.integer(at, 32), _part(p, at), signed, ty)


def _clamped(p: Built, value: SSAValue, width: int, signed: bool) -> SSAValue:
    """The nearest number of so many bits; `value` has more."""
    b, ty = p.b, value.type
    assert isinstance(ty, IntegerType)
    least = -(1 << width - 1) if signed else 0
    most = (1 << width - int(signed)) - 1
    value = b.intrinsic("smax", (value, b.integer(least, ty)))
    return b.intrinsic("smin", (value, b.integer(most, ty)))


def _finished(p: Built, value: SSAValue, signed: bool, saturates: bool, second: str | None) -> None:
    """Saturates what was computed, and joins it with the third operand: adds it, takes the less or
    the greater of both, or replaces a part of it."""
    b, part = p.b, _part(p, 0)
    ty = value.type
    assert isinstance(ty, IntegerType)
    replaces = p.instruction.selectors[0] != ""
    if second is not None and replaces:
        p.refuse(f"'.{second}' with a part of the result")
    p.expect(4 if second is not None or replaces else 3)
    if saturates:
        value = _clamped(p, value, part[1], signed)
    if second is not None:
        other = _operand(p, 3, signed, ty)
        value = b.binary("add", value, other) if second == "add" else b.intrinsic(
            f"s{second}", (value, other)
        )  # fmt: skip
    found = b.cast("trunc", value, I32)
    if replaces:
        first, width = part
        mask = (1 << width) - 1
        kept = b.binary("and", p.integer(3, 32), ~(mask << first))
        put = b.binary("shl", b.binary("and", found, mask), first)
        found = b.binary("or", kept, put)
    p.write(0, found)


def _combined(p: Built, name: str, x: SSAValue, y: SSAValue) -> SSAValue:
    """Operands of more bits than they have values."""
    b = p.b
    if name in ("add", "sub"):
        return b.binary(name, x, y)
    if name in ("min", "max"):
        return b.intrinsic(f"s{name}", (x, y))
    if name == "absdiff":
        return b.select(b.icmp("slt", x, y), b.binary("sub", y, x), b.binary("sub", x, y))
    total = b.binary("add", x, y)  # avrg: to the nearest, halves away from zero
    is_positive = b.cast("zext", b.icmp("sge", total, 0), I32)
    return b.binary("ashr", b.binary("add", total, is_positive), 1)


@instruction("vadd", "vsub", "vabsdiff", "vmin", "vmax", pure=True)
def arithmetic(p: Built) -> None:
    """v<op>.<types>[.sat][.<second>] d[.<part>], a[.<part>], b[.<part>][, c]"""
    signed, first, other = _types(p, 3)
    saturates, second = p.take("sat") is not None, p.take(*_SECOND)
    p.finish()
    given = (_operand(p, 1, first, I64), _operand(p, 2, other, I64))
    found = _combined(p, p.instruction.words[0][1:], *given)
    _finished(p, found, signed, saturates, second)


@instruction("vshl", "vshr", pure=True)
def shift(p: Built) -> None:
    """The amount is at most 32 with .clamp, below 32 with .wrap."""
    b = p.b
    signed, first, other = _types(p, 3)
    saturates, mode, second = p.take("sat") is not None, p.need("clamp", "wrap"), p.take(*_SECOND)
    p.finish()
    if other:
        p.refuse("the type of its amount")
    value, amount = _operand(p, 1, first, _I128), _operand(p, 2, False, _I128)
    if mode == "wrap":
        amount = b.binary("and", amount, 31)
    else:
        amount = b.intrinsic("umin", (amount, b.integer(32, _I128)))
    # The operand has its sign in all bits above: an arithmetic shift does for both types.
    name = "shl" if p.instruction.words[0] == "vshl" else "ashr"
    _finished(p, b.binary(name, value, amount), signed, saturates, second)


@instruction("vset", pure=True)
def compare(p: Built) -> None:
    """1 where the comparison holds, else 0."""
    first, other = _types(p, 2)
    name, second = p.need(*_COMPARISONS), p.take(*_SECOND)
    p.finish()
    holds = p.b.icmp(_COMPARISONS[name], _operand(p, 1, first, I64), _operand(p, 2, other, I64))
    _finished(p, p.b.cast("zext", holds, I64), False, False, second)


@instruction("vmad", pure=True)
def multiply_add(p: Built) -> None:
    """vmad.<types>[.po][.sat][.shr7 | .shr15] d, [-]a, [-]b, [-]c: `.po` adds one more."""
    b = p.b
    _, first, other = _types(p, 3)
    adds_one, saturates = p.take("po") is not None, p.take("sat") is not None
    scale = p.take("shr7", "shr15")
    p.finish()
    p.expect(4)
    signs = [text.startswith("-") for text in p.instruction.selectors]
    if sum(signs) > 1 or signs[0] or (adds_one and any(signs)):
        p.refuse("the signs of its operands")
    if p.instruction.selectors[0] or p.instruction.selectors[3] not in ("", "-"):
        p.refuse("a part of a register")
    signed = first or other or any(signs)
    found = b.binary("mul", _operand(p, 1, first, _I128), _operand(p, 2, other, _I128))
    addend = _operand(p, 3, signed, _I128)
    if signs[3]:
        addend = b.binary("sub", 0, addend)
    found = b.binary("sub", addend, found) if signs[1] or signs[2] else b.binary(
        "add", found, addend
    )  # fmt: skip
    if adds_one:
        found = b.binary("add", found, 1)
    if scale is not None:
        found = b.binary("ashr" if signed else "lshr", found, int(scale[3:]))
        found = b.cast("sext" if signed else "zext", b.cast("trunc", found, I64), _I128)
    if saturates:
        found = _clamped(p, found, 32, signed)
    p.write(0, b.cast("trunc", found, I32))


# -- two halves, four bytes


def _lanes(p: Built, at: int, default: str, letter: str, most: int) -> list[int]:
    """The numbers that `.b3210` has, the last one first."""
    text = p.instruction.selectors[at] or default
    numbers = [int(digit) for digit in reversed(text[1:])]
    if text[0] != letter or not numbers or max(numbers) >= most:
        p.refuse("a part of a register")
    return numbers


@instruction(
    *(f"v{name}{count}" for name in ("add", "sub", "avrg", "absdiff", "min", "max", "set")
      for count in (2, 4)),
    pure=True,
)  # fmt: skip
def side_by_side(p: Built) -> None:
    """v<op>{2,4}.<types>[.sat | .add] d[.<mask>], a[.<lanes>], b[.<lanes>], c: lanes are numbered
    through a and b. Results outside of the mask are those of c; `.add` adds all to c."""
    b = p.b
    name, count = p.instruction.words[0][1:-1], int(p.instruction.words[0][-1])
    compares = name == "set"
    types = [False, *_types(p, 2)] if compares else _types(p, 3)
    comparison = p.need(*_COMPARISONS) if compares else ""
    saturates = not compares and p.take("sat") is not None
    adds = p.take("add") is not None
    p.finish()
    p.expect(4)
    if saturates and adds:
        p.refuse("'.sat' with '.add'")
    letter, width = ("h", 16) if count == 2 else ("b", 8)
    digits = "10" if count == 2 else "3210"
    mask = _lanes(p, 0, letter + digits, letter, count)
    given = [p.integer(at, 32) for at in (1, 2)]

    def lanes(at: int, default: str) -> list[SSAValue]:
        numbers = _lanes(p, at, letter + default, letter, 2 * count)
        if len(numbers) != count:
            p.refuse("a part of a register")
        return [
            _field(p, given[n // count], (n % count * width, width), types[at], I32)
            for n in numbers
        ]

    pairs = zip(lanes(1, digits), lanes(2, "32" if count == 2 else "7654"), strict=True)
    total = p.integer(3, 32)
    if not adds:
        kept = [at for at in range(count) if at not in mask]
        total = b.binary("and", total, sum(((1 << width) - 1) << width * at for at in kept))
    for at, (x, y) in enumerate(pairs):
        if at not in mask:
            continue
        if compares:
            found = b.cast("zext", b.icmp(_COMPARISONS[comparison], x, y), I32)
        else:
            found = _combined(p, name, x, y)
        if saturates:
            found = _clamped(p, found, width, types[0])
        if adds:
            total = b.binary("add", total, found)
            continue
        low = b.binary("and", found, (1 << width) - 1)
        total = b.binary("or", total, b.binary("shl", low, width * at))
    p.write(0, total)
