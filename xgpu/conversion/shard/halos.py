# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`shard.update_halo` as messages between neighbors.

A halo of a dimension is one block below and one above. From the last dimension to the first, each
process sends its border to a neighbor and receives the other's. Blocks of a dimension include the
halos of later dimensions, so that corners are right at the end.

Source: MLIR 22.1 ShardToMPI.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.shard.collectives import comm_world, static_grid, to_buffer, to_tensor
from xgpu.core.ir.errors import error
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule
from xgpu.dialects import shard
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import binary, cmpi, constant, index_constant
from xgpu.dialects.arith.builders import cast as cast_value
from xgpu.dialects.memref.verify_views import infer_subview
from xgpu.dialects.shard.sharding import INDEX, axes_attribute, axes_of, split_axes_of
from xgpu.dialects.syntax_helpers import i64_array
from xgpu.transforms.scf.builders import if_else

Values = Sequence["SSAValue"]
#: A number that messages of halos have, and no others.
_TAG = 91


def lower_neighbors(op: Operation, operands: Values, rw: Conversion) -> Values:
    """The process before and the one after along an axis; -1 at the border"""
    axes = axes_of(op, "split_axes")
    if len(axes) != 1:
        raise NoMatch("neighbors along several axes")
    grid = static_grid(op)
    (axis,) = axes
    sizes = [index_constant(rw, size) for size in grid.shape]
    one, none = index_constant(rw, 1), index_constant(rw, -1)
    own = operands[axis]

    def neighbor(step: str) -> list[SSAValue]:
        indices = list(operands)
        indices[axis] = binary(rw, step, own, one)
        return [linear_rank(rw, indices, sizes)]

    first = cmpi(rw, "sle", own, index_constant(rw, 0))
    down = if_else(rw, first, [INDEX], lambda: [none], lambda: neighbor("subi"))
    last = cmpi(rw, "sge", own, binary(rw, "subi", sizes[axis], one))
    up = if_else(rw, last, [INDEX], lambda: [none], lambda: neighbor("addi"))
    return [down.results[0], up.results[0]]


def linear_rank(rw: Conversion, indices: Values, sizes: Values) -> SSAValue:
    """The number of a process in the world, of its indices in a grid."""
    total, stride = index_constant(rw, 0), index_constant(rw, 1)
    for index, size in zip(reversed(indices), reversed(sizes), strict=True):
        total = binary(rw, "addi", total, binary(rw, "muli", index, stride))
        stride = binary(rw, "muli", stride, size)
    return total


def lower_update_halo(op: shard.UpdateHaloOp, operands: Values, rw: Conversion) -> Values:
    """update_halo  =>  mpi.send and mpi.recv of the borders"""
    numbers = axes_of(op, "static_halo_sizes")
    if not numbers:
        return [operands[0]]
    grid = static_grid(op)
    array = to_buffer(rw, operands[0])
    exchange = _Exchange(op, rw, array, operands[1:])
    types = [INDEX] * grid.rank
    exchange.indices = rw.create(
        "shard.process_multi_index", (), types, {"grid": op.properties["grid"]}
    ).results
    exchange.run()
    if isinstance(op.results[0].type, MemRefType):
        return [array]
    return [to_tensor(rw, array, writable=True)]


