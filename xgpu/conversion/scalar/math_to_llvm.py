# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-math-to-llvm`: mathematical functions as LLVM intrinsics.

What has no intrinsic stays (erf, cbrt, ipowi, ...): `convert-math-to-libm` takes it on a host.
Source: MLIR 22.1 MathToLLVM.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    VectorType,
    i1,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.to_llvm import (
    fast_math_properties,
    for_each_vector,
    of_supported_floats,
    one_to_one,
)
from xgpu.core.ir.elements import dense_of
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Replacements, Rule, convert
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMStructType

if TYPE_CHECKING:
    from xdsl.context import Context

# Classes of llvm.is.fpclass.
_NAN, _FINITE, NORMAL = 3, 504, 264
_FALSE = IntegerAttr(0, i1)

_INTRINSICS = {
    "absf": "fabs",
    "acos": "acos",
    "asin": "asin",
    "atan": "atan",
    "atan2": "atan2",
    "ceil": "ceil",
    "copysign": "copysign",
    "cos": "cos",
    "cosh": "cosh",
    "exp": "exp",
    "exp2": "exp2",
    "floor": "floor",
    "fma": "fma",
    "fpowi": "powi",
    "log": "log",
    "log10": "log10",
    "log2": "log2",
    "powf": "pow",
    "round": "round",
    "roundeven": "roundeven",
    "sin": "sin",
    "sinh": "sinh",
    "sqrt": "sqrt",
    "tan": "tan",
    "tanh": "tanh",
    "trunc": "trunc",
}


def _one(rw: Conversion, ty: Attribute) -> SSAValue:
    """1.0, or a vector of it."""
    value: Attribute
    if isinstance(ty, VectorType):
        value = dense_of(ty, [1.0])  # pyright: ignore
    else:
        value = FloatAttr(1.0, ty)  # pyright: ignore
    return llvm.attribute_constant(rw, value, ty)


def _unary(
    build: Callable[[Conversion, SSAValue, Attribute, dict[str, Attribute]], SSAValue],
) -> Rule:
    """A rule of one operand, `build(rw, operand, type, flags)` for each 1-D piece."""

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        flags = fast_math_properties(op)
        result = rw.convert_type(op.results[0].type)
        return [for_each_vector(rw, operands, result, lambda v, ty: build(rw, v[0], ty, flags))]

    return rule


def _expm1(rw: Conversion, value: SSAValue, ty: Attribute, flags: dict[str, Attribute]) -> SSAValue:
    """expm1(x) = exp(x) - 1"""
    one = _one(rw, ty)
    power = rw.value("llvm.intr.exp", [value], ty, flags)
    return rw.value("llvm.fsub", [power, one], ty, flags)


def _log1p(rw: Conversion, value: SSAValue, ty: Attribute, flags: dict[str, Attribute]) -> SSAValue:
    """log1p(x) = log(1 + x), which is inexact near zero"""
    more = rw.value("llvm.fadd", [_one(rw, ty), value], ty, flags)
    return rw.value("llvm.intr.log", [more], ty, flags)


def _rsqrt(rw: Conversion, value: SSAValue, ty: Attribute, flags: dict[str, Attribute]) -> SSAValue:
    """rsqrt(x) = 1 / sqrt(x)"""
    one = _one(rw, ty)
    root = rw.value("llvm.intr.sqrt", [value], ty, flags)
    return rw.value("llvm.fdiv", [one, root], ty, flags)


def is_class(mask: int) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        result = rw.convert_type(op.results[0].type)
        bits = {"bit": IntegerAttr(mask, i32)}
        return [
            for_each_vector(
                rw, operands, result, lambda v, ty: rw.value("llvm.intr.is.fpclass", v, ty, bits)
            )
        ]

    return rule


def lower_fpowi(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Replacements | None:
    if isinstance(op.operands[1].type, VectorType):
        raise NoMatch("llvm.powi takes a scalar exponent")
    return one_to_one("llvm.intr.powi")(op, operands, rw)


def lower_sincos(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    ty = operands[0].type
    if not isinstance(ty, VectorType) and ty != rw.convert_type(op.results[0].type):
        raise NoMatch("type mismatch")
    both = rw.value(
        "llvm.intr.sincos", operands, LLVMStructType((ty, ty)), fast_math_properties(op)
    )
    return [llvm.extract(rw, both, 0), llvm.extract(rw, both, 1)]


_RULES: dict[str, Rule] = {
    **{f"math.{ours}": one_to_one(f"llvm.intr.{n}") for ours, n in _INTRINSICS.items()},
    "math.absi": one_to_one("llvm.intr.abs", is_int_min_poison=_FALSE),
    "math.ctlz": one_to_one("llvm.intr.ctlz", is_zero_poison=_FALSE),
    "math.ctpop": one_to_one("llvm.intr.ctpop"),
    "math.cttz": one_to_one("llvm.intr.cttz", is_zero_poison=_FALSE),
    "math.expm1": _unary(_expm1),
    "math.fpowi": lower_fpowi,
    "math.isfinite": is_class(_FINITE),
    "math.isnan": is_class(_NAN),
    "math.log1p": _unary(_log1p),
    "math.rsqrt": _unary(_rsqrt),
    "math.sincos": lower_sincos,
}
RULES: dict[str, Rule] = {name: of_supported_floats(rule) for name, rule in _RULES.items()}


class ConvertMathToLLVMPass(Pass):
    name = "convert-math-to-llvm"
    summary = "Convert Math dialect to LLVM dialect"
    options = (Option("approximate-log1p", bool, True, "Enable approximation of Log1p."),)
    approximate_log1p: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        rules = dict(RULES)
        if not self.approximate_log1p:
            del rules["math.log1p"]
        convert(op, rules, LLVMTypeConverter())
