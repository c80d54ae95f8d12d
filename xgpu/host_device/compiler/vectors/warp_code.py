# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a function that runs one warp, from its beginning to its end.

    kernel                                   function of a warp
      a                                        a, for a vector
      mbarrier.try_wait %bar, %phase           %go = call @xgpu_mbarrier_wait(...) {host.waits}
      if (tid.x == 0) { mbarrier.arrive }      for the lanes of the mask: call @xgpu_mbarrier_arrive

It becomes a coroutine (`coroutines`): the whole warp suspends where `host.waits` stands. Control
flow within a warp is as between the barriers of a block (`masks`, `loops`); so no lane may wait for
what another lane of its warp does only later. `check_waits` sees to that: some lanes wait by
themselves only where the others have nothing to do (`masks`).
"""

from __future__ import annotations

from xdsl.dialects.builtin import i1, i32
from xdsl.ir import Operation, Region, SSAValue

from xgpu.host_device.abi.structs import NAMED_BARRIERS
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import THIS_BLOCK, THIS_THREAD, WAITS, NoRegions
from xgpu.host_device.compiler.emission import Affine, Emitted, Uniform, each_lane
from xgpu.host_device.compiler.types import I32, POINTER
from xgpu.host_device.compiler.vectors.masks import RegionWalk, others_are_quiet
from xgpu.host_device.compiler.vectors.shapes import Layout
from xgpu.host_device.compiler.vectors.uniformity import Level, divergent_blocks
from xgpu.host_device.compiler.vectors.vector_code import Mask, VectorCode
from xgpu.host_device.compiler.vectors.warp_calls import (
    BARRIER,
    BARRIER_RESULT,
    ONCE,
    SCRATCH,
    WARPGROUP,
    YIELDS,
    Scratch,
    call,
    is_device_call,
    lane_offsets,
    waiting,
)
from xgpu.host_device.compiler.vectors.watched_calls import WatchedCalls, watched_name


class WarpCode(VectorCode):
    """Makes the function's body from a kernel that `lane_calls` and `prepare` have changed."""

    def __init__(self, function: Operation, layout: Layout) -> None:
        super().__init__(function, layout)
        self.thread: SSAValue = None  # type: ignore[assignment]
        self.parted = divergent_blocks(self.u)
        self.scratch = Scratch(self.b)
        self.watched = WatchedCalls(self.b)
        self._block = 0

    @property
    def copies(self) -> int:
        return 1

    def run(self) -> Region:
        """The body. Raises `NoRegions` for what this strategy cannot run."""
        graph = self.u.graph
        ends = [n for n, targets in enumerate(graph.successors) if not targets]
        if len(ends) != 1:
            raise NoRegions("it never ends", graph.blocks[0].last_op)
        self._enter_function()
        start = self.b.new_block()
        self.b.enter(start)
        self.thread = call(self.b, THIS_THREAD, [], POINTER).results[0]
        self.group = self._number()
        level = Level(graph, set(range(len(graph.blocks))), 0, None)
        walk = RegionWalk(self.u, self.b, self.get, self.bind, self._emit)
        walk.region(level, ends[0], self._threads())
        self.b.create("llvm.return")
        self.b.block = self.b.first
        self.b.branch(start)
        self.b.drop_rows()
        return self.region

    def _number(self) -> SSAValue:
        if self.layout.groups == 1:
            return self.b.integer(0, I32)
        return self.b.value("nvvm.read.ptx.sreg.warpid", (), I32)

    # -- operations

    def _emit(self, op: Operation, block: int, mask: Mask) -> None:
        self._block = block
        super()._emit(op, block, mask)
        if op.next_op is None or op.next_op.name in operations.TERMINATORS:
            self.scratch.hand_over()

    def _emitted(self, op: Operation, mask: Mask) -> Emitted | None:
        if op.name == "llvm.load" and (loaded := self.scratch.load(op)) is not None:
            return loaded
        if op.name == "llvm.store" and self.scratch.store(op, self.get(op.operands[0])):
            return None
        if op.name == "llvm.alloca" and SCRATCH in op.attributes:
            return self.scratch.place(op)
        if not is_device_call(op):
            is_done, loaded = self.watched.value(op, mask)
            return loaded if is_done else super()._emitted(op, mask)
        self.scratch.hand_over()
        found = self._device_call(op, mask)
        self.scratch.take_back(op)
        return found

    def _device_call(self, op: Operation, mask: Mask) -> Emitted | None:
        name = operations.callee(op) or ""
        if name == THIS_THREAD:
            return Affine(self.thread, lane_offsets(self.b.width))
        if name == THIS_BLOCK:
            return Uniform(call(self.b, name, [], POINTER).results[0])
        operands = [self.get(o) for o in op.operands]
        if watched_name(op):
            is_done, found = self.watched.emit(op, operands, mask)
            return found if is_done else self.ops.by_lanes(op, operands, mask)
        if WAITS in op.attributes:
            self._wait(op, name, operands, mask)
            return None
        if name == BARRIER_RESULT:
            return Uniform(call(self.b, name, [self.thread], op.results[0].type).results[0])
        values = _scalars(operands)
        if values is not None:
            types = op.results[0].type if op.results else None
            found = call(self.b, name, values, types)
            return Uniform(found.results[0]) if op.results else None
        return self.ops.by_lanes(op, operands, mask)

    # -- waits

    def _wait(self, op: Operation, name: str, operands: list[Emitted], mask: Mask) -> None:
        rest = _scalars(operands[1:])
        if name in YIELDS:
            if name == "xgpu_yield" or self._block not in self.parted:
                turn = rest if rest else [self.b.integer(0, I32)]
                self._wait_for("xgpu_yield", turn)
        elif name in ONCE and rest is not None and self._block not in self.parted:
            self._wait_for(name, rest)
        elif name == WARPGROUP:
            fourth = self.b.binary("lshr", self.group, 2)
            number = self.b.add(fourth, NAMED_BARRIERS)
            zero = self.b.integer(0, I32)
            self._arrive(mask, [number, self.b.integer(128, I32), zero], zero)
        elif name == BARRIER and (numbers := _scalars(operands[1:4])) is not None:
            self._arrive(mask, numbers, self._flags(operands[4]))
        else:
            self._each_waits(op, operands, mask)

    def _wait_for(self, name: str, arguments: list[SSAValue]) -> None:
        waiting(call(self.b, name, [self.thread, *arguments], i1))

    def _arrive(self, mask: Mask, numbers: list[SSAValue], flags: SSAValue) -> None:
        """A barrier: its number, how many threads it expects, what it delivers of the flags."""
        self._wait_for("xgpu_barrier_lanes", [self._lanes(mask), *numbers, flags])

    def _lanes(self, mask: Mask) -> SSAValue:
        return self.b.integer(-1, I32) if mask is None else self.b.mask_bits(mask)

    def _flags(self, value: Emitted) -> SSAValue:
        """What each thread brings to a barrier's reduction, as bits."""
        b = self.b
        if isinstance(value, Uniform):
            holds = b.icmp("ne", value.value, 0)
            return b.value("llvm.sext", (holds,), i32)
        vector = b.as_lanes(value)
        return b.mask_bits(b.icmp("ne", vector, b.constant_vector([0] * b.width, I32)))

    def _each_waits(self, op: Operation, operands: list[Emitted], mask: Mask) -> None:
        b = self.b

        def one(lane: SSAValue, given: list[SSAValue]) -> list[SSAValue]:
            b.create(op.name, given, [r.type for r in op.results], op.properties)
            return []

        each_lane(b, mask, operands, [], one)
        self._wait_for("xgpu_lanes_wait", [])


def _scalars(operands: list[Emitted]) -> list[SSAValue] | None:
    """Operands that are the same in all lanes; None if one is not."""
    found: list[SSAValue] = []
    for operand in operands:
        if not isinstance(operand, Uniform):
            return None
        found.append(operand.value)
    return found


def check_waits(code: WarpCode) -> None:
    """Raises `NoRegions` where some lanes of a warp wait while others have something to do."""
    graph = code.u.graph
    for number in sorted(code.parted):
        for op in graph.blocks[number].ops:
            if WAITS not in op.attributes or operations.callee(op) in YIELDS:
                continue
            if not others_are_quiet(code.u, op, number):
                raise NoRegions("threads of a warp part before they wait", op)
