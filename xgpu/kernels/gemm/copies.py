# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Moving tiles between memories: copies of operands to workgroup memory, stores of results, and
guards where a tile reaches past the end of its matrix.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import FixedBitwidthType, IndexType, IntegerAttr, MemRefType, i1
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import attribute_constant, select
from xgpu.dialects.vector.builders import zero_attribute
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.gemm.product import Operand, Product, Tiles, elements_before
from xgpu.transforms.scf.builders import if_else

if TYPE_CHECKING:
    from xgpu.kernels.gemm.kernel import Epilogue


# --- bounds --------------------------------------------------------------------------------------
# Whether an element of a tile is an element of the matrix: tiles may reach beyond the end.


def inside(
    rw: Rewriter,
    place: Mapping[int, Number],
    sizes: Mapping[int, Number],
    extents: Mapping[int, int],
) -> SSAValue | None:
    """Whether `place` is below `sizes` along each loop of `extents`, which are the tile's; None if
    it always is, since tiles end where the matrix does."""
    found: SSAValue | None = None
    for loop, extent in extents.items():
        size = sizes[loop]
        if isinstance(size, int) and size % extent == 0:
            continue
        fits = numbers.compare(rw, numbers.ULT, place[loop], size)
        found = fits if found is None else rw.value("arith.andi", [found, fits], i1)
    return found


# --- copies --------------------------------------------------------------------------------------
# Copying a tile of an operand to workgroup memory, by all threads of a block.


#: A thread's cp.async copies at most so many bytes, and no fewer than the other.
_MOST, _FEWEST = 16, 4
#: Bytes that shared memory gives at once.
_BANKS = 128
_INDEX = IndexType()


def bytes_of(type: Attribute) -> int:
    """Of an element whose bits are whole bytes."""
    assert isinstance(type, FixedBitwidthType)
    return type.bitwidth // 8


def is_swizzled(length: int) -> bool:
    """Whether a row of so many bytes is a power of two of pieces, at least two."""
    return length >= 2 * _MOST and length & (length - 1) == 0


def row_bytes(length: int) -> int:
    """What a row of so many bytes takes in workgroup memory."""
    return length if is_swizzled(length) else length + _MOST


