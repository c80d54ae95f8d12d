# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by the fifth generation's tensor cores (sm_100a), by single blocks or pairs of blocks:
tiles by TMA, products by tcgen05, sums in tensor memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, VectorType, i1, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.dialects.arith.builders import attribute_constant, constant, select
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.bulk import meet
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.gemm.copies import store_element
from xgpu.kernels.gemm.kernel import mark_loop
from xgpu.kernels.gemm.product import GROUP_ROWS, TENSOR_LANES, WARP, accumulator, tensor_columns
from xgpu.kernels.gemm.warpgroup_kernel import Output, WarpgroupKernel, WarpgroupResults, box_type
from xgpu.transforms.scf.builders import for_loop, if_else

# --- tensor results ------------------------------------------------------------------------------
# Storing sums that lie in tensor memory: a thread of a warpgroup has a row of 128.
#
# Warp w reads lanes 32 w to 32 w + 31, of each as many columns as fill a box or 32 (PTX ISA,
# tcgen05.ld, shape 32x32b). From there on it is as with wgmma, with boxes of 64 rows.


_TENSOR_MEMORY = 6
#: Columns that are read at once, and the bit of an address where lanes begin.
_COLUMNS, _LANE_BIT = 32, 16
_CHUNK = 16


class TensorResults(WarpgroupResults):
    """Stores sums that `kernel` has in tensor memory."""

    group_threads = GROUP_ROWS

    def place_threads(self, within: Number) -> None:
        rw = self.rw
        self.row = within
        self.octet = numbers.rem(rw, within, 8)
        warp = numbers.div(rw, self.thread, WARP)
        lanes = numbers.mul(rw, warp, WARP << _LANE_BIT)
        self.lanes = rw.value("arith.index_cast", [numbers.value(rw, lanes)], i32)

    def store(self, sums: Sequence[SSAValue], origin: Mapping[int, Number]) -> None:
        """`sums` are addresses of tensor memory, of 128 rows each."""
        rw, m = self.rw, self.kernel.product.m
        for number, address in enumerate(sums):
            first = numbers.mul(rw, self.group, GROUP_ROWS)
            first = numbers.add(rw, first, number * TENSOR_LANES)
            begin = {**origin, m: numbers.add(rw, origin[m], first)}
            own = rw.value("arith.addi", [address, self.lanes], i32)
            if self.outputs:
                self._in_boxes(own, begin, is_first=number == 0)
            else:
                self._in_rows(own, begin)
        rw.create("nvvm.tcgen05.fence", (), (), {"kind": ods.enum("nvvm.tcgen05_fence", "before")})

    def _in_rows(self, own: SSAValue, begin: Mapping[int, Number]) -> None:
        kernel = self.kernel
        for first in range(0, kernel.tiles.n, _COLUMNS):
            for at, value in enumerate(self._read(own, first, _COLUMNS), first):
                place = self._place(begin, at)
                store_element(
                    self.rw, kernel.product, kernel.tiles, kernel.epilogue, value, place,
                    kernel.sizes,
                )  # fmt: skip

    def _in_boxes(self, own: SSAValue, begin: Mapping[int, Number], *, is_first: bool) -> None:
        width = min(output.columns for output in self.outputs.values())
        for first in range(0, self.kernel.tiles.n, width):
            values = self._read(own, first, width)
            if first or not is_first or self.kernel.schedule.blocks:
                self.reuse()
            for at, value in enumerate(values, first):
                self.to_boxes(at, self.row, self._place(begin, at), value)
            end = first + width
            done = [memory for memory, out in self.outputs.items() if end % out.columns == 0]
            self.flush(done, begin, end)

    def _place(self, begin: Mapping[int, Number], column: int) -> dict[int, Number]:
        rw, product = self.rw, self.kernel.product
        m = numbers.add(rw, begin[product.m], self.row)
        return {**begin, product.m: m, product.n: numbers.add(rw, begin[product.n], column)}

    def _read(self, own: SSAValue, first: int, count: int) -> list[SSAValue]:
        """This thread's sums of `count` columns from `first` on."""
        rw = self.rw
        words: list[SSAValue] = []
        vector = VectorType(i32, [_COLUMNS])
        shape = ods.enum("nvvm.tcgen05_ldst_shape", "shape_32x32b")
        for column in range(first, first + count, _COLUMNS):
            step = constant(rw, column, i32)
            address = rw.value("arith.addi", [own, step], i32)
            pointer = rw.value("llvm.inttoptr", [address], LLVMPointerType(_TENSOR_MEMORY))
            read = rw.value("nvvm.tcgen05.ld", [pointer], vector, {"shape": shape})
            words += rw.create("vector.to_elements", [read], [i32] * _COLUMNS).results
        rw.create("nvvm.tcgen05.wait", (), (), {"kind": ods.enum("nvvm.tcgen05_wait", "load")})
        return [self._sum(word) for word in words]

    def _sum(self, word: SSAValue) -> SSAValue:
        """What a register says: nothing was added up where the product has no depth."""
        rw, product = self.rw, self.kernel.product
        depth = self.kernel.sizes[product.k]
        if not isinstance(depth, int) or depth == 0:
            is_empty = numbers.compare(rw, numbers.EQ, depth, 0)
            zero = constant(rw, 0, i32)
            word = select(rw, is_empty, zero, word)
        total = accumulator(product)
        return word if total == i32 else rw.value("arith.bitcast", [word], total)

    def swizzled(self, output: Output, at: int) -> Number:
        """As `WarpgroupResults.swizzled`, of column `at`."""
        rw, per_chunk = self.rw, _CHUNK // output.bytes
        chunk, within = divmod(at % output.columns, per_chunk)
        exchanged = rw.value(
            "arith.xori", [numbers.value(rw, chunk), numbers.value(rw, self.octet)], IndexType()
        )
        return numbers.add(rw, numbers.mul(rw, exchanged, per_chunk), within)


