# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by warpgroups, for sm_90a: tiles by TMA, products by wgmma.

    gpu.launch blocks(n, m, 1) threads(128) workgroup(tile of A, tile of B) {
      %sums = scf.for %k = 0 to K step 64 iter_args(%acc, %phase) {
        one thread: expect the bytes, ask for the boxes; all: wait for the phase
        %acc = nvgpu.warpgroup.mma of both tiles; wait until it has read them
        gpu.barrier
      } {xgpu.circular_buffer}
      C += %sums
    }

Rows of a box have 128 bytes, swizzled by 128, as both TMA and wgmma have them; the tile of B is
boxes of 64 columns, one behind the other. What a box has beyond its operand are zeros.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnitAttr,
    UnrankedMemRefType,
    VectorType,
    f32,
    i1,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu import ods
from xgpu.dialects.llvm.types import LLVMStructType
from xgpu.ir.errors import error
from xgpu.transforms.circular import numbers
from xgpu.transforms.circular.options import ATTRIBUTE
from xgpu.transforms.gemm.kernel import Kernel
from xgpu.transforms.gemm.places import store_element
from xgpu.transforms.gemm.tiles import BOX, GROUP_ROWS, WARP
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xgpu.transforms.circular.numbers import Number
    from xgpu.transforms.gemm.product import Operand

_INDEX = IndexType()
#: Try again after so many ticks: MLIR's own examples wait as long.
_TICKS = 10_000_000
#: What wgmma reads by a swizzle of 128 bytes lies at a multiple of this.
_ALIGNMENT = 1024


