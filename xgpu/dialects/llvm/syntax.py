# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Syntax of the llvm dialect that MLIR writes in C++: the tables for the format engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.dialects.llvm import call_syntax, flag_syntax, global_syntax, op_syntax
from xgpu.dialects.llvm.directives import DIRECTIVES
from xgpu.dialects.llvm.func_syntax import parse_func, print_func

if TYPE_CHECKING:
    from xgpu.dialects.hook_types import ParseHook, PrintHook


PARSE: dict[str, ParseHook] = {
    "llvm.func": parse_func,
    **global_syntax.PARSE,
    **call_syntax.PARSE,
    **op_syntax.PARSE,
    **flag_syntax.PARSE,
}

PRINT: dict[str, PrintHook] = {
    "llvm.func": print_func,
    **global_syntax.PRINT,
    **call_syntax.PRINT,
    **op_syntax.PRINT,
    **flag_syntax.PRINT,
}

__all__ = ["DIRECTIVES", "PARSE", "PRINT"]
