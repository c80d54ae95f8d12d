# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-vector-to-gpu`: products of matrices become matrix operations of a subgroup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class ConvertVectorToGPU(Pass):
    """Lowers contracts and transfers to `gpu.subgroup_mma_*` or `nvgpu.mma.sync`."""

    name = "convert-vector-to-gpu"
    summary = "Lower the operations from the vector dialect into the GPU dialect"
    options = (Option("use-nvgpu", bool, False, "convert to NvGPU ops instead of GPU dialect ops"),)
    use_nvgpu: bool

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.vector import (
            gpu_mma_sync as vector_to_gpu_mma_sync,
        )
        from xgpu.conversion.vector import (
            gpu_prepare as vector_to_gpu_prepare,
        )
        from xgpu.conversion.vector import (
            gpu_wmma as vector_to_gpu_wmma,
        )
        from xgpu.core.rewriting.greedy import apply_patterns

        apply_patterns(op, vector_to_gpu_prepare.patterns(self.use_nvgpu))
        if self.use_nvgpu:
            vector_to_gpu_mma_sync.convert(op)
        vector_to_gpu_wmma.convert(op)
