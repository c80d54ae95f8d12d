# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Custom syntax of the test dialect's operations."""

from __future__ import annotations

from typing import Any

from xgpu.core import ods


def _parse_with_bounds_region(parser: Any) -> Any:
    attributes = parser.parse_optional_attr_dict()
    argument = parser.parse_argument()
    region = parser.parse_region([argument])
    names = ("umin", "umax", "smin", "smax")
    properties = {name: attributes.pop(name) for name in names if name in attributes}
    return ods.create("test.with_bounds_region", (), (), properties, attributes, (region,))


def _print_with_bounds_region(op: Any, printer: Any) -> None:
    printer.print_op_attributes({**op.attributes, **op.properties})
    argument = op.regions[0].blocks[0].args[0]
    printer.print_string(" ")
    printer.print_ssa_value(argument)
    printer.print_string(": ")
    printer.print_attribute(argument.type)
    printer.print_string(" ")
    printer.print_region(op.regions[0], print_entry_block_args=False)


PARSE = {"test.with_bounds_region": _parse_with_bounds_region}
PRINT = {"test.with_bounds_region": _print_with_bounds_region}
