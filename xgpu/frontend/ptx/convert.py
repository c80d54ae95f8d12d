# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moves and conversions in PTX."""

from __future__ import annotations

import re
from typing import cast

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    bf16,
    f16,
    f32,
    f64,
    i32,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.core.ir.constants import width_of
from xgpu.core.ir.elements import dense_of
from xgpu.dialects.arith.builders import element_of, like
from xgpu.dialects.llvm import LLVMPointerType
from xgpu.dialects.llvm.builders import LLVMBuilder, attribute_constant, comparison_type
from xgpu.frontend.ptx.floats import flushed
from xgpu.frontend.ptx.grammar import Group
from xgpu.frontend.ptx.instructions import (
    FLOATS,
    Built,
    element_type,
    instruction,
    scalar_of,
    split,
)
from xgpu.frontend.ptx.registers import (
    I1,
    I16,
    I32,
    I64,
    as_integer,
    as_pointer,
    as_type,
    integer_type,
    type_width,
)

_SMALL = re.compile(r"(e\dm\d|ue8m0)(x[24])?")
_TO_INTEGRAL = {"rni": "roundeven", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_PAIRS = {"f16x2": f16, "bf16x2": bf16}


@instruction("mov", pure=True)
def move(p: Built) -> None:
    """Also packs and unpacks: mov.b32 %r, {%a, %b}; mov.b64 {%a, %b}, %d."""
    name = p.take_type()
    p.finish()
    p.expect(2)
    width = type_width(name)
    if width is None:
        p.refuse(f"'.{name}'")
    target = p.operand(0)
    if not isinstance(target, Group):
        p.write(0, p.predicate(1) if width == 1 else p.value(1, width))
        return
    count = len(target.parts)
    for part, value in zip(target.parts, split(p.b, p.integer(1, width), count), strict=True):
        p.write(part, value)


@instruction("cvta", pure=True)
def convert_address(p: Built) -> None:
    """All memory is one address space; of addresses in shared memory 32 bits may be there."""
    is_from = p.take("to") is None
    space = p.take("global", "shared", "shared::cta", "shared::cluster", "local", "const", "param")
    name = p.take_type()
    p.finish()
    width = type_width(name) or 64
    value = p.value(1, width)
    if is_from and (space or "").startswith("shared") and value.type == I64:
        low = p.b.cast("trunc", value, I32)
        value = p.b.cast("ptrtoint", p.b.shared_pointer(low, LLVMPointerType()), I64)
    p.write(0, value)


@instruction("isspacep", pure=True)
def is_in_space(p: Built) -> None:
    space = p.take("global", "shared", "shared::cta", "shared::cluster")
    if space is None:
        p.refuse()
    p.finish()
    name = {"shared::cta": "shared", "shared::cluster": "shared.cluster"}.get(space, space)
    found = p.b.nvvm(f"isspacep.{name}", (as_pointer(p.b, p.value(1, 64), 0),), I1)
    assert found is not None
    p.write(0, found)


@instruction("szext", pure=True)
def extend_from(p: Built) -> None:
    """szext: the lowest bits, as many as the second operand says, with sign or zeros."""
    b = p.b
    name = p.take_type()
    wraps = p.take("wrap", "clamp") == "wrap"
    p.finish()
    value, count = p.integer(1, 32), p.integer(2, 32)
    if wraps:
        count = b.binary("and", count, 31)
    within = b.icmp("ult", count, 32)
    rest = b.binary("and", b.binary("sub", 32, count), 31)
    right = "ashr" if name[0] == "s" else "lshr"
    found = b.binary(right, b.binary("shl", value, rest), rest)
    found = b.select(b.icmp("eq", count, 0), b.integer(0), found)
    p.write(0, b.select(within, found, value))


@instruction("bmsk", pure=True)
def bit_mask(p: Built) -> None:
    b = p.b
    p.take("b32")
    wraps = p.take("wrap", "clamp") == "wrap"
    p.finish()
    position, count = p.integer(1, 32), p.integer(2, 32)
    wide = integer_type(64)
    if wraps:
        position, count = (b.binary("and", v, 31) for v in (position, count))
    position, count = (
        b.cast("zext", b.intrinsic("umin", (v, b.integer(32))), wide) for v in (position, count)
    )
    ones = b.binary("sub", b.binary("shl", b.integer(1, wide), count), 1)
    p.write(0, b.cast("trunc", b.binary("shl", ones, position), I32))


# -- cvt


@instruction("cvt", pure=True)
def convert(p: Built) -> None:
    if p.take("pack"):
        _pack_saturated(p)
        return
    source, target = p.take_type(), p.take_type()
    flushes = p.take("ftz") is not None
    if _SMALL.fullmatch(target) or _SMALL.fullmatch(source):
        _small(p, target, source)
    elif target in _PAIRS and source == "f32":
        _pair(p, target)
    elif target == "tf32":
        _tensor_float(p)
    else:
        _scalar(p, target, source, flushes)


def _words(p: Built, *words: str) -> str:
    """Those modifiers that are there, as the end of an intrinsic's name."""
    return "".join(f".{word}" for word in words if p.take(word))


def _pair(p: Built, target: str) -> None:
    """Two f32 in one register, the first in the upper half."""
    mode = p.need("rn", "rz", "rs")
    rest = _words(p, "relu", "satfinite")
    p.finish()
    values = [p.float(1, f32), p.float(2, f32)]
    if mode == "rs":
        values.append(p.integer(3, 32))
    pair = VectorType(_PAIRS[target], (2,))
    found = p.b.nvvm(f"ff2{target}.{mode}{rest}", values, pair)
    assert found is not None
    p.write(0, found)


def _tensor_float(p: Built) -> None:
    mode = p.need("rna", "rn", "rz")
    rest = _words(p, "relu", "satfinite")
    p.finish()
    found = p.b.nvvm(f"f2tf32.{mode}{rest}", (p.float(1, f32),), I32)
    assert found is not None
    p.write(0, found)


def _small(p: Built, target: str, source: str) -> None:
    """Floats of 8, 6 and 4 bits."""
    b = p.b
    mode = p.take("rn", "rz", "rp", "rs")
    rest = ("" if mode is None else f".{mode}") + _words(p, "relu", "satfinite")
    p.finish()
    if target.endswith("x4"):
        given = [p.float(part, f32) for part in p.parts(1)]
        whole = b.vector(VectorType(f32, (4,)), given)
        width = 16 if target.startswith("e2m1") else 32
        result: Attribute = I16 if width == 16 else VectorType(integer_type(8), (4,))
        found = b.nvvm(f"f32x4.to.{target}{rest}", (whole, p.integer(2, 32)), result)
    elif source == "f32":
        name = f"ff.to.{target}{rest}"
        found = b.nvvm(name, (p.float(1, f32), p.float(2, f32)), I16)
    elif source in _PAIRS:
        given = [as_type(b, p.value(1), VectorType(_PAIRS[source], (2,)))]
        found = b.nvvm(f"{source}.to.{target}{rest}", given, I16)
    elif target in _PAIRS:
        result = VectorType(_PAIRS[target], (2,))
        if source.startswith("ue8m0"):
            rest = ""  # exact
        found = b.nvvm(f"{source}.to.{target}{rest}", (p.integer(1, 16),), result)
    else:
        p.refuse()
    assert found is not None
    p.write(0, found)


def _scalar(p: Built, target: str, source: str, flushes: bool) -> None:
    b = p.b
    to, of = scalar_of(target), scalar_of(source)
    if to is None or of is None or to[2] != 1 or of[2] != 1:
        p.refuse()
    saturates = p.take("sat") is not None
    relu, finite = p.take("relu") is not None, p.take("satfinite") is not None
    if (relu or finite) and target not in ("f16", "bf16"):
        p.refuse()
    integral = p.take(*_TO_INTEGRAL)
    mode = p.take("rn", "rz", "rm", "rp", "rna")
    p.finish()
    if of[0] in ("f", "bf"):
        value = p.float(1, element_type(of[0], of[1]))
        if flushes and source == "f32":
            value = flushed(b, value)
        if integral is not None:
            value = b.intrinsic(_TO_INTEGRAL[integral], (value,))
        if to[0] in ("f", "bf"):
            found = _resized(p, value, FLOATS[target], mode, saturates)
            if flushes and target == "f32":
                found = flushed(b, found)
            p.write(0, _bounded(p, found, relu, finite))
        else:
            signed = to[0] == "s"
            p.write(0, to_integer(b, value, integer_type(to[1]), signed), signed)
        return
    value = p.integer(1, of[1], of[0] == "s")
    if to[0] in ("f", "bf"):
        p.write(0, _from_integer(p, value, of, FLOATS[target], mode))
    else:
        p.write(0, _between_integers(p, value, to, of, saturates), to[0] == "s")


def _resized(
    p: Built, value: SSAValue, ty: Attribute, mode: str | None, saturates: bool
) -> SSAValue:
    b = p.b
    have, width = (type_width(str(t)) or 0 for t in (value.type, ty))
    if (value.type == bf16 and ty == f16) or (value.type == f16 and ty == bf16):
        value = b.cast("fpext", value, f32)
        have = 32
    found = value
    if have > width:
        found = narrowed(b, value, ty, mode or "rn")
    elif value.type != ty:
        found = b.cast("fpext", value, ty)
    if saturates:
        found = b.intrinsic("maxnum", (found, b.real(0.0, ty)))
        found = b.intrinsic("minnum", (found, b.real(1.0, ty)))
    return found


_LARGEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38}