# --- tensor kernel -------------------------------------------------------------------------------
# A product by the fifth generation's tensor cores, for sm_100a: tiles by TMA, products by tcgen05.
#
#     gpu.launch blocks(n, m, 1) threads(128) workgroup(tile of A, tile of B, an address) {
#       the first warp: columns of tensor memory for the sums
#       scf.for %k = 0 to K step 64 iter_args(%there, %over) {
#         one thread: expect the bytes, ask for the boxes; all: wait for the phase
#         one thread: tcgen05.mma of both tiles; arrive at the other barrier when they are over
#         all: wait for that; gpu.barrier
#       } {xgpu.circular_buffer}
#       C += what lies in tensor memory
#     }
#
# Sums of 128 rows lie in the 128 lanes, a column of 32 bits each; a tile of 256 rows has two such.
# Instruction descriptor: PTX ISA, tcgen05 instruction descriptor. Matrix descriptors are wgmma's
# with one bit more: the numbers of a swizzle by 128 bytes are the same bit in both.


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


# --- pair kernel ---------------------------------------------------------------------------------
# A product by pairs of blocks for sm_100a (`cta_group::2`): 256 rows, half of B in each block.
#
# The blocks of a pair lie below one another. Each copies its own 128 rows of A and half of the
# columns of B, and has the sums of its rows in its own tensor memory; the first block's thread asks
# for products of both. In the loop as it is:
#
#     one thread asks for this block's boxes; all wait until they are there
#     one thread of the second block: arrives at the first block's %both
#     one thread of the first block: waits for %both; asks; commits to %over of both blocks
#     all wait for %over
#
# So all that reads a block's tiles is over for its threads when its own %over says so, and a stage
# is given back by the block alone. Where warps of their own copy, `circular-buffer` leaves the loop
# to these two threads, with a %both for each stage, and commits give stages back in both blocks.


_PAIR_SHARED, _CLUSTER = 3, 7
BLOCKS = 2


class PairKernel(TensorKernel):
    """Copies by one thread of each block, products asked for by one thread of the first."""

    group = "cta_2"
    blocks = BLOCKS
    both: SSAValue
    rank: SSAValue
    #: Whether a thread says that its block's tiles are there, and whether it asks for products.
    tells: SSAValue
    leads: SSAValue

    # --- in the launch -------------------------------------------------------------------------
    def set_up_barriers(self) -> None:
        super().set_up_barriers()
        self.both = self.barrier()

    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        rw = self.rw
        self.rank = rw.value(
            "gpu.cluster_block_id", (), IndexType(), {"dimension": ods.enum("gpu.dim", "y")}
        )
        super().begin(thread, memories)
        is_second, is_leader = (
            numbers.compare(rw, way, self.rank, 0) for way in (numbers.NE, numbers.EQ)
        )
        self.tells = rw.value("arith.andi", [self.asks, is_second], i1)
        self.leads = rw.value("arith.andi", [self.asks, is_leader], i1)
        meet(rw)  # no thread arrives at a barrier of the other block before it is initialized

    def end(self) -> None:
        meet(self.rw)  # the other block's products have read this one's tiles
        super().end()

    def carried(self) -> list[SSAValue]:
        return [*super().carried(), numbers.flag(self.rw, False)]

    def load(self, at: dict[int, Number]) -> None:
        """This block's rows of A, and its half of the columns of B."""
        rw, product = self.rw, self.product
        half = numbers.mul(rw, self.rank, self.tiles.n // BLOCKS)
        self.ask({**at, product.n: numbers.add(rw, at[product.n], half)})

    def products(self, sums: Sequence[SSAValue], k: SSAValue, state: Sequence[SSAValue]) -> None:
        if_else(self.rw, self.tells, (), self._arrive)

        def ask() -> Sequence[SSAValue]:
            self.wait(self.both, state[2])
            return self.ask_for_products(sums, k)

        if_else(self.rw, self.leads, (), ask)

    def _arrive(self) -> Sequence[SSAValue]:
        rw = self.rw
        number = rw.value("nvgpu.mbarrier.get", [self.both, numbers.value(rw, 0)], i64)
        own = rw.value("llvm.inttoptr", [number], LLVMPointerType(_PAIR_SHARED))
        first = constant(rw, 0, i32)
        there = rw.value("nvvm.mapa", [own, first], LLVMPointerType(_CLUSTER))
        scope: dict[str, Attribute] = {"scope": ods.enum("nvvm.mem_scope", "cluster")}
        rw.create("nvvm.mbarrier.arrive", [there], (), scope)
        return []

    def committed(self, pointer: SSAValue) -> list[SSAValue]:
        ranks = IntegerAttr((1 << BLOCKS) - 1, i16)
        return [pointer, attribute_constant(self.rw, ranks, i16)]
