# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`test-memref-to-llvm-with-transforms`: views are taken apart, then all goes to the llvm dialect.

MLIR's test pass, which has both sets of patterns in one conversion. Source: MLIR 22.1
test/lib/Conversion/MemRefToLLVM/TestMemRefToLLVMWithTransforms.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.transforms.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class TestMemRefToLLVMWithTransforms(Pass):
    name = "test-memref-to-llvm-with-transforms"
    summary = "Tests conversion of MemRef to LLVM together with the expansion of strided metadata"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.transforms.conversion import func_to_llvm, memref_to_llvm
        from xgpu.transforms.conversion.driver import convert
        from xgpu.transforms.conversion.llvm_types import LLVMTypeConverter
        from xgpu.transforms.expand_strided_metadata import ExpandStridedMetadata

        ExpandStridedMetadata().run(op, ctx)
        convert(op, {**memref_to_llvm.RULES, **func_to_llvm.RULES}, LLVMTypeConverter())
