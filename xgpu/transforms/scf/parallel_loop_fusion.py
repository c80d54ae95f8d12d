# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scf-parallel-loop-fusion`: neighboring scf.parallel with the same bounds become one.

    scf.parallel (%i) = (%c0) to (%n) step (%c1) { store %x, %a[%i] }
    scf.parallel (%j) = (%c0) to (%n) step (%c1) { load %a[%j] .. }
    =>
    scf.parallel (%i) = (%c0) to (%n) step (%c1) { store %x, %a[%i]; load %a[%i] .. }

Nothing with effects may be between them, and no iteration of one may use what another iteration of
the other writes: what both use has the same indices in both, where at least one writes. Source:
MLIR 22.1 ParallelLoopFusion.cpp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xgpu.core.ir.calls import is_function
from xgpu.core.ir.construction import operations_of, replace_all_uses
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.bufferization.canonicalize import view_base

if TYPE_CHECKING:
    from xdsl.context import Context

_NAME = "scf.parallel"
_INDEX = IndexType()
#: Results of these are memory of their own.
_ALLOCATIONS = frozenset(("gpu.alloc", "memref.alloc", "memref.alloca"))

#: What a loop does to memory: the buffer, its indices, whether it writes.
_Access = tuple[SSAValue, Sequence[SSAValue], bool]


class SCFParallelLoopFusion(Pass):
    """Fuses neighboring parallel loops."""

    name = "scf-parallel-loop-fusion"
    summary = "Fuse adjacent parallel loops"

    def run(self, op: Operation, ctx: Context) -> None:
        for inner in list(op.walk(region_first=True)):
            for region in inner.regions:
                for block in region.blocks:
                    _fuse_in(block)


def _fuse_in(block: Block) -> None:
    """Fuses the loops of a block that nothing with effects is between."""
    before: Operation | None = None
    for op in operations_of(block):
        if op.name == _NAME:
            fused = None if before is None else _fused(before, op)
            before = op if fused is None else fused
        elif op.regions or not is_memory_effect_free(op):
            before = None


def _fused(first: Operation, second: Operation) -> Operation | None:
    """One loop in the place of the second of two, if they may be one."""
    if _has_inner_loop(first) or _has_inner_loop(second) or not _have_same_bounds(first, second):
        return None
    if not all(_is_behind(use.operation, second) for r in first.results for use in r.uses):
        return None
    ours, theirs = _accesses(first), _accesses(second)
    if ours is None or theirs is None or not _agree(first, second, ours, theirs):
        return None
    return _merged(first, second)


def _has_inner_loop(loop: Operation) -> bool:
    return any(op.name == _NAME for op in loop.walk() if op is not loop)


def _bounds(loop: Operation) -> tuple[list[SSAValue], list[SSAValue], list[SSAValue]]:
    groups = [list(_group(loop, at)) for at in range(3)]
    return groups[0], groups[1], groups[2]


def _group(loop: Operation, index: int) -> Sequence[SSAValue]:
    group: Sequence[SSAValue] = getattr(loop, "operand_group")(index)  # noqa: B009 - of its class
    return group


def _have_same_bounds(first: Operation, second: Operation) -> bool:
    return _bounds(first) == _bounds(second)


def _is_behind(user: Operation, loop: Operation) -> bool:
    """Whether an operation of the loop's block, or one inside of it, comes behind the loop."""
    while user.parent is not loop.parent:
        above = user.parent_op()
        if above is None:
            return False
        user = above
    return user is not loop and loop.is_before_in_block(user)


def _accesses(loop: Operation) -> list[_Access] | None:
    """The loads and stores of a loop; None where it does anything else to memory."""
    found: list[_Access] = []
    for op in loop.regions[0].blocks[0].walk():
        if op.name == "memref.load":
            found.append((op.operands[0], op.operands[1:], False))
        elif op.name == "memref.store":
            found.append((op.operands[1], op.operands[2:], True))
        elif not op.regions and op.name != "scf.reduce" and not is_memory_effect_free(op):
            return None
    return found


