# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by the fifth generation's tensor cores, for sm_100a: tiles by TMA, products by tcgen05.

    gpu.launch blocks(n, m, 1) threads(128) workgroup(tile of A, tile of B, an address) {
      the first warp: columns of tensor memory for the sums
      scf.for %k = 0 to K step 64 iter_args(%there, %over) {
        one thread: expect the bytes, ask for the boxes; all: wait for the phase
        one thread: tcgen05.mma of both tiles; arrive at the other barrier when they are over
        all: wait for that; gpu.barrier
      } {xgpu.circular_buffer}
      C += what lies in tensor memory
    }

Sums of 128 rows lie in the 128 lanes, a column of 32 bits each; a tile of 256 rows has two such.
Instruction descriptor: PTX ISA, tcgen05 instruction descriptor. Matrix descriptors are wgmma's with
one bit more: the numbers of a swizzle by 128 bytes are the same bit in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType, i1, i32, i64
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.kernels.circular import numbers
from xgpu.kernels.gemm.bulk_tile import box_type
from xgpu.kernels.gemm.kernel import mark_loop
from xgpu.kernels.gemm.tensor_results import TensorResults
from xgpu.kernels.gemm.tiles import TENSOR_LANES, WARP, tensor_columns
from xgpu.kernels.gemm.warpgroup_kernel import WarpgroupKernel
from xgpu.transforms.scf.builders import for_loop, if_else

if TYPE_CHECKING:
    from xgpu.kernels.circular.numbers import Number

_SHARED, _TENSOR = 3, 6
#: What a matrix descriptor of tcgen05 has besides what one of wgmma has.
_VERSION = 1 << 46
#: By type: the kind of product, and the type's number in its instruction descriptor.
_KINDS = {
    "f16": ("f16", 0), "bf16": ("f16", 1), "f32": ("tf32", 2), "f8E4M3FN": ("f8f6f4", 0),
    "f8E5M2": ("f8f6f4", 1), "i8": ("i8", 1),
}  # fmt: skip
#: The numbers of types that sums are kept in.
_F32, _S32 = 1, 2


