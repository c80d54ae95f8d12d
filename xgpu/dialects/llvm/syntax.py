# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax of the llvm dialect that MLIR writes in C++: the tables for the format engine."""

from __future__ import annotations

from typing import Any

from xgpu.dialects.llvm import call_syntax, flag_syntax, global_syntax, op_syntax
from xgpu.dialects.llvm.directives import DIRECTIVES
from xgpu.dialects.llvm.func_syntax import parse_func, print_func

PARSE: dict[str, Any] = {
    "llvm.func": parse_func,
    **global_syntax.PARSE,
    **call_syntax.PARSE,
    **op_syntax.PARSE,
    **flag_syntax.PARSE,
}

PRINT: dict[str, Any] = {
    "llvm.func": print_func,
    **global_syntax.PRINT,
    **call_syntax.PRINT,
    **op_syntax.PRINT,
    **flag_syntax.PRINT,
}

__all__ = ["DIRECTIVES", "PARSE", "PRINT"]
