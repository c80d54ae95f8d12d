# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all kernels of products have in common: a launch with a block for each tile of C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IndexType, IntegerAttr, MemRefType, i64
from xdsl.ir import Attribute, Block, Region, SSAValue

from xgpu.transforms.circular import numbers

if TYPE_CHECKING:
    from xgpu.rewriting.rewriter import Rewriter
    from xgpu.transforms.circular.numbers import Number
    from xgpu.transforms.gemm.epilogue import Epilogue
    from xgpu.transforms.gemm.product import Product
    from xgpu.transforms.gemm.tiles import Tiles

_INDEX = IndexType()


class Kernel:
    """Builds the launch of one product where the rewriter stands."""

    def __init__(
        self, rw: Rewriter, product: Product, tiles: Tiles, epilogue: Epilogue, mark: Attribute
    ) -> None:
        self.rw = rw
        self.product = product
        self.tiles = tiles
        self.epilogue = epilogue
        #: What the loop carries for `circular-buffer`.
        self.mark = mark
        #: Where the workgroup memory has to begin, 0 for anywhere.
        self.alignment = 0
        #: How often each loop runs, outside of the launch.
        self.sizes: dict[int, Number] = {}

    def build(self) -> None:
        rw, product, tiles = self.rw, self.product, self.tiles
        for loop in (*product.batch, product.m, product.n, product.k):
            self.sizes[loop] = self._size(loop)
        memories = self.prepare()
        batches: Number = 1
        for loop in product.batch:
            batches = numbers.mul(rw, batches, self.sizes[loop])
        grid = [self._blocks(product.n, tiles.n), self._blocks(product.m, tiles.m), batches]
        operands = [numbers.value(rw, size) for size in (*grid, tiles.threads, 1, 1)]
        body = Block(arg_types=[_INDEX] * 12 + memories)
        saved = rw.anchor, rw.block
        rw.at_end(body)
        origin: dict[int, Number] = {
            product.n: numbers.mul(rw, body.args[0], tiles.n),
            product.m: numbers.mul(rw, body.args[1], tiles.m),
            **self._batch(body.args[2]),
        }
        self.body(body.args[3], origin, body.args[12:])
        rw.create("gpu.terminator")
        rw.anchor, rw.block = saved
        count = IntegerAttr(len(memories), i64)
        attributes: dict[str, Attribute] = {"workgroup_attributions": count}
        if self.alignment:
            aligned = DictionaryAttr({"llvm.align": IntegerAttr(self.alignment, i64)})
            attributes["workgroup_attrib_attrs"] = ArrayAttr([aligned] * len(memories))
        rw.create(
            "gpu.launch",
            ([], *operands, *([None] * 4)),
            attributes=attributes,
            regions=[Region(body)],
        )

    def prepare(self) -> list[MemRefType[Attribute]]:
        """Before the launch; gives the workgroup memory that it needs."""
        raise NotImplementedError

    def body(
        self, thread: SSAValue, origin: dict[int, Number], memories: Sequence[SSAValue]
    ) -> None:
        """In the launch. `origin` is the first element of the block's tile."""
        raise NotImplementedError

    def _size(self, loop: int) -> Number:
        known = self.product.static_size(loop)
        if known is not None:
            return known
        operand = next(o for o in (self.product.a, self.product.b) if loop in o.loops)
        at = numbers.value(self.rw, operand.loops.index(loop))
        return self.rw.value("memref.dim", [operand.value, at], _INDEX)

    def _blocks(self, loop: int, tile: int) -> Number:
        return numbers.div(self.rw, numbers.add(self.rw, self.sizes[loop], tile - 1), tile)

    def _batch(self, linear: SSAValue) -> dict[int, Number]:
        """The index of each batch loop from the block's z."""
        found: dict[int, Number] = {}
        rest: Number = linear
        for loop in reversed(self.product.batch[1:]):
            size = numbers.value(self.rw, self.sizes[loop])
            found[loop] = self.rw.value("arith.remui", [numbers.value(self.rw, rest), size], _INDEX)
            rest = self.rw.value("arith.divui", [numbers.value(self.rw, rest), size], _INDEX)
        if self.product.batch:
            found[self.product.batch[0]] = rest
        return found
