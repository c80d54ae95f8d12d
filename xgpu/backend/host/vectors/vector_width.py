# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How wide LLVM makes the vectors of a function on processors that have a choice.

Registers of 512 bits halve the instructions of kernels that compute. One that does little but move
data waits for memory; there they gain nothing, and half of each is lost where the processor stores
them in two steps: such kernels get 256 bits, as far as LLVM would take more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, StringAttr

from xgpu.backend.host import operations
from xgpu.ir.construction import nested_operations

if TYPE_CHECKING:
    from xdsl.ir import Operation

_WIDTH, _OTHERS = "prefer_vector_width", "passthrough"
_ACCESSES = frozenset(("llvm.load", "llvm.store")) | operations.ATOMICS
#: For so many accesses at least one operation on floats: a kernel that computes.
_ACCESSES_EACH = 2
#: What a call of a function, or an operation of a warp, stands for.
_LARGE = 8


def choose_width(function: Operation, kernel: Operation) -> None:
    """Have `function`, which is made of `kernel`, use narrow vectors if that only moves data."""
    accesses = computed = 0
    for op in nested_operations(kernel):
        if op.name in _ACCESSES:
            accesses += 1
        elif _is_large(op):
            computed += _LARGE
        elif op.name.startswith(("llvm.f", "llvm.intr.")) and op.name in operations.ELEMENTWISE:
            computed += 1
    if computed * _ACCESSES_EACH >= accesses:
        return
    function.properties[_WIDTH] = StringAttr("256")
    narrow = ArrayAttr([StringAttr("min-legal-vector-width"), StringAttr("0")])
    function.properties[_OTHERS] = ArrayAttr([narrow])


def copy_width(function: Operation, source: Operation) -> None:
    """Give a function the width of another, which becomes a part of it."""
    for name in (_WIDTH, _OTHERS):
        if name in source.properties:
            function.properties[name] = source.properties[name]


def _is_large(op: Operation) -> bool:
    return op.name == "llvm.call" or (
        operations.is_warp_operation(op) and not operations.is_barrier(op)
    )
