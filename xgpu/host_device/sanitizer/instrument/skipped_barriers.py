# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers that some threads skip.

    scf.if %some {                cf.cond_br %some, ^some, ^end
      gpu.barrier               ^some:
    }                             gpu.barrier
    memref.store ..               cf.br ^end
                                ^end:
                                  memref.store ..

A barrier of a whole block goes on without threads that have exited, as on GPUs, and to return early
is no mistake. A thread that takes a way around the barrier and then does what comes behind it
(`memref.store`) has not returned early: it has left the barrier out.

A *way around* a barrier is a branch's edge from where the barrier can still be reached in this
round of its loops to where it cannot. A thread tells of each that it takes (`branched`), of the
barriers that it comes to (`reached`), and of effects behind barriers (`behind`), by a bit for each
barrier. Kernels without such an effect have no calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32

from xgpu.core.ir.dominance import ControlFlowGraph, reached
from xgpu.core.ir.locations import source_location
from xgpu.host_device.compiler import operations

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.host_device.sanitizer.instrument.calls import Instrumentation

_MOST = 62  # barriers that have bits
#: Beginnings of the names of operations that others see.
_EFFECTS = (
    "llvm.store", "llvm.atomicrmw", "llvm.cmpxchg", "llvm.intr.memcpy", "llvm.intr.memmove",
    "llvm.intr.memset", "nvvm.barrier", "nvvm.mbarrier", "nvvm.cp.async",
    "nvvm.cluster", "nvvm.wmma.store", "nvvm.stmatrix",
)  # fmt: skip


class Skipped:
    """What a function's barriers need: operations by the bits that they tell of."""

    def __init__(self, made: Instrumentation, function: Operation) -> None:
        self.made = made
        #: Barriers, each with its bit.
        self.reached: dict[Operation, int] = {}
        #: Effects, with the bits of the barriers that they are behind.
        self.behind: dict[Operation, int] = {}
        #: Branches, with the bits of what either successor leads around.
        self.branched: dict[Operation, tuple[int, int]] = {}
        barriers = [
            op for block in function.regions[0].blocks for op in block.ops if is_whole_barrier(op)
        ]
        if barriers and len(function.regions[0].blocks) > 1:
            self._look(ControlFlowGraph(function.regions[0]), barriers[:_MOST])

    def _look(self, graph: ControlFlowGraph, barriers: list[Operation]) -> None:
        for number, op in enumerate(barriers):
            block = op.parent
            if block is None or block not in graph.number:
                continue
            home = graph.number[block]
            ways = self._ways_around(graph, home)
            effects = self._effects_behind(graph, home, op) if ways else []
            if not effects:
                continue
            bit = 1 << number
            self.reached[op] = bit
            for effect in effects:
                self.behind[effect] = self.behind.get(effect, 0) | bit
            for branch, successor in ways:
                bits = list(self.branched.get(branch, (0, 0)))
                bits[successor] |= bit
                self.branched[branch] = (bits[0], bits[1])

    def _ways_around(self, graph: ControlFlowGraph, home: int) -> list[tuple[Operation, int]]:
        """Edges of conditional branches that lead around the barrier in block `home`."""
        leads = {home}
        # Blocks come in reverse postorder: an edge to a smaller number is one of a loop.
        for at in range(home - 1, -1, -1):
            if any(at < target and target in leads for target in graph.successors[at]):
                leads.add(at)
        found: list[tuple[Operation, int]] = []
        for at in leads - {home}:
            last = graph.blocks[at].last_op
            targets = graph.successors[at]
            if last is None or last.name != "llvm.cond_br" or len(targets) != 2:
                continue
            stays = [target > at and target in leads for target in targets]
            if any(stays):
                found += [(last, k) for k in (0, 1) if not stays[k]]
        return found

    def _effects_behind(
        self, graph: ControlFlowGraph, home: int, barrier: Operation
    ) -> list[Operation]:
        """The effects that a thread may come to behind the barrier."""
        seen = reached(graph.successors[home], graph.successors.__getitem__)
        found = [op for at in sorted(seen) for op in graph.blocks[at].ops if self._is_effect(op)]
        if home not in seen:
            op = barrier.next_op
            while op is not None:
                if self._is_effect(op):
                    found.append(op)
                op = op.next_op
        return [op for op in found if op is not barrier]

    def _is_effect(self, op: Operation) -> bool:
        if op.name == "llvm.call":
            return operations.callee(op) in ("vprintf", "__assertfail")
        if not op.name.startswith(_EFFECTS):
            return False
        if op.name != "llvm.store":
            return True
        root = self.made.root(op.operands[1])
        return root is None or root.alloca is None

    def tell(self, op: Operation) -> None:
        """Put the calls of an operation before it."""
        made = self.made
        if op in self.branched:
            bits = self.branched[op]
            taken = made.widened(op.operands[0], i32)
            made.call("branched", [taken, made.integer(bits[0]), made.integer(bits[1])])
        if op in self.behind:
            made.call("behind", [made.integer(self.behind[op]), made.info(op)])
        if op in self.reached:
            made.call("reached", [made.integer(self.reached[op])])


def is_whole_barrier(op: Operation) -> bool:
    """Whether all threads of the block are to come to an operation."""
    if op.name == "nvvm.barrier0":
        return True
    return op.name == "nvvm.barrier" and getattr(op, "number_of_threads", None) is None


def collective_locations(function: Operation) -> set[object]:
    """Places of operations that are exchanges between lanes and barriers at once: reductions of a
    whole block, which all of its threads have to execute."""
    found: set[object] = set()
    for block in function.regions[0].blocks:
        for op in block.ops:
            if op.name in ("nvvm.shfl.sync", "nvvm.redux.sync"):
                found.add(source_location(op.location))
    return found - {None}
