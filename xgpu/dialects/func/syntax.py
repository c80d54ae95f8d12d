# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`func.func visibility? @name(arguments) -> results attributes {...} { body }`"""

from __future__ import annotations

from typing import Any

from xgpu.dialects.syntax_helpers import parse_function, print_function

PARSE = {"func.func": lambda parser: parse_function(parser, "func.func")}


def _print(op: Any, printer: Any) -> None:
    print_function(printer, op)


PRINT = {"func.func": _print}
