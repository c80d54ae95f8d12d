# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by warpgroups, for sm_90a: tiles by TMA, products by wgmma, and storing the results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnitAttr,
    UnrankedMemRefType,
    bf16,
    f16,
    f32,
    i1,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant, constant
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.dialects.vector.builders import zero_attribute
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.surroundings import first_lanes
from xgpu.kernels.gemm.copies import bytes_of, inside, results_at, store_element
from xgpu.kernels.gemm.kernel import Kernel, mark_loop
from xgpu.kernels.gemm.product import GROUP_ROWS, GROUP_WARPS, ROW_BYTES, WARP, Operand, accumulator
from xgpu.transforms.scf.builders import for_loop, if_else

# --- bulk tile -----------------------------------------------------------------------------------
# An operand's tile that the copy engine brings and tensor cores read by a descriptor.
#
# A box has rows of 128 bytes, swizzled by 128, along the operand's last dimension. Where that is k
# ("K-major"), one box has all rows of the tile; else the tile is boxes of 128 bytes along m or n,
# one behind the other, with a row for each k. Batch dimensions are extents of one in the box, so
# that nothing of the next matrix comes with the end of one: beyond the operand there are zeros.


#: Extents of a box, and dimensions of a tensor map, at most (CUDA driver API, cuTensorMapEncode).
_MOST_EXTENT, _MOST_RANK = 256, 5
#: Rows after which the swizzle begins again.
_ATOM_ROWS = 8
#: Descriptors count in units of 16 bytes.
_UNIT_BITS = 4


def map_type(box: MemRefType[Attribute]) -> Attribute:
    """The tensor map of boxes like `box`, with rows swizzled by 128 bytes."""
    return ods.attr_class("nvgpu.tensormap.descriptor")(box, "swizzle_128b", "none", "zero", "none")


def box_type(element: Attribute, extents: list[int]) -> MemRefType[Attribute]:
    return MemRefType(element, extents, memory_space=ods.enum("gpu.address_space", "workgroup"))


def tensor_map(rw: Rewriter, operand: Operand, box: MemRefType[Attribute]) -> SSAValue:
    """Makes the map of an operand, outside of the launch."""
    source = UnrankedMemRefType(operand.element, NoneAttr())
    cast = rw.value("memref.cast", [operand.value], source)
    extents = [numbers.value(rw, size) for size in box.get_shape()]
    return rw.value("nvgpu.tma.create.descriptor", [cast, *extents], map_type(box))


def why_not_bulk(operand: Operand, size: int) -> str | None:
    """Why the copy engine cannot take `operand`, whose elements have `size` bytes; or None."""
    ty = operand.type
    strides = ty.get_strides()
    if strides is None or strides[-1] != 1:
        return "elements of a row that are not neighbours in memory"
    if len(strides) > _MOST_RANK:
        return f"more than {_MOST_RANK} dimensions"
    if any(stride is None or stride * size % 16 for stride in strides[:-1]):
        return "rows that are no multiple of 16 bytes, or of an unknown size"
    offset = ty.get_offset()
    if offset is None or offset * size % 16:
        return "a beginning that may be no multiple of 16 bytes"
    return None


