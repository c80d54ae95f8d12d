# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-linalg-contractions-to-gpu`: products of two operands become kernels that keep tiles of
both in workgroup memory and a tile of the result in registers.

What counts is how the operands are walked, not what is computed: one loop that only the first
operand and the result see (rows), one that only the second and the result see (columns), and one
that only the operands see and that reduces. Then each element of a tile is read by a whole row or
column of threads, and fetching it once pays. Other parallel loops are shared by blocks, other
reductions run around the tiles.

A block of `threads` (x, y) computes a tile of `tile-sizes` rows and columns, in steps of the third
size. Thread (x, y) has rows y, y + threads_y, .. and columns x, x + threads_x, ..: neighbours read
neighbouring columns, and a warp one row.

    for each step:
      copy both tiles to workgroup memory; what lies outside is 0 there, and is not used
      gpu.barrier
      for each k inside: load a column of rows and a row of columns, compute all pairs
      gpu.barrier

Each copy is an `scf.forall` that the block's threads share: `gpu-vectorize-copies` makes vectors of
its elements, `gpu-map-foralls-to-threads` gives each thread its part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.conversion.linalg.linalg_to_gpu import (
    Launch,
    add,
    both,
    ceil_div,
    guarded,
    inline,
    is_in_kernel,
    is_less,
    is_projection,
    loops,
    split,
    subscripts,
    times,
    unflatten,
    zero,
)
from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core import ods
from xgpu.core.ir.errors import error
from xgpu.core.passes.base import Option, Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.support.gpu_limits import MAX_THREADS
from xgpu.dialects.affine.index_math import as_value, bit_width
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.linalg import ops
from xgpu.transforms.gpu.gpu_map_parallel_loops import thread_mapping
from xgpu.transforms.scf.builders import forall

if TYPE_CHECKING:
    from xdsl.context import Context

_INDEX = IndexType()
#: What a kernel may have without asking for more when it is launched (CUDA C++ Programming Guide,
#: compute capabilities).
_WORKGROUP_BYTES = 48 * 1024


class Roles:
    """Which loop of a contraction is which, and which operand comes first."""

    __slots__ = ("column", "first", "others", "reductions", "row", "second", "step")

    def __init__(self, op: Operation) -> None:
        maps = ops.indexing_maps(op)
        kinds = ops.iterator_types(op)
        seen = [_loops_of(m) for m in maps]
        rows = [i for i in seen[0] if i in seen[2] and i not in seen[1]]
        columns = [i for i in seen[1] if i in seen[2] and i not in seen[0]]
        steps = [
            i
            for i, kind in enumerate(kinds)
            if kind != ops.PARALLEL and i in seen[0] and i in seen[1]
        ]
        if not rows or not columns or not steps:
            raise ValueError("no contraction")
        order = seen[2]
        row, column = (max(found, key=order.index) for found in (rows, columns))
        self.first, self.second = 0, 1
        if order.index(row) > order.index(column):
            # Neighbouring threads go along the result's last dimension.
            row, column, self.first, self.second = column, row, 1, 0
        self.row, self.column, self.step = row, column, steps[-1]
        tiled = (row, column, self.step)
        self.others = [i for i in order if i not in tiled]
        self.reductions = [i for i in range(len(kinds)) if i not in order and i not in tiled]


def _loops_of(affine_map: AffineMap) -> list[int]:
    return [r.position for r in affine_map.results if isinstance(r, AffineDimExpr)]


def roles_of(op: Operation) -> Roles | None:
    """The roles of the loops of a contraction on buffers; None for anything else."""
    if not ops.is_structured(op) or not ops.is_on_buffers(op):
        return None
    if len(ops.inputs(op)) != 2 or len(ops.outputs(op)) != 1:  # pyright: ignore
        return None
    if not all(is_projection(m) for m in ops.indexing_maps(op)):
        return None
    if any(ops.shape_of(value) is None for value in op.operands):
        return None
    try:
        return Roles(op)
    except ValueError:
        return None


