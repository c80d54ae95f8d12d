# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of MLIR's runner libraries, built in.

`lookup(name, output)` gives a C function pointer for a symbol of mlir_runner_utils,
mlir_c_runner_utils, mlir_float16_utils or mlir_async_runtime. What they print is, byte for byte,
what MLIR's libraries print.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ctypes

from xgpu.runtime.runner_utils.output import Output


def lookup(name: str, output: Output) -> ctypes._CFunctionType | None:
    """The runner function `name` as a ctypes function object (keep it alive), or None."""
    from xgpu.runtime.runner_utils import memrefs, scalars

    for table in (scalars.table, memrefs.table):
        function = table(name, output)
        if function is not None:
            return function
    return None
