# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product by warps, from sm_80 on: a plain loop over tiles along k, with `nvgpu.mma.sync`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DenseArrayBase,
    FixedBitwidthType,
    Float32Type,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.vector.builders import zero_attribute
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.gemm.copies import TileCopy, store_element
from xgpu.kernels.gemm.kernel import Epilogue, Kernel, mark_loop
from xgpu.kernels.gemm.product import (
    COLUMNS,
    LEFT,
    RIGHT,
    ROWS,
    WARP,
    Operand,
    Product,
    Tiles,
    accumulator,
)
from xgpu.transforms.scf.builders import for_loop

# --- fragments -----------------------------------------------------------------------------------
# What a warp multiplies: `nvgpu.mma.sync` on fragments that its threads hold.
#
# With g = lane / 4 and t = lane % 4, and r elements of a factor in a register of 32 bits, a
# thread's register i of a 16 by 8r piece of A holds row g + 8 (i % 2), columns r t + 4 r (i / 2)
# and the r - 1 after it; of an 8r by 8 piece of B rows r t + 4 r i.., column g; of C row g + 8 i,
# columns 2 t and 2 t + 1 (PTX ISA, matrix fragments for mma.m16n8k16 and its relatives).


def _position(*indices: int) -> dict[str, Attribute]:
    return {"static_position": DenseArrayBase.from_list(i64, list(indices))}


