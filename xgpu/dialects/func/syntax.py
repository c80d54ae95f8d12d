# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`func.func visibility? @name(arguments) -> results attributes {...} { body }`"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.syntax_helpers import parse_function, print_function

if TYPE_CHECKING:
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import func


PARSE = {"func.func": lambda parser: parse_function(parser, "func.func")}


def _print(op: func.FuncOp, printer: Printer) -> None:
    print_function(printer, op)


PRINT = {"func.func": _print}
