# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test-transform-dialect-erase-schedule: takes transform programs away from the payload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class TransformEraseSchedule(Pass):
    """Erases modules of named sequences, and transform operations that stand elsewhere."""

    name = "test-transform-dialect-erase-schedule"
    summary = "erase transform dialect schedule from the IR"

    def run(self, op: Operation, ctx: Context) -> None:
        for region in op.regions:
            for block in region.blocks:
                for inner in list(block.ops):
                    if _is_schedule(inner):
                        inner.detach()
                        inner.erase(safe_erase=False)
                    else:
                        self.run(inner, ctx)


def _is_schedule(op: Operation) -> bool:
    return op.name.startswith("transform.") or "transform.with_named_sequence" in op.attributes
