# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of integers and bits in PTX; of floats see `floats`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1
from xdsl.ir import Block, SSAValue

from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.frontend.ptx.carries import carried, high_product, wide_product
from xgpu.frontend.ptx.floats import float_operation
from xgpu.frontend.ptx.instructions import Built, instruction, join, scalar_of, split
from xgpu.frontend.ptx.registers import I32, I64, integer_type


def _operands(p: Built, count: int, kind: str, width: int, lanes: int) -> list[list[SSAValue]]:
    """The operands from the second on, each as its elements."""
    found: list[list[SSAValue]] = []
    for at in range(1, count + 1):
        whole = p.integer(at, width * lanes, signed=kind == "s")
        found.append(split(p.b, whole, lanes) if lanes > 1 else [whole])
    return found


def elementwise(
    p: Built, ty: tuple[str, int, int], count: int, compute: Callable[..., SSAValue]
) -> None:
    """Computes each element of the result from those of `count` operands."""
    kind, width, lanes = ty
    given = _operands(p, count, kind, width, lanes)
    found = [compute(*elements) for elements in zip(*given, strict=True)]
    p.write(0, join(p.b, found) if lanes > 1 else found[0], signed=kind == "s")


def _typed(p: Built) -> tuple[str, int, int]:
    name = p.take_type()
    return scalar_of(name) or p.refuse(f"'.{name}'")


@instruction("add", "sub", "mul", "mad", "div", "rem", "min", "max", "abs", "neg", pure=True)
def arithmetic(p: Built) -> None:
    ty = _typed(p)
    name = p.instruction.words[0]
    if ty[0] in ("f", "bf"):
        float_operation(p, name, ty)
        return
    if "cc" in p.words:
        if name not in ("add", "sub", "mad"):
            p.refuse("'.cc'")
        carried(p, name, ty)
        return
    _INTEGERS[name](p, name, ty)


@instruction(
    "fma", "rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "copysign", pure=True
)
def of_floats(p: Built) -> None:
    float_operation(p, p.instruction.words[0], _typed(p))


def _sum(p: Built, name: str, ty: tuple[str, int, int]) -> None:
    b = p.b
    saturates = p.take("sat") is not None
    p.finish()
    if saturates:
        elementwise(p, ty, 2, lambda x, y: b.intrinsic(f"s{name}.sat", (x, y)))
        return
    elementwise(p, ty, 2, lambda x, y: b.binary(name, x, y))


def _product(p: Built, name: str, ty: tuple[str, int, int]) -> None:
    """mul and mad: .lo, .hi or .wide, whose result and addend have twice the bits."""
    b, (kind, width, lanes) = p.b, ty
    part = p.take("lo", "hi", "wide")
    saturates = p.take("sat") is not None
    p.finish()
    if lanes != 1 or part is None:
        p.refuse()
    x, y = (p.integer(at, width, kind == "s") for at in (1, 2))
    if part == "wide":
        total = wide_product(p, ty, x, y)
    else:
        total = b.binary("mul", x, y) if part == "lo" else high_product(p, ty, x, y)
    if name == "mad":
        addend = p.integer(3, 2 * width if part == "wide" else width, kind == "s")
        plus = b.intrinsic("sadd.sat", (total, addend)) if saturates else None
        total = b.binary("add", total, addend) if plus is None else plus
    p.write(0, total, kind == "s")


def _quotient(p: Built, name: str, ty: tuple[str, int, int]) -> None:
    """div and rem. Without a result they do not end a kernel, as Triton expects, which computes
    ahead: PTX leaves the value open. Here it is that of GPUs: all ones and the dividend for a
    divisor of zero, and what wraps around for -1."""
    b, word = p.b, integer_type(ty[1])
    p.finish()

    def compute(x: SSAValue, y: SSAValue) -> SSAValue:
        if _is_harmless(y):
            return b.binary(f"{ty[0]}{name}", x, y)
        none = b.icmp("eq", y, 0)
        least = b.icmp("eq", y, -1) if ty[0] == "s" else None
        odd = none if least is None else b.binary("or", none, least)
        found = b.binary(f"{ty[0]}{name}", x, b.select(odd, b.integer(1, word), y))
        if least is not None:
            wrapped = b.binary("sub", 0, x) if name == "div" else b.integer(0, word)
            found = b.select(least, wrapped, found)
        return b.select(none, b.integer(-1, word) if name == "div" else x, found)

    elementwise(p, ty, 2, compute)


