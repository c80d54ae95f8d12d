# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`strip-debuginfo`: replaces every location with the unknown one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnknownLoc

from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class StripDebugInfo(Pass):
    """Forgets where everything came from."""

    name = "strip-debuginfo"
    summary = "Strip debug info from all operations"

    def run(self, op: Operation, ctx: Context) -> None:
        unknown = UnknownLoc()
        for inner in op.walk():
            inner.location = unknown
            for region in inner.regions:
                for block in region.blocks:
                    for arg in block.args:
                        if hasattr(arg, "location"):
                            arg.location = unknown
