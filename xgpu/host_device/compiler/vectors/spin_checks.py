# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loops that wait for memory (see `spin_waits`) a strategy cannot have.

Vectors run one after the other between barriers, so what a later vector of the block writes would
never come: a wait for workgroup memory needs warps that take turns. So does one for global memory
where a later vector writes to the same argument or variable. Otherwise it is a wait for another
block. Lanes that leave such a loop at different times need more: one that has taken a lock stays
until all have it. Each thread runs by itself then.

Which vectors run an operation follows from the branches on thread indices around it, whose
conditions are computed for each thread of the block:

    if (threadIdx.x == 0) atomicExch(&done[blockIdx.x], 1);      // the first vector
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.ir import Block, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import integers, number, prop
from xgpu.core.ir.dominance import ControlFlowGraph, Loop
from xgpu.core.ir.region_flow import incoming
from xgpu.dialects.llvm.attributes import ATOMIC_RMW
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import NoRegions
from xgpu.host_device.compiler.spin_waits import spins, working_waits
from xgpu.host_device.compiler.types import integer_constant
from xgpu.host_device.compiler.vectors.memory import SHARED
from xgpu.host_device.compiler.vectors.shapes import VARYING
from xgpu.host_device.compiler.vectors.thread_conditions import ThreadConditions
from xgpu.host_device.compiler.vectors.uniformity import Uniformity

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from xdsl.dialects.builtin import SymbolRefAttr
    from xdsl.ir import BlockArgument


def check_spins(function: Operation) -> None:
    """Raises `NoRegions` where a thread waits for its own block, by an address that may be in
    workgroup memory."""
    graph = ControlFlowGraph(function.regions[0])
    for loop in working_waits(graph):
        last = graph.blocks[loop.header].last_op
        raise NoRegions("threads work until others of their block have done so", last)
    for _, read in spins(graph):
        if _may_be_shared(read.operands[0], graph):
            raise NoRegions("threads wait for what others of their block write", read)


def check_order(uniformity: Uniformity) -> None:
    """Raises `NoRegions` where a vector may wait in global memory for a later one of its block."""
    graph = uniformity.graph
    for conditions, loop, writer in _waits_and_writers(uniformity):
        waits, writes = conditions.vectors(loop.header), conditions.vectors(writer.block)
        if (
            waits and writes and writes[-1] > waits[0]
            and _meet_between_barriers(graph, loop.header, writer.block)
        ):  # fmt: skip
            why = "threads may wait for what later ones of their block write"
            raise NoRegions(why, writer.op)


def _meet_between_barriers(graph: ControlFlowGraph, a: int, b: int) -> bool:
    """Whether some threads may be in block `a` of the graph while others of their block are in
    block `b`: no barrier parts the two."""
    barriers = {
        number for number, block in enumerate(graph.blocks)
        if any(map(operations.is_barrier, block.ops))
    }  # fmt: skip
    for start in (0, *barriers):
        found, pending = {start}, [start]
        while pending:
            for successor in graph.successors[pending.pop()]:
                if successor not in found:
                    found.add(successor)
                    if successor not in barriers:
                        pending.append(successor)
        if a in found and b in found:
            return True
    return False


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
        if parts and (takes or not _only_reads(read) or _may_be_shared(read.operands[0], graph)):
            raise NoRegions(_AMONG_LANES, read)
    for conditions, loop, writer in _waits_and_writers(uniformity):
        leaves_alone = uniformity.loop_level[loop.header] == VARYING
        # All lanes have been in blocks before the loop when the first one enters it.
        if writer.block < loop.header:
            around = loop.parent
            if not leaves_alone or around is None or writer.block not in around.blocks:
                continue
        # Lanes that leave the loop together write when none of them waits any more.
        elif not leaves_alone and graph.dominates(loop.header, writer.block):
            continue
        waits = set(conditions.threads(loop.header))
        in_vector = Counter(conditions.vector_of[t] for t in waits)
        for t in conditions.threads(writer.block):
            if in_vector[conditions.vector_of[t]] > (t in waits):
                raise NoRegions(_AMONG_LANES, writer.op)


_AMONG_LANES = "threads of a warp wait for one another in memory"


class _Writer(NamedTuple):
    op: Operation
    block: int


