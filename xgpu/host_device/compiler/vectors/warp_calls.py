# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the device's runtime in a kernel whose warps are vectors (see `lane_calls`).

A call that computes or does something for a thread is done by each lane that runs, with its own
record. One that waits is one of these:

* the same for all lanes (an mbarrier's phase, a turn given up): one lane asks for all;
* a barrier of the block: the warp arrives once, with as many threads as it has;
* anything else: each lane begins to wait, and the warp goes on when none of them waits any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Operation, SSAValue

from xgpu.host_device.abi.structs import size_of as record_size
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import THIS_BLOCK, THIS_THREAD, WAITS, call_properties
from xgpu.host_device.compiler.emission import Affine, Builder, Emitted, Lanes
from xgpu.host_device.compiler.types import I8, gep_strides, plain, size_of, vector_of
from xgpu.host_device.compiler.vectors import shapes
from xgpu.host_device.compiler.vectors.shapes import Shape
from xgpu.host_device.compiler.vectors.watched_calls import keeps_shape

if TYPE_CHECKING:
    from xdsl.ir import Attribute


#: Waits that are over for all lanes at once if what they are given is the same.
ONCE = frozenset(("xgpu_mbarrier_wait", "xgpu_mbarrier_poll", "xgpu_yield"))
#: Waits that never depend on what another thread does.
YIELDS = frozenset(("xgpu_yield", "xgpu_step"))
BARRIER, BARRIER_RESULT = "xgpu_barrier", "xgpu_barrier_result"
WARPGROUP = "xgpu_warpgroup_sync"


def is_device_call(op: Operation) -> bool:
    """Whether an operation calls the device's runtime."""
    if op.name != "llvm.call":
        return False
    name = operations.callee(op)
    return name is not None and name.startswith(("xgpu_", "xgpu.this_"))


def lane_offsets(width: int) -> tuple[int, ...]:
    """Where the record of each lane lies behind that of the first."""
    size = record_size("Thread")
    return tuple(lane * size for lane in range(width))


def shape_of(op: Operation, given: list[Shape], width: int) -> Shape:
    """The shape of what a call of the runtime delivers."""
    name = operations.callee(op)
    if name == THIS_THREAD:
        return shapes.affine(lane_offsets(width))
    if name == THIS_BLOCK:
        return shapes.UNIFORM
    if name == BARRIER_RESULT or WAITS in op.attributes:
        return shapes.WARP_UNIFORM
    if keeps_shape(op, given):
        return given[1]
    return shapes.WARP_UNIFORM if all(g.is_uniform for g in given) else shapes.VARIES


def call(b: Builder, symbol: str, arguments: list[SSAValue], result: Attribute | None) -> Operation:
    """A call of a function of the runtime; the operation."""
    types = () if result is None else (result,)
    return b.create("llvm.call", arguments, types, call_properties(symbol, arguments))


def waiting(op: Operation) -> None:
    """Says of a call that its warp may have to wait there."""
    op.attributes[WAITS] = _unit()


def _unit() -> UnitAttr:
    return UnitAttr()


# -- Memory through which the lanes of a warp hand registers to the device's runtime.
#
# The runtime reads a thread's registers one behind the other (a fragment of a matrix, the corner of
# a box). Lanes write them as vectors: register by register, lane by lane. So such memory (an
# `llvm.alloca` marked `host.scratch`) is there twice, and the runtime turns one into the other:
#
#     llvm.store %a, %lanes[0]    : vector<32xf32>         register 0 of all lanes
#     llvm.store %b, %lanes[128]  : vector<32xf32>         register 1
#     llvm.call @xgpu_to_threads(%lanes, %threads, ...)     thread after thread
#     llvm.call @xgpu_tensor_wgmma(%thread, %threads + 32 * lane, ...)
#     llvm.call @xgpu_to_lanes(...)
#     llvm.load %lanes[0]
#
# An element of n bytes at byte k of a thread's memory lies at byte 32 k + n * lane of the lanes'.


SCRATCH = "host.scratch"
_SIZES = (2, 4, 8)

#: Of an access: the allocation, where in it, and the bytes of the element.
_Place = tuple[Operation, int, int]
#: Elements side by side: where, how many, of how many bytes.
_Run = tuple[int, int, int]


class _Memory:
    __slots__ = ("changed", "lanes", "size", "threads")

    def __init__(self, threads: SSAValue, lanes: SSAValue, size: int) -> None:
        self.threads = threads
        self.lanes = lanes
        self.size = size
        #: What lanes have written that threads do not have yet: where, and of how many bytes.
        self.changed: dict[int, int] = {}


class Scratch:
    def __init__(self, builder: Builder) -> None:
        self.b = builder
        self._memory: dict[Operation, _Memory] = {}

    def place(self, op: Operation) -> Emitted:
        """The address of each thread's part."""
        memory = self._of(op)
        offsets = tuple(lane * memory.size for lane in range(self.b.width))
        return Affine(memory.threads, offsets)

    def _of(self, op: Operation) -> _Memory:
        found = self._memory.get(op)
        if found is None:
            size = -(-(size_of(op.properties["elem_type"]) or 0) // 16) * 16
            whole = size * self.b.width
            threads, lanes = self.b.alloca(I8, whole), self.b.alloca(I8, whole)
            found = self._memory[op] = _Memory(threads, lanes, size)
        return found

    # -- accesses of lanes

    def store(self, op: Operation, value: Emitted) -> bool:
        """Emits a store, if it is one to such memory."""
        place = _place(op, op.operands[1], op.operands[0].type)
        if place is None:
            return False
        allocation, at, size = place
        memory = self._of(allocation)
        b = self.b
        b.store(b.as_lanes(value), b.address(memory.lanes, at * b.width))
        memory.changed[at] = size
        return True

    def load(self, op: Operation) -> Emitted | None:
        """Emits a load, if it is one of such memory."""
        ty = op.results[0].type
        place = _place(op, op.operands[0], ty)
        if place is None:
            return None
        allocation, at, _ = place
        b = self.b
        address = b.address(self._of(allocation).lanes, at * b.width)
        return Lanes(b.load(address, vector_of(plain(ty), b.width)))

    # -- from one to the other

    def hand_over(self) -> None:
        """Gives threads what lanes have written."""
        for memory in self._memory.values():
            self._turn("xgpu_to_threads", memory, memory.changed)
            memory.changed = {}

    def take_back(self, op: Operation) -> None:
        """Gives lanes what they read behind the call `op`, up to the next."""
        read: dict[Operation, dict[int, int]] = {}
        following = op.next_op
        while following is not None and not is_device_call(following):
            if following.name == "llvm.load":
                place = _place(following, following.operands[0], following.results[0].type)
                if place is not None:
                    read.setdefault(place[0], {})[place[1]] = place[2]
            following = following.next_op
        for allocation, elements in read.items():
            self._turn("xgpu_to_lanes", self._of(allocation), elements)

    def _turn(self, function: str, memory: _Memory, elements: dict[int, int]) -> None:
        b = self.b
        for run in _runs(elements):
            numbers = [b.integer(n) for n in (memory.size, *run)]
            call(b, function, [memory.threads, memory.lanes, *numbers], None)


def _runs(elements: dict[int, int]) -> list[_Run]:
    found: list[_Run] = []
    for at, size in sorted(elements.items()):
        if found and found[-1][2] == size and found[-1][0] + found[-1][1] * size == at:
            found[-1] = (found[-1][0], found[-1][1] + 1, size)
        else:
            found.append((at, 1, size))
    return found


def _place(op: Operation, address: SSAValue, ty: Attribute) -> _Place | None:
    """Where an access is, if it is one to such memory that vectors can do."""
    size = size_of(ty)
    if size not in _SIZES or operations.is_ordered(op):
        return None
    at = 0
    owner = address.owner
    while not isinstance(owner, Block) and owner.name == "llvm.getelementptr":
        strides = gep_strides(owner)
        if strides is None or len(owner.operands) != 1:
            return None
        at += strides[0]
        owner = owner.operands[0].owner
    if isinstance(owner, Block) or SCRATCH not in owner.attributes or at % size:
        return None
    return owner, at, size
