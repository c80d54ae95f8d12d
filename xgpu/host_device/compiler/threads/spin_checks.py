# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loops that wait for memory (see `spin_waits`) a strategy cannot have.

Vectors run one after the other between barriers, so what another vector of the block writes would
never come: a wait for workgroup memory needs warps that take turns. A wait for global memory is
taken for one for another block. Lanes that leave such a loop at different times need more: one that
has taken a lock stays until all have it. Each thread runs by itself then.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop
from xgpu.core.ir.dominance import ControlFlowGraph
from xgpu.dialects.llvm.attributes import ATOMIC_RMW
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.threads.spin_waits import spins, working_waits
from xgpu.host_device.compiler.types import integer_constant
from xgpu.host_device.compiler.vectors.live_across_barriers import NoRegions
from xgpu.host_device.compiler.vectors.memory import SHARED
from xgpu.host_device.compiler.vectors.shapes import VARYING
from xgpu.host_device.compiler.vectors.uniformity import Uniformity


def check_spins(function: Operation) -> None:
    """Raises `NoRegions` where a thread waits for its own block."""
    graph = ControlFlowGraph(function.regions[0])
    for loop in working_waits(graph):
        last = graph.blocks[loop.header].last_op
        raise NoRegions("threads work until others of their block have done so", last)
    for _, read in spins(graph):
        if _is_shared(read.operands[0]):
            raise NoRegions("threads wait for what others of their block write", read)


def check_lane_spins(uniformity: Uniformity) -> None:
    """Raises `NoRegions` where lanes of a vector may wait for one another."""
    graph = uniformity.graph
    for loop, read in spins(graph):
        parts = uniformity.loop_level[loop.header] == VARYING
        # One that reads until it may take something leaves with it, too.
        takes = any(
            op.name in operations.ATOMICS and not _only_reads(op)
            for block in loop.blocks for op in graph.blocks[block].ops
        )  # fmt: skip
        if parts and (takes or not _only_reads(read) or _is_shared(read.operands[0])):
            raise NoRegions("threads of a warp wait for one another in memory", read)


def _only_reads(op: Operation) -> bool:
    """Whether an access leaves memory as it is: loads, and atomic operations with zero."""
    if op.name != "llvm.atomicrmw":
        return op.name == "llvm.load"
    kind = ATOMIC_RMW[number(prop(op, "bin_op"))]
    return kind in _KEEPS_WITH_ZERO and integer_constant(op.operands[1]) == 0


def _is_shared(address: SSAValue) -> bool:
    """Whether an address is known to be in workgroup memory."""
    while True:
        if address.type == _SHARED_POINTER:
            return True
        owner = address.owner
        if isinstance(owner, Block) or owner.name not in _FROM:
            return False
        address = owner.operands[0]


#: Atomic operations that, with zero, change nothing.
_KEEPS_WITH_ZERO = ("add", "sub", "or", "xor", "umax")
_SHARED_POINTER = LLVMPointerType(SHARED)
_FROM = ("llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast")
