# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that wait for memory with a plain load: the `volatile` or `atomic` that is missing.

    scf.while : () -> () {
      %f = memref.load %flag[%c0]                      // of what another block stores
      %again = arith.cmpi eq, %f, %c0_i32
      scf.condition(%again)
    } do { scf.yield }

Such a loop has no effect, so that passes may remove it, and with it the mistake. For the sanitizer
a `nvvm.nanosleep` in it keeps it, and lets the thread that it waits for get on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i32

from xgpu.core.ir.effects import is_pure, is_trivially_dead
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import constant

if TYPE_CHECKING:
    from xdsl.ir import Block, Operation, SSAValue

_LOADS = ("memref.load", "llvm.load", "memref.atomic_rmw", "llvm.atomicrmw")


def keep_plain_waits(module: Operation) -> None:
    """Let loops of kernels that wait for memory stay, in a program that is not lowered."""
    for op in list(module.walk()):
        if op.name == "scf.while" and _is_of_kernel(op) and is_trivially_dead(op) and _waits(op):
            rw = Rewriter(op.regions[0].blocks[0].first_op)
            rw.location = op.location
            time = constant(rw, 0, i32)
            rw.create("nvvm.nanosleep", (time,))


def _is_of_kernel(op: Operation) -> bool:
    above = op.parent_op()
    while above is not None and above.name not in ("gpu.launch", "gpu.module"):
        above = above.parent_op()
    return above is not None


def _waits(loop: Operation) -> bool:
    """Whether a loop goes on by what it loads from the same address each time."""
    before = loop.regions[0].blocks[0]
    condition = before.last_op
    if condition is None or condition.name != "scf.condition":
        return False
    pending: list[SSAValue] = [condition.operands[0]]
    seen: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in seen or not _is_inside(value, loop):
            continue
        seen.add(value)
        owner = value.owner
        if not hasattr(owner, "operands"):
            continue
        if owner.name in _LOADS and all(_is_constant(o, loop) for o in owner.operands):  # type: ignore[union-attr]
            return True
        pending += owner.operands  # type: ignore[union-attr]
    return False


def _is_inside(value: SSAValue, loop: Operation) -> bool:
    """Whether a value is computed in a loop."""
    owner: Operation | Block | None = value.owner
    above = owner if hasattr(owner, "operands") else owner.parent_op()  # type: ignore[union-attr]
    while above is not None and above is not loop:
        above = above.parent_op()  # type: ignore[union-attr]
    return above is loop


def _is_constant(value: SSAValue, loop: Operation) -> bool:
    """Whether a value is the same each time a loop goes round."""
    if not _is_inside(value, loop):
        return True
    owner = value.owner
    if not hasattr(owner, "operands"):
        return False
    return is_pure(owner) and all(_is_constant(o, loop) for o in owner.operands)  # type: ignore[union-attr, arg-type]