def _agree(
    first: Operation, second: Operation, ours: Sequence[_Access], theirs: Sequence[_Access]
) -> bool:
    """Whether each iteration uses alone what it shares with the other loop."""
    arguments = (loop.regions[0].blocks[0].args for loop in (first, second))
    same = dict[SSAValue, SSAValue](zip(*arguments, strict=True))
    for loop, accesses in ((first, ours), (second, theirs)):
        # As MLIR: what is read is a buffer from outside.
        if any(not writes and _is_inside(buffer, loop) for buffer, _, writes in accesses):
            return False
    for buffer, indices, writes in ours:
        for other, at, also_writes in theirs:
            if not (writes or also_writes) or not _may_alias(buffer, other):
                continue
            if buffer is not other:
                return False
            if not all(_is_same(i, j, same) for i, j in zip(indices, at, strict=True)):
                return False
    return True


def _is_inside(value: SSAValue, loop: Operation) -> bool:
    owner = value.owner
    holder = owner if isinstance(owner, Operation) else owner.parent_op()
    return holder is not None and loop.is_ancestor(holder)


def _is_same(index: SSAValue, other: SSAValue, same: Mapping[SSAValue, SSAValue]) -> bool:
    """Whether two loops compute the same index, of operations without effects."""
    if same.get(index, index) is other:
        return True
    one, two = index.owner, other.owner
    if not isinstance(one, Operation) or not isinstance(two, Operation):
        return False
    if one.name != two.name or one.regions or not is_memory_effect_free(one):
        return False
    if one.properties != two.properties or len(one.operands) != len(two.operands):
        return False
    if list(one.results).index(index) != list(two.results).index(other):  # pyright: ignore
        return False
    return all(_is_same(i, j, same) for i, j in zip(one.operands, two.operands, strict=True))


def _may_alias(one: SSAValue, two: SSAValue) -> bool:
    """Whether two buffers may share memory: allocations do with nothing but their own views."""
    one, two = view_base(one), view_base(two)
    if one is two:
        return True
    return not (_is_allocated(one) and (_is_allocated(two) or _is_given(two))) and not (
        _is_given(one) and _is_allocated(two)
    )


def _is_allocated(value: SSAValue) -> bool:
    return isinstance(value.owner, Operation) and value.owner.name in _ALLOCATIONS


def _is_given(value: SSAValue) -> bool:
    """Whether a value is an argument of a function."""
    if not isinstance(value, BlockArgument):
        return False
    holder = value.owner.parent_op()
    return holder is not None and is_function(holder)


def _merged(first: Operation, second: Operation) -> Operation:
    """One loop with both bodies and all reductions, in the place of the second."""
    rw = Rewriter(second)
    lower, upper, step = _bounds(first)
    block = Block(arg_types=[_INDEX] * len(lower))
    initial = [*_group(first, 3), *_group(second, 3)]
    types = [result.type for loop in (first, second) for result in loop.results]
    made = rw.create(_NAME, [lower, upper, step, initial], types, regions=(Region(block),))
    rw.at_end(block)
    reduced: list[SSAValue] = []
    regions: list[Region] = []
    for loop in (first, second):
        body = loop.regions[0].blocks[0]
        for old, new in zip(body.args, block.args, strict=True):
            replace_all_uses(old, new)
        *inner, end = operations_of(body)
        for op in inner:
            op.detach()
            rw.insert(op)
        reduced += end.operands
        regions += [end.detach_region(region) for region in list(end.regions)]
    rw.create("scf.reduce", reduced, regions=tuple(regions))
    old_results = [result for loop in (first, second) for result in loop.results]
    for old, new in zip(old_results, made.results, strict=True):
        new.name_hint = old.name_hint
        replace_all_uses(old, new)
    for loop in (first, second):
        Rewriter(loop).erase(loop)
    return made
