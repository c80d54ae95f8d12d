# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`finalize-memref-to-llvm`: memrefs as structs of pointers, offset, sizes and strides.

The rules are by topic in `allocation.py`, `access.py` and `views.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.conversion.memref import (
    access as memref_access,
)
from xgpu.conversion.memref import (
    allocation as memref_allocation,
)
from xgpu.conversion.memref import (
    views as memref_views,
)
from xgpu.conversion.options import INDEX_BITWIDTH
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.driver import convert

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

    from xgpu.core.rewriting.driver import Rule

RULES: dict[str, Rule] = {
    **memref_allocation.RULES,
    **memref_access.RULES,
    **memref_views.RULES,
}


class FinalizeMemRefToLLVM(Pass):
    """Lowers memref to the llvm dialect."""

    name = "finalize-memref-to-llvm"
    summary = "Finalize MemRef dialect to LLVM dialect conversion"
    anchor = "builtin.module"
    options = (
        Option("use-aligned-alloc", bool, False, "Use aligned_alloc in place of malloc"),
        INDEX_BITWIDTH,
        Option(
            "use-generic-functions",
            bool,
            False,
            "Call generic allocation and deallocation functions instead of malloc and free",
        ),
    )

    use_aligned_alloc: bool
    index_bitwidth: int
    use_generic_functions: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.gpu.gpu_to_nvvm import index_width
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        types = LLVMTypeConverter(self.index_bitwidth or index_width(op))
        types.aligned_alloc = self.use_aligned_alloc
        types.generic_functions = self.use_generic_functions
        convert(op, RULES, types)
