# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a function that runs a whole block: loops over warps between barriers.

    kernel                            block function
      a                                 for each vector: a
      barrier                           n = ...            // the same in the block: once
      for n { b; barrier; c; barrier }  loop n { for each vector: b; for each vector: c }

The function has the kernel's parameters and is called once for each block. What the threads of a
block have in common is computed outside of the loops over vectors; see `live_across_barriers` for
what else lives from region to region, `masks` for control flow inside of a region.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from xdsl.dialects.builtin import i32
from xdsl.ir import Block, Operation, Region, SSAValue

from xgpu.host_device.abi.structs import offset
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import AWAIT, AWAIT_END, THIS_BLOCK, call_properties
from xgpu.host_device.compiler.emission import Emitted, Uniform
from xgpu.host_device.compiler.spin_waits import spins
from xgpu.host_device.compiler.types import I32, POINTER, plain, size_of, vector_of
from xgpu.host_device.compiler.vectors.bounds import WholeBlock
from xgpu.host_device.compiler.vectors.combining import Combining
from xgpu.host_device.compiler.vectors.live_across_barriers import (
    LiveAcrossBarriers,
    Segment,
    edge_values,
    ends_in_barrier,
    find_segments,
    shared_places,
)
from xgpu.host_device.compiler.vectors.masks import RegionWalk
from xgpu.host_device.compiler.vectors.prefetch import Prefetches
from xgpu.host_device.compiler.vectors.prepare import (
    COPIES,
    PrivateTables,
    Table,
    add,
    clear,
    merge,
)
from xgpu.host_device.compiler.vectors.reconvergence import rebuilt
from xgpu.host_device.compiler.vectors.shapes import BLOCK, VARYING, Layout, Shape
from xgpu.host_device.compiler.vectors.uniformity import Level
from xgpu.host_device.compiler.vectors.vector_code import Mask, VectorCode

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.host_device.compiler.emission import Builder


def _uses_memory(op: Operation) -> bool:
    return not (
        operations.is_pure(op) or operations.register(op) is not None
        or op.name in ("llvm.addrspacecast", "llvm.extractvalue", "llvm.insertvalue")
        or operations.is_inserted(op)
        or (op.name == "llvm.call" and (operations.callee(op) or "").startswith("__nv_"))
    )  # fmt: skip


def _has_effects(op: Operation) -> bool:
    return op.name == "llvm.store" or op.name in operations.ATOMICS


class ScreenChecks(Protocol):
    """Emits what screens a launch, in the code of a block."""

    def begin(self) -> None:
        """In the function's first block: a block begins."""
        ...

    def emit(
        self, op: Operation, operands: list[Emitted], linear: Emitted, mask: SSAValue | None
    ) -> None:
        """In the place of a mark; `linear` are the numbers of the threads."""
        ...

    def together(self, op: Operation, operands: list[Emitted], mask: SSAValue | None) -> None:
        """Before an operation by which lanes wait for one another."""
        ...

    def region(self) -> None:
        """Behind a barrier."""
        ...

    def finish(self) -> None:
        """The body is complete."""
        ...


class Screen(Protocol):
    """What screens launches of a kernel: `sanitizer.instrument.screening.Screen`."""

    #: Whether reads of what nothing has written are looked for.
    inits: bool
    #: What can be known of a launch before it runs, if anything.
    outline: object

    def mark_groups(self, function: Operation) -> None:
        """Put marks where groups of asynchronous copies end. Raises `NoRegions`."""
        ...

    def mark(self, function: Operation) -> None:
        """Put marks into a prepared kernel. Raises `NoRegions`."""
        ...

    def checks(self, builder: Builder) -> ScreenChecks:
        """What emits the code of the marks."""
        ...