def _bounded(p: Built, value: SSAValue, relu: bool, finite: bool) -> SSAValue:
    """.relu and .satfinite, which leave a NaN as it is."""
    b = p.b
    if finite:
        most = _LARGEST[str(value.type)]
        value = b.intrinsic("minimum", (value, b.real(most, value.type)))
        value = b.intrinsic("maximum", (value, b.real(-most, value.type)))
    return b.intrinsic("maximum", (value, b.real(0.0, value.type))) if relu else value


def to_integer(b: LLVMBuilder, value: SSAValue, ty: Attribute, signed: bool) -> SSAValue:
    """A float, or a vector of floats, as `ty`, as cvt.rzi converts it: what is too large becomes
    the largest, what is too small the least. A NaN becomes zero; from f64 and to 64 bits it
    becomes the number whose highest bit alone is set (PTX ISA, cvt)."""
    if element_of(value.type) in (f16, bf16):
        value = b.cast("fpext", value, like(value.type, f32))
    name = f"llvm.fpto{'s' if signed else 'u'}i.sat.{_suffix(ty)}.{_suffix(value.type)}"
    properties = {
        "intrin": StringAttr(name),
        "operandSegmentSizes": DenseArrayBase.from_list(i32, [1, 0]),
        "op_bundle_sizes": DenseArrayBase.from_list(i32, []),
    }
    found = b.value("llvm.call_intrinsic", (value,), ty, properties)
    width = width_of(ty)
    if width < 64 and element_of(value.type) != f64:
        return found
    highest = splat(b, -(1 << (width - 1)), ty)
    return b.select(_compare(b, _UNORDERED, value, value), highest, found)


