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
    from collections.abc import Callable

    from xgpu.runtime.runner_utils.memrefs import MemRef

from xgpu.runtime.runner_utils.output import Output


def lookup(
    name: str, output: Output, refuse: Callable[[MemRef], bool] = lambda _: False
) -> ctypes._CFunctionType | None:
    """The runner function `name` as a ctypes function object (keep it alive), or None. It does
    nothing with memory that `refuse` refuses."""
    from xgpu.runtime.runner_utils import memrefs, scalars

    function = scalars.table(name, output)
    return memrefs.table(name, output, refuse) if function is None else function