class BlockLoops(VectorCode):
    """Makes the block function's body from a prepared kernel."""

    def __init__(
        self,
        function: Operation,
        layout: Layout,
        shared: dict[str, int] | None = None,
        screen: Screen | None = None,
    ) -> None:
        super().__init__(function, layout)
        self.checks = None if screen is None else screen.checks(self.b)
        #: Reads of what other blocks write, in loops that wait for it. (No others run while a block
        #: is screened.)
        waits = list(spins(self.u.graph)) if screen is None else []
        self.awaited = {read for _, read in waits}
        #: What they are in: other effects than theirs say that a wait is over.
        self._waiting = {self.u.graph.blocks[b] for loop, _ in waits for b in loop.blocks}
        self.segments = find_segments(self.u)
        self.prefetches = Prefetches(self.b, self.u, layout) if screen is None else None
        is_relaxed = self.memory.is_relaxed and screen is None
        combining = Combining(self.b, self.u, is_relaxed)
        self.combining = combining if combining.operations else None
        self.live = LiveAcrossBarriers(self.u, self.segments)
        #: Of values whose slot is another's: whose.
        self.shared = shared_places(self.live, self.u, self.segments)
        self.tables = PrivateTables(self.u, shared or {}, layout.threads, is_relaxed)
        self.private_tables: dict[Operation, Table] = {}
        self.slots: dict[SSAValue, SSAValue] = {}
        self._heads: dict[int, Block] = {}
        self.bounds.block = WholeBlock(self.b, self.u.graph, self.u.of, self._known_before)

    def _known_before(self, value: SSAValue) -> SSAValue | None:
        """A value of the whole block, as it is before a loop over vectors."""
        found = self.block_values.get(value) if value in self.live.block else None
        return found.value if isinstance(found, Uniform) else None

    def check(self, op: Operation, operands: list[Emitted], mask: Mask) -> None:
        assert self.checks is not None
        self.checks.emit(op, operands, self._register_named("linear", I32), mask)

    def _emitted(self, op: Operation, mask: Mask) -> Emitted | None:
        if self.combining is not None and _uses_memory(op):
            self.combining.before(op, self.get, mask)
        if mask is None and self.prefetches is not None and self.prefetches.has(op):
            self.prefetches.before(op, self.get(op.operands[0]), self._group64())
        if op in self.awaited:
            if self.combining is not None:
                self.combining.always()
            self.b.create("llvm.call", (), (), call_properties(AWAIT, ()))
        elif self.awaited and op.parent not in self._waiting and _has_effects(op):
            self._end_wait()
        return super()._emitted(op, mask)

    def _end_wait(self) -> None:
        """Tell it if the block has waited."""
        b = self.b
        block = b.value("llvm.call", (), POINTER, call_properties(THIS_BLOCK, ()))
        looks = b.load(b.address(block, offset("Block", "looks")), I32)
        tell, after = b.new_block(), b.new_block()
        b.cond_branch(b.icmp("ne", looks, 0), tell, after)
        b.enter(tell)
        b.create("llvm.call", (), (), call_properties(AWAIT_END, ()))
        b.branch(after)
        b.enter(after)

    def together(self, op: Operation, operands: list[Emitted], mask: Mask) -> None:
        if self.checks is not None:
            self.checks.together(op, operands, mask)

    def is_known_before(self, value: SSAValue) -> bool:
        return value in self.live.block

    def atomic(self, op: Operation, operands: list[Emitted], mask: Mask) -> Emitted | None:
        table = self.private_tables.get(op)
        combining = self.combining
        if (
            combining is not None
            and op in combining.operations
            and not isinstance(operands[0], Uniform)
        ):
            combining.emit(op, operands, mask, lambda: self._each_atomic(op, operands, mask))
            return None
        if table is None:
            return super().atomic(op, operands, mask)
        return add(self.b, table, self._uniform(table.address), operands, mask)

    def _each_atomic(self, op: Operation, operands: list[Emitted], mask: Mask) -> None:
        super().atomic(op, operands, mask)

    def run(self) -> Region:
        """The body. Raises `NoRegions` for what this strategy cannot run."""
        self._enter_function()
        for value in self.live.slots:
            if value not in self.shared:
                self._allocate(value)
        for value, other in self.shared.items():
            self.slots[value] = self.slots[other]
        for segment in self.segments:
            self._heads[segment.leader] = self.b.new_block()
        for segment in self.segments[1:]:
            head = self._heads[segment.leader]
            for argument in self._block_arguments(segment.leader):
                self.block_values[argument] = Uniform(
                    head.insert_arg(plain(argument.type), len(head.args))
                )
        for segment in self.segments:
            self._segment(segment)
        if self.checks is not None:
            self.checks.finish()
        self.b.block = self.b.first
        if self.checks is not None:
            self.checks.begin()
        self.b.branch(self._heads[0])
        self.b.drop_rows()
        return self.region

    def _block_arguments(self, leader: int) -> list[SSAValue]:
        return [a for a in self.u.graph.blocks[leader].args if a in self.live.block]

    # -- memory of the function

    def _slot_type(self, value: SSAValue) -> Attribute:
        if self.live.shape(value).level == VARYING:
            return vector_of(value.type, self.b.width)
        return plain(value.type)

    def _allocate(self, value: SSAValue) -> None:
        ty = self._slot_type(value)
        shape = self.live.shape(value)
        count = 1 if shape.level == BLOCK else self.layout.groups
        lanes = self.b.width if shape.level == VARYING else 1
        self._reserve(count * lanes * (size_of(value.type) or 8), "the values that live")
        self.slots[value] = self.b.alloca(ty, count)

    def _place(self, value: SSAValue) -> SSAValue:
        if self.live.shape(value).level == BLOCK:
            return self.slots[value]
        return self.b.address(self.slots[value], self._group64(), self._slot_type(value))

    def _load_slot(self, value: SSAValue) -> Emitted:
        return rebuilt(
            self.b.load(self._place(value), self._slot_type(value)), self.live.shape(value)
        )

    # -- regions

    def _segment(self, segment: Segment) -> None:
        self.values = {}
        self.b.enter(self._heads[segment.leader])
        for number in sorted(segment.blocks):
            for op in self.u.graph.blocks[number].ops:
                if op.results and op.results[0] in self.live.block:
                    self.b.location = op.location
                    with self.b.speculation():
                        self.block_values[op.results[0]] = self._block_value(op)
        self.private_tables = self.tables.of(segment)
        tables = dict.fromkeys(self.private_tables.values())
        for table in tables:
            self._reserve(table.size * COPIES, "the copies of counters")
            clear(self.b, table)
        if self._has_work(segment):
            self._over_groups(segment)
        for table in tables:
            merge(self.b, table, self._uniform(table.address))
        self._leave(segment)

    def _block_value(self, op: Operation) -> Emitted:
        if op.name in operations.CONSTANTS:
            return Uniform(self._constant(op))
        register = operations.register(op)
        if register is not None:
            return self._register(op, register)
        return self._pure(op, None)

    def _has_work(self, segment: Segment) -> bool:
        if any(self._stored_at_end(segment)):
            return True
        return any(
            op.name not in operations.TERMINATORS and not operations.is_barrier(op)
            and not (operations.is_pure(op) or operations.register(op) is not None)
            and op.name not in operations.HINTS
            for number in segment.blocks for op in self.u.graph.blocks[number].ops
        )  # fmt: skip

    def _over_groups(self, segment: Segment) -> None:
        """for g in 0 .. groups { the region }"""
        count = self.layout.groups
        if count == 1:
            self.group = self.b.integer(0, I32)
            self._group(segment)
            return
        head, after = self.b.new_block([i32]), self.b.new_block()
        self.b.branch(head, [self.b.integer(0, I32)])
        assert self.bounds.block is not None
        self.bounds.block.entry = self.b.current.last_op
        self.b.enter(head)
        self.group = head.args[0]
        self._group(segment)
        self.bounds.block.entry = None
        following = self.b.add(self.group, 1)
        self.b.cond_branch(self.b.icmp("ult", following, count), head, after, [following], [])
        self.b.enter(after)

    def _group(self, segment: Segment) -> None:
        mask = self._threads()
        for value in self.live.needed[segment.leader]:
            if value in self.slots:
                self.values[value] = self._load_slot(value)
                continue
            with self.b.speculation():
                self._emit(cast("Operation", value.owner), self.u.home(value) or 0, mask)
        graph = self.u.graph
        level = Level(graph, segment.blocks, segment.leader, None)
        walk = RegionWalk(self.u, self.b, self.get, self.bind, self._emit)
        walk.region(level, segment.exit, mask)
        stored = [(place, self._raw(self.get(v), shape)) for place, v, shape in
                  self._stored_at_end(segment)]  # fmt: skip
        for value, raw in stored:
            self.b.store(raw, self._place(value))

    def _stored_at_end(self, segment: Segment) -> list[tuple[SSAValue, SSAValue, Shape]]:
        """What a region leaves in slots: (whose slot, which value, in which shape)."""
        found: list[tuple[SSAValue, SSAValue, Shape]] = []
        for value in self.slots:
            if not self.live.is_leader_argument(value) and (self.live.home(value) is segment):
                found.append((value, value, self.live.shape(value)))
        for _, leader, operands in edge_values(self.u, segment):
            arguments = self.u.graph.blocks[leader].args
            for argument, operand in zip(arguments, operands, strict=True):
                if argument in self.slots and not self._is_there(argument, operand):
                    found.append((argument, operand, self.u.of(argument)))
        return found

    def _is_there(self, argument: SSAValue, operand: SSAValue) -> bool:
        """Whether what is passed for an argument lies where that is looked for."""
        return self.slots.get(operand) is self.slots[argument]

    # -- from region to region

    def _leave(self, segment: Segment) -> None:
        graph = self.u.graph
        last = cast("Operation", graph.blocks[segment.exit].last_op)
        self.b.location = last.location
        if self.checks is not None and ends_in_barrier(graph, segment.exit):
            self.checks.region()
        ways = edge_values(self.u, segment)
        if not ways:
            if self.awaited:
                self._end_wait()
            self.b.create("llvm.return")
            return
        targets = [self._heads[leader] for _, leader, _ in ways]
        passed: list[list[SSAValue]] = []
        for _, leader, operands in ways:
            arguments = graph.blocks[leader].args
            passed.append([
                self._at_block_level(o) for a, o in zip(arguments, operands, strict=True)
                if a in self.live.block
            ])  # fmt: skip
        if len(ways) == 1:
            self.b.branch(targets[0], passed[0])
            return
        condition = self._at_block_level(last.operands[0])
        self.b.cond_branch(condition, targets[0], targets[1], passed[0], passed[1])

    def _at_block_level(self, value: SSAValue) -> SSAValue:
        found = self.block_values.get(value)
        if found is None:
            found = Uniform(self.b.load(self.slots[value], plain(value.type)))
        assert isinstance(found, Uniform)
        return found.value