def splat(b: LLVMBuilder, value: int, ty: Attribute) -> SSAValue:
    """An integer, in a vector in every place."""
    if isinstance(ty, VectorType):
        return attribute_constant(b, dense_of(ty, [value]), ty)
    return b.integer(value, cast("IntegerType", ty))


def _suffix(ty: Attribute) -> str:
    """A type in the name of one of LLVM's intrinsics."""
    if isinstance(ty, VectorType):
        return f"v{ty.get_shape()[0]}{element_of(ty)}"
    return str(ty)


def _from_integer(
    p: Built, value: SSAValue, of: tuple[str, int, int], ty: Attribute, mode: str | None
) -> SSAValue:
    b = p.b
    exact = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}[str(ty)] >= of[1]
    if mode in (None, "rn") or exact:
        return b.cast("sitofp" if of[0] == "s" else "uitofp", value, ty)
    width = 64 if of[1] == 64 else 32
    value = as_integer(b, value, width, of[0] == "s")
    name = ("" if of[0] == "s" else "u") + ("ll" if width == 64 else "i")
    if ty == f32:
        found = b.nvvm(f"{name}2f.{mode}", (value,), f32)
    else:  # rounding twice in one direction is rounding once
        found = b.nvvm(f"{name}2d.{mode}", (value,), f64)
    assert found is not None
    return found if found.type == ty else narrowed(b, found, ty, mode)


