# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all kernels of products have in common: a launch whose blocks have tiles of C.

A block has one tile, or, where there are only as many blocks as run at once, one after the other:
the copies of the next can then be asked for while this one is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    i1,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.core.ir.generated_kernels import OWN
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.options import ATTRIBUTE
from xgpu.kernels.gemm.order import Grid
from xgpu.transforms.scf.builders import for_loop

if TYPE_CHECKING:
    from xgpu.core.rewriting.rewriter import Rewriter
    from xgpu.kernels.circular.numbers import Number
    from xgpu.kernels.gemm.epilogue import Epilogue
    from xgpu.kernels.gemm.product import Product
    from xgpu.kernels.gemm.tiles import Tiles

_INDEX = IndexType()


class Schedule(NamedTuple):
    """How tiles are shared out: `blocks` that take one after the other, or 0 for a block a tile;
    in which order; how results are stored; and the blocks along m and n that share copies."""

    blocks: int = 0
    order: str = "rows"
    store: str = "auto"
    cluster: tuple[int, int] = (1, 1)


def mark_loop(loop: Operation, mark: Attribute) -> None:
    """`loop` is for `circular-buffer`; and LLVM leaves it rolled up, whose body is long already:
    unrolled, short ones take more registers than there are."""
    loop.attributes[ATTRIBUTE] = mark
    disabled = IntegerAttr(1, i1)
    unroll = ods.attr_class("llvm.loop_unroll")(disabled, *([None] * 6))
    loop.attributes["llvm.loop_annotation"] = ods.attr_class("llvm.loop_annotation")(
        *([None] * 3), unroll, *([None] * 11)
    )


class Kernel:
    """Builds the launch of one product where the rewriter stands."""

    def __init__(
        self,
        rw: Rewriter,
        product: Product,
        tiles: Tiles,
        epilogue: Epilogue,
        mark: Attribute,
        schedule: Schedule,
    ) -> None:
        self.rw = rw
        self.product = product
        self.tiles = tiles
        self.epilogue = epilogue
        #: What the loop carries for `circular-buffer`.
        self.mark = mark
        self.schedule = schedule
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
        grid = Grid(self._blocks(product.m, tiles.m), self._blocks(product.n, tiles.n), batches)
        size, is_linear = self._grid(grid)
        operands = [numbers.value(rw, extent) for extent in (*size, tiles.threads, 1, 1)]
        clusters = self._clusters(grid)
        known = 18 if clusters else 12
        body = Block(arg_types=[_INDEX] * known + memories)
        with rw.inside(body):
            self.begin(body.args[3], body.args[known:])
            if is_linear:
                self._in_order(grid, body.args[0], body.args[6])
            else:
                at = body.args[1], body.args[0], body.args[2]
                self.tile(self._origin(*at), self.carried())
            self.end()
            rw.create("gpu.terminator")
        count = IntegerAttr(len(memories), i64)
        attributes: dict[str, Attribute] = {"workgroup_attributions": count, OWN: UnitAttr()}
        if self.alignment:
            aligned = DictionaryAttr({"llvm.align": IntegerAttr(self.alignment, i64)})
            attributes["workgroup_attrib_attrs"] = ArrayAttr([aligned] * len(memories))
        rw.create(
            "gpu.launch",
            ([], *operands, *(clusters or [None] * 3), None),
            attributes=attributes,
            regions=[Region(body)],
        )

    def _grid(self, grid: Grid) -> tuple[tuple[Number, Number, Number], bool]:
        """The blocks along x, y and z, and whether x numbers all tiles."""
        schedule = self.schedule
        if not schedule.blocks and schedule.order == "rows":
            return (grid.n, grid.m, grid.batches), False
        tiles = grid.total(self.rw)
        if not schedule.blocks:
            return (tiles, 1, 1), True
        return (numbers.smallest(self.rw, tiles, schedule.blocks), 1, 1), True

    def _clusters(self, grid: Grid) -> list[SSAValue]:
        """The sizes of clusters along x, y and z, if there are any. Raises where blocks do not come
        in clusters."""
        along_m, along_n = self.schedule.cluster
        if along_m * along_n == 1:
            return []
        for tiles, blocks in ((grid.m, along_m), (grid.n, along_n)):
            if not isinstance(tiles, int) or tiles % blocks:
                raise error(
                    self.product.op,
                    f"clusters of {along_m}x{along_n} blocks do not divide the tiles of the result",
                )
        return [numbers.value(self.rw, size) for size in (along_n, along_m, 1)]

    def _in_order(self, grid: Grid, block: SSAValue, blocks: SSAValue) -> None:
        """The tiles of one block, numbered along the launch's x: one, or each that is as many
        further as there are blocks."""
        rw, order = self.rw, self.schedule.order
        if not self.schedule.blocks:
            self.tile(self._origin(*grid.place(rw, block, order)), self.carried())
            return
        end = numbers.value(rw, grid.total(rw))

        def one(tile: SSAValue, carried: list[SSAValue]) -> Sequence[SSAValue]:
            return self.tile(self._origin(*grid.place(rw, tile, order)), carried)

        for_loop(rw, block, end, blocks, self.carried(), one)

    def _origin(self, m: Number, n: Number, batch: Number) -> dict[int, Number]:
        """The first element of a tile, by loop."""
        rw, product, tiles = self.rw, self.product, self.tiles
        return {
            product.n: numbers.mul(rw, n, tiles.n),
            product.m: numbers.mul(rw, m, tiles.m),
            **self._batch(batch),
        }

    # --- what kernels differ in ----------------------------------------------------------------
    def prepare(self) -> list[MemRefType[Attribute]]:
        """Before the launch; gives the workgroup memory that it needs."""
        raise NotImplementedError

    def begin(self, thread: SSAValue, memories: Sequence[SSAValue]) -> None:
        """In the launch, before its tiles."""
        raise NotImplementedError

    def carried(self) -> list[SSAValue]:
        """What a block's first tile is given by `tile`'s second argument."""
        return []

    def tile(self, origin: dict[int, Number], carried: list[SSAValue]) -> Sequence[SSAValue]:
        """One tile of the result, whose first element is `origin`; gives what the next is given."""
        raise NotImplementedError

    def end(self) -> None:
        """In the launch, behind its tiles."""

    # --- sizes ---------------------------------------------------------------------------------
    def _size(self, loop: int) -> Number:
        known = self.product.static_size(loop)
        if known is not None:
            return known
        operand = next(o for o in (self.product.a, self.product.b) if loop in o.loops)
        at = numbers.value(self.rw, operand.loops.index(loop))
        return self.rw.value("memref.dim", [operand.value, at], _INDEX)

    def _blocks(self, loop: int, tile: int) -> Number:
        return numbers.div(self.rw, numbers.add(self.rw, self.sizes[loop], tile - 1), tile)

    def _batch(self, linear: Number) -> dict[int, Number]:
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
