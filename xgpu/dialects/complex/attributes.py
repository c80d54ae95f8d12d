# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of the complex dialect: `#complex.number` has its syntax in C++.

Source: MLIR 22.1 ComplexAttributes.td, ComplexDialect.cpp.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import AnyFloat, ComplexType, FloatAttr, f64
from xdsl.ir import Attribute, Data

from xgpu.core.ir.float_formats import FORMATS, round_to

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer

    Number = tuple[float, float, AnyFloat]


class NumberAttr(Data["Number"]):
    """`#complex.number<:f32 1.0, 2.0> : complex<f32>`: a complex number of floats."""

    name = "complex.number"

    def __init__(
        self, real: float | Number, imag: float = 0.0, element_type: AnyFloat | None = None
    ) -> None:
        """Both parts are rounded to the element type (f64 if there is none)."""
        if isinstance(real, tuple):  # what `parse_parameter` gave: xDSL's parser passes it on whole
            real, imag, element_type = real
        super().__init__(_rounded(real, imag, f64 if element_type is None else element_type))

    @property
    def real(self) -> float:
        return self.data[0]

    @property
    def imag(self) -> float:
        return self.data[1]

    @property
    def type(self) -> ComplexType[AnyFloat]:
        return ComplexType(self.data[2])

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Number:
        with parser.in_angle_brackets():
            parser.parse_punctuation(":")
            start = parser.pos
            element = parser.parse_type()
            if not isinstance(element, AnyFloat):
                parser.raise_error("expected a float type", start)
            real = _read_part(parser)
            parser.parse_punctuation(",")
            imag = _read_part(parser)
        # The type behind it says nothing new, and MLIR does not compare it.
        if parser.parse_optional_punctuation(":") is not None:
            parser.parse_type()
        return _rounded(real, imag, element)

    def print_parameter(self, printer: Printer) -> None:
        real, imag, element = self.data
        printer.print_string("<:")
        printer.print_attribute(element)
        printer.print_string(" ")
        # Bits are read as those of an f64.
        printer.print_float(real, element if math.isfinite(real) else f64)
        printer.print_string(", ")
        printer.print_float(imag, element if math.isfinite(imag) else f64)
        printer.print_string("> : ")
        printer.print_attribute(self.type)


def _rounded(real: float, imag: float, element: AnyFloat) -> Number:
    form = FORMATS[element.name]
    return round_to(real, form), round_to(imag, form), element


def _read_part(parser: AttrParser) -> float:
    """A float literal; in hexadecimal the bits of an f64, whatever the type."""
    from xgpu.core.syntax.parser import Parser

    if not isinstance(parser, Parser):
        return parser.parse_float()
    start = parser.pos
    part = parser.parse_optional_attribute(f64)
    if not isinstance(part, FloatAttr):
        parser.raise_error("expected floating point literal", start)
    return part.value.data


ATTRIBUTES: dict[str, type[Attribute]] = {NumberAttr.name: NumberAttr}