class BulkTile:
    """The tile of `operand` with `extent` along the loop `major` and `depth` along `k`."""

    def __init__(
        self,
        op: Operation,
        operand: Operand,
        major: int,
        k: int,
        extent: int,
        size: int,
        sharers: int = 1,
        instruction: str = "wgmma",
    ) -> None:
        """`sharers` blocks have the same tile: each asks for its part, for all of them;
        `instruction` is what reads it."""
        reason = why_not_bulk(operand, size)
        if reason is not None:
            raise error(op, f"TMA does not copy {operand.type}, which has {reason}: use mma.sync")
        self.operand, self.major, self.k = operand, major, k
        self.size = size
        last = operand.loops[-1]
        if last not in (major, k):
            raise error(
                op,
                f"{instruction} reads tiles whose rows run along m, n or k, and those of "
                f"{operand.type} run along a batch: use mma.sync",
            )
        self.is_k_major = last == k
        if not self.is_k_major and size != 2:
            raise error(
                op,
                f"{instruction} reads {operand.element} with rows along k only, and those of "
                f"{operand.type} run along m or n: use mma.sync",
            )
        self.columns = ROW_BYTES // size
        depth = self.columns
        self.rows = extent if self.is_k_major else depth
        self.boxes = 1 if self.is_k_major else extent // self.columns
        self.sharers = sharers
        parts = self.rows // _ATOM_ROWS if self.is_k_major else self.boxes
        if parts % sharers:
            raise error(
                op, f"a tile of {extent} cannot be shared out between {sharers} blocks of a cluster"
            )
        own_rows = self.rows // sharers if self.is_k_major else self.rows
        if own_rows > _MOST_EXTENT:
            raise error(op, f"a box of TMA has at most {_MOST_EXTENT} rows, not {own_rows}")
        row_loop = major if self.is_k_major else k
        extents = {row_loop: self.rows, last: self.columns}
        #: All rows of the tile, and those of one box.
        self.whole = [extents.get(loop, 1) for loop in operand.loops]
        extents[row_loop] = own_rows
        self.box = box_type(operand.element, [extents.get(loop, 1) for loop in operand.loops])
        self.memory_type = box_type(operand.element, [self.boxes, *self.whole])
        self._at_rows = operand.loops.index(row_loop)
        self.map: SSAValue

    @property
    def bytes(self) -> int:
        return self.boxes * self.rows * ROW_BYTES

    def prepare(self, rw: Rewriter) -> None:
        """Makes the map, outside of the launch."""
        self.map = tensor_map(rw, self.operand, self.box)

    # --- copying -------------------------------------------------------------------------------
    def requests(
        self, rw: Rewriter, memory: SSAValue, at: Mapping[int, Number], rank: Number
    ) -> Iterator[tuple[SSAValue, list[SSAValue]]]:
        """Where each box goes, and its coordinates, which begin with the fastest dimension. `rank`
        says which part is this block's."""
        shape = [int(extent) for extent in self.box.get_shape()]
        for number in range(max(1, self.boxes // self.sharers)):
            place = dict(at)
            box, row = 0, 0
            if self.is_k_major:
                row = numbers.mul(rw, rank, self.rows // self.sharers)
                place[self.major] = numbers.add(rw, at[self.major], row)
            else:
                first = numbers.mul(rw, rank, self.boxes // self.sharers)
                box = numbers.add(rw, first, number)
                along = numbers.mul(rw, box, self.columns)
                place[self.major] = numbers.add(rw, at[self.major], along)
            coordinates = [numbers.value(rw, place[loop]) for loop in reversed(self.operand.loops)]
            yield self._view(rw, memory, box, row, shape, shape), coordinates

    def _view(
        self,
        rw: Rewriter,
        memory: SSAValue,
        box: Number,
        row: Number,
        sizes: list[int],
        shape: list[int],
    ) -> SSAValue:
        """`sizes` elements of a box from `row` on, as a memref of `shape`, without the ones."""
        whole = self.whole
        strides = [1]
        for extent in reversed(whole[1:]):
            strides.insert(0, strides[0] * extent)
        offsets: list[Number] = [box, *([0] * len(whole))]
        offsets[1 + self._at_rows] = row
        steps = [self.rows * self.columns, *strides]
        offset: int | None = 0
        for number, step in zip(offsets, steps, strict=True):
            offset = None if offset is None or isinstance(number, SSAValue) else offset + (
                number * step
            )  # fmt: skip
        kept = strides if len(shape) == len(whole) else [self.columns, 1]
        layout = StridedLayoutAttr(kept, NoneAttr() if offset is None else offset)
        ty = MemRefType(self.operand.element, shape, layout, self.box.memory_space)
        dynamic = [number for number in offsets if isinstance(number, SSAValue)]
        static = [DYNAMIC_INDEX if isinstance(n, SSAValue) else n for n in offsets]
        properties = {
            "static_offsets": DenseArrayBase.from_list(i64, static),
            "static_sizes": DenseArrayBase.from_list(i64, [1, *sizes]),
            "static_strides": DenseArrayBase.from_list(i64, [1] * (1 + len(whole))),
        }
        return rw.create("memref.subview", ([memory], dynamic, [], []), [ty], properties).results[0]

    # --- multiplying ---------------------------------------------------------------------------
    def descriptor(self, rw: Rewriter, memory: SSAValue, begin: Number, extent: int) -> SSAValue:
        """The 64 bits that say where `extent` rows or columns from `begin` on are."""
        rows = extent if self.is_k_major else self.rows
        sizes = [1] * len(self.whole)
        sizes[self._at_rows], sizes[-1] = rows, self.columns
        box = 0 if self.is_k_major else numbers.div(rw, begin, self.columns)
        row = begin if self.is_k_major else 0
        view = self._view(rw, memory, box, row, sizes, [rows, self.columns])
        ty = ods.attr_class("nvgpu.warpgroup.descriptor")(
            box_type(self.operand.element, [GROUP_ROWS, self.columns])
        )
        found = rw.value("nvgpu.warpgroup.generate.descriptor", [view, self.map], ty)
        return rw.value("builtin.unrealized_conversion_cast", [found], i64)

    def moved(self, rw: Rewriter, descriptor: SSAValue, k: int, along: int = 0) -> SSAValue:
        """The descriptor `k` elements further along k, and `along` along the other dimension, whole
        boxes where rows run along that one. Where it begins is in the lower 32 bits, and added to
        there: what is above is the same for all, and no carry gets there."""
        distance = k * (self.size if self.is_k_major else ROW_BYTES)
        rows = along if self.is_k_major else along // self.columns * self.rows
        distance += rows * ROW_BYTES

        low = rw.value("arith.trunci", [descriptor], i32)
        low = rw.value("arith.addi", [low, constant(rw, distance >> _UNIT_BITS, i32)], i32)
        high = rw.value("arith.andi", [descriptor, constant(rw, -(1 << 32), i64)], i64)
        return rw.value("arith.ori", [high, rw.value("arith.extui", [low], i64)], i64)


# --- warpgroup results ---------------------------------------------------------------------------
# Storing what a warpgroup has multiplied: by each thread, or through workgroup memory by TMA.
#
# Of each 64 rows by 8 columns a thread has two neighbours in row 16 w + g and two in row 16 w + g
# + 8, with w the warp, g = lane / 4 and columns from 2 (lane % 4) on (PTX ISA, fragments of D of
# wgmma.m64nNk16). Stored by threads these are many writes of a few bytes. By TMA, each warpgroup
# puts boxes of 64 rows by 128 bytes into workgroup memory, where the copy engine takes them; it
# also leaves out what is beyond the end.


_INDEX = IndexType()
_CHUNK = 16


class Output(NamedTuple):
    """A memref that is stored by TMA: its map, and the boxes of all warpgroups."""

    box: MemRefType[Attribute]
    map: SSAValue
    columns: int
    bytes: int


class WarpgroupResults:
    """Stores sums of `kernel`'s product."""

    #: Threads that share a box.
    group_threads = GROUP_WARPS * WARP

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.rw: Rewriter = kernel.rw
        self.groups = kernel.tiles.threads // self.group_threads
        self.outputs: dict[SSAValue, Output] = {}
        self.memories: dict[SSAValue, SSAValue] = {}
        self.thread: SSAValue

    # --- outside of the launch -----------------------------------------------------------------
    def prepare(self) -> list[MemRefType[Attribute]]:
        """Makes maps of what is stored by TMA; gives the memory for its boxes."""
        way = self.kernel.schedule.store
        if way == "threads":
            return []
        wanted = [self._operand(value) for value in self.kernel.epilogue.outputs()]
        for operand in wanted:
            reason = self._why_not(operand)
            if reason is None:
                continue
            if way == "tma":
                raise error(
                    self.kernel.product.op, f"TMA cannot store {operand.type}, which has {reason}"
                )
            return []
        for operand in wanted:
            self.outputs[operand.value] = self._output(operand)
        return [
            box_type(output.box.element_type, [self.groups, *output.box.get_shape()])
            for output in self.outputs.values()
        ]

    def _operand(self, value: SSAValue) -> Operand:
        return Operand(value, self.kernel.product.c.loops)

    def _why_not(self, operand: Operand) -> str | None:
        if operand.loops[-1] != self.kernel.product.n:
            return "rows that do not run along n"
        if operand.element not in self._types():
            return f"elements of type {operand.element}"
        return why_not_bulk(operand, bytes_of(operand.element))

    def _types(self) -> Sequence[Attribute]:
        return (f16, bf16, f32, i32)

    def _output(self, operand: Operand) -> Output:
        size = bytes_of(operand.element)
        columns = ROW_BYTES // size
        product = self.kernel.product
        extents = {product.m: GROUP_ROWS, product.n: columns}
        box = box_type(operand.element, [extents.get(loop, 1) for loop in operand.loops])
        return Output(box, tensor_map(self.rw, operand, box), columns, size)

    # --- in the launch -------------------------------------------------------------------------
    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        rw = self.rw
        self.memories = dict(zip(self.outputs, memories, strict=True))
        self.thread = thread
        size = self.group_threads
        self.group = self._group(thread) if self.groups > 1 else 0
        within = numbers.rem(rw, thread, size) if self.groups > 1 else thread
        self.is_first = numbers.compare(rw, numbers.EQ, within, 0)
        self.place_threads(within)

    def _group(self, thread: SSAValue) -> SSAValue:
        """Which warpgroup a thread is in, as its warp's first lane says: the assembler then knows
        that descriptors are the same for all of a warp, and keeps them in uniform registers."""
        rw = self.rw
        number = numbers.value(rw, numbers.div(rw, thread, self.group_threads))
        narrow = rw.value("arith.index_cast", [number], i32)
        return rw.value("arith.index_cast", [first_lanes(rw, narrow)], IndexType())

    def place_threads(self, within: Number) -> None:
        """Finds which elements a thread has, by its number in its group."""
        rw = self.rw
        lane = numbers.rem(rw, within, WARP)
        self.octet = numbers.div(rw, lane, 4)
        self.pair = numbers.mul(rw, numbers.rem(rw, lane, 4), 2)
        self.row = numbers.add(rw, numbers.mul(rw, numbers.div(rw, within, WARP), 16), self.octet)

    def store(self, sums: Sequence[SSAValue], origin: Mapping[int, Number]) -> None:
        """`sums` are this thread's, a struct for each 64 rows of its warpgroup."""
        rw, product = self.rw, self.kernel.product
        for half, own in enumerate(sums):
            first = numbers.mul(rw, self.group, len(sums) * GROUP_ROWS)
            begin = dict(origin)
            begin[product.m] = numbers.add(
                rw, origin[product.m], numbers.add(rw, first, half * GROUP_ROWS)
            )
            if not self.outputs:
                self._by_threads(own, begin)
            else:
                self._by_boxes(own, begin, is_first=half == 0)

    def _by_threads(self, own: SSAValue, begin: Mapping[int, Number]) -> None:
        kernel = self.kernel
        for at in range(kernel.tiles.n // 2):
            _, place, value = self._element(own, at, begin)
            store_element(
                self.rw, kernel.product, kernel.tiles, kernel.epilogue, value, place, kernel.sizes
            )

    def _element(
        self, own: SSAValue, at: int, begin: Mapping[int, Number]
    ) -> tuple[Number, dict[int, Number], SSAValue]:
        """Register `at`: its row from `begin` on, its place, and its value."""
        rw, product = self.rw, self.kernel.product
        row = numbers.add(rw, self.row, 8 * (at // 2 % 2))
        column = numbers.add(rw, self.pair, 8 * (at // 4) + at % 2)
        place = dict(begin)
        place[product.m] = numbers.add(rw, begin[product.m], row)
        place[product.n] = numbers.add(rw, begin[product.n], column)
        position = {"position": DenseArrayBase.from_list(i64, [at])}
        sums = accumulator(product)
        return row, place, rw.value("llvm.extractvalue", [own], sums, position)

    # --- by TMA --------------------------------------------------------------------------------
    def _by_boxes(self, own: SSAValue, begin: Mapping[int, Number], *, is_first: bool) -> None:
        """Columns in turn: as many as fill a box of the output with the smallest elements."""
        n = self.kernel.tiles.n
        width = min(output.columns for output in self.outputs.values())
        for first in range(0, n, width):
            if first or not is_first or self.kernel.schedule.blocks:
                self.reuse()
            done = [
                memory for memory, out in self.outputs.items() if (first + width) % out.columns == 0
            ]
            for at in range(first // 2, (first + width) // 2):
                row, place, value = self._element(own, at, begin)
                self.to_boxes(at, row, place, value)
            self.flush(done, begin, first + width)

    def reuse(self) -> None:
        """The copy engine has read the boxes, which may be written again. With more tiles than
        blocks the first boxes of a tile are those of the tile before: they are waited for here,
        behind the products in between, and not where they were asked to be stored."""
        self.drain()
        self.rw.create("gpu.barrier")

    def drain(self) -> None:
        """What this thread has asked the copy engine to store has been read."""
        properties = {"group": IntegerAttr(0, i32), "read": UnitAttr()}
        self.rw.create("nvvm.cp.async.bulk.wait_group", (), (), properties)

    def end(self) -> None:
        """Behind all tiles: memory stays until it has been read."""
        if self.outputs:
            self.drain()

    def to_boxes(self, at: int, row: Number, place: Mapping[int, Number], value: SSAValue) -> None:
        """Puts `value`, which register `at` has, into the box of each output, in `row` there."""
        rw, kernel = self.rw, self.kernel
        product, tiles = kernel.product, kernel.tiles
        outputs = list(self.outputs)
        types = [output.box.element_type for output in self.outputs.values()]
        in_bounds = inside(rw, place, kernel.sizes, {product.m: tiles.m, product.n: tiles.n})

        def compute() -> list[SSAValue]:
            found = results_at(rw, product, kernel.epilogue, value, place)
            return [found[memory] for memory in outputs]

        if in_bounds is None or kernel.epilogue.reads_nothing():
            values = compute()
        else:
            values = list(
                if_else(rw, in_bounds, types, compute, lambda: self._zeros(types)).results
            )
        for memory, element in zip(outputs, values, strict=True):
            column = self.swizzled(self.outputs[memory], at)
            shape = [
                numbers.value(rw, {product.m: row, product.n: column}.get(loop, 0))
                for loop in product.c.loops
            ]
            group = numbers.value(rw, self.group)
            rw.create("memref.store", [element, self.memories[memory], group, *shape])

    def _zeros(self, types: Sequence[Attribute]) -> list[SSAValue]:
        return [attribute_constant(self.rw, zero_attribute(ty), ty) for ty in types]

    def swizzled(self, output: Output, at: int) -> Number:
        """The column in its box where the copy engine looks for register `at`: pieces of 16 bytes
        are exchanged by the row's three lowest bits, which are the octet's number."""
        rw, size = self.rw, output.bytes
        per_chunk = _CHUNK // size
        column = (8 * (at // 4)) % output.columns
        pair = self.pair
        chunk = numbers.add(rw, numbers.div(rw, pair, per_chunk), column // per_chunk)
        exchanged = rw.value(
            "arith.xori", [numbers.value(rw, chunk), numbers.value(rw, self.octet)], _INDEX
        )
        within = numbers.add(rw, numbers.rem(rw, pair, per_chunk), at % 2)
        return numbers.add(rw, numbers.mul(rw, exchanged, per_chunk), within)

    def flush(self, done: Sequence[SSAValue], begin: Mapping[int, Number], end: int) -> None:
        """Asks for the boxes of `done`, which end before column `end`, to be stored."""
        if not done:
            return
        rw = self.rw
        kind = ods.enum("nvvm.proxy_kind", "async.shared")
        space = ods.enum("nvvm.shared_space", "cta")
        rw.create("nvvm.fence.proxy", (), (), {"kind": kind, "space": space})
        rw.create("gpu.barrier")

        def ask() -> list[SSAValue]:
            for memory in done:
                self._ask(memory, begin, end)
            rw.create("nvvm.cp.async.bulk.commit.group")
            return []

        if_else(rw, self.is_first, (), ask)

    def _ask(self, memory: SSAValue, begin: Mapping[int, Number], end: int) -> None:
        rw, product = self.rw, self.kernel.product
        output = self.outputs[memory]
        place = dict(begin)
        place[product.n] = numbers.add(rw, begin[product.n], end - output.columns)
        coordinates = [numbers.value(rw, place[loop]) for loop in reversed(product.c.loops)]
        box = self._own_box(self.memories[memory], output)
        rw.create("nvgpu.tma.async.store", ([box], [output.map], coordinates, None))

    def _own_box(self, memory: SSAValue, output: Output) -> SSAValue:
        """The box of this thread's warpgroup."""
        rw = self.rw
        shape = [int(extent) for extent in output.box.get_shape()]
        strides = [1]
        for extent in reversed(shape[1:]):
            strides.insert(0, strides[0] * extent)
        known = self.group if isinstance(self.group, int) else None
        layout = StridedLayoutAttr(strides, NoneAttr() if known is None else 0)
        ty = MemRefType(output.box.element_type, shape, layout, output.box.memory_space)
        dynamic = [self.group] if isinstance(self.group, SSAValue) else []
        static = [DYNAMIC_INDEX if known is None else known, *([0] * len(shape))]
        properties = {
            "static_offsets": DenseArrayBase.from_list(i64, static),
            "static_sizes": DenseArrayBase.from_list(i64, [1, *shape]),
            "static_strides": DenseArrayBase.from_list(i64, [1] * (1 + len(shape))),
        }
        return rw.create("memref.subview", ([memory], dynamic, [], []), [ty], properties).results[0]


# --- warpgroup kernel ----------------------------------------------------------------------------
# A product by warpgroups, for sm_90a: tiles by TMA, products by wgmma.
#
#     gpu.launch blocks(n, m, 1) threads(128 * warpgroups) workgroup(tile of A, tile of B) {
#       %sums = scf.for %k = 0 to K step 64 iter_args(%acc, %phase) {
#         one thread: expect the bytes, ask for the boxes; all: wait for the phase
#         %acc = wgmma of this warpgroup's rows of A and all of B; wait until it has read them
#         gpu.barrier
#       } {xgpu.circular_buffer}
#       C += %sums
#     }
#
# What a box has beyond its operand are zeros.


#: Try again after so many ticks: MLIR's own examples wait as long.
_TICKS = 10_000_000
#: What wgmma reads by a swizzle of 128 bytes lies at a multiple of this.
_ALIGNMENT = 1024
#: How wgmma calls the types that it multiplies.
_WGMMA_TYPES = {
    "f16": "f16", "bf16": "bf16", "f32": "tf32", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "i8": "s8",
}  # fmt: skip


class WarpgroupKernel(Kernel):
    """Copies by one thread's TMA, products by warpgroups."""

    #: What multiplies, in messages, and who stores what it gives.
    instruction = "wgmma"
    results_class: type[WarpgroupResults] = WarpgroupResults
    #: Blocks that multiply together, each of which has a part of B.
    blocks = 1
    operands: list[BulkTile]
    results: WarpgroupResults
    memories: Sequence[SSAValue]
    barriers: SSAValue
    is_first: SSAValue

    def prepare(self) -> list[MemRefType[Attribute]]:
        product, tiles = self.product, self.tiles
        along_m, along_n = self.sharers()
        # Blocks beside one another along n have the same rows of A.
        self.operands = [
            BulkTile(product.op, operand, loop, product.k, extent, tiles.element_bytes, sharers,
                     self.instruction)
            for operand, loop, extent, sharers in (
                (product.a, product.m, tiles.m, along_n),
                (product.b, product.n, tiles.n // self.blocks, along_m),
            )
        ]  # fmt: skip
        for operand in self.operands:
            operand.prepare(self.rw)
        self.groups = tiles.warps_m // GROUP_WARPS
        self.results = self.results_class(self)
        self.alignment = _ALIGNMENT
        return [*(operand.memory_type for operand in self.operands), *self.results.prepare()]

    # --- in the launch -------------------------------------------------------------------------
    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        rw = self.rw
        self.memories = memories[:2]
        self.results.begin(thread, memories[2:])
        self.is_first = numbers.compare(rw, numbers.EQ, thread, 0)
        self.set_up_barriers()
        rw.create("nvvm.fence.mbarrier.init")
        rw.create("gpu.barrier")

    def set_up_barriers(self) -> None:
        self.barriers = self.barrier()

    def barrier(self) -> SSAValue:
        """A barrier for one arrival."""
        rw, space = self.rw, ods.enum("gpu.address_space", "workgroup")
        found = rw.value(
            "nvgpu.mbarrier.create", (), ods.attr_class("nvgpu.mbarrier.group")(space, 1)
        )
        zero, one = numbers.value(rw, 0), numbers.value(rw, 1)
        rw.create("nvgpu.mbarrier.init", [found, one, zero, self.is_first])
        return found

    def carried(self) -> list[SSAValue]:
        """The barrier's phase."""
        return [numbers.flag(self.rw, False)]

    def tile(self, origin: dict[int, Number], carried: list[SSAValue]) -> Sequence[SSAValue]:
        rw, product, tiles = self.rw, self.product, self.tiles
        part = LLVMStructType([accumulator(product)] * (tiles.n // 2))
        halves = tiles.m // GROUP_ROWS // self.groups
        sums = [rw.value("llvm.mlir.zero", (), part) for _ in range(halves)]
        low, high, step = (numbers.value(rw, size) for size in (0, self.sizes[product.k], tiles.k))

        def iteration(k: SSAValue, state: list[SSAValue]) -> Sequence[SSAValue]:
            phase = state[-1]
            self.load({**origin, product.k: k})
            self.wait(self.barriers, phase)
            sums = self._multiply(state[:-1])
            rw.create("gpu.barrier")
            flipped = rw.value("arith.xori", [phase, numbers.flag(rw, True)], i1)
            return [*sums, flipped]

        loop = for_loop(rw, low, high, step, [*sums, *carried], iteration)
        mark_loop(loop, self.mark)
        self.results.store(loop.results[:-1], origin)
        return [loop.results[-1]]

    def end(self) -> None:
        self.results.end()

    def wait(self, barrier: SSAValue, phase: SSAValue) -> None:
        rw = self.rw
        ticks, zero = numbers.value(rw, _TICKS), numbers.value(rw, 0)
        rw.create("nvgpu.mbarrier.try_wait.parity", [barrier, phase, ticks, zero])

    def sharers(self) -> tuple[int, int]:
        """Blocks along m and n that copy tiles for one another."""
        return self.schedule.cluster if self.blocks == 1 else (1, 1)

    def load(self, at: dict[int, Number]) -> None:
        """One thread asks for the boxes of both tiles."""
        self.ask(at)

    def ask(self, at: dict[int, Number]) -> None:
        """One thread asks for the boxes of both tiles."""
        rw = self.rw
        zero = numbers.value(rw, 0)
        along_m, along_n = self.sharers()
        rank: Number = 0
        if along_m * along_n > 1:
            dimension = ods.enum("gpu.dim", "y" if along_m > 1 else "x")
            rank = rw.value("gpu.cluster_block_id", (), IndexType(), {"dimension": dimension})
        size = numbers.value(rw, sum(operand.bytes for operand in self.operands))
        rw.create("nvgpu.mbarrier.arrive.expect_tx", [self.barriers, size, zero, self.is_first])
        for operand, memory in zip(self.operands, self.memories, strict=True):
            mask: SSAValue | None = None
            if operand.sharers > 1:
                ranks = IntegerAttr((1 << operand.sharers) - 1, i16)
                mask = attribute_constant(rw, ranks, i16)
            for target, coordinates in operand.requests(
                rw, memory, at, rank if operand.sharers > 1 else 0
            ):
                rw.create(
                    "nvgpu.tma.async.load",
                    ([target], [self.barriers], [operand.map], coordinates, [zero], mask,
                     self.is_first),
                )  # fmt: skip

    def _multiply(self, sums: Sequence[SSAValue]) -> list[SSAValue]:
        """Adds the tiles' product to the sums of this warpgroup's rows."""
        rw, tiles = self.rw, self.tiles
        left, right = self.operands
        rows = len(sums) * GROUP_ROWS
        begin = numbers.mul(rw, self.results.group, rows)
        columns = right.descriptor(rw, self.memories[1], 0, tiles.n)
        first = left.descriptor(rw, self.memories[0], begin, GROUP_ROWS)
        rw.create("nvvm.wgmma.fence.aligned")
        found: list[SSAValue] = []
        for half, total in enumerate(sums):
            for k in range(0, tiles.k, tiles.step):
                factors = [left.moved(rw, first, k, half * GROUP_ROWS), right.moved(rw, columns, k)]
                total = rw.value(
                    "nvvm.wgmma.mma_async", [total, *factors], total.type, self._instruction()
                )
            found.append(total)
        rw.create("nvvm.wgmma.commit.group.sync.aligned")
        rw.create("nvvm.wgmma.wait.group.sync.aligned", (), (), {"group": IntegerAttr(0, i64)})
        return found

    def _instruction(self) -> dict[str, Attribute]:
        """What one wgmma multiplies. `row` and `col` are how the matrices lie that it multiplies:
        A by rows and B by columns where their rows in memory run along k."""
        tiles = self.tiles
        left, right = self.operands
        one = ods.enum("nvvm.wgmma_scale_in", "one")

        def kind(operand: BulkTile) -> Attribute:
            return ods.enum("nvvm.wgmma_type", _WGMMA_TYPES[str(operand.operand.element)])

        def layout(name: str) -> Attribute:
            return ods.enum("nvvm.mma_layout", name)

        return {
            "shape": ods.attr_class("nvvm.shape")(GROUP_ROWS, tiles.n, tiles.step),
            "typeA": kind(left),
            "typeB": kind(right),
            "typeD": ods.enum("nvvm.wgmma_type", "s32" if self.product.is_integer else "f32"),
            "scaleD": ods.enum("nvvm.wgmma_scale_out", "one"),
            "scaleA": one,
            "scaleB": one,
            "layoutA": layout("row" if left.is_k_major else "col"),
            "layoutB": layout("col" if right.is_k_major else "row"),
        }
