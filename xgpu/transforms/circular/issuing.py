# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the loop of the thread that asks for products (`issuers.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import i1

from xgpu.analysis.memory.slices import Slice
from xgpu.ir.constants import int_of
from xgpu.transforms.circular import numbers
from xgpu.transforms.circular.issuers import COMMIT, WAIT
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import SSAValue

    from xgpu.rewriting.rewriter import Rewriter
    from xgpu.transforms.circular.emitter import Emitter, Iteration
    from xgpu.transforms.circular.issuers import Issuer


def ask(issuer: Issuer, emitter: Emitter, iteration: Iteration) -> None:
    """One thread's products of an iteration, without their commit."""
    inside = list(issuer.branch.regions[0].block.ops)
    used = {v for op in inside for inner in op.walk() for v in inner.operands}
    turned = [root for root, buffer in emitter.buffers.items() if buffer.turn in used]
    emitter.place(iteration, turned)
    turns = {buffer.turn.owner for buffer in emitter.buffers.values()}
    for op in Slice(emitter.body, [issuer.branch]).ops:
        if op not in turns and op is not issuer.branch:
            emitter.clone(iteration, op)
    for op in inside[:-1]:
        if op is not issuer.commit:
            emitter.clone(iteration, op)


def build(
    issuer: Issuer, rw: Rewriter, emitter: Emitter, loop: Callable[[], None]
) -> list[SSAValue]:
    """Builds `loop` for one thread, then the wait of all for what it has asked for; gives what
    the loop gave, which is the barrier's next phase."""

    def run() -> Sequence[SSAValue]:
        loop()
        operands = [_pointer(issuer, rw), *issuer.commit.operands[1:]]
        rw.create(COMMIT, operands, (), issuer.commit.properties)
        return []

    if_else(rw, issuer.branch.operands[0], [], run)
    before = emitter.inits[issuer.phase]
    ticks, slot = (numbers.value(rw, number) for number in _numbers(issuer))
    rw.create(WAIT, [issuer.wait.operands[0], before, ticks, slot])
    after = rw.value("arith.xori", [before, numbers.flag(rw, True)], i1)
    return [after for _ in emitter.computing.arguments]


def _numbers(issuer: Issuer) -> list[int]:
    """The ticks of the wait, and which of its group the barrier is."""
    return [known for v in issuer.wait.operands[2:] if (known := int_of(v)) is not None]


def _pointer(issuer: Issuer, rw: Rewriter) -> SSAValue:
    """The address that the commit has inside of the loop."""
    slot = numbers.value(rw, _numbers(issuer)[1])
    address = rw.value("nvgpu.mbarrier.get", [issuer.wait.operands[0], slot], numbers.I64)
    return rw.value("llvm.inttoptr", [address], issuer.commit.operands[0].type)
