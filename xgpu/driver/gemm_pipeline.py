# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-gemm-pipeline`: from a matrix product to a kernel for tensor cores with tiles in flight.

It stands apart from the other pipelines since its options are those of `gpu-tile-matmul`, with
which the generator of kernels is imported.
"""

from __future__ import annotations

from xgpu.core.passes.manager import PassManager, Pipeline
from xgpu.core.passes.registry import pass_class, pipeline_class
from xgpu.driver.pipelines import BUFFERS_FROM_LINALG, add_entries
from xgpu.kernels.gemm.gpu_tile_matmul import GpuTileMatmul

#: Threads of a block of the kernels beside the products.
_THREADS = 256


class GpuGemmPipeline(Pipeline):
    """Tensors to buffers, products to loops over tiles, these to loops with copies in flight.

    What comes out is `gpu.launch` on buffers, for `gpu-lower-to-nvvm-pipeline`; structured
    operations that are no products become kernels of their own. The options are those of
    `gpu-tile-matmul`.
    """

    name = "gpu-gemm-pipeline"
    summary = "Matrix products, on tensors or memrefs, become circular-buffered GPU kernels"
    options = GpuTileMatmul.options
    #: For the passes that bufferize.
    function_layouts = "identity-layout-map"

    def build(self, manager: PassManager) -> None:
        names = [option.name.replace("-", "_") for option in self.options]
        add_entries(manager, BUFFERS_FROM_LINALG, self)
        pipeline_class("buffer-deallocation-pipeline")().build(manager)
        manager.add(pass_class("convert-bufferization-to-memref")())
        manager.add(pass_class("gpu-tile-matmul")(**{n: getattr(self, n) for n in names}))
        manager.add(pass_class("circular-buffer")())
        functions = manager.nest("func.func")
        functions.add(pass_class("convert-linalg-to-gpu")(threads=_THREADS))
        functions.add(pass_class("gpu-device-buffers")())
        manager.add(pass_class("canonicalize")())
        manager.add(pass_class("cse")())
        # In the kernel constants are constants, by which divisions are cheap, not parameters.
        manager.add(pass_class("gpu-launch-sink-index-computations")())