class WarpgroupKernel(Kernel):
    """Copies by one thread's TMA, products by a warpgroup."""

    maps: list[SSAValue]
    boxes: list[MemRefType[Attribute]]

    def prepare(self) -> list[MemRefType[Attribute]]:
        product, tiles = self.product, self.tiles
        self._check(product.a, (product.m, product.k))
        self._check(product.b, (product.k, product.n))
        space, element = ods.enum("gpu.address_space", "workgroup"), product.a.element
        self.boxes = [
            MemRefType(element, [tiles.m, tiles.k], memory_space=space),
            MemRefType(element, [tiles.k, BOX], memory_space=space),
        ]
        self.maps = [
            self._map(operand, box)
            for operand, box in zip((product.a, product.b), self.boxes, strict=True)
        ]
        many = MemRefType(element, [tiles.n // BOX, tiles.k, BOX], memory_space=space)
        self.alignment = _ALIGNMENT
        return [self.boxes[0], many]

    def _check(self, operand: Operand, order: tuple[int, int]) -> None:
        """Raises for operands that TMA and this use of wgmma have no form of."""
        op = self.product.op
        if operand.loops != order:
            raise error(
                op,
                "wgmma is used with both factors as [m, k] and [k, n] in two dimensions; other "
                "orders and batches are multiplied by mma.sync",
            )
        columns = operand.type.get_shape()[1]
        size = self.tiles.element_bytes
        if operand.type.get_strides() is None or columns * size % 16:
            raise error(
                op,
                f"TMA copies rows of a multiple of 16 bytes, and {operand.type} has others: use "
                "mma.sync",
            )

    def _map(self, operand: Operand, box: MemRefType[Attribute]) -> SSAValue:
        rw = self.rw
        source = UnrankedMemRefType(operand.element, NoneAttr())
        cast = rw.value("memref.cast", [operand.value], source)
        extents = [numbers.value(rw, size) for size in box.get_shape()]
        return rw.value("nvgpu.tma.create.descriptor", [cast, *extents], _map_type(box))

    # --- in the launch -------------------------------------------------------------------------
    def body(
        self, thread: SSAValue, origin: dict[int, Number], memories: Sequence[SSAValue]
    ) -> None:
        rw, product, tiles = self.rw, self.product, self.tiles
        first = numbers.compare(rw, numbers.EQ, thread, 0)
        space = ods.enum("gpu.address_space", "workgroup")
        barriers = rw.value(
            "nvgpu.mbarrier.create", (), ods.attr_class("nvgpu.mbarrier.group")(space, 1)
        )
        zero = numbers.value(rw, 0)
        rw.create("nvgpu.mbarrier.init", [barriers, numbers.value(rw, 1), zero, first])
        rw.create("nvvm.fence.mbarrier.init")
        rw.create("gpu.barrier")
        fragmented = VectorType(f32, [tiles.m, tiles.n])
        accumulator = ods.attr_class("nvgpu.warpgroup.accumulator")(fragmented)
        empty = rw.value("nvgpu.warpgroup.mma.init.accumulator", (), accumulator)
        low, high, step = (numbers.value(rw, size) for size in (0, self.sizes[product.k], tiles.k))
        begin = numbers.flag(rw, False)

        def iteration(k: SSAValue, state: list[SSAValue]) -> Sequence[SSAValue]:
            sums, phase = state
            self._load(k, origin, memories, barriers, first)
            ticks = numbers.value(rw, _TICKS)
            rw.create("nvgpu.mbarrier.try_wait.parity", [barriers, phase, ticks, zero])
            sums = self._multiply(memories, sums)
            rw.create("gpu.barrier")
            flipped = rw.value("arith.xori", [phase, numbers.flag(rw, True)], i1)
            return [sums, flipped]

        loop = for_loop(rw, low, high, step, [empty, begin], iteration)
        loop.attributes[ATTRIBUTE] = self.mark
        self._add(thread, loop.results[0], origin)

    def _load(
        self,
        k: SSAValue,
        origin: dict[int, Number],
        memories: Sequence[SSAValue],
        barriers: SSAValue,
        first: SSAValue,
    ) -> None:
        """One thread asks for the boxes of both tiles. A box's coordinates are given from the
        fastest dimension on."""
        rw, product, tiles = self.rw, self.product, self.tiles
        zero = numbers.value(rw, 0)
        size = tiles.k * (tiles.m + tiles.n) * tiles.element_bytes
        rw.create(
            "nvgpu.mbarrier.arrive.expect_tx", [barriers, numbers.value(rw, size), zero, first]
        )
        row, column = (numbers.value(rw, origin[loop]) for loop in (product.m, product.n))
        wanted = [(memories[0], self.maps[0], k, row)]
        for at in range(tiles.n // BOX):
            place = numbers.value(rw, numbers.add(rw, column, at * BOX))
            wanted.append((self._box(memories[1], at), self.maps[1], place, k))
        for target, map, fast, slow in wanted:
            rw.create(
                "nvgpu.tma.async.load",
                ([target], [barriers], [map], [fast, slow], [zero], None, first),
            )

    def _box(self, tile: SSAValue, at: int) -> SSAValue:
        """One box of the tile of B."""
        rw, box = self.rw, self.boxes[1]
        rows, columns = box.get_shape()
        layout = StridedLayoutAttr([columns, 1], at * rows * columns)
        part = MemRefType(box.element_type, [rows, columns], layout, box.memory_space)
        view = rw.create(
            "memref.subview",
            ([tile], [], [], []),
            [part],
            {
                "static_offsets": DenseArrayBase.from_list(i64, [at, 0, 0]),
                "static_sizes": DenseArrayBase.from_list(i64, [1, rows, columns]),
                "static_strides": DenseArrayBase.from_list(i64, [1, 1, 1]),
            },
        )
        return view.results[0]

    def _multiply(self, memories: Sequence[SSAValue], sums: SSAValue) -> SSAValue:
        rw, tiles = self.rw, self.tiles
        space, element = self.boxes[0].memory_space, self.boxes[0].element_type
        factors: list[SSAValue] = []
        for at, (memory, shape) in enumerate(
            ((memories[0], [tiles.m, tiles.k]), (self._box(memories[1], 0), [tiles.k, tiles.n]))
        ):
            tile = MemRefType(element, shape, memory_space=space)
            factors.append(
                rw.value(
                    "nvgpu.warpgroup.generate.descriptor",
                    [memory, self.maps[at]],
                    ods.attr_class("nvgpu.warpgroup.descriptor")(tile),
                )
            )
        return rw.value(
            "nvgpu.warpgroup.mma",
            [*factors, sums],
            sums.type,
            {"transposeB": UnitAttr(), "waitGroup": IntegerAttr(0, i64)},
        )

    # --- behind the loop -----------------------------------------------------------------------
    def _add(self, thread: SSAValue, sums: SSAValue, origin: dict[int, Number]) -> None:
        """Adds this thread's sums to the result. Of each 64 rows by 8 columns a thread has two
        neighbours in row 16 w + g and two in row 16 w + g + 8, with w the warp, g = lane / 4 and
        columns from 2 (lane % 4) on (PTX ISA, fragments of D of wgmma.m64nNk16)."""
        rw, product, tiles = self.rw, self.product, self.tiles
        lane = numbers.rem(rw, thread, WARP)
        warp = numbers.mul(rw, numbers.div(rw, thread, WARP), 16)
        row = numbers.add(rw, warp, numbers.div(rw, lane, 4))
        pair = numbers.mul(rw, numbers.rem(rw, lane, 4), 2)
        whole, part = _registers(tiles.m, tiles.n)
        registers = rw.value("builtin.unrealized_conversion_cast", [sums], whole)
        for half in range(tiles.m // GROUP_ROWS):
            position = {"position": DenseArrayBase.from_list(i64, [half])}
            own = rw.value("llvm.extractvalue", [registers], part, position)
            for at in range(tiles.n // 2):
                eight, i, j = at // 4, at // 2 % 2, at % 2
                place = dict(origin)
                down = numbers.add(rw, row, half * GROUP_ROWS + 8 * i)
                across = numbers.add(rw, pair, 8 * eight + j)
                place[product.m] = numbers.add(rw, origin[product.m], down)
                place[product.n] = numbers.add(rw, origin[product.n], across)
                position = {"position": DenseArrayBase.from_list(i64, [at])}
                value = rw.value("llvm.extractvalue", [own], f32, position)
                store_element(rw, product, tiles, self.epilogue, value, place, self.sizes)


def _map_type(box: MemRefType[Attribute]) -> Attribute:
    return ods.attr_class("nvgpu.tensormap.descriptor")(
        box,
        "swizzle_128b",
        "none",
        "zero",
        "none",
    )


def _registers(rows: int, columns: int) -> tuple[Attribute, Attribute]:
    """What an accumulator is in the llvm dialect: a struct of structs, one for 64 rows."""
    part = LLVMStructType([f32] * (columns // 2))
    return LLVMStructType([part] * (rows // GROUP_ROWS)), part