class TileCopy:
    """The copy of a tile whose rows run along the loop `order[0]`, its columns along `order[1]`.

    The eight rows that an ldmatrix reads at once have to lie in different banks. So pieces of 16
    bytes are exchanged within a row by its number, where a row has a power of two of them; other
    rows are padded by 16 bytes.
    """

    def __init__(
        self, operand: Operand, order: tuple[int, int], extents: tuple[int, int], threads: int
    ) -> None:
        self.operand = operand
        self.order = order
        self.rows, self.columns = extents
        self.threads = threads
        size = bytes_of(operand.element)
        length = self.columns * size
        self.is_swizzled = is_swizzled(length)
        #: Elements of a piece, pieces that are exchanged, and rows that lie in as many banks.
        self.piece = _MOST // size
        self.pieces = min(length // _MOST, _BANKS // _MOST)
        self.rows_of_banks = max(1, _BANKS // length)
        self.tile = MemRefType(
            operand.element,
            [self.rows, row_bytes(length) // size],
            memory_space=ods.enum("gpu.address_space", "workgroup"),
        )
        self.vector = self._vector(size)
        self.memory: SSAValue
        self._thread: SSAValue

    def _vector(self, size: int) -> int:
        """Elements that a thread copies at once: as many as lie together and are aligned in every
        row, 0 where cp.async cannot copy as few as there are."""
        type = self.operand.type
        last = len(self.operand.loops) - 1
        strides = elements_before(type, last)
        length = type.get_shape()[last]
        if self.operand.loops[last] != self.order[1] or strides is None or length < 0:
            return 0
        count = _MOST // size
        alike = (*strides, length, self.columns, self.rows * self.columns // self.threads)
        while count > 1 and any(number % count for number in alike):
            count //= 2
        if self.rows * self.columns // count % self.threads:
            return 0
        return count if count * size >= _FEWEST else 0

    def index(self, rw: Rewriter, row: Number, column: Number) -> list[SSAValue]:
        """Where the tile's memory has an element."""
        if self.is_swizzled:
            turn = numbers.rem(rw, numbers.div(rw, row, self.rows_of_banks), self.pieces)
            piece = numbers.div(rw, column, self.piece)
            within = numbers.rem(rw, column, self.piece)
            exchanged = rw.value(
                "arith.xori", [numbers.value(rw, number) for number in (piece, turn)], _INDEX
            )
            column = numbers.add(rw, numbers.mul(rw, exchanged, self.piece), within)
        return [numbers.value(rw, row), numbers.value(rw, column)]

    def begin(self, memory: SSAValue, thread: SSAValue) -> None:
        """In the kernel, where the tile's memory and the thread have values."""
        self.memory = memory
        self._thread = thread

    def copy(
        self, rw: Rewriter, at: Mapping[int, Number], sizes: Mapping[int, Number]
    ) -> list[SSAValue]:
        """Copies the tile whose first element is `at`; gives tokens if it has to be waited for."""
        wide = max(self.vector, 1)
        in_row = self.columns // wide
        pieces = self.rows * in_row
        tokens: list[SSAValue] = []
        for first in range(0, pieces, self.threads):
            piece = numbers.add(rw, self._thread, first)
            # Rows apart by a constant are addresses apart by one.
            begin, more = (piece, 0) if first % in_row else (self._thread, first // in_row)
            row = numbers.add(rw, numbers.div(rw, begin, in_row), more)
            column = numbers.mul(rw, numbers.rem(rw, begin, in_row), wide)
            if first + self.threads > pieces:
                is_piece = numbers.compare(rw, numbers.ULT, piece, pieces)
                if_else(rw, is_piece, (), lambda r=row, c=column: self._piece(rw, at, sizes, r, c))
                continue
            tokens += self._piece(rw, at, sizes, row, column)
        return [] if self.vector == 0 else tokens

    def _piece(
        self,
        rw: Rewriter,
        at: Mapping[int, Number],
        sizes: Mapping[int, Number],
        row: Number,
        column: Number,
    ) -> list[SSAValue]:
        place = dict(at)
        for loop, offset in zip(self.order, (row, column), strict=True):
            place[loop] = numbers.add(rw, at[loop], offset)
        extents = dict(zip(self.order, (self.rows, self.columns), strict=True))
        in_bounds = inside(rw, place, sizes, extents)
        target = self.index(rw, row, column)
        if self.vector == 0:
            self._by_thread(rw, place, target, in_bounds)
            return []
        source = [self._clamped(rw, place[loop], in_bounds, loop) for loop in self.operand.loops]
        some: list[SSAValue] = []
        if in_bounds is not None:
            all_, none = numbers.value(rw, self.vector), numbers.value(rw, 0)
            some = [select(rw, in_bounds, all_, none)]
        copy = rw.create(
            "nvgpu.device_async_copy",
            (self.memory, target, self.operand.value, source, some),
            [ods.attr_class("nvgpu.device.async.token")()],
            {"dstElements": IntegerAttr(self.vector, _INDEX)},
        )
        return [copy.results[0]]

    def _clamped(
        self, rw: Rewriter, index: Number, in_bounds: SSAValue | None, loop: int
    ) -> SSAValue:
        """An index that is in bounds: nothing is read where it is not, but the address is made."""
        found = numbers.value(rw, index)
        if in_bounds is None or loop not in self.order:
            return found
        return select(rw, in_bounds, found, numbers.value(rw, 0))

    def _by_thread(
        self,
        rw: Rewriter,
        place: Mapping[int, Number],
        target: list[SSAValue],
        in_bounds: SSAValue | None,
    ) -> None:
        """One element, through a register; zero beyond the operand."""
        element = self.operand.element
        source = [numbers.value(rw, place[loop]) for loop in self.operand.loops]

        def load() -> list[SSAValue]:
            return [rw.value("memref.load", [self.operand.value, *source], element)]

        if in_bounds is None:
            (value,) = load()
        else:
            zero = attribute_constant(rw, zero_attribute(element), element)
            value = if_else(rw, in_bounds, [element], load, lambda: [zero]).results[0]
        rw.create("memref.store", [value, self.memory, *target])


# --- places --------------------------------------------------------------------------------------
# Storing what a thread has of a product's result.


def store_element(
    rw: Rewriter,
    product: Product,
    tiles: Tiles,
    epilogue: Epilogue,
    value: SSAValue,
    place: Mapping[int, Number],
    sizes: Mapping[int, Number],
) -> None:
    """Adds `value` to the element at `place`, by loop, if there is one."""
    extents = {product.m: tiles.m, product.n: tiles.n}
    in_bounds = inside(rw, place, sizes, extents)

    def store() -> list[SSAValue]:
        at = [numbers.value(rw, place[loop]) for loop in product.c.loops]
        for memory, element in results_at(rw, product, epilogue, value, place).items():
            rw.create("memref.store", [element, memory, *at])
        return []

    if in_bounds is None:
        store()
    else:
        if_else(rw, in_bounds, (), store)


def results_at(
    rw: Rewriter,
    product: Product,
    epilogue: Epilogue,
    value: SSAValue,
    place: Mapping[int, Number],
) -> dict[SSAValue, SSAValue]:
    """By memref what is to be stored at `place`: `value` added to what was there, and what the
    operations behind the product make of it."""
    c, wide = product.c, value.type
    places = [place[loop] for loop in c.loops]
    old = epilogue.initial(rw, [numbers.value(rw, index) for index in places])
    if c.element != wide:
        old = rw.value("arith.extf", [old], wide)
    name = "arith.addi" if product.is_integer else "arith.addf"
    new = rw.value(name, [old, value], wide)
    if c.element != wide:
        new = rw.value("arith.truncf", [new], c.element)
    return epilogue.values(rw, new, places)
