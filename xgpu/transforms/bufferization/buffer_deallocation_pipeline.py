# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`buffer-deallocation-pipeline`: frees what functions allocate, with as few checks as possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Option
from xgpu.core.passes.manager import Pipeline
from xgpu.core.passes.registry import pass_class

if TYPE_CHECKING:
    from xgpu.core.passes.manager import PassManager


class BufferDeallocationPipeline(Pipeline):
    """MLIR's pipeline, in its order."""

    name = "buffer-deallocation-pipeline"
    summary = "The default pipeline for automatically inserting deallocation operations"
    options = (
        Option(
            "private-function-dynamic-ownership",
            bool,
            False,
            "Allows to add additional arguments to private functions to dynamically pass ownership "
            "of memrefs to callees. This can enable earlier deallocations.",
        ),
    )
    private_function_dynamic_ownership: bool

    def build(self, manager: PassManager) -> None:
        manager.add(pass_class("expand-realloc")(emit_deallocs=False))
        manager.add(pass_class("canonicalize")())
        manager.add(
            pass_class("ownership-based-buffer-deallocation")(
                private_function_dynamic_ownership=self.private_function_dynamic_ownership
            )
        )
        manager.add(pass_class("canonicalize")())
        manager.add(pass_class("buffer-deallocation-simplification")())
        manager.add(pass_class("bufferization-lower-deallocations")())
        manager.add(pass_class("cse")())
        manager.add(pass_class("canonicalize")())
