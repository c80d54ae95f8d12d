# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of the async dialect: `!async.value<T>` has its syntax in C++.

Source: MLIR 22.1 Async.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, Data, TypeAttribute

if TYPE_CHECKING:
    from xdsl.parser import AttrParser
    from xdsl.printer import Printer as XdslPrinter


class ValueType(Data[Attribute], TypeAttribute):
    """`!async.value<T>`: a T that will be there later."""

    name = "async.value"

    def __init__(self, value_type: Attribute) -> None:
        super().__init__(value_type)

    @property
    def value_type(self) -> Attribute:
        return self.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Attribute:
        with parser.in_angle_brackets():
            return parser.parse_type()

    def print_parameter(self, printer: XdslPrinter) -> None:
        printer.print_string("<")
        printer.print_attribute(self.data)
        printer.print_string(">")


ATTRIBUTES: dict[str, type[Attribute]] = {ValueType.name: ValueType}
