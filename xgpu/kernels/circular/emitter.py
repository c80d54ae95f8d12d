# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of an iteration, built for the iteration that one wants.

An iteration is a number from 0; its stage of a buffer is that number modulo the stages. Whatever
copies and computations carry from iteration to iteration, each carries for itself, since they are
at different iterations at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue

from xgpu.analysis.memory import Root, Slice
from xgpu.core.ir.construction import clone_operation
from xgpu.core.rewriting.builder import Rewriter
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.plan import ATTRIBUTE, Group, Plan
from xgpu.kernels.circular.storage import Buffer

Mapping = dict[SSAValue, SSAValue]


class Iteration:
    """An iteration that is being built: its number, and how many uses of the stages were before."""

    __slots__ = ("at", "mapping", "rw", "slots", "use")

    def __init__(self, rw: Rewriter, at: Number, base: Number) -> None:
        self.rw = rw
        self.at = at
        self.use = numbers.add(rw, base, at)
        self.mapping: Mapping = {}
        self.slots: dict[int, Number] = {}

    def slot(self, stages: int) -> Number:
        """Which of so many stages is this iteration's."""
        found = self.slots.get(stages)
        if found is None:
            found = self.slots[stages] = numbers.rem(self.rw, self.use, stages)
        return found


class Emitter:
    """Builds copies and computations of the iterations of one loop.

    `count` is how many there are, `base` how many uses of the stages were before the first;
    `outer` has what is built in place of values from around the loop.
    """

    def __init__(
        self,
        rw: Rewriter,
        plan: Plan,
        buffers: dict[Root, Buffer],
        count: Number,
        base: Number,
        outer: Mapping | None = None,
    ) -> None:
        self.rw = rw
        self.plan = plan
        self.loop = plan.loop
        self.body: Block = plan.loop.regions[0].block
        self.buffers = buffers
        self.count = count
        self.base = base
        for group in plan.groups:
            group.refresh()
        self.outer: Mapping = {} if outer is None else outer
        self.bounds = [self.outer.get(value, value) for value in plan.loop.operands[:3]]
        self.inits = [self.outer.get(value, value) for value in plan.loop.operands[3:]]
        last = self.body.last_op
        assert last is not None
        self.yielded = list(last.operands)
        self.computing = plan.schedule.needed_to_compute()

    # --- iterations ----------------------------------------------------------------------------
    def iteration(self, at: Number, carried: Slice, values: Sequence[SSAValue]) -> Iteration:
        """Iteration `at`, with the values that `carried.arguments` have in it."""
        found = self.bare_of(at)
        for index, value in zip(carried.arguments, values, strict=True):
            found.mapping[self.body.args[1 + index]] = value
        return found

    def _induction(self, at: Number) -> SSAValue:
        rw = self.rw
        lower, _, step = (numbers.number(v) for v in self.bounds)
        argument = self.body.args[0].type
        if isinstance(argument, IndexType):
            return numbers.value(rw, numbers.add(rw, lower, numbers.mul(rw, at, step)))
        index = numbers.value(rw, at)
        narrow = rw.value("arith.index_cast", [index], argument)
        product = rw.value("arith.muli", [narrow, self.bounds[2]], argument)
        return rw.value("arith.addi", [product, self.bounds[0]], argument)

    def starts(self, carried: Slice) -> list[SSAValue]:
        """What iteration 0 is given."""
        return [self.inits[index] for index in carried.arguments]

    def nexts(self, iteration: Iteration, carried: Slice) -> list[SSAValue]:
        """What the next iteration is given, once `carried.ops` have been built."""
        return [self._mapped(iteration, self.yielded[index]) for index in carried.arguments]

    def _mapped(self, iteration: Iteration, value: SSAValue) -> SSAValue:
        return iteration.mapping.get(value, value)

    def keep_attributes(self, loop: Operation) -> None:
        """What the loop was annotated with, `loop`, which does its work, is too."""
        loop.attributes.update(
            (name, value) for name, value in self.loop.attributes.items() if name != ATTRIBUTE
        )

    # --- parts ---------------------------------------------------------------------------------
    def place(self, iteration: Iteration, buffers: Sequence[Root]) -> None:
        """Says which stages the iteration uses."""
        for root in buffers:
            buffer = self.buffers[root]
            if buffer.turn not in iteration.mapping:
                slot = iteration.slot(buffer.stages)
                iteration.mapping[buffer.turn] = buffer.view(self.rw, slot)

    def bare_of(self, at: Number) -> Iteration:
        """Iteration `at`, for what needs nothing that the loop carries."""
        found = Iteration(self.rw, at, self.base)
        found.mapping.update(self.outer)
        found.mapping[self.body.args[0]] = self._induction(at)
        return found

    def bare(self, at: Number) -> Iteration:
        """Iteration `at`, for what needs nothing of it."""
        return Iteration(self.rw, at, 0)

    def copy(self, iteration: Iteration, op: Operation) -> list[SSAValue]:
        """A copy by the threads themselves, without what ordered it; its tokens."""
        new = self.clone(iteration, op)
        for inner in list(new.walk()):
            if inner.name == "nvgpu.device_async_wait" or (
                inner.name == "nvgpu.device_async_create_group"
                and inner.results[0].first_use is None
            ):
                self.rw.erase(inner)
        for inner in list(new.walk()):
            if inner.name == "nvgpu.device_async_create_group":
                self.rw.erase(inner)
        return [r for r in new.results if r.type.name == "nvgpu.device.async.token"]

    def clone(self, iteration: Iteration, op: Operation) -> Operation:
        new = clone_operation(op, iteration.mapping)
        self.rw.insert(new)
        for old, copy in zip(op.results, new.results, strict=True):
            copy.name_hint = old.name_hint
        return new

    def addresses(self, iteration: Iteration, group: Group) -> None:
        """What a group's copies need."""
        copies = {load.op for load in group.loads}
        turns = {buffer.turn.owner for buffer in self.buffers.values()}
        self.place(iteration, group.buffers())
        for op in group.along.ops:
            if op not in copies and op not in turns:
                self.clone(iteration, op)

    def compute(self, iteration: Iteration) -> None:
        """Everything that is not a copy, for an iteration whose tiles are there."""
        turns = {buffer.turn.owner for buffer in self.buffers.values()}
        used = _used_in(self.computing.ops)
        self.place(iteration, [r for r, b in self.buffers.items() if b.turn in used])
        loads = {load.op for load in self.plan.schedule.loads}
        dropped = set(self.plan.schedule.dropped)
        for op in self.computing.ops:
            if op not in turns and op not in loads and op not in dropped:
                self.clone(iteration, op)


def _used_in(ops: Sequence[Operation]) -> set[SSAValue]:
    return {operand for op in ops for inner in op.walk() for operand in inner.operands}
