# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a buffered loop stands: the loops around it, and what is before and behind it.

Barriers in shared memory are made where every thread comes by once: outside of all serial loops
around the buffered one, which count its iterations on. Where something else is around it (an
scf.while), they are made inside of that, each time anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from xgpu.analysis.memory import Access, accesses
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.kernels.circular import numbers

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number

_COUNTED = frozenset({"scf.for", "scf.if"})


class Surroundings:
    """`chain` are the operations around the loop, from the inside, up to where set-up stands; `top`
    is the one of them that is outermost, or the loop."""

    def __init__(self, loop: Operation) -> None:
        self.loop = loop
        self.chain: list[Operation] = []
        parent = loop.parent_op()
        while parent is not None and parent.name in _COUNTED:
            self.chain.append(parent)
            parent = parent.parent_op()
        self.is_nested = any(op.name == "scf.for" for op in self.chain) or self._is_repeated()

    def _is_repeated(self) -> bool:
        """Whether something that is not counted through may run the loop again."""
        parent = self.top.parent_op()
        return parent is not None and parent.name not in ("gpu.func", "gpu.launch", "func.func")

    @property
    def top(self) -> Operation:
        return self.chain[-1] if self.chain else self.loop

    def _neighbours(self, *, before: bool) -> Iterator[Operation]:
        inner = self.loop
        for outer in [*self.chain, self.top.parent_op()]:
            assert inner.parent is not None
            around = outer is not None and outer.name in ("scf.for", "scf.while")
            for op in inner.parent.ops:
                if op is not inner and (around or op.is_before_in_block(inner) is before):
                    yield op
            if outer is None:
                return
            inner = outer

    def conflicts(self, inside: list[Access], *, before: bool) -> bool:
        """Whether something before (behind) the loop conflicts with accesses inside of it."""
        return any(
            access.conflicts(other)
            for op in self._neighbours(before=before)
            for access in accesses(op)
            for other in inside
        )

    def is_followed(self) -> bool:
        """Whether anything with an effect follows."""
        return any(not is_memory_effect_free(op) for op in self._neighbours(before=False))


def count_on(rw: Rewriter, around: Surroundings, count: Number, count_at: Operation) -> Number:
    """How many iterations of the loop there were before it is reached: 0, or a value that the
    loops around it carry. `count` is how many there are each time, known before `count_at`."""
    if not any(op.name == "scf.for" for op in around.chain):
        return 0
    rw.before(around.top)
    known: SSAValue = numbers.value(rw, 0)
    entered: list[SSAValue] = []
    for at, op in reversed(list(enumerate(around.chain))):
        entered.append(known)
        if op.name == "scf.for":
            around.chain[at] = new = _with_argument(rw, op, known)
            known = _body(new).args[-1]
            known.name_hint = "passed"
    base = known
    rw.before(count_at)
    passed = numbers.value(rw, numbers.add(rw, base, count))
    inner = around.loop
    for at, op in enumerate(around.chain):
        if op.name == "scf.for":
            _add_yield(_body(op), passed)
            passed = op.results[-1]
            inner = op
        else:
            branch = _branch_of(op, inner)
            around.chain[at] = inner = _with_result(rw, op, branch, passed, entered[-1 - at])
            passed = inner.results[-1]
    return base


def _body(op: Operation) -> Block:
    return op.regions[0].block


def _branch_of(op: Operation, inner: Operation) -> int:
    block = inner.parent
    return next(i for i, region in enumerate(op.regions) if block in region.blocks)


def _add_yield(block: Block, value: SSAValue) -> None:
    last = block.last_op
    assert last is not None
    last.operands = [*last.operands, value]


def _with_argument(rw: Rewriter, loop: Operation, init: SSAValue) -> Operation:
    """The loop with one more value that it carries; its body's end is still without it."""
    region = loop.detach_region(0)
    region.block.insert_arg(IndexType(), len(region.block.args))
    rw.before(loop)
    rw.location = loop.location
    new = rw.create(
        "scf.for",
        [*loop.operands, init],
        [*(result.type for result in loop.results), IndexType()],
        loop.properties,
        loop.attributes,
        [region],
    )
    rw.replace(loop, new.results[:-1])
    return new


def _with_result(
    rw: Rewriter, op: Operation, branch: int, value: SSAValue, other: SSAValue
) -> Operation:
    """The scf.if with one more result: `value` of one branch, `other` of the other one."""
    regions = [op.detach_region(0) for _ in range(2)]
    rw.before(op)
    rw.location = op.location
    if not regions[1].blocks:
        block = Block()
        regions[1].add_block(block)
        with rw.inside(block):
            rw.create("scf.yield")
    for at, region in enumerate(regions):
        _add_yield(region.block, value if at == branch else other)
    new = rw.create(
        "scf.if",
        list(op.operands),
        [*(result.type for result in op.results), IndexType()],
        op.properties,
        op.attributes,
        regions,
    )
    rw.replace(op, new.results[:-1])
    return new
