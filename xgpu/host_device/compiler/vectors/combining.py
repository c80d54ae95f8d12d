# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations on few words of global memory, whose results are not read.

    for all threads: llvm.atomicrmw add %bins[%bin], %n
becomes
    offsets = %bins[%bin] - worker.combine_base
    if any offset is out of the window { xgpu_combine_miss(..); atomic operations } else
      worker.combine_dirty = 1
      for all lanes: copies[lane % 4][offset] += %n

The copies are the worker's own and last from block to block. Memory gets them where anything may
look at it (`native.sources.combined_atomics`):

* before a load or store in the same memory, which is asked of each of them by its address;
* before a fence, and before what orders memory itself: volatile and atomic accesses, others' atomic
  operations, what waits for other blocks, copies of ranges, calls;
* when the worker has no more blocks of the launch.

A barrier of the block needs none: the same worker runs what is behind it. Another worker may see an
operation later than without, as on GPUs where nothing orders the two.

Where threads of the launch may learn of one another (a fence, a volatile or atomic read), only
relaxed operations are combined: one that releases tells what came before it, among that others that
are still in copies. Another launch, beside this one, that acquires by operations that release may
see them in another order.

A kernel combines operations of one kind on words of one type, in memory of its arguments or of
variables in global memory. Additions of floats are among them where the kernel allows them another
order (`operations.RELAXED_FLOATS`). Where words are many, vectors leave the window, and the
operations stay atomic ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Block

from xgpu.backend.llvm_ir.facts import number, prop
from xgpu.core.ir.liveness import definition_block
from xgpu.dialects.llvm.attributes import ATOMIC_RMW
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.host_device.abi.structs import COMBINE_COPIES, COMBINE_WINDOW, COMBINED, offset
from xgpu.host_device.compiler import operations
from xgpu.host_device.compiler.code import THIS_BLOCK, call_properties
from xgpu.host_device.compiler.emission import Affine, Emitted, Lanes, Uniform
from xgpu.host_device.compiler.types import I32, I64, POINTER, plain, size_of, vector_of
from xgpu.host_device.compiler.vectors.memory import (
    SHARED,
    is_float_addition,
    root_of,
    space_of,
)
from xgpu.host_device.compiler.vectors.prepare import Table, add_at
from xgpu.host_device.compiler.vectors.shapes import WARP

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdsl.ir import Operation, SSAValue

    from xgpu.host_device.compiler.emission import Builder
    from xgpu.host_device.compiler.vectors.uniformity import Uniformity


_MONOTONIC = 2  # of LLVM's orderings: none above
MISS, GIVE_BACK = "xgpu_combine_miss", "xgpu_combine_give_back"
_KINDS = {name.lower(): code for code, name in enumerate(COMBINED)} | {"sub": 0}
#: Operations that use no memory that others see, or are asked for by their address.
_WITHOUT_MEMORY = operations.TERMINATORS | operations.HINTS | operations.WARP | {"llvm.alloca"}


