# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`adopt-gpu-ops`: IR of xDSL's operation classes becomes IR of ours.

The crossing is done by `xgpu.universe`, for every pass that runs in xDSL's tools; in xgpu's own
tools IR is of our classes from the start, and there is nothing to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class AdoptGpuOps(Pass):
    name = "adopt-gpu-ops"
    summary = "Rebuild operations of xDSL's classes as xgpu's"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        """Nothing: `op` has been read with our classes."""
