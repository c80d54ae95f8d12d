# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a barrier of the block keeps apart: accesses before it and behind it, with their stages.

A barrier is needed if an access since the barrier before conflicts with one up to the next barrier.
Three things make that exact where copies run ahead:

* Accesses are identified by the roots of their memory (`roots`), so that different attributions,
  and different arguments, are different memory.
* In a loop that counts by one, an access of stage `(i + c) mod S` of a buffer is known by S and c.
  Two accesses, some iterations apart, are of the same stage only if their c say so.
* Asynchronous copies and products are accesses from when they are asked for until they are waited
  for. So a wait is an access for what comes behind it; for what comes before it is none, because
  the access may have taken place as soon as it was asked for. Which stage it was is not known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerType, MemRefType
from xdsl.ir import BlockArgument, Operation, SSAValue

from xgpu.analysis.loop_schedule import is_private, phases
from xgpu.analysis.memory import ASYNCHRONOUS_READS, Access, Root, accesses, is_view, root_of
from xgpu.core.ir.constants import int_of
from xgpu.core.ir.op_info import traits_of

BARRIER = "gpu.barrier"
_PARALLEL = frozenset({"gpu.func", "gpu.launch"})
_RUN_ONCE = frozenset({"scf.if", "memref.alloca_scope"})
_ASYNCHRONOUS = frozenset({"cp.async", "bulk", *ASYNCHRONOUS_READS})
#: What each wait may end.
_WAITS = {
    "nvgpu.device_async_wait": frozenset({"cp.async"}),
    "nvvm.cp.async.wait.group": frozenset({"cp.async"}),
    "nvvm.cp.async.bulk.wait_group": frozenset({"bulk store"}),
    "nvvm.wgmma.wait.group.sync.aligned": frozenset({"product"}),
    "nvgpu.warpgroup.mma": frozenset({"product"}),
    "nvgpu.mbarrier.test.wait": frozenset({"bulk", "tensor product"}),
    "nvgpu.mbarrier.try_wait.parity": frozenset({"bulk", "tensor product"}),
}
#: Where an operation's first index is, by the operation and what it does.
_FIRST_INDEX = {
    ("memref.load", "read"): 1,
    ("memref.store", "write"): 2,
    ("nvgpu.ldmatrix", "read"): 1,
    ("vector.load", "read"): 1,
    ("vector.store", "write"): 2,
    ("vector.transfer_read", "read"): 1,
    ("vector.transfer_write", "write"): 2,
}


class Stage(NamedTuple):
    """Stage `(counter + offset) mod stages` of a buffer."""

    counter: BlockArgument
    offset: int
    stages: int


class Placed(NamedTuple):
    """An access, and how many iterations of the barrier's loop after the barrier's own; None where
    that is not known."""

    access: Access
    later: int | None

    def conflicts(self, other: Placed) -> bool:
        if not self.access.conflicts(other.access):
            return False
        if self.later is None or other.later is None:
            return True
        first, second = _stage_of(self.access), _stage_of(other.access)
        if first is None or second is None or first.counter is not second.counter:
            return True
        if first.stages != second.stages:
            return True
        return (first.offset + self.later - second.offset - other.later) % first.stages == 0