class Combining:
    """Emits such operations of a kernel, and what stands before others."""

    def __init__(self, builder: Builder, uniformity: Uniformity, is_relaxed: bool) -> None:
        self.b = builder
        #: Whether additions of floats may change places.
        self._is_relaxed = is_relaxed
        self.u = uniformity
        graph = uniformity.graph
        self._entry = graph.blocks[0]
        every = [op for block in graph.blocks for op in block.ops]
        #: Whether threads of the launch may learn by an operation that releases what is before it.
        self._acquires = any(map(_may_acquire, every))
        found = [op for op in every if self._is_such(op)]
        kinds = {(_kind(op), op.results[0].type) for op in found}
        #: The operations that are combined.
        self.operations = set(found) if len(kinds) == 1 else set()
        self._worker: SSAValue | None = None

    def _is_such(self, op: Operation) -> bool:
        if not self._is_late(op) or _is_elsewhere(op.operands[0]):
            return False
        if self.u.of(op.operands[0]).level <= WARP:
            return False  # one operation does it for all lanes
        is_combined = op.results[0].type in (I32, I64) or (
            self._is_relaxed and is_float_addition(op)
        )
        return is_combined and _kind(op) is not None and self._is_global(op.operands[0])

    def _is_late(self, op: Operation) -> bool:
        """Whether nothing tells when an operation is done, but for its address."""
        if op.name != "llvm.atomicrmw" or op.results[0].first_use is not None:
            return False
        return not self._acquires or number(prop(op, "ordering")) <= _MONOTONIC

    def _is_global(self, address: SSAValue) -> bool:
        """Whether an address is plainly one in global memory."""
        root = root_of(address)
        if definition_block(root) is self._entry and isinstance(root.owner, Block):
            return isinstance(root.type, LLVMPointerType) and space_of(root) in (0, 1)
        owner = root.owner
        return not isinstance(owner, Block) and owner.name == "llvm.mlir.addressof" and (
            space_of(root) in (0, 1)
        )  # fmt: skip

    # -- the record of the worker

    def _record(self) -> SSAValue:
        if self._worker is None:
            b = self.b
            here, b.block = b.block, b.first
            block = b.value("llvm.call", (), POINTER, call_properties(THIS_BLOCK, ()))
            self._worker = b.load(b.address(block, offset("Block", "worker")), POINTER)
            b.block = here
        return self._worker

    def _field(self, name: str) -> SSAValue:
        return self.b.address(self._record(), offset("Worker", name))

    # -- such operations

    def emit(
        self, op: Operation, operands: list[Emitted], mask: SSAValue | None,
        otherwise: Callable[[], None],
    ) -> None:  # fmt: skip
        """An operation of lanes; `otherwise` emits it as an atomic one."""
        b = self.b
        size = size_of(op.results[0].type) or 4
        pointers = b.as_lanes(operands[0])
        addresses = b.value("llvm.ptrtoint", (pointers,), vector_of(I64, b.width))
        base = b.load(self._field("combine_base"), I64)
        offsets = b.value("llvm.sub", (addresses, b.splat(base)), addresses.type)
        last = b.constant_vector([COMBINE_WINDOW - size] * b.width, I64)
        misses = b.icmp("ugt", offsets, last)
        if mask is not None:
            misses = b.both(mask, misses)
        inside, outside, after = b.new_block(), b.new_block(), b.new_block()
        b.cond_branch(b.icmp("eq", b.mask_bits(misses), 0), inside, outside)
        b.enter(outside)
        self._miss(op, addresses, mask, size)
        otherwise()
        b.branch(after)
        b.enter(inside)
        b.store(b.integer(1, I32), self._field("combine_dirty"))
        table = Table(op.operands[0], [op], ATOMIC_RMW[number(prop(op, "bin_op"))], COMBINE_WINDOW)
        table.copies = b.load(self._field("combine_copies"), POINTER)
        copies = [lane % COMBINE_COPIES * COMBINE_WINDOW for lane in range(b.width)]
        offsets = b.value("llvm.add", (offsets, b.constant_vector(copies, I64)), offsets.type)
        add_at(b, table, offsets, operands[1], mask)
        b.branch(after)
        b.enter(after)

    def _miss(self, op: Operation, addresses: SSAValue, mask: SSAValue | None, size: int) -> None:
        b = self.b
        low = high = addresses
        if mask is not None:
            low = b.select(mask, addresses, b.constant_vector([-1] * b.width, I64))
            high = b.select(mask, addresses, b.zero(addresses.type))
        least = b.value("llvm.intr.vector.reduce.umin", (low,), I64)
        most = b.value("llvm.intr.vector.reduce.umax", (high,), I64)
        given = [
            self._record(), least, b.add(most, size), b.integer(_kind(op) or 0, I32),
            b.integer(size, I32),
        ]  # fmt: skip
        b.create("llvm.call", given, (), call_properties(MISS, given))

    # -- before others

    def before(
        self, op: Operation, get: Callable[[SSAValue], Emitted], mask: SSAValue | None
    ) -> None:
        """Give back what an operation may look at."""
        if op in self.operations or op.name in _WITHOUT_MEMORY or operations.is_barrier(op):
            return
        if op.name not in ("llvm.load", "llvm.store") or operations.is_ordered(op):
            if _may_look(op) and not (self._is_late(op) and self._is_alike(op)):
                self.always()
            return
        at = 0 if op.name == "llvm.load" else 1
        if _is_elsewhere(op.operands[at]):
            return
        ty = op.results[0].type if at == 0 else op.operands[0].type
        self._give_back(self._overlaps(get(op.operands[at]), size_of(plain(ty)) or 1, mask))

    def _is_alike(self, op: Operation) -> bool:
        """Whether it does not matter if an operation comes before those that are combined."""
        other = next(iter(self.operations))
        return _kind(op) == _kind(other) and op.results[0].type == other.results[0].type

    def always(self) -> None:
        """Give back all there is, as before the block waits for other blocks."""
        dirty = self.b.load(self._field("combine_dirty"), I32)
        self._give_back(self.b.icmp("ne", dirty, 0))

    def _overlaps(self, address: Emitted, size: int, mask: SSAValue | None) -> SSAValue:
        """Whether any lane uses memory that the copies stand for."""
        b = self.b
        base = b.load(self._field("combine_base"), I64)
        if isinstance(address, Lanes):
            ty = vector_of(I64, b.width)
            first = b.value("llvm.ptrtoint", (address.value,), ty)
            behind = b.value("llvm.sub", (first, b.splat(b.add(base, 1 - size))), ty)
            last = b.constant_vector([COMBINE_WINDOW + size - 1] * b.width, I64)
            found = b.icmp("ult", behind, last)
            if mask is not None:
                found = b.both(mask, found)
            return b.icmp("ne", b.mask_bits(found), 0)
        low = high = 0
        if isinstance(address, Affine):
            low, high = min(address.offsets), max(address.offsets)
        span = high - low + size
        assert isinstance(address, Affine | Uniform)
        value = address.base if isinstance(address, Affine) else address.value
        start = b.add(b.value("llvm.ptrtoint", (value,), I64), low)
        behind = b.binary("sub", start, b.add(base, 1 - span))
        return b.icmp("ult", behind, COMBINE_WINDOW + span - 1)

    def _give_back(self, condition: SSAValue) -> None:
        b = self.b
        give, after = b.new_block(), b.new_block()
        b.cond_branch(condition, give, after)
        b.enter(give)
        given = [self._record()]
        b.create("llvm.call", given, (), call_properties(GIVE_BACK, given))
        b.branch(after)
        b.enter(after)


