# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all kernels of products have in common: the order of tiles, the epilogue, and a launch whose
blocks have tiles of C.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.analysis.memory import may_alias, root_of
from xgpu.core import ods
from xgpu.core.ir.calls import OWN
from xgpu.core.ir.effects import is_memory_effect_free
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.builder import Rewriter
from xgpu.dialects.arith.builders import select
from xgpu.dialects.linalg import ops
from xgpu.kernels.circular import numbers
from xgpu.kernels.circular.numbers import Number
from xgpu.kernels.circular.plan import ATTRIBUTE
from xgpu.transforms.scf.builders import for_loop, while_loop

if TYPE_CHECKING:
    from xgpu.kernels.gemm.product import Product, Tiles


# --- hilbert -------------------------------------------------------------------------------------
# Hilbert's curve through all tiles of a rectangle of any size.
#
# Part of the curve goes through a box of `width` by `height` tiles, from one corner along the side
# `width` to the next corner. It is cut, and the part that has the wanted tile is cut again, until
# it is a row:
#
#    a wide box (2 width > 3 height) into two, both along the same side;
#    others into three: up the first half's side, along the upper half, down the second half's side.
#
# Halves have an even length where there is one, so that each part ends beside where the next begins
# (that fails only where a side is even and the other odd, by a diagonal step). A box's sides are a
# number of tiles and a direction along m and n each; directions are -1, 0 or 1.


_INDEX = IndexType()


class _Box(NamedTuple):
    """Tile `rest` of the curve in a box that begins at (m, n), with its two sides."""

    rest: Number
    m: Number
    n: Number
    width: Number
    height: Number
    #: The directions of the sides `width` and `height`, along m and along n.
    across_m: Number
    across_n: Number
    up_m: Number
    up_n: Number


def place_on_curve(
    rw: Rewriter, tile: Number, rows: Number, columns: Number
) -> tuple[SSAValue, SSAValue]:
    """Where tile number `tile` of a grid of `rows` by `columns` is, along m and n."""
    is_tall = numbers.compare(rw, numbers.SLT, columns, rows)
    start = _Box(
        tile, 0, 0,
        numbers.largest(rw, rows, columns), numbers.smallest(rw, rows, columns),
        *(_select(rw, is_tall, *ends) for ends in ((1, 0), (0, 1), (0, 1), (1, 0))),
    )  # fmt: skip
    loop = while_loop(
        rw,
        _narrow(rw, start),
        lambda state: _is_plane(rw, _wide(rw, state)),
        lambda state: _narrow(rw, _cut(rw, _wide(rw, state))),
    )
    row = _wide(rw, loop.results)
    is_flat = numbers.compare(rw, numbers.EQ, row.height, 1)
    along_m = _select(rw, is_flat, row.across_m, row.up_m)
    along_n = _select(rw, is_flat, row.across_n, row.up_n)
    m = numbers.add(rw, row.m, numbers.mul(rw, along_m, row.rest))
    n = numbers.add(rw, row.n, numbers.mul(rw, along_n, row.rest))
    return numbers.value(rw, m), numbers.value(rw, n)


def _narrow(rw: Rewriter, box: Sequence[Number]) -> list[SSAValue]:
    """What goes around the loop, in 32 bits: warps that only copy have few registers, and a launch
    has no more blocks along a side than these say."""
    return [rw.value("arith.index_cast", [numbers.value(rw, one)], i32) for one in box]


def _wide(rw: Rewriter, state: Sequence[SSAValue]) -> _Box:
    return _Box(*(rw.value("arith.index_cast", [one], _INDEX) for one in state))


def _is_plane(rw: Rewriter, box: _Box) -> SSAValue:
    """Whether both sides are longer than one tile."""
    shorter = numbers.smallest(rw, box.width, box.height)
    return numbers.compare(rw, numbers.SLT, 1, shorter)


def _cut(rw: Rewriter, box: _Box) -> Sequence[Number]:
    """The part of a box's curve that has the wanted tile."""
    is_wide = numbers.compare(
        rw, numbers.SLT, numbers.mul(rw, box.height, 3), numbers.mul(rw, box.width, 2)
    )
    two, three = _two_parts(rw, box), _three_parts(rw, box)
    return [_select(rw, is_wide, left, right) for left, right in zip(two, three, strict=True)]


def _two_parts(rw: Rewriter, box: _Box) -> _Box:
    half = _even_half(rw, box.width)
    tiles = numbers.mul(rw, half, box.height)
    first = box._replace(width=half)
    second = _moved(rw, box, half, 0)._replace(
        rest=numbers.sub(rw, box.rest, tiles), width=numbers.sub(rw, box.width, half)
    )
    return _either(rw, numbers.compare(rw, numbers.SLT, box.rest, tiles), first, second)


