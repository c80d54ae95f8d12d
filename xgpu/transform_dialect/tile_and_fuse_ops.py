# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.fuse: tiles an operation, and computes in its loops what the tiles read.

    %e = linalg.exp ins(%a) outs(%b);  %s = linalg.add ins(%e, %a) outs(%c)       tile_sizes [32]
    =>
    scf.for %i .. iter_args(%o = %c) {
      %t = linalg.exp ins(%a[%i]) outs(%b[%i]);  %u = linalg.add ins(%t, %a[%i]) outs(%o[%i]) .. }

Slices that the new operations read are looked at in turn: a slice of a structured operation's
result becomes a tile of that operation, whose slices come last. What nobody needs any more is
erased. Source: MLIR 22.1 SCF/Transforms/TileUsingInterface.cpp.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.ir.affine import AffineSymExpr

from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.gpu.ops import clone_with_locations
from xgpu.dialects.linalg import ops
from xgpu.transform_dialect.failures import definite
from xgpu.transform_dialect.fuse_ops import (
    NOT_TILED,
    carried_by,
    reduced,
    tile_of_producer,
)
from xgpu.transform_dialect.interpreter import Results
from xgpu.transform_dialect.tile_ops import (
    mixed_sizes,
    tile_with_for,
    tile_with_stepping_forall,
)
from xgpu.transform_dialect.tiling import Slice as TileSlice
from xgpu.transform_dialect.tracking import TrackingRewriter
from xgpu.transforms.tensor.slices import Slice

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.dialects import transform
    from xgpu.transform_dialect.state import State

_SUM = AffineSymExpr(0) + AffineSymExpr(1)


class _Fusion:
    """One tiled operation in its loops, outermost first."""

    def __init__(
        self, op: Operation, tiled: Operation, loops: Sequence[Operation], state: State
    ) -> None:
        self.op, self.loops, self.state = op, loops, state
        self.merges = "apply_cleanup" in op.properties
        self.pending: deque[Operation] = deque(_slices(tiled))
        self.producers: dict[Operation, None] = {}

    def run(self) -> None:
        while self.pending:
            part = self.pending.popleft()
            if self.merges:
                part = self._merged(part)
            self._fuse(part)
        # A producer comes before what reads it: the last to be fused has the fewest users.
        for producer in reversed(self.producers):
            if all(result.first_use is None for result in producer.results):
                TrackingRewriter(self.state, producer).erase(producer)

    def _origin(self, value: SSAValue) -> tuple[SSAValue, bool]:
        """What a value is before the loops, and whether they carry it."""
        carried = False
        while isinstance(value, BlockArgument):
            loop = value.owner.parent_op()
            if loop is None or loop not in self.loops:
                break
            init = next((v for argument, v in carried_by(loop) if argument is value), None)
            if init is None:
                break
            value, carried = init, True
        return value, carried

    def _fuse(self, part: Operation) -> None:
        source = part.operands[0]
        value, carried = self._origin(source)
        if not isinstance(value, OpResult):
            return
        producer = value.op
        if producer.name in NOT_TILED:
            raise definite(self.op, f"tiles of '{producer.name}' are not supported by xgpu")
        if not ops.is_structured(producer):
            return
        rw = TrackingRewriter(self.state, part)
        outputs = list(ops.outputs(producer))
        before = outputs[value.index]
        if carried:
            outputs[value.index] = source
        copy = rw.insert(clone_with_locations(producer))
        first = len(ops.inputs(producer))
        for at, output in enumerate(outputs):
            copy.operands[first + at] = output
        tile = tile_of_producer(rw, copy, outputs, value.index, Slice(part))
        rw.erase(copy)
        rw.replace(part, [reduced(rw, tile.op.results[value.index], part)])
        if carried:
            self._begin_with(value, before)
        self.producers[producer] = None
        self.pending.extend(_slices(tile.op))

    def _begin_with(self, value: SSAValue, before: SSAValue) -> None:
        """The loops begin with what the producer began with."""
        loop = cast("OdsOperation", self.loops[0])
        first = len(loop.operands) - len(carried_by(loop))
        for at in range(first, len(loop.operands)):
            if loop.operands[at] is value:
                loop.operands[at] = before

    def _merged(self, part: Operation) -> Operation:
        """A slice of a slice as a slice."""
        inner = part.operands[0].owner
        if not isinstance(inner, Operation) or inner.name != "tensor.extract_slice":
            return part
        outer = Slice(inner)
        own = Slice(part)
        rank = inner.results[0].type.get_num_dims()  # pyright: ignore
        unit = all(stride == 1 for stride in (*outer.strides, *own.strides))
        if not unit or len(outer.offsets) != rank or len(own.offsets) != rank:
            return part
        if part.results[0].type.get_num_dims() != rank:  # pyright: ignore
            return part
        rw = TrackingRewriter(self.state, part)
        pairs = zip(outer.offsets, own.offsets, strict=True)
        offsets: list[Mixed] = [index_math.apply(rw, _SUM, pair) for pair in pairs]
        new = TileSlice(offsets, list(own.sizes)).extract(rw, inner.operands[0])
        rw.replace(part, [new])
        if inner.results[0].first_use is None:
            rw.erase(inner)
        assert isinstance(new, OpResult)
        return new.op


def _slices(op: Operation) -> list[Operation]:
    """The slices that an operation reads."""
    owners = [value.owner for value in op.operands]
    return [
        owner
        for owner in dict.fromkeys(owners)
        if isinstance(owner, Operation) and owner.name == "tensor.extract_slice"
    ]


def fuse(op: transform.StructuredFuseOp, state: State) -> Results:
    targets = state.ops(op.target)
    sizes = mixed_sizes(op, state, "static_tile_sizes", op.tile_sizes, len(targets))
    orders = mixed_sizes(op, state, "static_tile_interchange", op.tile_interchange, len(targets))
    tiled: list[Operation] = []
    loops: list[list[Operation]] = [[] for _ in op.loops]
    for target, tiles, order in zip(targets, sizes, orders, strict=True):
        if not ops.is_structured(target):
            raise definite(op, "only TilingInterface ops are supported")
        numbers = _order(op, order, len(ops.iterator_types(target)))
        if op.use_forall is not None:
            new, loop = tile_with_stepping_forall(op, target, tiles, state)
            nest = [loop]
        else:
            new, nest = tile_with_for(target, tiles, numbers, state)
        _Fusion(op, new, nest, state).run()
        tiled.append(new)
        for found, loop in zip(loops, nest, strict=False):
            found.append(loop)
    return [tiled, *loops]


def _order(op: Operation, order: Sequence[Mixed], count: int) -> list[int]:
    """The order of the loops."""
    numbers = [item.value.data if isinstance(item, IntegerAttr) else item for item in order]
    found = [number for number in numbers if isinstance(number, int)]
    if len(found) != len(numbers) or any(not 0 <= number < count for number in found):
        raise definite(op, "expected an interchange of the target's loops")
    return found


OPS = {"transform.structured.fuse": fuse}