class _Exchange:
    """The messages of one update. `offsets` and `sizes` are those of a block of the dimension at
    hand."""

    def __init__(self, op: Operation, rw: Conversion, array: SSAValue, halos: Values) -> None:
        self.op = op
        self.rw = rw
        self.array = array
        self.indices: Values = ()
        self.split = split_axes_of(op.properties["split_axes"])
        self.kind = cast("MemRefType[Attribute]", array.type)
        values = iter(halos)
        sizes = [
            number if number != DYNAMIC_INDEX else cast_value(rw, "index_cast", next(values), INDEX)
            for number in axes_of(op, "static_halo_sizes")
        ]
        pairs = iter(sizes)
        #: The halo below and above of each dimension.
        self.halos: list[tuple[Mixed, Mixed]] = [
            (next(pairs), next(pairs)) if self._axes(at) else (0, 0) for at in range(self.rank)
        ]
        self.shape = [self._extent(at) for at in range(self.rank)]
        self.offsets: list[Mixed] = [low for low, _ in self.halos]
        self.sizes: list[Mixed] = [
            self._minus(self._minus(extent, low), high)
            for extent, (low, high) in zip(self.shape, self.halos, strict=True)
        ]
        self._check_halos()
        self.tag = constant(rw, _TAG, i32)
        self.zero = constant(rw, 0, i32)

    @property
    def rank(self) -> int:
        return len(self.kind.get_shape())

    def _check_halos(self) -> None:
        """Raises where a neighbor has fewer elements than a halo: it has no more to send."""
        for dimension, (halos, size) in enumerate(zip(self.halos, self.sizes, strict=True)):
            known = [halo for halo in halos if isinstance(halo, int)]
            if not isinstance(size, int) or size >= max(known, default=0):
                continue
            raise error(
                self.op,
                f"a halo of {max(known)} in dimension {dimension}, where each process has {size} "
                "elements of its own",
            )

    def _axes(self, dimension: int) -> Sequence[int]:
        return self.split[dimension] if dimension < len(self.split) else ()

    def _extent(self, dimension: int) -> Mixed:
        extent = self.kind.get_shape()[dimension]
        if extent != DYNAMIC_INDEX:
            return extent
        at = index_constant(self.rw, dimension)
        return self.rw.value("memref.dim", [self.array, at], INDEX)

    def _minus(self, left: Mixed, right: Mixed) -> Mixed:
        if isinstance(right, int) and isinstance(left, int):
            return left - right
        if right == 0:
            return left
        rw = self.rw
        return binary(rw, "subi", as_value(rw, left), as_value(rw, right))

    def run(self) -> None:
        for dimension in reversed(range(len(self.split))):
            if not self._axes(dimension):
                continue
            neighbors = self._neighbors(dimension)
            comm = comm_world(self.rw)
            self._guarded(dimension, 0, neighbors, comm)
            self._guarded(dimension, 1, neighbors, comm)
            # Blocks of earlier dimensions include this one's halos.
            self.offsets[dimension], self.sizes[dimension] = 0, self.shape[dimension]

    def _neighbors(self, dimension: int) -> tuple[SSAValue, SSAValue]:
        properties = {
            "grid": self.op.properties["grid"],
            "split_axes": axes_attribute(self._axes(dimension)),
        }
        found = self.rw.create(
            "shard.neighbors_linear_indices", self.indices, [INDEX, INDEX], properties
        ).results
        down, up = (cast_value(self.rw, "index_cast", value, i32) for value in found)
        return down, up

    def _guarded(
        self, dimension: int, side: int, neighbors: tuple[SSAValue, SSAValue], comm: SSAValue
    ) -> None:
        """Exchanges the halo below (0) or above (1), unless it is empty."""
        size = self.halos[dimension][side]
        rw = self.rw
        has_size = cmpi(rw, "sgt", as_value(rw, size), index_constant(rw, 0))

        def exchange() -> Values:
            self._send_and_receive(dimension, side, neighbors, comm)
            return ()

        if_else(rw, has_size, (), exchange)

    def _send_and_receive(
        self, dimension: int, side: int, neighbors: tuple[SSAValue, SSAValue], comm: SSAValue
    ) -> None:
        rw = self.rw
        low, high = self.halos[dimension]
        size = (low, high)[side]
        below_upper = self._minus(self.shape[dimension], high)
        sent = self._minus(below_upper, low) if side == 0 else low
        received = 0 if side == 0 else below_upper
        source, target = neighbors if side == 0 else neighbors[::-1]
        sizes = [*self.sizes[:dimension], size, *self.sizes[dimension + 1 :]]
        has_source = cmpi(rw, "sge", source, self.zero)
        has_target = cmpi(rw, "sge", target, self.zero)
        numbers = [size if isinstance(size, int) else DYNAMIC_INDEX for size in sizes]
        open_sizes = [size for size in sizes if not isinstance(size, int)]
        buffer_type = MemRefType(self.kind.element_type, numbers)
        buffer = rw.value("memref.alloc", [open_sizes, []], buffer_type)

        def send() -> Values:
            rw.create("memref.copy", [self._block(dimension, sent, sizes), buffer])
            rw.create("mpi.send", [buffer, self.tag, target, comm])
            return ()

        def receive() -> Values:
            rw.create("mpi.recv", [buffer, self.tag, source, comm])
            rw.create("memref.copy", [buffer, self._block(dimension, received, sizes)])
            return ()

        if_else(rw, has_target, (), send)
        if_else(rw, has_source, (), receive)
        rw.create("memref.dealloc", [buffer])

    def _block(self, dimension: int, offset: Mixed, sizes: Sequence[Mixed]) -> SSAValue:
        """A part of the array."""
        offsets = [*self.offsets[:dimension], offset, *self.offsets[dimension + 1 :]]
        places = (offsets, list(sizes), [1] * self.rank)
        known = [[item if isinstance(item, int) else None for item in part] for part in places]
        kind = infer_subview(self.kind, *known)
        if kind is None:
            raise NoMatch("the array has no strides")
        groups = [[item for item in part if not isinstance(item, int)] for part in places]
        properties = {
            f"static_{name}": i64_array([DYNAMIC_INDEX if n is None else n for n in part])
            for name, part in zip(("offsets", "sizes", "strides"), known, strict=True)
        }
        return self.rw.value("memref.subview", [[self.array], *groups], kind, properties)


RULES: dict[str, Rule] = {
    "shard.neighbors_linear_indices": lower_neighbors,
    "shard.update_halo": lower_update_halo,
}