class TensorKernel(WarpgroupKernel):
    """Copies by one thread's TMA, products asked for by one thread, sums in tensor memory."""

    instruction = "tcgen05"
    results_class = TensorResults
    #: The blocks that multiply together, as nvvm has it and as a number.
    group, blocks = "cta_1", 1
    #: The barrier at which products arrive when they are over; tensor memory's address, and where
    #: the allocation puts it.
    over: SSAValue
    address: SSAValue
    place: SSAValue
    #: Whether a thread is the one that asks for products.
    asks: SSAValue

    def prepare(self) -> list[MemRefType[Attribute]]:
        return [*super().prepare(), box_type(i32, [1])]

    # --- in the launch -------------------------------------------------------------------------
    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        rw = self.rw
        self.place = memories[-1]
        self.is_first_warp = numbers.compare(rw, numbers.ULT, thread, WARP)
        columns = tensor_columns(self.tiles)
        self.columns = constant(rw, columns, i32)
        # One thread, as the assembler sees that it is one: what instructions of the uniform data
        # path are given needs no loop over threads then.
        elected = rw.value("nvvm.elect.sync", (), i1)
        self.asks = rw.value("arith.andi", [self.is_first_warp, elected], i1)
        if_else(rw, self.is_first_warp, (), self._allocate)
        self._fence("before")
        super().begin(thread, memories[:-1])
        self._fence("after")
        self.address = rw.value("memref.load", [self.place, numbers.value(rw, 0)], i32)

    def set_up_barriers(self) -> None:
        super().set_up_barriers()
        self.over = self.barrier()

    def _allocate(self) -> Sequence[SSAValue]:
        rw = self.rw
        index = rw.value("memref.extract_aligned_pointer_as_index", [self.place], numbers.INDEX)
        number = rw.value("arith.index_cast", [index], i64)
        place = rw.value("llvm.inttoptr", [number], LLVMPointerType(_SHARED))
        rw.create("nvvm.tcgen05.alloc", [place, self.columns], (), self._group())
        rw.create("nvvm.tcgen05.relinquish_alloc_permit", (), (), self._group())
        return []

    def end(self) -> None:
        super().end()
        rw = self.rw
        self._fence("before")
        rw.create("gpu.barrier")
        self._fence("after")

        def release() -> Sequence[SSAValue]:
            operands = [self._pointer(self.address), self.columns]
            rw.create("nvvm.tcgen05.dealloc", operands, (), self._group())
            return []

        if_else(rw, self.is_first_warp, (), release)

    def _group(self) -> dict[str, Attribute]:
        return {"group": ods.enum("nvvm.cta_group", self.group)}

    def _fence(self, kind: str) -> None:
        """Orders tcgen05 operations of other threads, by what these threads meet at."""
        self.rw.create("nvvm.tcgen05.fence", (), (), {"kind": ods.enum("nvvm.tcgen05_fence", kind)})

    def _pointer(self, address: SSAValue) -> SSAValue:
        return self.rw.value("llvm.inttoptr", [address], LLVMPointerType(_TENSOR))

    def carried(self) -> list[SSAValue]:
        """The phases of both barriers."""
        return [numbers.flag(self.rw, False), numbers.flag(self.rw, False)]

    def tile(self, origin: dict[int, Number], carried: list[SSAValue]) -> Sequence[SSAValue]:
        rw, product, tiles = self.rw, self.product, self.tiles
        low, high, step = (numbers.value(rw, size) for size in (0, self.sizes[product.k], tiles.k))
        sums = [self._moved(part * tiles.n) for part in range(tiles.m // TENSOR_LANES)]

        def iteration(k: SSAValue, state: list[SSAValue]) -> Sequence[SSAValue]:
            there, over = state[:2]
            self.load({**origin, product.k: k})
            self.wait(self.barriers, there)
            self.products(sums, k, state)
            self.wait(self.over, over)
            rw.create("gpu.barrier")
            one = numbers.flag(rw, True)
            return [rw.value("arith.xori", [phase, one], i1) for phase in state]

        loop = for_loop(rw, low, high, step, carried, iteration)
        mark_loop(loop, self.mark)
        self._fence("after")
        self.results.store(sums, origin)
        if self.schedule.blocks:
            rw.create("gpu.barrier")  # before the next tile's products
        return loop.results

    def _moved(self, columns: int) -> SSAValue:
        rw = self.rw
        if columns == 0:
            return self.address
        step = constant(rw, columns, i32)
        return rw.value("arith.addi", [self.address, step], i32)

    def products(self, sums: Sequence[SSAValue], k: SSAValue, state: Sequence[SSAValue]) -> None:
        """The products of a step; `state` has the phases of barriers."""
        if_else(self.rw, self.asks, (), lambda: self.ask_for_products(sums, k))

    def committed(self, pointer: SSAValue) -> list[SSAValue]:
        """The operands of a commit to the barrier at `pointer`."""
        return [pointer]

    def ask_for_products(self, sums: Sequence[SSAValue], k: SSAValue) -> Sequence[SSAValue]:
        """One thread asks for the products of a step; the first one of all writes the sums."""
        rw, tiles = self.rw, self.tiles
        left, right = self.operands
        self._fence("after")
        goes_on = numbers.compare(rw, numbers.NE, k, 0)
        kind, instruction = self._descriptor()
        described = constant(rw, instruction, i32)
        columns = self._versioned(right.descriptor(rw, self.memories[1], 0, tiles.n // self.blocks))
        for part, address in enumerate(sums):
            rows = self._versioned(
                left.descriptor(rw, self.memories[0], part * TENSOR_LANES, TENSOR_LANES)
            )
            for at in range(0, tiles.k, tiles.step):
                factors = [left.moved(rw, rows, at), right.moved(rw, columns, at)]
                keeps = numbers.flag(rw, True) if at else goes_on
                rw.create(
                    "nvvm.tcgen05.mma",
                    [self._pointer(address), *factors, described, keeps, None, None],
                    (),
                    {
                        "kind": ods.enum("nvvm.tcgen05_mma_kind", kind),
                        "ctaGroup": ods.enum("nvvm.cta_group", self.group),
                    },
                )
        barrier = rw.value("nvgpu.mbarrier.get", [self.over, numbers.value(rw, 0)], i64)
        pointer = rw.value("llvm.inttoptr", [barrier], LLVMPointerType(_SHARED))
        rw.create("nvvm.tcgen05.commit", self.committed(pointer), (), self._group())
        return []

    def _versioned(self, descriptor: SSAValue) -> SSAValue:
        rw = self.rw
        bit = constant(rw, _VERSION, i64)
        return rw.value("arith.ori", [descriptor, bit], i64)

    def _descriptor(self) -> tuple[str, int]:
        """The kind of product, and its descriptor: types, how the factors lie, sizes."""
        left, right = self.operands
        kind, first = _KINDS[str(left.operand.element)]
        second = _KINDS[str(right.operand.element)][1]
        found = (_S32 if self.product.is_integer else _F32) << 4 | first << 7 | second << 10
        found |= (not left.is_k_major) << 15 | (not right.is_k_major) << 16
        return kind, found | self.tiles.n >> 3 << 17 | TENSOR_LANES * self.blocks >> 4 << 24
