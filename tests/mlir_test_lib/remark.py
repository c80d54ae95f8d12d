# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`test-remark`: remarks of all kinds about each operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.plugins import Pass, remarks

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

_WHY = {
    "reason": "because we are testing the remark pipeline",
    "suggestion": "try using the remark pipeline feature",
}


class TestRemark(Pass):
    """Remarks about what it is given and all in it, but modules."""

    __test__ = False
    name = "test-remark"
    summary = "Tests the remark pipeline feature"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in _inner_first(op):
            if inner.name != "builtin.module":
                _remark(inner)


def _inner_first(op: Operation) -> list[Operation]:
    inside = [o for region in op.regions for block in region.blocks for o in block.ops]
    return [*(found for inner in inside for found in _inner_first(inner)), op]


def _remark(op: Operation) -> None:
    at, name = op.location, "test-remark"
    remarks.missed(at, name, "a-category-1-missed", "This is a test missed remark", **_WHY)
    for more in (" (should be dropped)", ""):
        remarks.passed(at, name, "category-1-passed", f"This is a test passed remark{more}", **_WHY)
    remarks.failed(at, name, "category-2-failed", "This is a test failed remark", **_WHY)
    remarks.analysis(at, name, "category-2-analysis", "This is a test analysis remark")
