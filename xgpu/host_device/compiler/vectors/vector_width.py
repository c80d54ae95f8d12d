# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How wide LLVM makes the vectors of a function, on processors that have a choice.

A vector of 32 threads is two registers of 512 bits, or four of 256. Kernels that wait for memory
gain nothing from the wide ones; accesses that do not begin with a line of the cache touch two lines
each; and what goes from lane to lane, as shuffles do, or calls a function for each lane, takes
longer. So kernels get 256 bits, all but those that compute: they have a loop with several
operations for each access, and do neither of the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, StringAttr, UnitAttr

from xgpu.core.ir.construction import nested_operations
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.host_device.compiler import operations
from xgpu.host_device.sanitizer.instrument.bounds import is_bounds_check

if TYPE_CHECKING:
    from collections.abc import Iterable

    from xdsl.ir import Attribute, Operation


#: On a function: it computes, and is to have the widest vectors there are.
WIDE = "host.wide"

_ACCESSES = frozenset(("llvm.load", "llvm.store")) | operations.ATOMICS
#: What LLVM makes of these is a call for each lane.
_CALLED = frozenset(
    f"llvm.intr.{name}"
    for name in (
        "exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "pow", "powi", "asin",
        "acos", "atan", "atan2", "sinh", "cosh", "tanh", "ldexp",
    )
) | {"llvm.call", "llvm.frem"}  # fmt: skip
#: Operations for each access, those on its address among them: a loop that computes.
_DENSE = 3


def choose_width(function: Operation, kernel: Operation) -> None:
    """Let `function`, which is made of `kernel`, have wide vectors if that computes."""
    if computes(kernel):
        function.attributes[WIDE] = UnitAttr()


def computes(kernel: Operation) -> bool:
    """Whether a prepared kernel's time goes into operations on vectors."""
    if any(
        (op.name in _CALLED and not is_bounds_check(op))
        or (operations.is_warp_operation(op) and not operations.is_barrier(op))
        for op in nested_operations(kernel)
    ):
        return False
    graph = ControlFlowGraph(kernel.regions[0])
    found: dict[int, list[int]] = {}
    for number, block in enumerate(graph.blocks):
        loop = graph.loop_of[number]
        if loop is not None:
            counts = found.setdefault(loop.header, [0, 0])
            accesses, computed = _counts(block.ops)
            counts[0] += accesses
            counts[1] += computed
    return any(computed >= max(accesses, 1) * _DENSE for accesses, computed in found.values())


def _counts(ops: Iterable[Operation]) -> tuple[int, int]:
    accesses = computed = 0
    for op in ops:
        if op.name in _ACCESSES:
            accesses += 1
        elif op.name in operations.ELEMENTWISE:
            computed += 1
    return accesses, computed


def narrow_vectors() -> list[Attribute]:
    """What is passed to LLVM for a function with vectors of 256 bits at most: without the second it
    keeps to the width of the vectors that stand in the function."""
    return [
        ArrayAttr([StringAttr("prefer-vector-width"), StringAttr("256")]),
        ArrayAttr([StringAttr("min-legal-vector-width"), StringAttr("0")]),
    ]
