# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What stands between two operations of a kernel's text: the barriers and waits, and whether one
of two accesses is of a later iteration.

    scf.for ... {
      memref.store %v, %s[%t]      // iteration i + 1
      gpu.barrier
      %w = memref.load %s[%k]      // iteration i
    }

The barrier orders the store before the load of the same iteration. Where the two race in spite of
it, the store is of the next iteration: what is missing is a barrier behind the load.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.backend.llvm_ir.facts import text_of
from xgpu.core.ir.dominance import Dominators, reached, successors_of
from xgpu.core.ir.op_info import traits_of
from xgpu.frontend.ptx.grammar import Number, instructions

if TYPE_CHECKING:
    from xdsl.ir import Block

    from xgpu.frontend.ptx.grammar import Instruction

_LOOP = "LoopLikeOpInterface"
_KERNELS = ("gpu.func", "gpu.launch", "llvm.func", "func.func")
#: Operations at which all threads of a block wait, and their instructions in PTX.
_BLOCK_BARRIERS = ("gpu.barrier", "nvvm.barrier0", "nvvm.barrier")
_BARRIER_OPCODES = ("bar.sync", "barrier.sync", "barrier.cta.sync")


def is_block_barrier(op: Operation) -> bool:
    """Whether all threads of the block wait here for one another."""
    if op.name == "llvm.inline_asm":
        return any(map(_is_block_barrier, instructions_of(op)[:1]))
    return op.name in _BLOCK_BARRIERS and not op.operands


def _is_block_barrier(instruction: Instruction) -> bool:
    if instruction.guard is not None or instruction.opcode not in _BARRIER_OPCODES:
        return False
    numbers = [o.value if isinstance(o, Number) else None for o in instruction.operands]
    return numbers == [0]


def instructions_of(op: Operation) -> list[Instruction]:
    """The instructions of inline PTX; none of other operations."""
    if op.name != "llvm.inline_asm":
        return []
    return instructions(text_of(op.properties["asm_string"]))


class Between:
    """Two operations of one kernel; `earlier` comes first in its text. `loop` is the innermost
    operation or block that repeats both, None where there is none."""

    def __init__(self, first: Operation, second: Operation) -> None:
        self.earlier, self.later = first, second
        self.loop: Operation | Block | None = None
        self._always: list[Operation] = []
        self._maybe: list[Operation] = []
        found = _common(first, second)
        if found is None:
            self.is_known = False
            return
        self.is_known = True
        region_first, region_second = found
        if _position(region_second) < _position(region_first):
            self.earlier, self.later = second, first
            region_first, region_second = region_second, region_first
        self.loop = _loop_around(region_first)
        if region_first is region_second and first is not second:
            return  # each is in a branch of its own
        for op, always in _path(self.earlier, self.later, region_first, region_second):
            (self._always if always else self._maybe).append(op)

    def always(self, wanted: Callable[[Operation], bool]) -> Operation | None:
        """The last such operation on every way from the one to the other in one iteration."""
        return next((op for op in reversed(self._always) if wanted(op)), None)

    def anywhere(self, wanted: Callable[[Operation], bool]) -> Operation | None:
        """The last such operation that stands between the two in the text."""
        found = self.always(wanted)
        if found is not None:
            return found
        for op in reversed([*self._maybe, *self._always]):
            inside = [inner for inner in op.walk() if wanted(inner)]
            if inside:
                return inside[-1]
        return None


def _ancestors(op: Operation) -> Iterator[Operation]:
    """An operation and those around it, up to the kernel's body."""
    current: Operation | None = op
    while current is not None and current.name not in _KERNELS:
        yield current
        current = current.parent_op()


def _common(first: Operation, second: Operation) -> tuple[Operation, Operation] | None:
    """The operations of one region that hold two; None where they are of several kernels."""
    regions = {op.parent_region(): op for op in _ancestors(second)}
    for op in _ancestors(first):
        other = regions.get(op.parent_region())
        if other is not None:
            return op, other
    return None


def _position(op: Operation) -> tuple[int, int]:
    """Where an operation stands in its region."""
    block = op.parent
    assert block is not None
    region = block.parent
    assert region is not None
    return list(region.blocks).index(block), block.get_operation_index(op)


def _loop_around(op: Operation) -> Operation | Block | None:
    """What repeats an operation: a loop around it, or its block, if a way leads back there."""
    for current in _ancestors(op):
        block = current.parent
        if block is not None and block in reached(successors_of(block), successors_of):
            return block
        parent = current.parent_op()
        if parent is not None and parent.name not in _KERNELS and _LOOP in traits_of(parent.name):
            return parent
    return None


def _path(
    earlier: Operation, later: Operation, first: Operation, second: Operation
) -> Iterator[tuple[Operation, bool]]:
    """What stands between two operations in the text, and whether every way from one to the other
    leads there. `first` and `second` hold them in one region."""
    for op in _ancestors(earlier):
        if op is first:
            break
        yield from ((other, True) for other in _behind(op))
    if first.parent is second.parent:
        yield from ((op, True) for op in takewhile(lambda op: op is not second, _behind(first)))
    else:
        yield from _through_blocks(first, second)
    within: list[Operation] = []
    for op in _ancestors(later):
        if op is second:
            break
        within[:0] = _in_front(op)
    yield from ((op, True) for op in within)


def _through_blocks(first: Operation, second: Operation) -> Iterator[tuple[Operation, bool]]:
    """The same for two operations in different blocks of a region."""
    yield from ((op, True) for op in _behind(first))
    begin, end = first.parent, second.parent
    assert begin is not None
    assert end is not None
    assert begin.parent is not None
    tree = Dominators(begin.parent)
    blocks = list(begin.parent.blocks)
    for block in blocks[blocks.index(begin) + 1 : blocks.index(end)]:
        always = tree.dominates(begin, block) and tree.dominates(block, end)
        yield from ((op, always) for op in block.ops)
    yield from ((op, True) for op in _in_front(second))


def _behind(op: Operation) -> Iterator[Operation]:
    following = op.next_op
    while following is not None:
        yield following
        following = following.next_op


def _in_front(op: Operation) -> list[Operation]:
    """What stands before an operation in its block, in order."""
    found: list[Operation] = []
    before = op.prev_op
    while before is not None:
        found.append(before)
        before = before.prev_op
    return found[::-1]
