# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Floats of 8 bits in kernels: conversions by the GPU's own instructions, arithmetic by way of f32.

    arith.truncf %x : f32 to f8E4M3FN   =>   nvvm.convert.f32x2.to.f8x2 (two at a time)
    arith.extf %y : f8E5M2 to f32       =>   nvvm.convert.f8x2.to.f16x2, and to f32 from there

LLVM knows these floats as bytes. The instructions are those of sm_89 and later; they round to
nearest even, and what is too large becomes the largest finite number. MLIR has no lowering.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    IntegerAttr,
    IntegerType,
    VectorType,
    f16,
    f32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.one_to_one import fast_math
from xgpu.conversion.scalar import arith_to_llvm
from xgpu.core import ods
from xgpu.core.rewriting.driver import NoMatch, first_of
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Conversion, Rule
    from xgpu.dialects import arith

_F8 = ("f8E4M3FN", "f8E5M2")
_BYTE = IntegerType(8)
_TWO_BYTES = VectorType(_BYTE, [2])
_TWO_HALVES = VectorType(f16, [2])

#: Arithmetic that is done in f32.
_ARITHMETIC = {
    "addf": "fadd",
    "divf": "fdiv",
    "maximumf": "intr.maximum",
    "maxnumf": "intr.maxnum",
    "minimumf": "intr.minimum",
    "minnumf": "intr.minnum",
    "mulf": "fmul",
    "remf": "frem",
    "subf": "fsub",
}


def _element(ty: Attribute) -> Attribute:
    return ty.element_type if isinstance(ty, VectorType) else ty


def _shape(ty: Attribute) -> int | None:
    """The length of a 1-D vector; None for a scalar."""
    if not isinstance(ty, VectorType):
        return None
    if len(ty.get_shape()) != 1 or any(s.value.data for s in ty.scalable_dims):
        raise NoMatch("expected a vector of one dimension")
    return ty.get_shape()[0]


def _parts(rw: Conversion, value: SSAValue, length: int | None) -> list[SSAValue]:
    """The scalars of a value."""
    if length is None:
        return [value]
    element = _element(value.type)
    return [
        rw.value("llvm.extractelement", (value, llvm.constant(rw, i, i64)), element)
        for i in range(length)
    ]


def _whole(rw: Conversion, parts: Sequence[SSAValue], length: int | None) -> SSAValue:
    """The value of these scalars."""
    if length is None:
        return parts[0]
    ty = VectorType(parts[0].type, [length])
    result = llvm.poison(rw, ty)
    for i, part in enumerate(parts):
        place = llvm.constant(rw, i, i64)
        result = rw.value("llvm.insertelement", (result, part, place), ty)
    return result


def _to_f32(rw: Conversion, value: SSAValue) -> SSAValue:
    ty = value.type
    if isinstance(ty, Float32Type):
        return value
    narrower = isinstance(ty, Float16Type | BFloat16Type)
    return rw.value("llvm.fpext" if narrower else "llvm.fptrunc", (value,), f32)


def _narrow(rw: Conversion, values: Sequence[SSAValue], ty: Attribute) -> list[SSAValue]:
    """f32 values as bytes, two at a time."""
    properties = {
        "rnd": ods.enum("nvvm.fp_rnd_mode", "rn"),
        "sat": ods.enum("nvvm.sat_mode", "satfinite"),
        "relu": IntegerAttr(0, IntegerType(1)),
        "dstTy": ty,
    }
    found: list[SSAValue] = []
    for i in range(0, len(values), 2):
        low = values[i]
        high = values[i + 1] if i + 1 < len(values) else low
        # The instruction's first operand is the upper half.
        pair = rw.value("nvvm.convert.f32x2.to.f8x2", (high, low), _TWO_BYTES, properties)
        found += _parts(rw, pair, 2)[: len(values) - i]
    return found


def _widen(rw: Conversion, values: Sequence[SSAValue], ty: Attribute) -> list[SSAValue]:
    """Bytes as f32 values."""
    properties = {"srcType": ty, "relu": IntegerAttr(0, IntegerType(1))}
    found: list[SSAValue] = []
    for i in range(0, len(values), 2):
        pair = _whole(rw, [values[i], values[min(i + 1, len(values) - 1)]], 2)
        halves = rw.value("nvvm.convert.f8x2.to.f16x2", (pair,), _TWO_HALVES, properties)
        found += [_to_f32(rw, h) for h in _parts(rw, halves, 2)[: len(values) - i]]
    return found


def lower_truncf(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    source, target = op.operands[0].type, op.results[0].type
    if _element(target).name not in _F8 or _element(source).name in _F8:
        raise NoMatch("not to a float of 8 bits")
    length = _shape(target)
    wide = [_to_f32(rw, v) for v in _parts(rw, operands[0], length)]
    return [_whole(rw, _narrow(rw, wide, _element(target)), length)]


def lower_extf(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    source, target = op.operands[0].type, op.results[0].type
    if _element(source).name not in _F8:
        raise NoMatch("not from a float of 8 bits")
    length, wanted = _shape(source), _element(target)
    values = _widen(rw, _parts(rw, operands[0], length), _element(source))
    if not isinstance(wanted, Float32Type):
        narrower = isinstance(wanted, Float16Type | BFloat16Type)
        name = "llvm.fptrunc" if narrower else "llvm.fpext"
        values = [rw.value(name, (v,), wanted) for v in values]
    return [_whole(rw, values, length)]


def _arithmetic(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        ty = cast("VectorType", op.results[0].type)
        if _element(ty).name not in _F8:
            raise NoMatch("not a float of 8 bits")
        length, element = _shape(ty), _element(ty)
        wide = [_widen(rw, _parts(rw, v, length), element) for v in operands]
        flags = fast_math(op)
        results = [rw.value(name, pair, f32, flags) for pair in zip(*wide, strict=True)]
        return [_whole(rw, _narrow(rw, results, element), length)]

    return rule


def lower_negf(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    """The sign is the highest bit."""
    ty: Attribute = op.results[0].type
    if _element(ty).name not in _F8:
        raise NoMatch("not a float of 8 bits")
    length = _shape(ty)
    sign = llvm.constant(rw, -128, _BYTE)
    parts = [llvm.binary(rw, "xor", v, sign) for v in _parts(rw, operands[0], length)]
    return [_whole(rw, parts, length)]


def lower_cmpf(
    op: arith.CmpfOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = op.operands[0].type
    if _element(ty).name not in _F8:
        raise NoMatch("not a float of 8 bits")
    length = _shape(ty)
    wide = [_widen(rw, _parts(rw, v, length), _element(ty)) for v in operands]
    predicate = op.properties["predicate"]
    properties = {
        "predicate": IntegerAttr(predicate.value.data, i64),
        **fast_math(op),
    }
    results = [rw.value("llvm.fcmp", pair, llvm.I1, properties) for pair in zip(*wide, strict=True)]
    return [_whole(rw, results, length)]


_OWN: dict[str, Rule] = {
    "arith.cmpf": lower_cmpf,
    "arith.extf": lower_extf,
    "arith.negf": lower_negf,
    "arith.truncf": lower_truncf,
    **{f"arith.{name}": _arithmetic(f"llvm.{n}") for name, n in _ARITHMETIC.items()},
}

#: Rules of arith in kernels: those for 8 bits first, then those for every float.
RULES: dict[str, Rule] = {
    name: first_of(rule, arith_to_llvm.RULES[name]) for name, rule in _OWN.items()
}
