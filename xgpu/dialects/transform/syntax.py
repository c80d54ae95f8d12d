# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten syntax of transform."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.dialects.syntax_helpers import parse_function, print_function
from xgpu.dialects.transform.directives import DIRECTIVES

if TYPE_CHECKING:
    from xgpu.dialects import transform
    from xgpu.syntax.parser import Parser
    from xgpu.syntax.printer import Printer


def parse_named_sequence(parser: Parser) -> Operation:
    """`visibility? @name(arguments) -> results { body }`"""
    return parse_function(parser, "transform.named_sequence")


def print_named_sequence(op: transform.NamedSequenceOp, printer: Printer) -> None:
    print_function(printer, op)


PARSE = {"transform.named_sequence": parse_named_sequence}
PRINT = {"transform.named_sequence": print_named_sequence}

__all__ = ["DIRECTIVES", "PARSE", "PRINT"]
