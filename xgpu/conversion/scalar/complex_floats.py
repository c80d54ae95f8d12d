# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Building operations of arith and math on the parts of complex numbers.

`RealFloats` has what `complex_division` asks for, and what functions of complex numbers need. All
operations get the flags of the complex operation, but where the algorithm relies on not-a-numbers
and infinities: `exact` is the same builder without the flags that rule them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AnyFloat, BoolAttr, ComplexType, FloatAttr, i1
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.dialects.arith import FastmathAttr
from xgpu.dialects.arith.builders import attribute_constant, binary, cmpf, select

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Conversion

    Pair = tuple[SSAValue, SSAValue]

#: Without them an operation may meet not-a-numbers and infinities.
NO_SPECIAL_VALUES = FastmathAttr("nnan").value | FastmathAttr("ninf").value


class RealFloats:
    """Builds operations on floats of type `ty` with `flags`."""

    __slots__ = ("_flags", "mask", "rw", "ty")

    def __init__(self, rw: Conversion, ty: AnyFloat, mask: int = 0) -> None:
        self.rw = rw
        self.ty = ty
        self.mask = mask
        self._flags = {"fastmath": FastmathAttr.of_value(mask)} if mask else {}

    @classmethod
    def of(cls, op: Operation, rw: Conversion) -> RealFloats:
        """The builder for a complex operation."""
        ty = op.operands[0].type
        assert isinstance(ty, ComplexType)
        attr = cast("FastmathAttr | None", op.properties.get("fastmath"))
        return cls(rw, ty.element_type, 0 if attr is None else attr.value)

    @property
    def exact(self) -> RealFloats:
        """A builder whose operations may meet not-a-numbers and infinities."""
        return RealFloats(self.rw, self.ty, self.mask & ~NO_SPECIAL_VALUES)

    @property
    def plain(self) -> RealFloats:
        """A builder without flags."""
        return RealFloats(self.rw, self.ty)

    @property
    def has_special_values(self) -> bool:
        """Whether there may be not-a-numbers or infinities."""
        return self.mask & NO_SPECIAL_VALUES != NO_SPECIAL_VALUES

    # --- parts -------------------------------------------------------------------------------
    def parts(self, value: SSAValue) -> Pair:
        """The real and the imaginary part."""
        return self.real(value), self.imaginary(value)

    def real(self, value: SSAValue) -> SSAValue:
        return self.rw.value("complex.re", (value,), self.ty)

    def imaginary(self, value: SSAValue) -> SSAValue:
        return self.rw.value("complex.im", (value,), self.ty)

    def number(self, real: SSAValue, imaginary: SSAValue) -> SSAValue:
        return self.rw.value("complex.create", (real, imaginary), ComplexType(self.ty))

    def complex(self, name: str, *operands: SSAValue) -> SSAValue:
        """A complex operation with a complex result and the same flags."""
        return self.rw.value(f"complex.{name}", operands, operands[0].type, self._flags)

    def modulus(self, value: SSAValue) -> SSAValue:
        return self.rw.value("complex.abs", (value,), self.ty, self._flags)

    # --- floats ------------------------------------------------------------------------------
    def math(self, name: str, *operands: SSAValue) -> SSAValue:
        return self.rw.value(f"math.{name}", operands, self.ty, self._flags)

    def arith(self, name: str, *operands: SSAValue) -> SSAValue:
        return self.rw.value(f"arith.{name}", operands, self.ty, self._flags)

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.arith("addf", a, b)

    def sub(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.arith("subf", a, b)

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.arith("mulf", a, b)

    def div(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.arith("divf", a, b)

    def negative(self, a: SSAValue) -> SSAValue:
        return self.arith("negf", a)

    def absolute(self, a: SSAValue) -> SSAValue:
        return self.math("absf", a)

    def copysign(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """Without flags; `signed` has them."""
        return self.rw.value("math.copysign", (a, b), self.ty)

    def signed(self, a: SSAValue, b: SSAValue) -> SSAValue:
        """`a` with the sign of `b`, and with the flags."""
        return self.math("copysign", a, b)

    def constant(self, value: float, ty: Attribute) -> SSAValue:
        return self.of_value(value)

    def of_value(self, value: float) -> SSAValue:
        attr = FloatAttr(value, self.ty)
        return attribute_constant(self.rw, attr, self.ty)

    # --- conditions --------------------------------------------------------------------------
    def compare(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        """Without flags; `holds` has them."""
        return cmpf(self.rw, predicate, a, b)

    def holds(self, predicate: str, a: SSAValue, b: SSAValue) -> SSAValue:
        return cmpf(self.rw, predicate, a, b, self._flags)

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return binary(self.rw, "andi", a, b)

    def either(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return binary(self.rw, "ori", a, b)

    def negation(self, a: SSAValue) -> SSAValue:
        true = attribute_constant(self.rw, BoolAttr.from_bool(True), i1)
        return binary(self.rw, "xori", a, true)

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return select(self.rw, condition, a, b)

    def polynomial(self, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
        """By Horner's scheme, the highest coefficient first."""
        result = self.of_value(coefficients[0])
        for coefficient in coefficients[1:]:
            result = self.math("fma", result, x, self.of_value(coefficient))
        return result
