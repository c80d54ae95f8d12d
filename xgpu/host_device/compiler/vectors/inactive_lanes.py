# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether some lanes of a warp may wait while the others have not gone on.

    if (elected) { wait(full); arrive(empty) }       // the others have nothing to do here,
    bar.warp.sync                                    // and wait for them there

On a GPU the lanes that do not wait go on. In a warp that is a vector they do so only later, which
makes no difference where nothing that they do before they meet again can be seen by anybody:
`others_are_quiet` follows their ways from where the lanes parted to an operation for which the
whole warp must come, or to the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import THIS_BLOCK, THIS_THREAD, WAITS
from xgpu.host_device.compiler.constants import integer_constant
from xgpu.host_device.compiler.vectors.scratch import SCRATCH
from xgpu.host_device.compiler.vectors.shapes import VARYING
from xgpu.host_device.compiler.vectors.warp_calls import (
    BARRIER,
    ONCE,
    TURNS,
    WARPGROUP,
    is_device_call,
)

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.core.ir.dominance import Edge
    from xgpu.host_device.compiler.vectors.graph import Level
    from xgpu.host_device.compiler.vectors.uniformity import Uniformity

#: Calls that nobody else sees.
_SILENT = frozenset((THIS_THREAD, THIS_BLOCK, "xgpu_mbarrier_test", "xgpu_mbarrier_pending"))
#: What waits for all lanes of the warp: collectives, and barriers of whole warps.
_TOGETHER = ("xgpu_warp", "xgpu_tensor_", "xgpu_cluster_wait", BARRIER, WARPGROUP)
_QUIET = (
    operations.ELEMENTWISE | operations.CONSTANTS | operations.HINTS | operations.FENCES
    | operations.TERMINATORS
    | {"llvm.getelementptr", "llvm.addrspacecast", "llvm.load", "llvm.alloca", "llvm.extractvalue"}
)  # fmt: skip

_GOES_ON, _MEETS, _SEEN = range(3)


def others_are_quiet(u: Uniformity, op: Operation, block: int) -> bool:
    """Whether a wait in `block`, for what is the same for all lanes that come, may hold up the
    lanes that do not come."""
    if operations.callee(op) not in ONCE:
        return False
    if not all(u.at(value, block).is_uniform for value in op.operands[1:]):
        return False
    for level in u.levels:
        for node in level.order:
            ways = _other_ways(u, level, node, block)
            if ways is None or not all(_is_quiet(u, edge) for edge in ways):
                return False
    return True


def _other_ways(u: Uniformity, level: Level, node: int, block: int) -> list[Edge] | None:
    """Where lanes go that part at a node from those that come to `block`; None if that is not to
    be told apart."""
    out = level.out[node]
    inner = level.inner.get(node)
    if inner is not None:
        leaves = u.loop_level[inner.header] == VARYING and block in inner.blocks
        return out if leaves else []
    if len(out) < 2 or u.branch_level[node] != VARYING:
        return []
    own: list[Edge] = []
    others: list[Edge] = []
    for edge in out:
        way = level.blocks_of(level.between([level.to(edge)], level.after[node]))
        (own if block in way else others).append(edge)
    if not own:
        return []
    return others or None


def _is_quiet(u: Uniformity, edge: Edge) -> bool:
    """Whether lanes that leave a block by that edge do nothing that is seen before they meet the
    rest of their warp. A branch that decides by the same value sends them the same way again."""
    graph = u.graph
    decides = _condition(u, edge[0])
    home = None if decides is None else u.home(decides)
    seen: set[tuple[int, bool]] = set()
    stack = [(graph.target(edge), True)]
    while stack:
        block, is_same = stack.pop()
        is_same = is_same and block != home
        if (block, is_same) in seen:
            continue
        seen.add((block, is_same))
        state = _followed(graph.blocks[block].ops)
        if state == _SEEN:
            return False
        if state == _MEETS:
            continue
        targets = graph.successors[block]
        if is_same and decides is not None and _condition(u, block) is decides:
            targets = [targets[edge[1]]]
        stack += [(target, is_same) for target in targets]
    return True


def _condition(u: Uniformity, block: int) -> SSAValue | None:
    last = u.graph.blocks[block].last_op
    return last.operands[0] if last is not None and last.name == "llvm.cond_br" else None


def _followed(ops: Iterable[Operation]) -> int:
    for op in ops:
        state = _effect(op)
        if state != _GOES_ON:
            return state
    return _GOES_ON


def _effect(op: Operation) -> int:
    """What one operation of lanes that go on means to the others of their warp."""
    name = op.name
    if name in operations.WARP:
        return _MEETS if _whole_warp(op) else _SEEN
    if name in _QUIET or operations.register(op) is not None:
        return _GOES_ON
    if name == "llvm.store":
        return _GOES_ON if _is_private(op.operands[1]) else _SEEN
    if not is_device_call(op):
        return _SEEN
    callee = operations.callee(op) or ""
    if callee in _SILENT or callee in TURNS or callee in ONCE:
        return _GOES_ON
    if WAITS not in op.attributes or not callee.startswith(_TOGETHER):
        return _SEEN
    # xgpu_warp(thread, what, mask, ...)
    return _SEEN if callee == "xgpu_warp" and not _is_full(op.operands[2]) else _MEETS


def _whole_warp(op: Operation) -> bool:
    """Whether a warp operation is for all lanes."""
    if not op.operands and op.name == "nvvm.elect.sync":
        return True
    at = 0 if op.name != "nvvm.redux.sync" else 1
    return at < len(op.operands) and _is_full(op.operands[at])


def _is_full(mask: SSAValue) -> bool:
    return integer_constant(mask) in (-1, 0xFFFFFFFF)


def _is_private(place: SSAValue) -> bool:
    """Whether an address is of memory that holds what an operation needs for itself."""
    owner = place.owner
    while isinstance(owner, Operation) and owner.name == "llvm.getelementptr":
        owner = owner.operands[0].owner
    return isinstance(owner, Operation) and (
        owner.name == "llvm.alloca" and SCRATCH in owner.attributes
    )