class _Kernel:
    """The kernel of one contraction."""

    def __init__(
        self, op: Operation, roles: Roles, tile: tuple[int, int, int], block: tuple[int, int]
    ):
        self.op, self.roles, self.tile, self.block = op, roles, tile, block
        self.host = Rewriter(op)
        self.maps = ops.indexing_maps(op)
        sizes = loop_sizes(op, self.host)  # pyright: ignore[reportArgumentType]
        assert sizes is not None  # each loop walks along some operand
        self.sizes: list[Mixed] = list(sizes)
        #: How many rows and columns a thread has.
        self.counts = (tile[0] // block[1], tile[1] // block[0])

    def build(self) -> None:
        """Replaces the operation."""
        roles, (rows, columns, _) = self.roles, self.tile
        row_blocks = ceil_div(self.host, self.sizes[roles.row], rows)
        column_blocks = ceil_div(self.host, self.sizes[roles.column], columns)
        blocks = times(self.host, row_blocks, column_blocks)
        for loop in roles.others:
            blocks = times(self.host, blocks, self.sizes[loop])
        launch = Launch(self.host, blocks, self.block, self._memory())
        self.rw, self.threads, self.tiles = launch.rw, launch.threads, launch.memory
        place, at_column = split(self.rw, launch.block_id, column_blocks)
        outer, at_row = split(self.rw, place, row_blocks) if roles.others else (0, place)
        indices = unflatten(self.rw, outer, [self.sizes[i] for i in roles.others])
        self.outer: dict[int, Mixed] = dict(zip(roles.others, indices, strict=True))
        self.row_base = times(self.rw, at_row, rows)
        self.column_base = times(self.rw, at_column, columns)
        thread_column, thread_row = self.threads
        self.own_rows = [add(self.rw, thread_row, i * self.block[1]) for i in range(self.counts[0])]
        self.own_columns = [
            add(self.rw, thread_column, i * self.block[0]) for i in range(self.counts[1])
        ]
        state = [self._result(r, c) for r in self.own_rows for c in self.own_columns]
        sizes = [
            *(self.sizes[i] for i in roles.reductions),
            ceil_div(self.rw, self.sizes[roles.step], self.tile[2]),
        ]
        results = iter(loops(self.rw, sizes, state, self._step))
        for row in self.own_rows:
            for column in self.own_columns:
                self._store(next(results), row, column)
        self.host.erase(self.op)

    def _memory(self) -> list[MemRefType[Attribute]]:
        """A tile of each operand, steps first."""
        space = ods.enum("gpu.address_space", "workgroup")
        rows, columns, steps = self.tile
        found: list[MemRefType[Attribute]] = []
        needed = 0
        for operand, size in ((self.roles.first, rows), (self.roles.second, columns)):
            element = ops.scalar_type(self.op.operands[operand])
            needed += -(-bit_width(element) // 8) * steps * size
            found.append(MemRefType(element, [steps, size], NoneAttr(), space))
        if needed > _WORKGROUP_BYTES:
            raise error(
                self.op,
                f"a tile of {rows} rows, {columns} columns and {steps} steps needs {needed} bytes "
                f"of workgroup memory, of which there are {_WORKGROUP_BYTES}",
            )
        return found

    # --- the result ----------------------------------------------------------------------------
    def _place(self, row: Mixed, column: Mixed) -> tuple[list[SSAValue], SSAValue | None]:
        """Where an element of the tile is, and whether it is inside."""
        at = {
            **self.outer,
            self.roles.row: add(self.rw, self.row_base, row),
            self.roles.column: add(self.rw, self.column_base, column),
        }
        conditions: list[SSAValue] = []
        for loop, tile in ((self.roles.row, self.tile[0]), (self.roles.column, self.tile[1])):
            size = self.sizes[loop]
            if not isinstance(size, int) or size % tile:
                conditions.append(is_less(self.rw, at[loop], size))
        ivs: list[Mixed] = [at.get(i, 0) for i in range(len(self.sizes))]
        return subscripts(self.rw, self.maps[2], ivs), both(self.rw, conditions)

    def _result(self, row: Mixed, column: Mixed) -> SSAValue:
        """The element as it is before."""
        place, inside = self._place(row, column)
        output = self.op.operands[2]
        kind = ops.scalar_type(output)
        (value,) = guarded(
            self.rw,
            inside,
            [kind],
            lambda: [self.rw.value("memref.load", [output, *place], kind)],
            lambda: [zero(self.rw, kind)],
        )
        return value

    def _store(self, value: SSAValue, row: Mixed, column: Mixed) -> None:
        place, inside = self._place(row, column)

        def store() -> Sequence[SSAValue]:
            self.rw.create("memref.store", [value, self.op.operands[2], *place])
            return ()

        guarded(self.rw, inside, (), store)

    # --- one step ------------------------------------------------------------------------------
    def _step(self, ivs: list[SSAValue], state: Sequence[SSAValue]) -> Sequence[SSAValue]:
        steps = self.tile[2]
        base = times(self.rw, ivs[-1], steps)
        reductions: dict[int, Mixed] = dict(zip(self.roles.reductions, ivs[:-1], strict=True))
        first, second = self.roles.first, self.roles.second
        self._fetch(0, first, self.roles.row, self.row_base, base, reductions)
        self._fetch(1, second, self.roles.column, self.column_base, base, reductions)
        self.rw.create("gpu.barrier")
        count = self._steps_left(base)
        results = loops(
            self.rw,
            [count],
            state,
            lambda inner, carried: self._pairs(inner[0], base, reductions, carried),
        )
        self.rw.create("gpu.barrier")
        return results

    def _steps_left(self, base: Mixed) -> Mixed:
        size, steps = self.sizes[self.roles.step], self.tile[2]
        if isinstance(size, int) and size % steps == 0:
            return steps
        left = self.rw.value(
            "arith.subi", [as_value(self.rw, size), as_value(self.rw, base)], _INDEX
        )
        return self.rw.value("arith.minui", [left, as_value(self.rw, steps)], _INDEX)

    def _fetch(
        self,
        tile: int,
        operand: int,
        loop: int,
        base: Mixed,
        step_base: Mixed,
        reductions: dict[int, Mixed],
    ) -> None:
        """Threads share the copy of a tile of an operand, neighbours along its last dimension."""
        width, steps = self.tile[tile], self.tile[2]
        source = self.op.operands[operand]
        kind = ops.scalar_type(source)
        along = _loops_of(self.maps[operand])
        steps_last = along.index(self.roles.step) > along.index(loop)

        def copy(ivs: list[SSAValue]) -> None:
            place, step = ivs if steps_last else reversed(ivs)
            indices = {
                **self.outer,
                **reductions,
                loop: add(self.rw, base, place),
                self.roles.step: add(self.rw, step_base, step),
            }
            known: list[SSAValue] = []
            for i, size in ((loop, width), (self.roles.step, steps)):
                whole = self.sizes[i]
                if not isinstance(whole, int) or whole % size:
                    known.append(is_less(self.rw, indices[i], whole))
            every: list[Mixed] = [indices.get(i, 0) for i in range(len(self.sizes))]
            subs = subscripts(self.rw, self.maps[operand], every)
            (value,) = guarded(
                self.rw,
                both(self.rw, known),
                [kind],
                lambda: [self.rw.value("memref.load", [source, *subs], kind)],
                lambda: [zero(self.rw, kind)],
            )
            self.rw.create("memref.store", [value, self.tiles[tile], step, place])

        sizes = (width, steps) if steps_last else (steps, width)
        forall(self.rw, sizes, copy, thread_mapping(2))

    def _pairs(
        self,
        step: SSAValue,
        base: Mixed,
        reductions: dict[int, Mixed],
        state: Sequence[SSAValue],
    ) -> list[SSAValue]:
        """The body for each pair of a row and a column of this thread."""
        rows = [self._from_tile(0, step, row) for row in self.own_rows]
        columns = [self._from_tile(1, step, column) for column in self.own_columns]
        block = self.op.regions[0].first_block
        assert block is not None
        carried, found = iter(state), list[SSAValue]()
        uses_indices = any(inner.name == "linalg.index" for inner in self.op.walk())
        for i, row in enumerate(self.own_rows):
            for j, column in enumerate(self.own_columns):
                arguments: dict[SSAValue, SSAValue] = {
                    block.args[self.roles.first]: rows[i],
                    block.args[self.roles.second]: columns[j],
                    block.args[2]: next(carried),
                }
                ivs = self._indices(step, base, reductions, row, column) if uses_indices else []
                found.extend(inline(self.rw, block, arguments, ivs))
        return found

    def _from_tile(self, tile: int, step: SSAValue, place: Mixed) -> SSAValue:
        memory = self.tiles[tile]
        kind = ops.scalar_type(memory)
        return self.rw.value("memref.load", [memory, step, as_value(self.rw, place)], kind)

    def _indices(
        self, step: Mixed, base: Mixed, reductions: dict[int, Mixed], row: Mixed, column: Mixed
    ) -> list[Mixed]:
        at = {
            **self.outer,
            **reductions,
            self.roles.row: add(self.rw, self.row_base, row),
            self.roles.column: add(self.rw, self.column_base, column),
            self.roles.step: add(self.rw, base, step),
        }
        return [at[i] for i in range(len(self.sizes))]


class ConvertLinalgContractionsToGpu(Pass):
    """Products of two operands become tiled kernels."""

    name = "convert-linalg-contractions-to-gpu"
    summary = "Contractions on buffers become kernels with tiles in workgroup memory"
    anchor = "func.func"
    options = (
        Option("tile-sizes", list, (64, 64, 16), "rows, columns and steps of a tile", element=int),
        Option("threads", list, (32, 8), "threads of a block in x and y", element=int),
    )

    tile_sizes: tuple[int, ...]
    threads: tuple[int, ...]

    def run(self, op: Operation, ctx: Context) -> None:
        rows, columns, steps = self._tile(op)
        x, y = self.threads
        for inner in list(op.walk()):
            roles = None if is_in_kernel(inner) else roles_of(inner)
            if roles is not None and self._pays(inner, roles):
                _Kernel(inner, roles, (rows, columns, steps), (x, y)).build()

    def _tile(self, op: Operation) -> tuple[int, ...]:
        if len(self.tile_sizes) != 3 or len(self.threads) != 2:
            raise error(op, "expected three tile sizes and two numbers of threads")
        threads = self.threads[0] * self.threads[1]
        if min(*self.tile_sizes, *self.threads) < 1 or threads > MAX_THREADS:
            raise error(op, f"expected positive tile sizes and 1 to {MAX_THREADS} threads")
        if self.tile_sizes[0] % self.threads[1] or self.tile_sizes[1] % self.threads[0]:
            raise error(
                op,
                "expected rows of a tile to be a multiple of the threads in y, and columns of "
                "those in x",
            )
        return tuple(self.tile_sizes)

    def _pays(self, op: Operation, roles: Roles) -> bool:
        """Whether elements of a tile are read more than a few times, as far as sizes tell."""
        sizes = _static_sizes(op)
        return all(
            (sizes.get(loop) or least) >= least
            for loop, least in ((roles.row, 8), (roles.column, 8), (roles.step, 4))
        )


def _static_sizes(op: Operation) -> dict[int, int]:
    found: dict[int, int] = {}
    for value, affine_map in zip(op.operands, ops.indexing_maps(op), strict=True):
        for size, loop in zip(ops.shape_of(value) or (), _loops_of(affine_map), strict=True):
            if size >= 0:
                found[loop] = size
    return found