def _is_harmless(divisor: SSAValue) -> bool:
    """Whether a divisor is a constant that is neither 0 nor -1."""
    owner = divisor.owner
    if isinstance(owner, Block) or owner.name != "llvm.mlir.constant":
        return False
    value = owner.properties["value"]
    return isinstance(value, IntegerAttr) and value.value.data not in (0, -1)


def _extremum(p: Built, name: str, ty: tuple[str, int, int]) -> None:
    b = p.b
    relu = p.take("relu") is not None
    p.finish()
    p.expect(3)

    def compute(x: SSAValue, y: SSAValue) -> SSAValue:
        found = b.intrinsic(f"{ty[0]}{name}", (x, y))
        return b.intrinsic("smax", (found, b.integer(0, integer_type(ty[1])))) if relu else found

    elementwise(p, ty, 2, compute)


def _sign(p: Built, name: str, ty: tuple[str, int, int]) -> None:
    b = p.b
    p.finish()

    def compute(x: SSAValue) -> SSAValue:
        negative = b.binary("sub", 0, x)
        return negative if name == "neg" else b.select(b.icmp("slt", x, 0), negative, x)

    elementwise(p, ty, 1, compute)


_INTEGERS: dict[str, Callable[[Built, str, tuple[str, int, int]], None]] = {
    "add": _sum, "sub": _sum, "mul": _product, "mad": _product, "div": _quotient,
    "rem": _quotient, "min": _extremum, "max": _extremum, "abs": _sign, "neg": _sign,
}  # fmt: skip


@instruction("mul24", "mad24", pure=True)
def product_24(p: Built) -> None:
    b, (kind, width, _) = p.b, _typed(p)
    part = p.take("lo", "hi")
    saturates = p.take("sat") is not None
    p.finish()
    if saturates and (kind != "s" or part != "hi" or p.instruction.words[0] != "mad24"):
        p.refuse("'.sat'")
    if width != 32 or part is None:
        p.refuse()
    extend = "ashr" if kind == "s" else "lshr"
    wide = "sext" if kind == "s" else "zext"
    x, y = (
        b.cast(wide, b.binary(extend, b.binary("shl", p.integer(at, 32), 8), 8), I64)
        for at in (1, 2)
    )
    whole = b.binary("mul", x, y)
    found = b.cast("trunc", whole if part == "lo" else b.binary("lshr", whole, 16), I32)
    if p.instruction.words[0] == "mad24":
        addend = p.integer(3, 32)
        if saturates:
            found = b.intrinsic("sadd.sat", (found, addend))
        else:
            found = b.binary("add", found, addend)
    p.write(0, found)


# -- bits


@instruction("and", "or", "xor", "not", "cnot", pure=True)
def logic(p: Built) -> None:
    name = p.instruction.words[0]
    word = p.take_type()
    p.finish()
    width = 1 if word == "pred" else (scalar_of(word) or p.refuse())[1]
    b = p.b
    if name == "not":
        p.write(0, b.binary("xor", _bits_of(p, 1, width), -1))
    elif name == "cnot":
        p.write(0, b.cast("zext", b.icmp("eq", p.integer(1, width), 0), integer_type(width)))
    else:
        p.write(0, b.binary(name, _bits_of(p, 1, width), _bits_of(p, 2, width)))


def _bits_of(p: Built, at: int, width: int) -> SSAValue:
    return p.predicate(at) if width == 1 else p.integer(at, width)


@instruction("shl", "shr", pure=True)
def shift(p: Built) -> None:
    """Amounts beyond the width count as the width (PTX ISA, shl and shr)."""
    b, (kind, width, _) = p.b, _typed(p)
    p.finish()
    value, ty = p.integer(1, width), integer_type(width)
    is_signed = p.instruction.words[0] == "shr" and kind == "s"
    name = "ashr" if is_signed else "shl" if p.instruction.words[0] == "shl" else "lshr"
    known = p.constant(2)
    if known is not None:
        p.write(0, _shifted_by(p, name, value, known & 0xFFFFFFFF, width), signed=is_signed)
        return
    amount = p.integer(2, 32)
    limited = _resized(p, b.intrinsic("umin", (amount, b.integer(width - 1))), ty)
    shifted = b.binary(name, value, limited)
    if not is_signed:
        shifted = b.select(b.icmp("ult", amount, width), shifted, b.integer(0, ty))
    p.write(0, shifted, signed=is_signed)


