# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementary functions as arithmetic: those of doubles, and exp, exp2 and log of singles.

LLVM has no vectors of them: a call of the C library for each lane takes ten times as long. All
strategies and the sanitizer's code get the same operations, so that results are equal bit for bit.
Errors of exp, exp2 and log of singles are 1.01, 0.94 and 0.83 units in the last place (measured on
4 Mi numbers), distances from the rounded result at most 1; CUDA's table 17 states 2, 2 and 1.
Denormals, infinities and NaN are as the C library has them. Other functions of singles are those of
doubles.

    exp(x) = 2^n * e^r,  n = round(x / ln 2), |r| <= ln 2 / 2
    log(x) = e * ln 2 + log(m),  sqrt(1/2) <= m < sqrt(2)

Polynomials are those of the Cephes library (expf, exp2f, logf).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import f32, f64, i32

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core.ir.blocks import add_argument, block_before, split_before
from xgpu.core.ir.construction import erase_operation, nested_operations
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import call_properties
from xgpu.host_device.compiler.elementary_doubles import (
    DOUBLES,
    FAR,
    OEQ,
    OGE,
    OGT,
    OLT,
    SINGLES,
    UNO,
    Arithmetic,
    of_singles,
)
from xgpu.host_device.compiler.types import float_constant

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Operation, SSAValue

_EXP = (
    1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1,
    5.0000001201e-1,
)  # fmt: skip
_EXP2 = (
    1.535336188319500e-4, 1.339887440266574e-3, 9.618437357674640e-3, 5.550332471162809e-2,
    2.402264791363012e-1, 6.931472028550421e-1,
)  # fmt: skip
_LOG = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
    -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
#: ln 2 in two parts, the first of which times an exponent is exact.
_LN2_HIGH, _LN2_LOW = 0.693359375, -2.12194440e-4
_SMALLEST_NORMAL = 1.1754943508222875e-38
_ROOT_HALF = 0x3F3504F3  # the bits of sqrt(1/2)


def _scaled(b: Arithmetic, x: SSAValue, n: SSAValue) -> SSAValue:
    """x times 2 to the n, in two steps: a half of n is an exponent of a normal number."""
    whole = b.value("llvm.fptosi", (n,), i32)
    half = b.binary("ashr", whole, 1)
    for part in (half, b.binary("sub", whole, half)):
        power = b.real_of(b.binary("shl", b.binary("add", part, 127), 23))
        x = b.product(x, power)
    return x


def _exp(b: Arithmetic, x: SSAValue) -> SSAValue:
    inside = b.clamped(x, -104.0, 89.0)
    n = b.rounded(b.product(inside, 1.4426950408889634))
    rest = b.fma(n, -_LN2_LOW, b.fma(n, -_LN2_HIGH, inside))
    curve = b.fma(b.polynomial(rest, _EXP), b.product(rest, rest), rest)
    found = _scaled(b, b.sum(curve, 1.0), n)
    return b.select(b.compare(UNO, x, x), x, found)


def _exp2(b: Arithmetic, x: SSAValue) -> SSAValue:
    inside = b.clamped(x, -151.0, 129.0)
    n = b.rounded(inside)
    rest = b.difference(inside, n)
    found = _scaled(b, b.fma(b.polynomial(rest, _EXP2), rest, 1.0), n)
    return b.select(b.compare(UNO, x, x), x, found)


def _log(b: Arithmetic, x: SSAValue) -> SSAValue:
    is_small = b.compare(OLT, x, _SMALLEST_NORMAL)
    normal = b.select(is_small, b.product(x, 8388608.0), x)
    code = b.binary("sub", b.bits(normal), _ROOT_HALF)
    exponent = b.binary("ashr", code, 23)
    exponent = b.select(is_small, b.binary("sub", exponent, 23), exponent)
    e = b.value("llvm.sitofp", (exponent,), f32)
    m = b.real_of(b.binary("add", b.binary("and", code, 0x7FFFFF), _ROOT_HALF))
    f = b.difference(m, 1.0)
    square = b.product(f, f)
    curve = b.product(b.product(b.polynomial(f, _LOG), f), square)
    curve = b.fma(square, -0.5, b.fma(e, _LN2_LOW, curve))
    found = b.fma(e, _LN2_HIGH, b.sum(f, curve))
    infinity = float("inf")
    found = b.select(b.compare(OLT, x, infinity), found, x)
    found = b.select(b.compare(OLT, x, 0.0), b.real(float("nan")), found)
    return b.select(b.compare(OEQ, x, 0.0), b.real(-infinity), found)


#: Of singles that take less time than in doubles.
_SINGLES: dict[str, Callable[..., SSAValue]] = {"exp": _exp, "exp2": _exp2, "log": _log}
#: Those whose arguments are reduced up to a limit; beyond it the C library computes them.
_REDUCED = frozenset(("sin", "cos", "tan"))
#: Begins the names of what those calls become first.
FAR_PREFIX = "far_"
_NAME = re.compile(r"(?:__nv_(?:fast_)?|llvm\.intr\.)(\w+)")


