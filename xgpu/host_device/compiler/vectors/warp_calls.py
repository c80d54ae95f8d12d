# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the device's runtime in a kernel whose warps are vectors (see `lane_calls`).

A call that computes or does something for a thread is done by each lane that runs, with its own
record. One that waits is one of these:

* the same for all lanes (an mbarrier's phase, a turn given up): one lane asks for all;
* a barrier of the block: the warp arrives once, with as many threads as it has;
* anything else: each lane begins to wait, and the warp goes on when none of them waits any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import THIS_BLOCK, THIS_THREAD, WAITS, call_properties
from xgpu.host_device.compiler.structs import size_of
from xgpu.host_device.compiler.vectors import shapes
from xgpu.host_device.compiler.vectors.shapes import Shape

if TYPE_CHECKING:
    from xdsl.dialects.builtin import UnitAttr
    from xdsl.ir import Attribute, Operation, SSAValue

    from xgpu.host_device.compiler.vectors.emission import Builder

#: Waits that are over for all lanes at once if what they are given is the same.
ONCE = frozenset(("xgpu_mbarrier_wait", "xgpu_mbarrier_poll", "xgpu_yield"))
#: Waits that never depend on what another thread does.
TURNS = frozenset(("xgpu_yield", "xgpu_step"))
BARRIER, BARRIER_RESULT = "xgpu_barrier", "xgpu_barrier_result"
WARPGROUP = "xgpu_warpgroup_sync"


def is_device_call(op: Operation) -> bool:
    """Whether an operation calls the device's runtime."""
    if op.name != "llvm.call":
        return False
    name = operations.callee(op)
    return name is not None and name.startswith(("xgpu_", "xgpu.this_"))


def lane_offsets(width: int) -> tuple[int, ...]:
    """Where the record of each lane lies behind that of the first."""
    size = size_of("Thread")
    return tuple(lane * size for lane in range(width))


def shape_of(op: Operation, given: list[Shape], width: int) -> Shape:
    """The shape of what a call of the runtime delivers."""
    name = operations.callee(op)
    if name == THIS_THREAD:
        return shapes.affine(lane_offsets(width))
    if name == THIS_BLOCK:
        return shapes.UNIFORM
    if name == BARRIER_RESULT or WAITS in op.attributes:
        return shapes.WARP_UNIFORM
    return shapes.WARP_UNIFORM if all(g.is_uniform for g in given) else shapes.VARIES


def call(b: Builder, symbol: str, arguments: list[SSAValue], result: Attribute | None) -> Operation:
    """A call of a function of the runtime; the operation."""
    types = () if result is None else (result,)
    return b.create("llvm.call", arguments, types, call_properties(symbol, arguments))


def waiting(op: Operation) -> None:
    """Says of a call that its warp may have to wait there."""
    op.attributes[WAITS] = _unit()


def _unit() -> UnitAttr:
    from xdsl.dialects.builtin import UnitAttr

    return UnitAttr()
