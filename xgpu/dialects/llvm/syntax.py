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
    **global_syntax.GLOBAL_PARSE,
    **call_syntax.CALL_PARSE,
    **op_syntax.OP_PARSE,
    **flag_syntax.FLAG_PARSE,
}

PRINT: dict[str, PrintHook] = {
    "llvm.func": print_func,
    **global_syntax.GLOBAL_PRINT,
    **call_syntax.CALL_PRINT,
    **op_syntax.OP_PRINT,
    **flag_syntax.FLAG_PRINT,
}

__all__ = ["DIRECTIVES", "PARSE", "PRINT"]