def _named(op: Operation) -> str:
    """Which function an operation computes, without the f of singles; empty where it is none."""
    name = (operations.callee(op) or "") if op.name == "llvm.call" else op.name
    found = _NAME.fullmatch(name)
    if found is None or len(op.results) != 1 or op.results[0].type not in (f32, f64):
        return ""
    base = found[1]
    is_single = name.startswith("__nv_") and op.results[0].type == f32
    return base[:-1] if is_single and base.endswith("f") else base


#: Builds a call of a function of the C library, by its name for doubles, with an argument.
FarCall = Callable[[LLVMBuilder, str, "SSAValue"], "SSAValue"]


def far_call(b: LLVMBuilder, name: str, x: SSAValue) -> SSAValue:
    """For code that is lowered later."""
    symbol = f"__nv_{FAR_PREFIX}{name}{'f' if x.type == f32 else ''}"
    return b.value("llvm.call", (x,), x.type, call_properties(symbol, (x,)))


def expand_elementary(function: Operation, far: FarCall = far_call) -> None:
    """Changes a function in place; `far` is for arguments that are beyond a limit."""
    for op in list(nested_operations(function)):
        conversion = _saturating(op)
        if conversion is not None:
            op.results[0].replace_all_uses_with(_converted(op, conversion))
            erase_operation(op)
            continue
        name = _named(op)
        if name not in DOUBLES or not all(v.type == op.results[0].type for v in op.operands):
            continue
        found = _expanded(op, name)
        if name in _REDUCED:
            found = _or_far(op, name, found, far)
        op.results[0].replace_all_uses_with(found)
        erase_operation(op)


def _expanded(op: Operation, name: str) -> SSAValue:
    """The result of a function, computed before `op`."""
    if name == "pow":
        found = _known_power(Arithmetic(op, op.results[0].type), *op.operands)
        if found is not None:
            return found
    if op.results[0].type == f64:
        return DOUBLES[name](Arithmetic(op), *op.operands)
    if name in _SINGLES:
        return _SINGLES[name](Arithmetic(op, f32), *op.operands)
    return of_singles(SINGLES[name], Arithmetic(op), op.operands)


def _known_power(b: Arithmetic, x: SSAValue, y: SSAValue) -> SSAValue | None:
    """x to the power of a constant that products give as exactly, as programs write squares."""
    exponent = float_constant(y)
    if exponent == 1:
        return x
    if exponent == -1:
        return b.quotient(1.0, x)
    if exponent not in (2, 3, 4):
        return None
    square = b.product(x, x)
    if exponent == 2:
        return square
    return b.product(square, x if exponent == 3 else square)


def _or_far(op: Operation, name: str, near: SSAValue, far: FarCall) -> SSAValue:
    """`near`, or where the argument of `op` is beyond the limit, what `far` calls."""
    (x,) = op.operands
    b = Arithmetic(op, x.type)
    is_far = b.compare(OGT, b.magnitude(x), FAR)
    head, tail = split_before(op)
    result = add_argument(tail, x.type, op.location)
    side = block_before(tail)
    b.at_end(head)
    b.cond_branch(is_far, side, tail, (), (near,))
    b.at_end(side)
    b.branch(tail, (far(b, name, x),))
    return result


# -- Conversions to integers that saturate. LLVM does a vector of them lane by lane.


_SATURATING = re.compile(r"llvm\.fpto([su])i\.sat\.i(16|32|64)\.f(32|64)")


def _saturating(op: Operation) -> re.Match[str] | None:
    if op.name != "llvm.call_intrinsic":
        return None
    return _SATURATING.fullmatch(text_of(op.properties["intrin"]))


def _converted(op: Operation, conversion: re.Match[str]) -> SSAValue:
    """A number of the integer's range nearest to the operand, converted; zero for NaN."""
    signed, width = conversion[1] == "s", int(conversion[2])
    (x,) = op.operands
    b, ty = Arithmetic(op, x.type), op.results[0].type
    name = "fptosi" if signed else "fptoui"
    least, above = (-(2.0 ** (width - 1)) if signed else 0.0), 2.0 ** (width - signed)
    inside = b.choose(b.compare(OGT, x, least), x, least)  # of NaN the least
    if width - signed <= (53 if x.type == f64 else 24):
        inside = b.choose(b.compare(OLT, inside, above - 1), inside, above - 1)
        # Processors have conversions to 32 bits and more.
        found = b.cast("fptosi", inside, i32) if width < 32 else b.cast(name, inside, ty)
        found = b.cast("trunc", found, ty)
    else:
        is_above = b.compare(OGE, inside, above)
        found = b.cast(name, b.choose(is_above, 0.0, inside), ty)
        largest = int(above) - 1 if signed else -1
        found = b.select(is_above, b.integer(largest, cast("IntegerType", ty)), found)
    if not signed:
        return found
    return b.select(b.compare(UNO, x, x), b.integer(0, cast("IntegerType", ty)), found)