def _three_parts(rw: Rewriter, box: _Box) -> _Box:
    half, middle = _even_half(rw, box.height), numbers.div(rw, box.width, 2)
    above = numbers.sub(rw, box.height, half)
    up_tiles = numbers.mul(rw, half, middle)
    across_tiles = numbers.mul(rw, box.width, above)
    later = numbers.sub(rw, box.rest, up_tiles)
    up = box._replace(
        width=half, height=middle,
        across_m=box.up_m, across_n=box.up_n, up_m=box.across_m, up_n=box.across_n,
    )  # fmt: skip
    across = _moved(rw, box, 0, half)._replace(rest=later, height=above)
    corner = _moved(rw, box, numbers.sub(rw, box.width, 1), numbers.sub(rw, half, 1))
    down = _Box(
        numbers.sub(rw, later, across_tiles), corner.m, corner.n,
        half, numbers.sub(rw, box.width, middle),
        *(numbers.sub(rw, 0, way) for way in (box.up_m, box.up_n, box.across_m, box.across_n)),
    )  # fmt: skip
    behind = _either(rw, numbers.compare(rw, numbers.SLT, later, across_tiles), across, down)
    return _either(rw, numbers.compare(rw, numbers.SLT, box.rest, up_tiles), up, behind)


def _even_half(rw: Rewriter, side: Number) -> Number:
    """Half of a side, rounded to the next even number where the side is longer than two."""
    half = numbers.div(rw, side, 2)
    is_long = numbers.compare(rw, numbers.SLT, 2, side)
    more = select(rw, is_long, numbers.value(rw, numbers.rem(rw, half, 2)), numbers.value(rw, 0))
    return numbers.add(rw, half, more)


def _moved(rw: Rewriter, box: _Box, across: Number, up: Number) -> _Box:
    """`box` as many tiles further along its sides."""

    def along(begin: Number, first: Number, second: Number) -> Number:
        begin = numbers.add(rw, begin, numbers.mul(rw, first, across)) if across else begin
        return numbers.add(rw, begin, numbers.mul(rw, second, up)) if up else begin

    return box._replace(
        m=along(box.m, box.across_m, box.up_m), n=along(box.n, box.across_n, box.up_n)
    )


def _either(rw: Rewriter, condition: SSAValue, left: _Box, right: _Box) -> _Box:
    return _Box(*(_select(rw, condition, a, b) for a, b in zip(left, right, strict=True)))


def _select(rw: Rewriter, condition: SSAValue, left: Number, right: Number) -> Number:
    if left is right:
        return left
    operands = [condition, numbers.value(rw, left), numbers.value(rw, right)]
    return rw.value("arith.select", operands, _INDEX)


# --- order ---------------------------------------------------------------------------------------
# Which tile of the result a block has, and in which order blocks that stay take them.
#
# "rows" goes along n first, as blocks are numbered. "swizzled" goes down eight tiles along m before
# it goes on along n: what runs at the same time is then nearly a square, which reads fewer tiles of
# A and B in all, and finds them in the second-level cache. "hilbert" follows a curve on which tiles
# with near numbers are near in both directions (`hilbert`, above).


ORDERS = ("rows", "swizzled", "hilbert")
#: Tiles along m that are done before the next ones along n.
_HEIGHT = 8


class Grid(NamedTuple):
    """How many tiles there are along each loop."""

    m: Number
    n: Number
    batches: Number

    def total(self, rw: Rewriter) -> Number:
        return numbers.mul(rw, numbers.mul(rw, self.m, self.n), self.batches)

    def place(self, rw: Rewriter, tile: SSAValue, order: str) -> tuple[Number, Number, Number]:
        """The place of tile number `tile` along m and n, and its batch."""
        matrix = numbers.mul(rw, self.m, self.n)
        batch = _div(rw, tile, matrix) if self.batches != 1 else 0
        rest = _rem(rw, tile, matrix) if self.batches != 1 else tile
        if order == "rows":
            return _div(rw, rest, self.n), _rem(rw, rest, self.n), batch
        if order == "hilbert":
            m, n = place_on_curve(rw, rest, self.m, self.n)
            return m, n, batch
        band = numbers.mul(rw, self.n, _HEIGHT)
        first = numbers.mul(rw, _div(rw, rest, band), _HEIGHT)
        height = numbers.smallest(rw, numbers.sub(rw, self.m, first), _HEIGHT)
        within = _rem(rw, rest, band)
        return numbers.add(rw, first, _rem(rw, within, height)), _div(rw, within, height), batch