class Fragments:
    """The part of a block's tile that a thread's warp multiplies."""

    def __init__(
        self,
        rw: Rewriter,
        product: Product,
        tiles: Tiles,
        epilogue: Epilogue,
        thread: SSAValue,
    ) -> None:
        self.rw = rw
        self.product = product
        self.tiles = tiles
        self.epilogue = epilogue
        self.sum_type = VectorType(accumulator(product), [2, 2])
        element = product.a.element
        assert isinstance(element, FixedBitwidthType)
        self.packed = 32 // element.bitwidth
        self.lane = numbers.rem(rw, thread, WARP)
        warp = numbers.div(rw, thread, WARP)
        self.group = numbers.div(rw, self.lane, 4)
        self.pair = numbers.rem(rw, self.lane, 4)
        along_m = numbers.div(rw, warp, tiles.warps_n)
        along_n = numbers.rem(rw, warp, tiles.warps_n)
        #: The first row and column of the warp in the block's tile.
        self.row = numbers.mul(rw, along_m, tiles.rows * ROWS)
        self.column = numbers.mul(rw, along_n, tiles.columns * COLUMNS)

    def zeros(self) -> list[SSAValue]:
        zero = attribute_constant(self.rw, zero_attribute(self.sum_type), self.sum_type)
        return [zero] * (self.tiles.rows * self.tiles.columns)

    # --- in the loop ---------------------------------------------------------------------------
    def multiply(self, left: TileCopy, right: TileCopy, sums: Sequence[SSAValue]) -> list[SSAValue]:
        """The sums with the product of the two tiles added."""
        tiles, found = self.tiles, list(sums)
        for k in range(0, tiles.k, tiles.step):
            rows = [self._left(left, row * ROWS, k) for row in range(tiles.rows)]
            for column in range(0, tiles.columns, 2):
                pieces = self._right(right, column * COLUMNS, k)
                for other, b in enumerate(pieces):
                    for row, a in enumerate(rows):
                        at = row * tiles.columns + column + other
                        found[at] = self._mma(a, b, found[at])
        return found

    def _mma(self, a: SSAValue, b: SSAValue, c: SSAValue) -> SSAValue:
        shape = [ROWS, COLUMNS, self.tiles.step]
        properties: dict[str, Attribute] = {
            "mmaShape": ArrayAttr([IntegerAttr(size, i64) for size in shape])
        }
        if isinstance(self.product.a.element, Float32Type):
            properties["tf32Enabled"] = UnitAttr()
        return self.rw.value("nvgpu.mma.sync", [a, b, c], self.sum_type, properties)

    def _left(self, tile: TileCopy, row: int, k: int) -> SSAValue:
        """A piece of 16 by one step of A."""
        along_k = tile.order[1] == self.product.k
        first = numbers.add(self.rw, self.row, row)
        if not self._has_matrices(along_k):
            return self._elements(tile, along_k, LEFT, first, k)
        # Matrices of 8 rows of 16 bytes, in the order of registers: down first, then along k.
        low, high = self._eight(), self._which()
        down, ahead = numbers.rem(self.rw, high, 2), numbers.div(self.rw, high, 2)
        return self._matrices(tile, along_k, first, k, low, down, ahead)

    def _right(self, tile: TileCopy, column: int, k: int) -> list[SSAValue]:
        """Two pieces of one step by 8 of B, side by side."""
        along_k = tile.order[1] == self.product.k
        first = numbers.add(self.rw, self.column, column)
        if not self._has_matrices(along_k):
            return [
                self._elements(tile, along_k, RIGHT, numbers.add(self.rw, first, c), k)
                for c in (0, COLUMNS)
            ]
        low, high = self._eight(), self._which()
        ahead, down = numbers.rem(self.rw, high, 2), numbers.div(self.rw, high, 2)
        both = self._matrices(tile, along_k, first, k, low, down, ahead)
        half = VectorType(self.product.b.element, [RIGHT, self.packed])
        return [self._half(both, half, at) for at in (0, RIGHT)]

    def _half(self, both: SSAValue, half: VectorType, first: int) -> SSAValue:
        rw, row = self.rw, VectorType(half.element_type, [self.packed])
        found = attribute_constant(rw, zero_attribute(half), half)
        for at in range(RIGHT):
            value = rw.value("vector.extract", [both], row, _position(first + at))
            found = rw.value("vector.insert", [value, found], half, _position(at))
        return found

    def _has_matrices(self, along_k: bool) -> bool:
        """Whether ldmatrix has the tile's elements in the order of the fragments: it can turn
        matrices round only if its elements are of 16 bits."""
        return along_k or self.packed == 2

    def _eight(self) -> Number:
        return numbers.rem(self.rw, self.lane, 8)

    def _which(self) -> Number:
        """Which of an ldmatrix's four matrices this lane gives a row of."""
        return numbers.div(self.rw, self.lane, 8)

    def _matrices(
        self,
        tile: TileCopy,
        along_k: bool,
        first: Number,
        k: int,
        low: Number,
        down: Number,
        ahead: Number,
    ) -> SSAValue:
        """Four matrices of 8 by 16 bytes; `down` and `ahead` say which one a lane's row is of, and
        `low` which row of it."""
        rw = self.rw
        across = numbers.mul(rw, down, 8)
        along = numbers.mul(rw, ahead, 4 * self.packed)
        if along_k:
            across = numbers.add(rw, across, low)
        else:
            along = numbers.add(rw, along, low)
        across, along = numbers.add(rw, first, across), numbers.add(rw, along, k)
        place = (across, along) if along_k else (along, across)
        return rw.value(
            "nvgpu.ldmatrix",
            [tile.memory, *tile.index(rw, *place)],
            VectorType(tile.operand.element, [LEFT, self.packed]),
            {"transpose": BoolAttr.from_bool(not along_k), "numTiles": IntegerAttr(LEFT, i32)},
        )

    def _elements(
        self, tile: TileCopy, along_k: bool, registers: int, first: Number, k: int
    ) -> SSAValue:
        """A fragment of so many registers, element by element."""
        rw, packed, element = self.rw, self.packed, tile.operand.element
        type = VectorType(element, [registers, packed])
        found = attribute_constant(rw, zero_attribute(type), type)
        halves = 2 if registers == LEFT else 1
        for register in range(registers):
            across = numbers.add(rw, numbers.add(rw, first, self.group), 8 * (register % halves))
            begin = numbers.add(
                rw, numbers.mul(rw, self.pair, packed), k + 4 * packed * (register // halves)
            )
            for at in range(packed):
                along = numbers.add(rw, begin, at)
                place = (across, along) if along_k else (along, across)
                value = rw.value("memref.load", [tile.memory, *tile.index(rw, *place)], element)
                found = rw.value("vector.insert", [value, found], type, _position(register, at))
        return found

    # --- behind the loop -----------------------------------------------------------------------
    def add_to(
        self, sums: Sequence[SSAValue], origin: Mapping[int, Number], sizes: Mapping[int, Number]
    ) -> None:
        """Adds this thread's sums to the product's result."""
        tiles, rw, product = self.tiles, self.rw, self.product
        wide = self.sum_type.element_type
        for at, total in enumerate(sums):
            row = numbers.add(rw, numbers.add(rw, self.row, self.group), at // tiles.columns * ROWS)
            twice = numbers.mul(rw, self.pair, 2)
            column = numbers.add(
                rw, numbers.add(rw, self.column, twice), at % tiles.columns * COLUMNS
            )
            for i in range(2):
                for j in range(2):
                    place = dict(origin)
                    down = numbers.add(rw, row, 8 * i)
                    place[product.m] = numbers.add(rw, origin[product.m], down)
                    across = numbers.add(rw, column, j)
                    place[product.n] = numbers.add(rw, origin[product.n], across)
                    value = rw.value("vector.extract", [total], wide, _position(i, j))
                    store_element(rw, product, tiles, self.epilogue, value, place, sizes)


# --- warp kernel ---------------------------------------------------------------------------------
# A product by warps, from sm_80 on: a plain loop over tiles along k.
#
#     gpu.launch blocks(n, m, batch) threads(warps * 32) workgroup(tile of A, tile of B) {
#       %sums = scf.for %k = 0 to K step BK iter_args(sums of this thread) {
#         copy the tiles at %k; wait; gpu.barrier
#         multiply what this warp has of them
#         gpu.barrier
#       } {xgpu.circular_buffer}
#       C += %sums
#     }
#
# Every thread does the same, tiles are copied and multiplied in turn: `circular-buffer` makes of it
# what runs ahead. Elements beyond the operands are copied as zeros, so any sizes will do.


class WarpKernel(Kernel):
    """Copies by all threads, products by `nvgpu.mma.sync`."""

    copies: list[TileCopy]
    thread: SSAValue

    def prepare(self) -> list[MemRefType[Attribute]]:
        product, tiles = self.product, self.tiles
        self.copies = [
            self._copy(product.a, product.m, tiles.m),
            self._copy(product.b, product.n, tiles.n),
        ]
        return [copy.tile for copy in self.copies]

    def _copy(self, operand: Operand, loop: int, extent: int) -> TileCopy:
        """The copy of an operand's tile, whose rows are what memory holds together."""
        extents = {loop: extent, self.product.k: self.tiles.k}
        rows, columns = (found for found in operand.loops if found in extents)
        sizes = (extents[rows], extents[columns])
        return TileCopy(operand, (rows, columns), sizes, self.tiles.threads)

    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        self.thread = thread
        for copy, memory in zip(self.copies, memories, strict=True):
            copy.begin(memory, thread)

    def tile(self, origin: dict[int, Number], carried: list[SSAValue]) -> Sequence[SSAValue]:
        rw, k = self.rw, self.product.k
        fragments = Fragments(rw, self.product, self.tiles, self.epilogue, self.thread)
        low, high, step = (numbers.value(rw, size) for size in (0, self.sizes[k], self.tiles.k))

        def iteration(at: SSAValue, sums: list[SSAValue]) -> Sequence[SSAValue]:
            place = {**origin, k: at}
            tokens = [token for copy in self.copies for token in copy.copy(rw, place, self.sizes)]
            if tokens:
                group = rw.value("nvgpu.device_async_create_group", tokens, tokens[0].type)
                rw.create("nvgpu.device_async_wait", [group])
            rw.create("gpu.barrier")
            left, right = self.copies
            sums = fragments.multiply(left, right, sums)
            rw.create("gpu.barrier")
            return sums

        loop = for_loop(rw, low, high, step, fragments.zeros(), iteration)
        mark_loop(loop, self.mark)
        fragments.add_to(list(loop.results), origin, self.sizes)
        return carried
