# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`math-uplift-to-fma`, and powers with a constant exponent as products, quotients and roots."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr, ComplexType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import constant_of, int_of, make, splat_value
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.arith import FastmathAttr
from xgpu.dialects.arith.builders import attribute_constant, element_of

if TYPE_CHECKING:
    from xdsl.context import Context


# --- uplift to fma -------------------------------------------------------------------------------
# `math-uplift-to-fma`: a product and a sum become a fused multiplication and addition.
#
# Only where both operations allow it (`contract`): the product is not rounded by itself any more.
# Source: MLIR 22.1 UpliftToFMA.cpp.


def _fastmath_bits(op: Operation) -> int:
    """What an operation allows, as bits."""
    attr = cast("FastmathAttr | None", op.properties.get("fastmath"))
    return 0 if attr is None else attr.value


def _product(value: SSAValue) -> Operation | None:
    """The multiplication that makes `value`, if one does."""
    owner = value.owner
    if not isinstance(owner, Operation) or owner.name != "arith.mulf":
        return None
    return owner


def fuse(op: Operation, rw: GreedyRewriter) -> bool:
    """`a * b + c` as `fma(a, b, c)`, with what both operations allow."""
    contract = FastmathAttr("contract").value
    if not _fastmath_bits(op) & contract:
        return False
    lhs, rhs = op.operands
    product, addend = _product(lhs), rhs
    if product is None:
        product, addend = _product(rhs), lhs
    if product is None or not _fastmath_bits(product) & contract:
        return False
    rw.before(op)
    rw.location = op.location
    operands = (*product.operands, addend)
    properties = {"fastmath": FastmathAttr.of_value(_fastmath_bits(op) & _fastmath_bits(product))}
    rw.replace(op, [rw.value("math.fma", operands, op.results[0].type, properties)])
    return True


class MathUpliftToFMA(Pass):
    """Fuses products and sums that may be contracted."""

    name = "math-uplift-to-fma"
    summary = "Uplift arith ops to math.fma."

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, {"arith.addf": (fuse,)})


# --- algebraic simplification --------------------------------------------------------------------
# Powers with a constant exponent as products, quotients and roots.
#
# Patterns for users of the API: MLIR has no pass that applies them, apart from the one that its
# tests use. Source: MLIR 22.1 AlgebraicSimplification.cpp.


#: Up to this exponent an integer power becomes products.
_LARGEST = 8


def _flags(op: Operation) -> dict[str, Attribute]:
    flags = op.properties.get("fastmath")
    return {} if flags is None else {"fastmath": flags}


def _one(rw: GreedyRewriter, ty: Attribute) -> SSAValue:
    """The number one in the elements of `ty`, in a vector in each of them."""
    element = element_of(ty)
    if isinstance(element, ComplexType):
        parts = [make(element.element_type, part) for part in (1.0, 0.0)]
        value = ArrayAttr([part for part in parts if part is not None])
        one = rw.value("complex.constant", (), element, {"value": value})
    else:
        attr = make(element, 1)
        assert attr is not None, "there are constants of integers, indices and floats"
        one = attribute_constant(rw, attr, element)
    if isinstance(ty, VectorType):
        return rw.value("vector.broadcast", (one,), ty)
    return one


def _square(x: SSAValue, op: Operation, rw: GreedyRewriter) -> SSAValue:
    return rw.value("arith.mulf", (x, x), x.type, _flags(op))


def _cube(x: SSAValue, op: Operation, rw: GreedyRewriter) -> SSAValue:
    return rw.value("arith.mulf", (x, _square(x, op, rw)), x.type, _flags(op))


def _inverse(x: SSAValue, op: Operation, rw: GreedyRewriter) -> SSAValue:
    return rw.value("arith.divf", (_one(rw, x.type), x), x.type, _flags(op))


def _root(name: str) -> Callable[[SSAValue, Operation, GreedyRewriter], SSAValue]:
    def build(x: SSAValue, op: Operation, rw: GreedyRewriter) -> SSAValue:
        return rw.value(f"math.{name}", (x,), x.type, _flags(op))

    return build


def _three_quarters(x: SSAValue, op: Operation, rw: GreedyRewriter) -> SSAValue:
    """`sqrt(x) * sqrt(sqrt(x))`"""
    half = _root("sqrt")(x, op, rw)
    return rw.value("arith.mulf", (half, _root("sqrt")(half, op, rw)), x.type, _flags(op))


#: What `x ** exponent` is.
_POWERS: dict[float, Callable[[SSAValue, Operation, GreedyRewriter], SSAValue]] = {
    1.0: lambda x, op, rw: x,
    2.0: _square,
    3.0: _cube,
    -1.0: _inverse,
    0.5: _root("sqrt"),
    -0.5: _root("rsqrt"),
    0.75: _three_quarters,
}


def reduce_float_power(op: Operation, rw: GreedyRewriter) -> bool:
    """`x ** 0.75` -> `sqrt(x) * sqrt(sqrt(x))`, and the like."""
    exponent = splat_value(constant_of(op.operands[1]))
    if not isinstance(exponent, float) or exponent not in _POWERS:
        return False
    rw.replace(op, [_POWERS[exponent](op.operands[0], op, rw)])
    return True


def _integer_power(times: str, over: str) -> Pattern:
    def reduce_integer_power(op: Operation, rw: GreedyRewriter) -> bool:
        """`x ** -3` -> `1 / (x * x * x)`"""
        exponent = int_of(op.operands[1])
        if exponent is None or abs(exponent) > _LARGEST:
            return False
        base, ty = op.operands[0], op.results[0].type
        flags = _flags(op) if isinstance(element_of(ty), ComplexType) else {}
        if exponent == 0:
            rw.replace(op, [_one(rw, ty)])
            return True
        result = base
        for _ in range(abs(exponent) - 1):
            result = rw.value(times, (result, base), ty, flags)
        if exponent < 0:
            result = rw.value(over, (_one(rw, ty), result), ty, flags)
        rw.replace(op, [result])
        return True

    return reduce_integer_power


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "math.powf": (reduce_float_power,),
    "math.ipowi": (_integer_power("arith.muli", "arith.divsi"),),
    "math.fpowi": (_integer_power("arith.mulf", "arith.divf"),),
    "complex.powi": (_integer_power("complex.mul", "complex.div"),),
}