def _div(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(right, int):
        return numbers.div(rw, left, right)
    return rw.value("arith.divui", [numbers.value(rw, left), right], _INDEX)


def _rem(rw: Rewriter, left: Number, right: Number) -> Number:
    if isinstance(right, int):
        return numbers.rem(rw, left, right)
    return rw.value("arith.remui", [numbers.value(rw, left), right], _INDEX)


# --- epilogue ------------------------------------------------------------------------------------
# What is computed on each element of a product is computed where the element is stored.
#
# Elementwise operations right behind the product that read its result at the element that they
# write (a bias, an activation, a residual) need no loop and no kernel of their own: the thread
# that has the element computes them. They are taken as long as nothing else stands between that
# could see memory before or after, and as long as what they read is no memory that is written
# here.


_ALLOCATIONS = frozenset({"memref.alloc", "memref.alloca"})


@dataclass
class _Step:
    """An elementwise operation, and by operand the loop along each dimension."""

    op: Operation
    inputs: Sequence[SSAValue]
    output: SSAValue
    loops: Sequence[tuple[int, ...]]


class Epilogue:
    """The steps behind one product."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.fill = _fill(product)
        self.steps: list[_Step] = []
        written = [product.c.value]
        read = [product.a.value, product.b.value]
        op = product.op.next_op
        while op is not None:
            step = _step(op)
            if step is None:
                if not _touches_nothing(op):
                    break
            elif self._belongs(step, written, read):
                self.steps.append(step)
                written.append(step.output)
                read += [v for v in _memrefs(step.inputs) if v not in written]
            else:
                break
            op = op.next_op

    def _belongs(self, step: _Step, written: Sequence[SSAValue], read: Sequence[SSAValue]) -> bool:
        """Whether a step reads and writes elements where they were just computed. What it writes
        must be nothing that the kernel has `read`: other blocks may not have done so yet."""
        out = step.loops[-1]
        if len(out) != len(self.product.c.loops) or set(out) != set(range(len(out))):
            return False
        reads = [*step.inputs, step.output]
        if not any(value in written for value in step.inputs):
            return False
        for value, loops in zip(reads, step.loops, strict=True):
            if ops.shape_of(value) is None:
                continue  # a number is no memory
            if value in written:
                if loops != out:
                    return False
            elif any(may_alias(root_of(value), root_of(other)) for other in written):
                return False
        others = [*read, *(v for v in _memrefs(step.inputs) if v is not step.output)]
        return step.output in written or not any(
            may_alias(root_of(step.output), root_of(value)) for value in others
        )

    @property
    def place(self) -> Operation:
        """Where all operands of the product and of the steps are known."""
        return self.steps[-1].op if self.steps else self.product.op

    def initial(self, rw: Rewriter, indices: Sequence[SSAValue]) -> SSAValue:
        """What the product is added to at one element."""
        c = self.product.c
        if self.fill is not None:
            return self.fill[1]
        return rw.value("memref.load", [c.value, *indices], c.element)

    def values(
        self, rw: Rewriter, element: SSAValue, indices: Sequence[Number]
    ) -> dict[SSAValue, SSAValue]:
        """By memref what is stored at `indices`: an element of the product's result, and what the
        steps make of it."""
        values: dict[SSAValue, SSAValue] = {self.product.c.value: element}
        for step in self.steps:
            values[step.output] = _evaluate(rw, step, values, indices)
        return {memory: values[memory] for memory in self.outputs()}

    def reads_nothing(self) -> bool:
        """Whether `initial` and `values` load no element."""
        written = self._written()
        return self.fill is not None and all(
            value in written for step in self.steps for value in _memrefs(step.inputs)
        )

    def outputs(self) -> list[SSAValue]:
        """The memrefs that `values` gives elements of: those that anything else can read."""
        written = self._written()
        read = [memory for memory in written if not self._is_passed_on(memory)]
        return read or written

    def _written(self) -> list[SSAValue]:
        return list(dict.fromkeys([self.product.c.value, *(step.output for step in self.steps)]))

    def _is_passed_on(self, memory: SSAValue) -> bool:
        """Whether `memory` is there only to give the product's elements to the steps."""
        owner = memory.owner
        if not isinstance(owner, Operation) or owner.name not in _ALLOCATIONS:
            return False
        own = {self.product.op, *(step.op for step in self.steps)}
        if self.fill is not None:
            own.add(self.fill[0])
        users = (use.operation for use in memory.uses)
        return all(user in own or user.name == "memref.dealloc" for user in users)

    def erase(self, rw: Rewriter) -> None:
        """Erases the product with what is computed in its kernel, and memory that is not used."""
        passed_on = [memory for memory in self._written() if self._is_passed_on(memory)]
        for op in [step.op for step in self.steps] + [self.product.op]:
            rw.erase(op)
        if self.fill is not None:
            rw.erase(self.fill[0])
        for memory in passed_on:
            users = [use.operation for use in memory.uses]
            if all(user.name == "memref.dealloc" for user in users):
                for user in users:
                    rw.erase(user)
                rw.erase(memory.owner)  # pyright: ignore[reportArgumentType]


def _memrefs(values: Sequence[SSAValue]) -> list[SSAValue]:
    return [value for value in values if ops.shape_of(value) is not None]


def _touches_nothing(op: Operation) -> bool:
    """Whether an operation neither reads nor writes memory that others know."""
    return not op.regions and (op.name in _ALLOCATIONS or is_memory_effect_free(op))


def _fill(product: Product) -> tuple[Operation, SSAValue] | None:
    """The operation that gave all of the product's result one value, and the value, if nothing that
    touches memory stands between."""
    op, c = product.op.prev_op, product.c
    while op is not None and _touches_nothing(op):
        op = op.prev_op
    if op is None or not ops.is_structured(op) or not ops.is_on_buffers(op):
        return None
    value = _filled_with(op)
    return (op, value) if value is not None and value.type == c.element and (
        list(ops.outputs(op)) == [c.value]
    ) else None  # fmt: skip


def _filled_with(op: Operation) -> SSAValue | None:
    """The number that an operation gives to all elements that it writes."""
    if any(kind != "parallel" for kind in ops.iterator_types(op)) or not op.regions:
        return None
    block = op.regions[0].first_block
    if block is None or block.last_op is None or block.last_op is not block.first_op:
        return None
    (value,) = block.last_op.operands
    if not isinstance(value, BlockArgument) or value.block is not block:
        return value
    if value.index >= len(ops.inputs(op)):
        return None
    given = ops.inputs(op)[value.index]
    return given if ops.shape_of(given) is None else None


def _step(op: Operation) -> _Step | None:
    """`op` as a step, if it computes each element of one memref from elements of others."""
    if not ops.is_structured(op) or not ops.is_on_buffers(op) or not op.regions:
        return None
    outputs = ops.outputs(op)
    if len(outputs) != 1 or any(kind != "parallel" for kind in ops.iterator_types(op)):
        return None
    block = op.regions[0].first_block
    if block is None or any(not is_memory_effect_free(inner) for inner in _computing(op)):
        return None
    loops = [_loops(map) for map in ops.indexing_maps(op)]
    if any(found is None for found in loops):
        return None
    return _Step(op, ops.inputs(op), outputs[0], [found or () for found in loops])


def _computing(op: Operation) -> list[Operation]:
    """What the body computes, without its end."""
    return list(op.regions[0].block.ops)[:-1]


def _loops(map: AffineMap) -> tuple[int, ...] | None:
    found = tuple(e.position for e in map.results if isinstance(e, AffineDimExpr))
    return found if len(found) == len(map.results) else None


def _evaluate(
    rw: Rewriter, step: _Step, values: Mapping[SSAValue, SSAValue], indices: Sequence[Number]
) -> SSAValue:
    """What a step gives for one element."""
    index_of = dict(zip(step.loops[-1], indices, strict=True))
    block = step.op.regions[0].block
    known: dict[SSAValue, SSAValue] = {}
    for argument, value, loops in zip(
        block.args, (*step.inputs, step.output), step.loops, strict=True
    ):
        if argument.first_use is None:
            continue
        if value in values:
            known[argument] = values[value]
        elif ops.shape_of(value) is None:
            known[argument] = value
        else:
            at = [numbers.value(rw, index_of[loop]) for loop in loops]
            known[argument] = rw.value("memref.load", [value, *at], argument.type)
    for inner in _computing(step.op):
        if inner.name == "linalg.index":
            loop = inner.properties["dim"].value.data  # pyright: ignore
            known[inner.results[0]] = numbers.value(rw, index_of[loop])
            continue
        copy = rw.insert(inner.clone(known))
        known.update(zip(inner.results, copy.results, strict=True))
    last = block.last_op
    assert last is not None
    result = last.operands[0]
    return known.get(result, result)


# --- kernel --------------------------------------------------------------------------------------
# What all kernels of products have in common: a launch whose blocks have tiles of C.
#
# A block has one tile, or, where there are only as many blocks as run at once, one after the other:
# the copies of the next can then be asked for while this one is stored.


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
