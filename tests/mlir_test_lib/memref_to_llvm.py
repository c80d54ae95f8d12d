# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`test-memref-to-llvm-with-transforms`: functions that take and return memrefs, converted alone.

MLIR's pass also brings rewrites of views; they apply to what must be converted only, and a view of
memory need not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import convert

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class TestMemRefToLLVMWithTransforms(Pass):
    """MLIR's test of conversions that are combined with rewrites."""

    __test__ = False
    name = "test-memref-to-llvm-with-transforms"
    summary = "Tests conversion of memref operations combined with memref rewrites."

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.control_flow.func_to_llvm import RULES
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        convert(op, RULES, LLVMTypeConverter())