def _waits_and_writers(
    uniformity: Uniformity,
) -> Iterator[tuple[ThreadConditions, Loop, _Writer]]:
    """The loops that wait for memory by reading it alone, each with each operation outside of it
    that writes to the same argument or variable."""
    graph = uniformity.graph
    found = [(loop, read) for loop, read in spins(graph) if _only_reads(read)]
    if not found:
        return
    conditions = ThreadConditions(graph, uniformity.layout)
    writers = [
        (_Writer(op, b), _keys(op.operands[1 if op.name == "llvm.store" else 0], graph))
        for b, block in enumerate(graph.blocks) for op in block.ops if _writes(op)
    ]  # fmt: skip
    for loop, read in found:
        keys = _keys(read.operands[0], graph)
        for writer, written in writers:
            if writer.block not in loop.blocks and not keys.isdisjoint(written):
                yield conditions, loop, writer


def _only_reads(op: Operation) -> bool:
    """Whether an access leaves memory as it is: loads, and atomic operations with zero."""
    if op.name != "llvm.atomicrmw":
        return op.name == "llvm.load"
    kind = ATOMIC_RMW[number(prop(op, "bin_op"))]
    return kind in _KEEPS_WITH_ZERO and integer_constant(op.operands[1]) == 0


def _writes(op: Operation) -> bool:
    return op.name == "llvm.store" or (op.name in operations.ATOMICS and not _only_reads(op))


def _may_be_shared(address: SSAValue, graph: ControlFlowGraph) -> bool:
    """Whether an address may be in workgroup memory: a variable there, or in a kernel with such
    variables a pointer that is not the host's."""
    ways = set(_ways(address, graph))
    if any(value.type == _SHARED_POINTER for value in ways):
        return True
    return any(_is_from_kernel(value, graph) for value in ways) and any(
        result.type == _SHARED_POINTER
        for block in graph.blocks for op in block.ops for result in op.results
    )  # fmt: skip


def _is_from_kernel(value: SSAValue, graph: ControlFlowGraph) -> bool:
    """Whether a pointer comes from memory that only the kernel writes: its threads' or blocks'."""
    owner = value.owner
    if isinstance(owner, Block) or owner.name != "llvm.load":
        return False
    return any(
        way.type == _SHARED_POINTER
        or (isinstance(way.owner, Operation) and way.owner.name == "llvm.alloca")
        for way in _ways(owner.operands[0], graph)
    )


def _keys(address: SSAValue, graph: ControlFlowGraph) -> set[Hashable]:
    """What an address is computed from, comparable: arguments and other values as they are, a
    variable by its name, a pointer in memory by what its address is computed from, and where
    it lies there."""
    found: set[Hashable] = set()
    for value in _ways(address, graph):
        owner = value.owner
        if isinstance(owner, Block):
            if not incoming(graph, cast("BlockArgument", value)):
                found.add(value)
        elif owner.name == "llvm.mlir.addressof":
            found.add(cast("SymbolRefAttr", prop(owner, "global_name")).string_value())
        elif owner.name == "llvm.load":
            place = _constant_indices(owner.operands[0])
            found.update((key, place) for key in _keys(owner.operands[0], graph))
        elif owner.name not in _FROM and owner.name != "llvm.select":
            found.add(value)
    return found


def _constant_indices(address: SSAValue) -> tuple[int, ...]:
    """Where in its allocation an address lies, as far as that is constant."""
    found: tuple[int, ...] = ()
    while isinstance(op := address.owner, Operation) and op.name in _FROM:
        if op.name == "llvm.getelementptr":
            found += tuple(integers(prop(op, "rawConstantIndices")))
        address = op.operands[0]
    return found


def _ways(address: SSAValue, graph: ControlFlowGraph) -> Iterator[SSAValue]:
    """An address, and all addresses that it may be computed from."""
    pending, seen = [address], set[SSAValue]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        yield value
        owner = value.owner
        if isinstance(owner, Block):
            pending += incoming(graph, cast("BlockArgument", value))
        elif owner.name in _FROM:
            pending.append(owner.operands[0])
        elif owner.name == "llvm.select":
            pending += owner.operands[1:]


#: Atomic operations that, with zero, change nothing.
_KEEPS_WITH_ZERO = ("add", "sub", "or", "xor", "umax")
_SHARED_POINTER = LLVMPointerType(SHARED)
_FROM = ("llvm.getelementptr", "llvm.addrspacecast", "llvm.bitcast")
