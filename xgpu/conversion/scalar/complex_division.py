# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Division of complex numbers, in whatever dialect a `Floats` builds operations of.

By the textbook formula, or by Smith's with care for infinities. Source: MLIR 22.1
DivisionConverter.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from xdsl.ir import Attribute, SSAValue

    Pair = tuple[SSAValue, SSAValue]


class Floats(Protocol):
    """Builds operations on floats, with the flags of the complex operation where they have some."""

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def sub(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def div(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def absolute(self, a: SSAValue) -> SSAValue: ...
    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def both(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def either(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def copysign(self, a: SSAValue, b: SSAValue) -> SSAValue: ...
    def constant(self, value: float, ty: Attribute) -> SSAValue: ...


def divide(f: Floats, a: Pair, b: Pair) -> Pair:
    """a * conjugate(b) / |b|^2"""
    norm = f.add(f.mul(b[0], b[0]), f.mul(b[1], b[1]))
    real = f.add(f.mul(a[0], b[0]), f.mul(a[1], b[1]))
    imaginary = f.sub(f.mul(a[1], b[0]), f.mul(a[0], b[1]))
    return f.div(real, norm), f.div(imaginary, norm)


def divide_by_smith(f: Floats, a: Pair, b: Pair) -> Pair:
    """Smith's formula, which does not overflow where the result does not; then what C's Annex G
    says of zeros and infinities where that gives not-a-numbers."""
    ty = a[0].type
    ratio = f.div(b[0], b[1])
    denominator = f.add(b[1], f.mul(ratio, b[0]))
    real_1 = f.div(f.add(f.mul(a[0], ratio), a[1]), denominator)
    imaginary_1 = f.div(f.sub(f.mul(a[1], ratio), a[0]), denominator)
    ratio = f.div(b[1], b[0])
    denominator = f.add(b[0], f.mul(ratio, b[1]))
    real_2 = f.div(f.add(a[0], f.mul(a[1], ratio)), denominator)
    imaginary_2 = f.div(f.sub(a[1], f.mul(a[0], ratio)), denominator)

    # b is zero, a is no not-a-number
    zero = f.constant(0.0, ty)
    b_real = f.absolute(b[0])
    b_real_zero = f.compare("oeq", b_real, zero)
    b_imaginary = f.absolute(b[1])
    b_imaginary_zero = f.compare("oeq", b_imaginary, zero)
    a_real_known, a_imaginary_known = f.compare("ord", a[0], zero), f.compare("ord", a[1], zero)
    a_known = f.either(a_real_known, a_imaginary_known)
    b_zero = f.both(b_real_zero, b_imaginary_zero)
    by_zero = f.both(a_known, b_zero)
    infinity = f.constant(float("inf"), ty)
    signed = f.copysign(infinity, b[0])
    real_zero, imaginary_zero = f.mul(signed, a[0]), f.mul(signed, a[1])

    # a is infinite, b is finite
    b_real_finite = f.compare("one", b_real, infinity)
    b_imaginary_finite = f.compare("one", b_imaginary, infinity)
    b_finite = f.both(b_real_finite, b_imaginary_finite)
    a_real = f.absolute(a[0])
    a_real_infinite = f.compare("oeq", a_real, infinity)
    a_imaginary = f.absolute(a[1])
    a_imaginary_infinite = f.compare("oeq", a_imaginary, infinity)
    a_infinite = f.both(f.either(a_real_infinite, a_imaginary_infinite), b_finite)
    one = f.constant(1.0, ty)
    x = f.copysign(f.select(a_real_infinite, one, zero), a[0])
    y = f.copysign(f.select(a_imaginary_infinite, one, zero), a[1])
    real_infinite = f.mul(infinity, f.add(f.mul(x, b[0]), f.mul(y, b[1])))
    x_times, y_times = f.mul(x, b[1]), f.mul(y, b[0])
    imaginary_infinite = f.mul(infinity, f.sub(y_times, x_times))

    # a is finite, b is infinite
    a_real_finite = f.compare("one", a_real, infinity)
    a_imaginary_finite = f.compare("one", a_imaginary, infinity)
    a_finite = f.both(a_real_finite, a_imaginary_finite)
    b_real_infinite = f.compare("oeq", b_real, infinity)
    b_imaginary_infinite = f.compare("oeq", b_imaginary, infinity)
    b_infinite = f.both(a_finite, f.either(b_real_infinite, b_imaginary_infinite))
    x = f.copysign(f.select(b_real_infinite, one, zero), b[0])
    y = f.copysign(f.select(b_imaginary_infinite, one, zero), b[1])
    real_nothing = f.mul(zero, f.add(f.mul(a[0], x), f.mul(a[1], y)))
    imaginary_nothing = f.mul(zero, f.sub(f.mul(a[1], x), f.mul(a[0], y)))

    smaller = f.compare("olt", b_real, b_imaginary)
    real, imaginary = (
        f.select(smaller, real_1, real_2),
        f.select(smaller, imaginary_1, imaginary_2),
    )
    special_real = f.select(b_infinite, real_nothing, real)
    special_imaginary = f.select(b_infinite, imaginary_nothing, imaginary)
    special_real = f.select(a_infinite, real_infinite, special_real)
    special_imaginary = f.select(a_infinite, imaginary_infinite, special_imaginary)
    special_real = f.select(by_zero, real_zero, special_real)
    special_imaginary = f.select(by_zero, imaginary_zero, special_imaginary)
    real_unknown, imaginary_unknown = (
        f.compare("uno", real, zero),
        f.compare("uno", imaginary, zero),
    )
    unknown = f.both(real_unknown, imaginary_unknown)
    return (
        f.select(unknown, special_real, real),
        f.select(unknown, special_imaginary, imaginary),
    )