def _shifted_by(p: Built, name: str, value: SSAValue, by: int, width: int) -> SSAValue:
    """A shift by an amount that is known: the host device sees that addresses lie side by side."""
    if name == "ashr":
        return p.b.binary(name, value, min(by, width - 1))
    return p.b.binary(name, value, by) if by < width else p.b.integer(0, integer_type(width))


def _resized(p: Built, value: SSAValue, ty: IntegerType) -> SSAValue:
    return p.b.cast("trunc" if ty.width.data < 32 else "zext", value, ty)


@instruction("shf", pure=True)
def funnel_shift(p: Built) -> None:
    b = p.b
    left, mode = p.take("l", "r") == "l", p.take("clamp", "wrap")
    p.take("b32")
    p.finish()
    low, high = (b.cast("zext", p.integer(at, 32), I64) for at in (1, 2))
    amount = p.integer(3, 32)
    if mode == "wrap":
        amount = b.binary("and", amount, 31)
    else:
        amount = b.intrinsic("umin", (amount, b.integer(32)))
    by = b.cast("zext", amount, I64)
    pair = b.binary("or", b.binary("shl", high, 32), low)
    found = b.binary("lshr", b.binary("shl", pair, by), 32) if left else b.binary("lshr", pair, by)
    p.write(0, b.cast("trunc", found, I32))


@instruction("bfe", pure=True)
def extract_bits(p: Built) -> None:
    """A field of `length` bits from `position` on; beyond the operand are zeros or its sign."""
    b, (kind, width, _) = p.b, _typed(p)
    p.finish()
    wide = integer_type(2 * width)
    value = b.cast("sext" if kind == "s" else "zext", p.integer(1, width), wide)
    position, length = (b.binary("and", p.integer(at, 32), 255) for at in (2, 3))
    position = b.intrinsic("umin", (position, b.integer(width)))
    length = b.intrinsic("umin", (length, b.integer(width)))
    right = "ashr" if kind == "s" else "lshr"
    moved = b.binary(right, value, b.cast("zext", position, wide))
    rest = b.intrinsic("umin", (b.binary("sub", 2 * width, length), b.integer(2 * width - 1)))
    rest = b.cast("zext", rest, wide)
    field = b.binary(right, b.binary("shl", moved, rest), rest)
    field = b.select(b.icmp("eq", length, 0), b.integer(0, wide), field)
    p.write(0, b.cast("trunc", field, integer_type(width)))


@instruction("bfi", pure=True)
def insert_bits(p: Built) -> None:
    b, (_, width, _) = p.b, _typed(p)
    p.finish()
    wide = integer_type(2 * width)
    source, target = (b.cast("zext", p.integer(at, width), wide) for at in (1, 2))
    position, length = (b.binary("and", p.integer(at, 32), 255) for at in (3, 4))
    position = b.cast("zext", b.intrinsic("umin", (position, b.integer(width))), wide)
    length = b.cast("zext", b.intrinsic("umin", (length, b.integer(width))), wide)
    ones = b.binary("sub", b.binary("shl", b.integer(1, wide), length), 1)
    mask = b.binary("shl", ones, position)
    kept = b.binary("and", target, b.binary("xor", mask, -1))
    put = b.binary("and", b.binary("shl", source, position), mask)
    p.write(0, b.cast("trunc", b.binary("or", kept, put), integer_type(width)))


@instruction("lop3", pure=True)
def logic_3(p: Built) -> None:
    """Bit i of the table says what three bits of value i (a: 4, b: 2, c: 1) become. With .and or
    .or a predicate is whether the result has a bit, joined with a fifth operand."""
    p.take("b32")
    combine = p.take("and", "or")
    p.finish()
    table = p.constant(4)
    if table is None:
        p.refuse("its table is not known")
    b = p.b
    values = [p.integer(at, 32) for at in (1, 2, 3)]
    inverted = [b.binary("xor", v, -1) for v in values]
    total: SSAValue = b.integer(0)
    for row in range(8):
        if not table >> row & 1:
            continue
        bits = [row >> 2 & 1, row >> 1 & 1, row & 1]
        first, second, third = (
            v if bit else n for v, n, bit in zip(values, inverted, bits, strict=True)
        )
        total = b.binary("or", total, b.binary("and", b.binary("and", first, second), third))
    if combine is None:
        p.write(0, total)
        return
    p.write_pair(total, b.binary(combine, b.icmp("ne", total, 0), p.predicate(5)))


