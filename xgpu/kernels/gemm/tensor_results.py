# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Storing sums that lie in tensor memory: a thread of a warpgroup has a row of 128.

Warp w reads lanes 32 w to 32 w + 31, of each as many columns as fill a box or 32 (PTX ISA,
tcgen05.ld, shape 32x32b). From there on it is as with wgmma, with boxes of 64 rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, VectorType, i32

from xgpu.core import ods
from xgpu.dialects.arith.builders import constant
from xgpu.dialects.llvm.types import LLVMPointerType
from xgpu.kernels.circular import numbers
from xgpu.kernels.gemm.places import store_element
from xgpu.kernels.gemm.tiles import GROUP_ROWS, TENSOR_LANES, WARP, accumulator
from xgpu.kernels.gemm.warpgroup_results import Output, WarpgroupResults

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.ir import SSAValue

    from xgpu.kernels.circular.numbers import Number

_TENSOR = 6
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
            pointer = rw.value("llvm.inttoptr", [address], LLVMPointerType(_TENSOR))
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
            word = rw.value("arith.select", [is_empty, zero, word], i32)
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
