# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the loop of the thread that asks for products (`issuers.py`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IntegerAttr, i1, i16

from xgpu.analysis.memory import Slice
from xgpu.core.ir.constants import int_of
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.issuers import COMMIT, WAIT
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from xdsl.ir import SSAValue

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.emitter import Emitter, Iteration
    from xgpu.kernels.circular.issuers import Handshake, Issuer
    from xgpu.kernels.circular.mbarriers import Barriers


def ask(issuer: Issuer, emitter: Emitter, iteration: Iteration) -> None:
    """One thread's products of an iteration, without their commit."""
    inside = list(issuer.branch.regions[0].block.ops)
    used = {v for op in inside for inner in op.walk() for v in inner.operands}
    turned = [root for root, buffer in emitter.buffers.items() if buffer.turn in used]
    emitter.place(iteration, turned)
    turns = {buffer.turn.owner for buffer in emitter.buffers.values()}
    left: list[object] = [issuer.branch, issuer.commit, *turns]
    if issuer.handshake is not None:
        # The barrier of a stage has its own phase.
        last = emitter.body.last_op
        assert last is not None
        left += [issuer.handshake.wait, last.operands[issuer.handshake.phase].owner]
    for op in (*Slice(emitter.body, [issuer.branch]).ops, *inside[:-1]):
        if op not in left:
            emitter.clone(iteration, op)


def tell(handshake: Handshake, emitter: Emitter, iteration: Iteration, ready: Barriers) -> None:
    """Arrives in the other block at the barrier of the iteration's stage."""
    rw = emitter.rw
    for op in Slice(emitter.body, [handshake.branch]).ops:
        if op is not handshake.branch:
            emitter.clone(iteration, op)
    for op in list(handshake.branch.regions[0].block.ops)[:-1]:
        if op.name == "nvgpu.mbarrier.get" and op.operands[0] is handshake.barrier:
            iteration.mapping[op.results[0]] = ready.address(rw, iteration.use)
        else:
            emitter.clone(iteration, op)


def build(
    issuer: Issuer, rw: Rewriter, emitter: Emitter, loop: Callable[[], None]
) -> list[SSAValue]:
    """Builds `loop` for one thread, then the wait of all for what it has asked for; gives what
    the loop gave, which is the barrier's next phase."""

    asks, handshake = issuer.branch.operands[0], issuer.handshake

    def commit() -> Sequence[SSAValue]:
        operands = [_pointer(issuer, rw)]
        if issuer.ranks():
            mask = IntegerAttr(sum(1 << rank for rank in issuer.ranks()), i16)
            operands.append(attribute_constant(rw, mask, i16))
        rw.create(COMMIT, operands, (), issuer.commit.properties)
        return []

    def run() -> Sequence[SSAValue]:
        loop()
        if handshake is None:
            return commit()
        if_else(rw, asks, [], commit)
        return []

    takes_part = asks
    if handshake is not None:
        takes_part = rw.value("arith.ori", [handshake.branch.operands[0], asks], i1)
    if_else(rw, takes_part, [], run)
    before = emitter.inits[issuer.phase]
    ticks, slot = (numbers.value(rw, number) for number in _numbers(issuer))
    rw.create(WAIT, [issuer.wait.operands[0], before, ticks, slot])
    after = rw.value("arith.xori", [before, numbers.flag(rw, True)], i1)
    return [
        after if at == issuer.phase else emitter.inits[at] for at in emitter.computing.arguments
    ]


def _numbers(issuer: Issuer) -> list[int]:
    """The ticks of the wait, and which of its group the barrier is."""
    return [known for v in issuer.wait.operands[2:] if (known := int_of(v)) is not None]


def _pointer(issuer: Issuer, rw: Rewriter) -> SSAValue:
    """The address that the commit has inside of the loop."""
    slot = numbers.value(rw, _numbers(issuer)[1])
    address = rw.value("nvgpu.mbarrier.get", [issuer.wait.operands[0], slot], numbers.I64)
    return rw.value("llvm.inttoptr", [address], issuer.commit.operands[0].type)
