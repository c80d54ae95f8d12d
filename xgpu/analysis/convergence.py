# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where all threads of a block come together: for collectives that the whole block has to execute.

A block of code is reached by all threads or by none if no branch decides about it whose condition
may differ between threads. Which branches decide is control dependence; which values may differ
follows from the operations that tell threads apart, from loads at addresses that differ, and from
joins of ways that not all threads go. Both are found together, as each depends on the other.

Memory is no source of difference by itself: where threads load from one address and get different
values without a barrier in between, another thread wrote in the meantime, and that is a race.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import FunctionType
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.analysis.memory import THREAD_IDS
from xgpu.core.ir.dominance import immediate_post_dominators, reverse_post_order, successors_of
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.region_flow import successor_operands, successor_ranges
from xgpu.dialects.gpu.syntax import workgroup_count

#: Operations of the block as a whole: each thread gets the result that the others get.
_OF_THE_BLOCK = frozenset({"gpu.all_reduce"})
#: Loads are alike where their operands are.
_LOADS = frozenset({"llvm.load", "memref.load", "vector.load"})
#: Dialects of instructions, many of which tell threads apart.
_DIFFERENT_DIALECTS = ("amdgpu.", "gpu.", "nvgpu.", "nvvm.", "rocdl.", "xevm.")


class Convergence:
    """What the threads of a block do together in the body of a gpu.func.

    `reached_together` is about operations directly in the blocks of that body.
    """

    def __init__(self, function: Operation) -> None:
        region: Region = function.regions[0]
        self._blocks = reverse_post_order(region)
        self._deciding = _control_dependences(self._blocks)
        self._differing: set[SSAValue] = set()
        self._apart: set[Block] = set()
        if not _is_kernel(function):
            # Who calls it may do so under any condition.
            self._apart.update(self._blocks)
        elif self._blocks:
            self._differing.update(_private_memory(function, self._blocks[0]))
        while self._spread():
            pass

    def reached_together(self, op: Operation) -> bool:
        """Whether all threads of a block execute `op`, or none does."""
        return op.parent in self._deciding and op.parent not in self._apart

    # --- both sets grow until nothing is new ---------------------------------------------------
    def _spread(self) -> bool:
        before = len(self._differing), len(self._apart)
        for block in self._blocks:
            if any(self._decides_apart(other) for other in self._deciding[block]):
                self._apart.add(block)
        for block in self._blocks:
            self._spread_in(block)
        return before != (len(self._differing), len(self._apart))

    def _decides_apart(self, block: Block) -> bool:
        return block in self._apart or self._branches_apart(block)

    def _branches_apart(self, block: Block) -> bool:
        """Whether threads may leave `block` on different ways."""
        last = block.last_op
        if last is None or len(last.successors) < 2:
            return False
        ranges = successor_ranges(last)
        if ranges is None:
            return True
        passed = {i for start, end in ranges for i in range(start, end)}
        return any(v in self._differing for i, v in enumerate(last.operands) if i not in passed)

    def _spread_in(self, block: Block) -> None:
        for op in block.ops:
            if block in self._apart or not self._gives_alike(op):
                self._differing.update(op.results)
        last = block.last_op
        if last is None:
            return
        splits = block in self._apart or self._branches_apart(block)
        for number, successor in enumerate(last.successors):
            values = successor_operands(last, number)
            for index, argument in enumerate(successor.args):
                if splits or values is None or values[index] in self._differing:
                    self._differing.add(argument)

    def _gives_alike(self, op: Operation) -> bool:
        if op.name in _OF_THE_BLOCK or _is_size_or_number_of_block(op):
            return True
        if op.regions or op.name.startswith(_DIFFERENT_DIALECTS):
            return False
        if op.name not in _LOADS and not is_memory_effect_free(op):
            return False
        return not any(operand in self._differing for operand in op.operands)


def _is_size_or_number_of_block(op: Operation) -> bool:
    """Whether `op` reads what a block has: it has no operands, and does not tell threads apart."""
    return (
        op.name.startswith("gpu.")
        and not op.operands
        and op.name not in THREAD_IDS
        and is_memory_effect_free(op)
    )


def _is_kernel(function: Operation) -> bool:
    return "gpu.kernel" in function.attributes


def _private_memory(function: Operation, entry: Block) -> list[SSAValue]:
    """The arguments of a kernel's body that each thread has one of its own of."""
    kind = cast("FunctionType", function.properties["function_type"])
    inputs = len(kind.inputs.data)
    return list(entry.args[inputs + workgroup_count(function) :])


# --- control dependence --------------------------------------------------------------------------
def _control_dependences(blocks: list[Block]) -> dict[Block, set[Block]]:
    """For each block those whose branch decides whether it is reached (again)."""
    number = {block: i for i, block in enumerate(blocks)}
    successors = [list(dict.fromkeys(number[s] for s in successors_of(b))) for b in blocks]
    parent = immediate_post_dominators(successors)
    deciding: dict[Block, set[Block]] = {block: set() for block in blocks}
    for at, targets in enumerate(successors):
        for target in targets:
            while target not in (parent[at], len(blocks)):
                deciding[blocks[target]].add(blocks[at])
                target = parent[target]
    return deciding