def _between_integers(
    p: Built, value: SSAValue, to: tuple[str, int, int], of: tuple[str, int, int], saturates: bool
) -> SSAValue:
    b = p.b
    wide = integer_type(max(to[1], of[1]) + 1 if saturates else max(to[1], of[1]))
    value = b.cast("sext" if of[0] == "s" else "zext", value, wide)
    if saturates:
        signed = to[0] == "s"
        least = -(1 << (to[1] - 1)) if signed else 0
        most = (1 << (to[1] - 1)) - 1 if signed else (1 << to[1]) - 1
        value = b.intrinsic("smax", (value, b.integer(least, wide)))
        value = b.intrinsic("smin", (value, b.integer(most, wide)))
    return b.cast("trunc", value, integer_type(to[1]))


def _pack_saturated(p: Built) -> None:
    """cvt.pack.sat.<type>.s32[.b32] d, a, b[, c]: a and b side by side below what c has."""
    b = p.b
    p.take("sat")
    shifted = p.take("b32") is not None
    p.take("s32")
    name = p.take_type()
    p.finish()
    to = scalar_of(name)
    if to is None or (to[1] < 16) != shifted:
        p.refuse(f"'.{name}'")
    high, low = (
        b.cast("zext", _between_integers(p, p.integer(at, 32), to, ("s", 32, 1), True), I32)
        for at in (1, 2)
    )
    total = b.binary("or", b.binary("shl", high, to[1]), low)
    if shifted:
        total = b.binary("or", total, b.binary("shl", p.integer(3, 32), 2 * to[1]))
    p.write(0, total)


# -- directed rounding


#: As MLIR numbers them; the first two are false of NaN.
_GREATER, _LESS, _UNORDERED = 2, 4, 14


def _compare(b: LLVMBuilder, predicate: int, x: SSAValue, y: SSAValue) -> SSAValue:
    ty = comparison_type(x.type)
    return b.value("llvm.fcmp", (x, y), ty, {"predicate": IntegerAttr(predicate, I64)})


def narrowed(b: LLVMBuilder, value: SSAValue, ty: Attribute, mode: str) -> SSAValue:
    """A scalar float as one of fewer bits, rounded by a mode of PTX: rn, rz, rm (down), rp (up).

    What is rounded to the nearest goes one step back where that was the wrong way: the next float
    is the next integer.
    """
    nearest = b.cast("fptrunc", value, ty)
    if mode == "rn":
        return nearest
    whole = integer_type(type_width(str(ty)) or 0)
    word = b.cast("bitcast", nearest, whole)
    back = b.cast("fpext", nearest, value.type)
    inwards, outwards = b.integer(-1, whole), b.integer(1, whole)
    if mode == "rz":
        wrong = _compare(b, _GREATER, b.intrinsic("fabs", (back,)), b.intrinsic("fabs", (value,)))
        by = inwards
    else:
        wrong = _compare(b, _GREATER if mode == "rp" else _LESS, value, back)
        is_negative = b.icmp("slt", word, 0)
        steps = (inwards, outwards) if mode == "rp" else (outwards, inwards)
        by = b.select(is_negative, *steps)
    moved = b.binary("add", word, by)
    return b.cast("bitcast", b.select(wrong, moved, word), ty)
