# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-arith-to-llvm`: arithmetic, one to one but for extended results and rounding
divisions; and floats of 8 bits in kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
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

from xgpu.conversion.to_llvm import (
    INDEX_BITWIDTH,
    convert_op,
    fast_math_properties,
    for_each_vector,
    llvm_attributes,
    of_supported_floats,
    one_to_one,
)
from xgpu.core import ods
from xgpu.core.ir.elements import dense, pack, repeated
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Replacements, Rule, convert, first_of
from xgpu.dialects import arith
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMStructType

if TYPE_CHECKING:
    from xdsl.context import Context


# --- arith to llvm -------------------------------------------------------------------------------
# `convert-arith-to-llvm`: arithmetic, one to one but for extended results and rounding divisions.
#
# Source: MLIR 22.1 ArithToLLVM.cpp, ExpandOps.cpp.


#: Names after `arith.` and `llvm.` of operations that only change their name.
_SAME = {
    "addf": "fadd",
    "addi": "add",
    "andi": "and",
    "bitcast": "bitcast",
    "constant": "mlir.constant",
    "divf": "fdiv",
    "divsi": "sdiv",
    "divui": "udiv",
    "extf": "fpext",
    "extsi": "sext",
    "extui": "zext",
    "fptosi": "fptosi",
    "fptoui": "fptoui",
    "maximumf": "intr.maximum",
    "maxnumf": "intr.maxnum",
    "maxsi": "intr.smax",
    "maxui": "intr.umax",
    "minimumf": "intr.minimum",
    "minnumf": "intr.minnum",
    "minsi": "intr.smin",
    "minui": "intr.umin",
    "mulf": "fmul",
    "muli": "mul",
    "negf": "fneg",
    "ori": "or",
    "remf": "frem",
    "remsi": "srem",
    "remui": "urem",
    "shli": "shl",
    "shrsi": "ashr",
    "shrui": "lshr",
    "sitofp": "sitofp",
    "subf": "fsub",
    "subi": "sub",
    "trunci": "trunc",
    "uitofp": "uitofp",
    "xori": "xor",
}

_PLAIN_CASTS = frozenset(("extf", "fptosi", "fptoui", "sitofp", "uitofp"))

#: What has a meaning for floats that LLVM does not have: they are integers there.
_ANY_BITS = frozenset(("bitcast", "constant"))

#: arith's rounding modes (to nearest even, downward, upward, toward zero, to nearest away) as
# llvm's.
_ROUNDING = (1, 3, 2, 0, 4)


def _cast(target: str) -> Rule:
    """Casts of floats have no fast-math flags in llvm: MLIR leaves arith's as an attribute."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        return [convert_op(op, target, operands, rw, {**op.properties, **op.attributes})]

    return rule


def lower_constant(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    ty = rw.convert_type(op.results[0].type)
    return [rw.value("llvm.mlir.constant", (), ty, op.properties, op.attributes)]


def lower_bitcast(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Replacements | None:
    """Between types that LLVM cannot tell apart, nothing."""
    if rw.convert_type(op.results[0].type) == rw.convert_type(op.operands[0].type):
        return [operands[0]]
    return _cast("llvm.bitcast")(op, operands, rw)


def lower_select(
    op: Operation, operands: Sequence[SSAValue | tuple[SSAValue, ...]], rw: Conversion
) -> Replacements | None:
    """An n-D select needs an n-D condition, or one for all."""
    condition, yes, no = operands
    if isinstance(condition, tuple):
        raise NoMatch("a condition that has become several")
    if isinstance(yes, tuple) and isinstance(no, tuple):
        # Of values that have become several, each is chosen.
        pieces = [
            rw.value("llvm.select", (condition, a, b), a.type, None, llvm_attributes(op))
            for a, b in zip(yes, no, strict=True)
        ]
        return [tuple(pieces)]
    operands = cast("Sequence[SSAValue]", operands)
    yes = operands[1]
    if not isinstance(yes.type, LLVMArrayType):
        return [rw.value("llvm.select", operands, yes.type, None, llvm_attributes(op))]
    if not isinstance(condition.type, LLVMArrayType):
        # A scalar condition selects whole arrays.
        return [rw.value("llvm.select", operands, yes.type, None, llvm_attributes(op))]
    return [convert_op(op, "llvm.select", operands, rw, llvm_attributes(op))]


def lower_truncf(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Replacements | None:
    """With a rounding mode, the constrained intrinsic."""
    mode = cast("IntegerAttr | None", op.properties.get("roundingmode"))
    if mode is None:
        return _cast("llvm.fptrunc")(op, operands, rw)
    attributes = {
        **{k: v for k, v in op.properties.items() if k != "roundingmode"},
        **op.attributes,
        "roundingmode": IntegerAttr(_ROUNDING[mode.value.data], i64),
        "fpExceptionBehavior": IntegerAttr(0, i64),
    }
    name = "llvm.intr.experimental.constrained.fptrunc"
    return [convert_op(op, name, operands, rw, attributes)]


def _index_cast(extend: str) -> Rule:
    """To or from index: by the width that index has."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        value = operands[0]
        target = rw.convert_type(op.results[0].type)
        have, want = (_bits(rw, ty.type) for ty in (op.operands[0], op.results[0]))
        if have == want:
            return [value]
        name = "llvm.trunc" if have > want else extend
        return [for_each_vector(rw, [value], target, lambda values, ty: rw.value(name, values, ty))]

    return rule


