# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pass of the plugin."""

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from xgpu.plugins import Option, Pass


class CountSums(Pass):
    """Notes in each function how many sums there are in it."""

    name = "sat-count"
    summary = "Count the sums that saturate"
    anchor = "func.func"
    options = (Option("label", str, "sat.sums", "name of the attribute"),)

    label: str

    def run(self, op: Operation, ctx: Context) -> None:
        count = sum(1 for inner in op.walk() if inner.name == "sat.add")
        op.attributes[self.label] = IntegerAttr(count, 32)
