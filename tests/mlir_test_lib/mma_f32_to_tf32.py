# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nvgpu.mma.sync` of f32 computes with tf32, which tensor cores have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import UnitAttr, f32

from xgpu.core.passes.base import Option, Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation

_ENABLED = "tf32Enabled"


class TestNVGPUMmaSyncF32ToTF32(Pass):
    """Marks products of f32; like MLIR's, the pass does so for any `precision`."""

    name = "test-nvgpu-mmasync-f32-to-tf32-patterns"
    summary = "Test patterns to convert mma.sync on f32 with tf32 precision"
    options = (
        Option(
            "precision",
            str,
            "tf32",
            "Target nvgpu.mma.sync on f32 input with tf32 or tf32x3 precision",
        ),
    )

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in op.walk():
            if inner.name != "nvgpu.mma.sync" or _ENABLED in inner.properties:
                continue
            factor: Any = inner.operands[0].type
            if factor.element_type == f32:
                inner.properties[_ENABLED] = UnitAttr()
