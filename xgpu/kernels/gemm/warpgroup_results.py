# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Storing what a warpgroup has multiplied: by each thread, or through workgroup memory by TMA.

Of each 64 rows by 8 columns a thread has two neighbours in row 16 w + g and two in row
16 w + g + 8, with w the warp, g = lane / 4 and columns from 2 (lane % 4) on (PTX ISA, fragments of
D of wgmma.m64nNk16). Stored by threads these are many writes of a few bytes. By TMA, each warpgroup
puts boxes of 64 rows by 128 bytes into workgroup memory, where the copy engine takes them; it also
leaves out what is beyond the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnitAttr,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.vector.builders import zero_attribute
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.block_size import first_lanes
from xgpu.kernels.gemm.bounds import inside
from xgpu.kernels.gemm.bulk_tile import box_type, tensor_map, why_not_bulk
from xgpu.kernels.gemm.copies import bytes_of
from xgpu.kernels.gemm.places import results_at, store_element
from xgpu.kernels.gemm.product import Operand
from xgpu.kernels.gemm.tiles import GROUP_ROWS, GROUP_WARPS, ROW_BYTES, WARP, accumulator
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.gemm.kernel import Kernel

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
        from xdsl.dialects.builtin import bf16, f16, f32

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
