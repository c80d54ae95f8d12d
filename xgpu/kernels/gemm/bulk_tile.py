# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An operand's tile that the copy engine brings and tensor cores read by a descriptor.

A box has rows of 128 bytes, swizzled by 128, along the operand's last dimension. Where that is k
("K-major"), one box has all rows of the tile; else the tile is boxes of 128 bytes along m or n, one
behind the other, with a row for each k. Batch dimensions are extents of one in the box, so that
nothing of the next matrix comes with the end of one: beyond the operand there are zeros.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
    UnrankedMemRefType,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.dialects.arith.builders import constant
from xgpu.kernels.circular import numbers
from xgpu.kernels.gemm.tiles import GROUP_ROWS, ROW_BYTES

if TYPE_CHECKING:
    from xdsl.ir import Operation

    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.gemm.product import Operand

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