def _may_acquire(op: Operation) -> bool:
    """Whether an operation may tell a thread what others have done before."""
    if op.name in operations.FENCES or (op.name == "llvm.load" and operations.is_ordered(op)):
        return True
    if op.name == "llvm.call":
        is_value_call = (operations.callee(op) or "").startswith("__nv_")
        return not is_value_call and not operations.is_inserted(op)
    return op.name in operations.ATOMICS and op.results[0].first_use is not None and (
        not _is_elsewhere(op.operands[0])
    )  # fmt: skip


def _may_look(op: Operation) -> bool:
    """Whether an operation orders memory, or uses some in a way that is not followed here."""
    if op.name in operations.FENCES or op.name == "llvm.call":
        return True
    if op.name in operations.ATOMICS and _is_elsewhere(op.operands[0]):
        return False
    return any(o.type.name == "llvm.ptr" for o in op.operands)


def _kind(op: Operation) -> int | None:
    return _KINDS.get(ATOMIC_RMW[number(prop(op, "bin_op"))])


def _is_elsewhere(address: SSAValue) -> bool:
    """Whether an address is plainly in the block's or in a thread's own memory."""
    root = root_of(address)
    if space_of(root) == SHARED:
        return True
    return not isinstance(root.owner, Block) and root.owner.name == "llvm.alloca"
