# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an operation, with all that it contains, reads and writes, and by what means.

The means says who does it and what has to be waited for: the thread itself ("thread"), its
asynchronous copy ("cp.async"), the copy engine that fills workgroup memory ("bulk") or empties it
("bulk store"), the tensor cores by descriptor ("product", or "tensor product" where an mbarrier
says that they are over).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import MemRefType, UnrankedMemRefType

from xgpu.analysis.memory.roots import Root, may_alias, root_of, roots_behind
from xgpu.core.ir.effects import effects
from xgpu.core.ir.op_info import traits_of

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

#: What only orders or counts: no access of the memory that tiles lie in.
SYNCHRONIZATION = frozenset(
    {
        "gpu.barrier",
        "nvgpu.device_async_create_group",
        "nvgpu.device_async_wait",
        "nvgpu.mbarrier.arrive",
        "nvgpu.mbarrier.arrive.expect_tx",
        "nvgpu.mbarrier.arrive.nocomplete",
        "nvgpu.mbarrier.create",
        "nvgpu.mbarrier.get",
        "nvgpu.mbarrier.init",
        "nvgpu.mbarrier.test.wait",
        "nvgpu.mbarrier.try_wait.parity",
        "nvgpu.tma.fence.descriptor",
        "nvgpu.tma.prefetch.descriptor",
        "nvvm.bar.warp.sync",
        "nvvm.mapa",
        "nvvm.mbarrier.arrive",
        "nvvm.barrier",
        "nvvm.barrier0",
        "nvvm.cp.async.bulk.commit.group",
        "nvvm.cp.async.bulk.wait_group",
        "nvvm.cp.async.commit.group",
        "nvvm.cp.async.wait.group",
        "nvvm.elect.sync",
        "nvvm.fence.mbarrier.init",
        "nvvm.fence.proxy",
        "nvvm.prefetch",
        "nvvm.setmaxregister",
        "nvvm.tcgen05.commit",
        "nvvm.tcgen05.fence",
        "nvvm.wgmma.commit.group.sync.aligned",
        "nvvm.wgmma.fence.aligned",
        "nvvm.wgmma.wait.group.sync.aligned",
    }
)
#: Registers only, though their definitions state no effects or effects on nothing in particular.
_REGISTERS = frozenset(
    {
        "gpu.all_reduce",
        "gpu.printf",
        "gpu.shuffle",
        "gpu.subgroup_reduce",
        "nvgpu.mma.sync",
        "nvgpu.warpgroup.mma.init.accumulator",
        "nvvm.mma.sync",
        "nvvm.shfl.sync",
        "nvvm.vote.sync",
    }
)
#: What reads workgroup memory by descriptors; sums in tensor memory are no memory here.
PRODUCTS = {
    "nvgpu.warpgroup.mma": "product",
    "nvvm.wgmma.mma_async": "product",
    "nvvm.tcgen05.mma": "tensor product",
}
#: What a warp does by a pointer, its first operand, whose definition states no effects.
_BY_POINTER = {"nvvm.ldmatrix": "read", "nvvm.stmatrix": "write"}
ASYNCHRONOUS_READS = frozenset({"product", "tensor product", "bulk store"})
_MEANS = {
    ("nvgpu.device_async_copy", "write"): "cp.async",
    ("nvgpu.device_async_copy", "read"): "cp.async",
    ("nvgpu.tma.async.load", "write"): "bulk",
    ("nvgpu.tma.async.store", "read"): "bulk store",
    ("nvgpu.tma.async.store", "write"): "bulk store",
}


class Access(NamedTuple):
    """One access: the operation, "read" or "write", the root of the memory, and the means."""

    op: Operation
    kind: str
    root: Root
    means: str

    def conflicts(self, other: Access) -> bool:
        """Whether the order of the two matters."""
        return "write" in (self.kind, other.kind) and may_alias(self.root, other.root)


def accesses(op: Operation) -> Iterator[Access]:
    """Accesses of `op` and of what it contains, in the order of the program."""
    if op.name in SYNCHRONIZATION or op.name in _REGISTERS:
        return
    if op.name in PRODUCTS:
        for operand in op.operands:
            for root in roots_behind(operand):
                yield Access(op, "read", root, PRODUCTS[op.name])
        return
    if op.name in _BY_POINTER:
        for root in list(dict.fromkeys(roots_behind(op.operands[0]))) or [None]:
            yield Access(op, _BY_POINTER[op.name], root, "thread")
        return
    if op.regions and "RecursiveMemoryEffects" in traits_of(op.name):
        for region in op.regions:
            for block in region.blocks:
                for child in block.ops:
                    yield from accesses(child)
        return
    known = effects(op)
    if known is None:
        yield Access(op, "read", None, "thread")
        yield Access(op, "write", None, "thread")
        return
    for kind, value in known:
        means = _MEANS.get((op.name, kind), "thread")
        if kind in ("read", "write") and (value is not None or not _is_tied(op)):
            for root in _roots(value):
                yield Access(op, kind, root, means)


def _is_tied(op: Operation) -> bool:
    """Whether some effect of `op` names its memory: those that name none are of another kind (the
    order of instructions of a warp)."""
    return any(value is not None for _, value in effects(op) or ())


def _roots(value: SSAValue | None) -> list[Root]:
    if value is None:
        return [None]
    if isinstance(value.type, MemRefType | UnrankedMemRefType):
        return [root_of(value)]
    # A pointer: what it was computed from. A tensor map: memory of its own.
    return list(dict.fromkeys(roots_behind(value))) or [value]