class AroundBarriers:
    """The accesses beside barriers of `function`, as it is: anew after a change."""

    def __init__(self, function: Operation) -> None:
        self.function = function
        self.pending: dict[tuple[Root, str, str], Access] = {}
        for op in function.walk():
            for access in () if op.regions else accesses(op):
                if access.means in _ASYNCHRONOUS:
                    self.pending.setdefault((access.root, access.kind, access.means), access)

    def is_needed(self, barrier: Operation) -> bool:
        """Whether the barrier keeps apart what conflicts."""
        before, behind = ([*self._beside(barrier, step)] for step in (-1, 1))
        return any(first.conflicts(second) for first in before for second in behind)

    # --- collecting ----------------------------------------------------------------------------
    def _beside(self, barrier: Operation, step: int) -> Iterator[Placed]:
        """From the barrier on, up to the next one in each direction that the program can take."""
        op, later = barrier, 0
        while True:
            block, parent = op.parent, op.parent_op()
            if block is None or parent is None or len(parent.regions) == 0:
                return
            if len(block.parent_region().blocks) > 1:  # pyright: ignore
                yield Placed(Access(op, "write", None, "thread"), None)
                return
            if (yield from self._in_block(_next(op, step), step, later if op is barrier else None)):
                return
            if parent.name in _PARALLEL or "FunctionOpInterface" in traits_of(parent.name):
                if parent.name not in _PARALLEL:
                    yield Placed(Access(op, "write", None, "thread"), None)
                return
            if parent.name == "scf.for":
                start = block.first_op if step > 0 else block.last_op
                yield from self._in_block(start, step, step if op is barrier else None)
            elif parent.name not in _RUN_ONCE:
                yield from self._all(parent, step)
            op = parent

    def _in_block(self, op: Operation | None, step: int, later: int | None) -> Iterator[Placed]:
        """Of `op` and what is further that way; whether a barrier ended it."""
        while op is not None:
            if op.name == BARRIER:
                return True
            for access in self._accesses(op, step):
                yield Placed(access, later)
            op = _next(op, step)
        return False

    def _all(self, top: Operation, step: int) -> Iterator[Placed]:
        for access in self._accesses(top, step):
            yield Placed(access, None)

    def _accesses(self, top: Operation, step: int) -> Iterable[Access]:
        for access in accesses(top):
            if not is_private(access):
                yield access
        yield from phases(top)
        if step > 0:
            return
        for op in top.walk():
            ended = _WAITS.get(op.name, frozenset())
            for (root, kind, means), asked in self.pending.items():
                if means in ended:
                    yield Access(op, kind, root, means) if asked.op is not op else asked


def _next(op: Operation, step: int) -> Operation | None:
    return op.next_op if step > 0 else op.prev_op


# --- stages ------------------------------------------------------------------------------------
def _stage_of(access: Access) -> Stage | None:
    """The stage of its buffer that an access is of."""
    op = access.op
    if op.name in _WAITS:
        return None
    found = [v for v in op.operands if isinstance(v.type, MemRefType) and root_of(v) is access.root]
    if len(found) != 1:
        return None
    value = found[0]
    at = _first_index(op, access.kind, value)
    if at is not None and (stage := _turn(at)) is not None and value is access.root:
        return stage
    while isinstance(owner := value.owner, Operation) and is_view(owner):
        if owner.name == "memref.subview" and owner.operands[0] is access.root:
            return _of_view(owner)
        value = owner.operands[0]
    return None


def _first_index(op: Operation, kind: str, value: SSAValue) -> SSAValue | None:
    if op.name == "nvgpu.device_async_copy":
        return op.operands[list(op.operands).index(value) + 1]
    at = _FIRST_INDEX.get((op.name, kind))
    return None if at is None or len(op.operands) <= at else op.operands[at]


def _of_view(view: Operation) -> Stage | None:
    """The stage that a subview of one stage, by the first of its offsets, is."""
    arrays = [view.properties[name] for name in ("static_offsets", "static_sizes")]
    offsets, sizes = (
        list(cast("DenseArrayBase[IntegerType]", array).get_values()) for array in arrays
    )
    if not offsets or offsets[0] >= 0 or sizes[0] != 1:
        return None
    return _turn(view.operands[1])


def _turn(at: SSAValue) -> Stage | None:
    """`at` as `(counter + offset) mod stages`, of a loop that counts by one."""
    owner = at.owner
    if not isinstance(owner, Operation) or owner.name not in ("arith.remui", "arith.remsi"):
        return None
    stages = int_of(owner.operands[1])
    value, offset = owner.operands[0], 0
    inner = value.owner
    if isinstance(inner, Operation) and inner.name == "arith.addi":
        added = int_of(inner.operands[1])
        if added is None:
            return None
        value, offset = inner.operands[0], added
    if not stages or not isinstance(value, BlockArgument) or value.index != 0:
        return None
    loop = value.block.parent_op()
    if loop is None or loop.name != "scf.for" or int_of(loop.operands[2]) != 1:
        return None
    return Stage(value, offset, stages)
