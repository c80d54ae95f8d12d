# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who starts a kernel."""

from __future__ import annotations

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Operation

from xgpu.core.ir.symbols import symbol_name


def launches_of(kernel: Operation) -> list[Operation]:
    """What starts a kernel: all its gpu.launch_func, or the gpu.launch that it is."""
    if kernel.name == "gpu.launch":
        return [kernel]
    module = kernel.parent_op()
    top = kernel
    while (parent := top.parent_op()) is not None:
        top = parent
    if module is None:
        return []
    names = [symbol_name(module), symbol_name(kernel)]
    found: list[Operation] = []
    for op in top.walk():
        reference = op.properties.get("kernel")
        if op.name == "gpu.launch_func" and isinstance(reference, SymbolRefAttr):
            parts = [reference.root_reference, *reference.nested_references]
            if [part.data for part in parts] == names:
                found.append(op)
    return found
