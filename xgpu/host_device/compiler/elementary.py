# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exp, exp2 and log of singles as arithmetic.

LLVM has no vectors of them: a call of the C library for each lane takes ten times as long. All
strategies and the sanitizer's code get the same operations, so that results are equal bit for bit.
Errors are at most about one unit in the last place, as libdevice states (measured on 4 Mi numbers:
1.01, 0.94 and 0.83); denormals, infinities and NaN are as the C library has them.

    exp(x) = 2^n * e^r,  n = round(x / ln 2), |r| <= ln 2 / 2
    log(x) = e * ln 2 + log(m),  sqrt(1/2) <= m < sqrt(2)

Polynomials are those of the Cephes library (expf, exp2f, logf).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, f32, i32
from xdsl.ir import Operation, SSAValue

from xgpu.core.ir.construction import erase_operation, nested_operations
from xgpu.dialects.llvm.builders import LLVMBuilder
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.types import I1, I64

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
_OEQ, _OLT, _UNO = 1, 4, 14  # of LLVM's predicates


class _Arithmetic(LLVMBuilder):
    """Builds operations on singles and words of 32 bits."""

    def fma(self, a: SSAValue, b: SSAValue | float, c: SSAValue | float) -> SSAValue:
        given = [v if isinstance(v, SSAValue) else self.real(v, f32) for v in (a, b, c)]
        return self.value("llvm.intr.fma", given, f32)

    def product(self, a: SSAValue, b: SSAValue | float) -> SSAValue:
        return self.binary("fmul", a, b if isinstance(b, SSAValue) else self.real(b, f32))

    def compare(self, predicate: int, a: SSAValue, b: SSAValue | float) -> SSAValue:
        other = b if isinstance(b, SSAValue) else self.real(b, f32)
        return self.value("llvm.fcmp", (a, other), I1, {"predicate": IntegerAttr(predicate, I64)})

    def polynomial(self, x: SSAValue, factors: Sequence[float]) -> SSAValue:
        """The first factor is that of the highest power."""
        found = self.real(factors[0], f32)
        for factor in factors[1:]:
            found = self.fma(found, x, factor)
        return found

    def clamped(self, x: SSAValue, low: float, high: float) -> SSAValue:
        """A number between both, also for NaN."""
        least = self.value("llvm.intr.maxnum", (x, self.real(low, f32)), f32)
        return self.value("llvm.intr.minnum", (least, self.real(high, f32)), f32)

    def bits(self, x: SSAValue) -> SSAValue:
        return self.value("llvm.bitcast", (x,), i32)

    def single(self, bits: SSAValue) -> SSAValue:
        return self.value("llvm.bitcast", (bits,), f32)


def _scaled(b: _Arithmetic, x: SSAValue, n: SSAValue) -> SSAValue:
    """x times 2 to the n, in two steps: a half of n is an exponent of a normal number."""
    whole = b.value("llvm.fptosi", (n,), i32)
    half = b.binary("ashr", whole, 1)
    for part in (half, b.binary("sub", whole, half)):
        power = b.single(b.binary("shl", b.binary("add", part, 127), 23))
        x = b.product(x, power)
    return x


def _exp(b: _Arithmetic, x: SSAValue) -> SSAValue:
    inside = b.clamped(x, -104.0, 89.0)
    n = b.value("llvm.intr.rint", (b.product(inside, 1.4426950408889634),), f32)
    rest = b.fma(n, -_LN2_LOW, b.fma(n, -_LN2_HIGH, inside))
    curve = b.fma(b.polynomial(rest, _EXP), b.product(rest, rest), rest)
    found = _scaled(b, b.binary("fadd", curve, b.real(1.0, f32)), n)
    return b.select(b.compare(_UNO, x, x), x, found)


def _exp2(b: _Arithmetic, x: SSAValue) -> SSAValue:
    inside = b.clamped(x, -151.0, 129.0)
    n = b.value("llvm.intr.rint", (inside,), f32)
    rest = b.binary("fsub", inside, n)
    found = _scaled(b, b.fma(b.polynomial(rest, _EXP2), rest, 1.0), n)
    return b.select(b.compare(_UNO, x, x), x, found)


def _log(b: _Arithmetic, x: SSAValue) -> SSAValue:
    is_small = b.compare(_OLT, x, _SMALLEST_NORMAL)
    normal = b.select(is_small, b.product(x, 8388608.0), x)
    code = b.binary("sub", b.bits(normal), _ROOT_HALF)
    exponent = b.binary("ashr", code, 23)
    exponent = b.select(is_small, b.binary("sub", exponent, 23), exponent)
    e = b.value("llvm.sitofp", (exponent,), f32)
    m = b.single(b.binary("add", b.binary("and", code, 0x7FFFFF), _ROOT_HALF))
    f = b.binary("fsub", m, b.real(1.0, f32))
    square = b.product(f, f)
    curve = b.product(b.product(b.polynomial(f, _LOG), f), square)
    curve = b.fma(square, -0.5, b.fma(e, _LN2_LOW, curve))
    found = b.fma(e, _LN2_HIGH, b.binary("fadd", f, curve))
    infinity = float("inf")
    found = b.select(b.compare(_OLT, x, infinity), found, x)
    found = b.select(b.compare(_OLT, x, 0.0), b.real(float("nan"), f32), found)
    return b.select(b.compare(_OEQ, x, 0.0), b.real(-infinity, f32), found)


_RULES: dict[str, Callable[[_Arithmetic, SSAValue], SSAValue]] = {
    "exp": _exp, "exp2": _exp2, "log": _log,
}  # fmt: skip
_NAMES = {
    "__nv_expf": "exp", "__nv_fast_expf": "exp", "__nv_exp2f": "exp2", "__nv_logf": "log",
    "__nv_fast_logf": "log", "llvm.intr.exp": "exp", "llvm.intr.exp2": "exp2",
    "llvm.intr.log": "log",
}  # fmt: skip


def expand_elementary(function: Operation) -> None:
    """Changes a function in place."""
    for op in nested_operations(function):
        name = operations.callee(op) if op.name == "llvm.call" else op.name
        rule = _RULES.get(_NAMES.get(name or "", ""))
        if rule is None or len(op.operands) != 1 or op.results[0].type != f32:
            continue
        b = _Arithmetic(op, location=op.location)
        op.results[0].replace_all_uses_with(rule(b, op.operands[0]))
        erase_operation(op)