def _bits(rw: Conversion, ty: Attribute) -> int:
    element = rw.convert_type(ty.element_type if isinstance(ty, VectorType) else ty)
    if not isinstance(element, IntegerType):
        raise NoMatch("expected integers")
    return element.width.data


def lower_cmpi(
    op: arith.CmpiOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    predicate = op.properties["predicate"]
    attributes = {
        **op.attributes,
        "predicate": IntegerAttr(predicate.value.data, i64),
    }
    return [convert_op(op, "llvm.icmp", operands, rw, attributes)]


def lower_cmpf(
    op: arith.CmpfOp, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """Both dialects number the predicates alike."""
    predicate = op.properties["predicate"]
    attributes = llvm_attributes(op)
    attributes["predicate"] = IntegerAttr(predicate.value.data, i64)
    return [convert_op(op, "llvm.fcmp", operands, rw, attributes)]


def lower_addui_extended(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    sum_type, overflow_type = (rw.convert_type(result.type) for result in op.results)
    if isinstance(sum_type, LLVMArrayType):
        raise NoMatch("ND vector types are not supported")
    struct = LLVMStructType((sum_type, overflow_type))
    both = rw.value("llvm.intr.uadd.with.overflow", operands, struct)
    return [llvm.extract(rw, both, 0), llvm.extract(rw, both, 1)]


def _multiply_extended(extend: str) -> Rule:
    """The product in twice the width, cut in two halves."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        narrow = rw.convert_type(op.results[0].type)
        if isinstance(narrow, LLVMArrayType):
            raise NoMatch("ND vector types are not supported")
        width = _bits(rw, op.results[0].type)
        wide = cast("VectorType", _with_element(narrow, IntegerType(2 * width)))
        left = rw.value(extend, [operands[0]], wide)
        right = rw.value(extend, [operands[1]], wide)
        product = llvm.binary(rw, "mul", left, right)
        low = rw.value("llvm.trunc", [product], narrow)
        amount = llvm.attribute_constant(rw, _filled(wide, width), wide)
        high = rw.value("llvm.trunc", [llvm.binary(rw, "lshr", product, amount)], narrow)
        return [low, high]

    return rule


def _with_element(ty: Attribute, element: Attribute) -> Attribute:
    if isinstance(ty, VectorType):
        return VectorType(element, ty.shape, ty.scalable_dims)
    return element


def _filled(ty: IntegerType | VectorType, value: int) -> Attribute:
    """The constant `value`, for a vector in every place."""
    if isinstance(ty, VectorType):
        data = repeated(pack([value], ty.element_type), prod(ty.get_shape()))
        return dense(ty, data)
    return IntegerAttr(value, ty)


# --- divisions that round ----------------------------------------------------------------------
# In operations of arith, so that they fold and convert like those that were there.


def _arith(rw: Conversion, name: str, *operands: SSAValue) -> SSAValue:
    return rw.value(f"arith.{name}", operands, operands[-1].type)


def _constant(rw: Conversion, ty: Attribute, value: int) -> SSAValue:
    return attribute_constant(rw, _filled(cast("IntegerType | VectorType", ty), value), ty)


_PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def _compare(rw: Conversion, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
    ty = llvm.comparison_type(left.type)
    number = IntegerAttr(_PREDICATES.index(predicate), i64)
    return rw.value("arith.cmpi", (left, right), ty, {"predicate": number})


def expand_ceildivui(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """ceildivui(a, b) = a == 0 ? 0 : (a - 1) / b + 1"""
    a, b = op.operands
    zero = _constant(rw, a.type, 0)
    is_zero = _compare(rw, "eq", a, zero)
    one = _constant(rw, a.type, 1)
    quotient = _arith(rw, "divui", _arith(rw, "subi", a, one), b)
    rounded = _arith(rw, "addi", quotient, one)
    return [_arith(rw, "select", is_zero, zero, rounded)]


def expand_ceildivsi(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """ceildivsi(a, b): a / b, and one more if it is not exact and the signs are the same."""
    a, b = op.operands
    zero = _constant(rw, a.type, 0)
    one = _constant(rw, a.type, 1)
    quotient = _arith(rw, "divsi", a, b)
    inexact = _compare(rw, "ne", a, _arith(rw, "muli", quotient, b))
    a_negative, b_negative = _compare(rw, "slt", a, zero), _compare(rw, "slt", b, zero)
    same_sign = _compare(rw, "eq", a_negative, b_negative)
    rounds = _arith(rw, "andi", inexact, same_sign)
    return [_arith(rw, "select", rounds, _arith(rw, "addi", quotient, one), quotient)]


def expand_floordivsi(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
    """floordivsi(a, b): a / b, and one less if it is not exact and the signs differ."""
    a, b = op.operands
    quotient = _arith(rw, "divsi", a, b)
    inexact = _compare(rw, "ne", a, _arith(rw, "muli", quotient, b))
    zero = _constant(rw, a.type, 0)
    a_negative, b_negative = _compare(rw, "slt", a, zero), _compare(rw, "slt", b, zero)
    other_sign = _compare(rw, "ne", a_negative, b_negative)
    rounds = _arith(rw, "andi", inexact, other_sign)
    minus_one = _constant(rw, a.type, -1)
    return [_arith(rw, "select", rounds, _arith(rw, "addi", quotient, minus_one), quotient)]


RULES: dict[str, Rule] = {
    **{
        f"arith.{name}": of_supported_floats(
            (_cast if name in _PLAIN_CASTS else one_to_one)(f"llvm.{target}")
        )
        for name, target in _SAME.items()
        if name not in _ANY_BITS
    },
    "arith.addui_extended": lower_addui_extended,
    "arith.bitcast": lower_bitcast,
    "arith.ceildivsi": expand_ceildivsi,
    "arith.ceildivui": expand_ceildivui,
    "arith.cmpf": of_supported_floats(lower_cmpf),
    "arith.cmpi": lower_cmpi,
    "arith.constant": lower_constant,
    "arith.floordivsi": expand_floordivsi,
    "arith.index_cast": _index_cast("llvm.sext"),
    "arith.index_castui": _index_cast("llvm.zext"),
    "arith.mulsi_extended": _multiply_extended("llvm.sext"),
    "arith.mului_extended": _multiply_extended("llvm.zext"),
    "arith.select": lower_select,
    "arith.truncf": of_supported_floats(lower_truncf),
}


class ArithToLLVMConversionPass(Pass):
    """Lowers arith to the llvm dialect."""

    name = "convert-arith-to-llvm"
    summary = "Convert Arith dialect to LLVM dialect"
    options = (INDEX_BITWIDTH,)

    index_bitwidth: int

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        convert(op, RULES, LLVMTypeConverter(self.index_bitwidth or 64))


# --- arith f8 to nvvm ----------------------------------------------------------------------------
# Floats of 8 bits in kernels: conversions by the GPU's own instructions, arithmetic by way of f32.
#
#     arith.truncf %x : f32 to f8E4M3FN   =>   nvvm.convert.f32x2.to.f8x2 (two at a time)
#     arith.extf %y : f8E5M2 to f32       =>   nvvm.convert.f8x2.to.f16x2, and to f32 from there
#
# LLVM knows these floats as bytes. The instructions are those of sm_89 and later; they round to
# nearest even, and what is too large becomes the largest finite number. MLIR has no lowering.


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


def _truncate_to_f8(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> Sequence[SSAValue]:
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
        flags = fast_math_properties(op)
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


def _compare_f8(
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
        **fast_math_properties(op),
    }
    results = [rw.value("llvm.fcmp", pair, llvm.I1, properties) for pair in zip(*wide, strict=True)]
    return [_whole(rw, results, length)]


_OWN: dict[str, Rule] = {
    "arith.cmpf": _compare_f8,
    "arith.extf": lower_extf,
    "arith.negf": lower_negf,
    "arith.truncf": _truncate_to_f8,
    **{f"arith.{name}": _arithmetic(f"llvm.{n}") for name, n in _ARITHMETIC.items()},
}

#: Rules of arith in kernels: those for 8 bits first, then those for every float.
F8_RULES: dict[str, Rule] = {name: first_of(rule, RULES[name]) for name, rule in _OWN.items()}
