# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`llvm-request-c-wrappers`: every function gets a C interface when it is lowered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnitAttr

from xgpu.core.passes.base import Pass

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Operation


class LLVMRequestCWrappers(Pass):
    """Sets `llvm.emit_c_interface` on functions."""

    name = "llvm-request-c-wrappers"
    summary = "Request C wrapper emission for all functions"
    anchor = "func.func"

    def run(self, op: Operation, ctx: Context) -> None:
        op.attributes["llvm.emit_c_interface"] = UnitAttr()
