# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-gemm-pipeline`: from a matrix product to a kernel for tensor cores with tiles in flight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.passes.manager import Pipeline
from xgpu.passes.registry import pass_class
from xgpu.transforms.gemm.gpu_tile_matmul import GpuTileMatmul

if TYPE_CHECKING:
    from xgpu.passes.manager import PassManager


class GpuGemmPipeline(Pipeline):
    """Tensors to memrefs, products to loops over tiles, these to loops with copies in flight.

    What comes out is `gpu.launch` on memrefs, for `gpu-lower-to-nvvm-pipeline`. The options are
    those of `gpu-tile-matmul`.
    """

    name = "gpu-gemm-pipeline"
    summary = "Matrix products, on tensors or memrefs, become circular-buffered GPU kernels"
    options = GpuTileMatmul.options

    def build(self, manager: PassManager) -> None:
        given = {
            o.name.replace("-", "_"): getattr(self, o.name.replace("-", "_")) for o in self.options
        }
        bufferize = {
            "bufferize_function_boundaries": True,
            "function_boundary_type_conversion": "identity-layout-map",
        }
        for name, options in (
            ("one-shot-bufferize", bufferize),
            ("gpu-tile-matmul", given),
            ("circular-buffer", {}),
            ("canonicalize", {}),
            ("cse", {}),
        ):
            manager.add(pass_class(name)(**options))
