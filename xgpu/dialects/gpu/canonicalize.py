# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the gpu dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block, Operation, SSAValue

from xgpu.core.ir.constants import int_of
from xgpu.core.ir.effects import effects
from xgpu.dialects import gpu
from xgpu.dialects.arith.builders import index_constant

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern


def _fresh_token(value: SSAValue) -> bool:
    """Whether `value` comes from `gpu.wait async` without dependencies: nothing to wait for."""
    op = value.owner
    return isinstance(op, Operation) and op.name == "gpu.wait" and not op.operands


def drop_fresh_tokens(op: Operation, rw: GreedyRewriter) -> bool:
    """gpu.wait [%a, %b] with %a = gpu.wait async -> gpu.wait [%b]"""
    kept = [v for v in op.operands if not _fresh_token(v)]
    if len(kept) == len(op.operands):
        return False
    rw.set_operands(op, kept)
    return True


def simplify_wait(op: Operation, rw: GreedyRewriter) -> bool:
    """gpu.wait -> nothing;  %t = gpu.wait async [%a] -> %a;  an unused gpu.wait async -> nothing"""
    if not op.results:
        if op.operands:
            return False
        rw.erase(op)
        return True
    if op.results[0].first_use is None:
        rw.erase(op)
        return True
    if len(op.operands) == 1:
        rw.replace(op, [op.operands[0]])
        return True
    return False


def erase_redundant_barrier(op: Operation, rw: GreedyRewriter) -> bool:
    """gpu.barrier; gpu.barrier -> gpu.barrier"""
    after = op.next_op
    if after is None or after.name != op.name or after.properties != op.properties:
        return False
    rw.erase(op)
    return True


def _has_single_effect(op: Operation, kind: str, value: SSAValue) -> bool:
    found = effects(op)
    if found is None:
        return False
    own = [e for e in found if e.value is value]
    return len(own) == 1 and own[0].kind == kind


def erase_copy_to_unread(op: gpu.MemcpyOp, rw: GreedyRewriter) -> bool:
    """A gpu.memcpy into a fresh allocation that is only freed -> its dependency"""
    dst = op.dst
    allocation = dst.owner
    if isinstance(allocation, Block) or not _has_single_effect(allocation, "allocate", dst):
        return False
    for use in dst.uses:
        user = use.operation
        if user is not op and not _has_single_effect(user, "free", dst):
            return False
    dependencies = list(op.async_dependencies)
    if len(dependencies) > 1 or len(dependencies) != len(op.results):
        return False
    rw.replace(op, dependencies)
    return True


#: Identifiers and sizes of `gpu.launch`: index of the body's argument, name of the size.
_SIZES = (
    (0, "grid_size_x"),
    (1, "grid_size_y"),
    (2, "grid_size_z"),
    (3, "block_size_x"),
    (4, "block_size_y"),
    (5, "block_size_z"),
)


def fold_launch_ids(op: Operation, rw: GreedyRewriter) -> bool:
    """In a gpu.launch with a size of 1 the identifier of that dimension is 0"""
    body: Block = op.regions[0].blocks[0]
    zero: SSAValue | None = None
    for argument, size in _SIZES:
        identifier = body.args[argument]
        if identifier.first_use is None or int_of(getattr(op, size)) != 1:
            continue
        if zero is None:
            rw.at_start(body)
            zero = index_constant(rw, 0)
        rw.replace_all_uses(identifier, zero)
    return zero is not None


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "gpu.barrier": (erase_redundant_barrier,),
    "gpu.launch": (fold_launch_ids,),
    "gpu.memcpy": (erase_copy_to_unread,),
    "gpu.wait": (drop_fresh_tokens, simplify_wait),
}