@instruction("prmt", pure=True)
def permute(p: Built) -> None:
    p.take("b32")
    mode = p.take("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
    p.finish()
    name = "prmt" if mode is None else f"prmt.{mode}"
    places = (1, 2, 3) if mode in (None, "f4e", "b4e") else (1, 3)
    found = p.b.nvvm(name, [p.integer(at, 32) for at in places], I32)
    assert found is not None
    p.write(0, found)


@instruction("popc", "clz", "brev", pure=True)
def count_bits(p: Built) -> None:
    b, (_, width, _) = p.b, _typed(p)
    p.finish()
    value = p.integer(1, width)
    name = p.instruction.words[0]
    if name == "brev":
        p.write(0, b.intrinsic("bitreverse", (value,)))
    elif name == "popc":
        p.write(0, b.intrinsic("ctpop", (value,)))
    else:
        p.write(0, _leading_zeros(p, value))


def _leading_zeros(p: Built, value: SSAValue) -> SSAValue:
    properties = {"is_zero_poison": IntegerAttr(0, i1)}
    return p.b.value("llvm.intr.ctlz", (value,), value.type, properties)


@instruction("bfind", pure=True)
def find_bit(p: Built) -> None:
    """The most significant bit that is not the sign; -1 if there is none."""
    b, (kind, width, _) = p.b, _typed(p)
    by_shift = p.take("shiftamt") is not None
    p.finish()
    value = p.integer(1, width)
    if kind == "s":
        value = b.select(b.icmp("slt", value, 0), b.binary("xor", value, -1), value)
    zeros = _leading_zeros(p, value)
    zeros = zeros if width == 32 else b.cast("trunc", zeros, I32)
    found = zeros if by_shift else b.binary("sub", width - 1, zeros)
    none = b.icmp("eq", value, 0)
    p.write(0, b.select(none, b.integer(-1), found))


@instruction("fns", pure=True)
def find_set_bit(p: Built) -> None:
    p.need("b32")
    p.finish()
    p.write(0, nth_set_bit(p.b, *(p.integer(at, 32) for at in (1, 2, 3))))


def nth_set_bit(b: LLVMBuilder, mask: SSAValue, start: SSAValue, offset: SSAValue) -> SSAValue:
    """The n-th set bit from a position on, upward or (n < 0) downward; -1 if there is none.

    Downward is upward in the reversed word. n = 0 asks for the bit at the position alone. PTX
    leaves open what a position above 31 means; here it counts modulo 32.
    """
    start = b.binary("and", start, 31)
    down, none = b.icmp("slt", offset, 0), b.icmp("eq", offset, 0)
    word = b.select(down, b.intrinsic("bitreverse", (mask,)), mask)
    first = b.select(down, b.binary("sub", 31, start), start)
    word = b.binary("and", word, b.binary("shl", b.integer(-1), first))
    alone = b.binary("shl", b.integer(1), start)
    word = b.select(none, b.binary("and", mask, alone), word)
    count = b.select(down, b.binary("sub", 0, offset), offset)
    count = b.select(none, b.integer(1), count)
    missing = b.icmp("ugt", count, b.intrinsic("ctpop", (word,)))
    at: SSAValue = b.integer(0)
    for width in (16, 8, 4, 2, 1):
        part = b.binary("and", b.binary("lshr", word, at), (1 << width) - 1)
        below = b.intrinsic("ctpop", (part,))
        later = b.icmp("ugt", count, below)
        count = b.select(later, b.binary("sub", count, below), count)
        at = b.select(later, b.binary("add", at, width), at)
    at = b.select(down, b.binary("sub", 31, at), at)
    return b.select(missing, b.integer(-1), at)


@instruction("sad", pure=True)
def absolute_difference(p: Built) -> None:
    b, (kind, width, _) = p.b, _typed(p)
    p.finish()
    x, y, z = (p.integer(at, width, kind == "s") for at in (1, 2, 3))
    least, most = (b.intrinsic(f"{kind}{n}", (x, y)) for n in ("min", "max"))
    p.write(0, b.binary("add", z, b.binary("sub", most, least)), kind == "s")


@instruction("dp4a", "dp2a", pure=True)
def dot(p: Built) -> None:
    second, first = p.take_type(), p.take_type()
    half = p.take("lo", "hi")
    p.finish()
    name = p.instruction.words[0]
    given = [p.integer(at, 32) for at in (1, 2, 3)]
    if name == "dp2a":
        given.insert(2, p.b.integer(int(half == "hi"), integer_type(1)))
    found = p.b.nvvm(f"i{name}.{first[0]}.{second[0]}", given, I32)
    assert found is not None
    p.write(0, found)
