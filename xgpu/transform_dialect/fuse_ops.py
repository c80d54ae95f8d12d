# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.fuse_into_containing_op and transform.structured.fuse."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, TensorType, i64
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.affine import AffineSymExpr

from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core.ir.construction import clone_operation
from xgpu.core.ir.errors import Diagnostic
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.syntax_helpers import DYNAMIC
from xgpu.transform_dialect.interpreter import Results
from xgpu.transform_dialect.state import (
    SilenceableError,
    TrackingRewriter,
    definite,
    silenceable,
    silenceable_at,
)
from xgpu.transform_dialect.tile_ops import (
    mixed_sizes,
    tile_with_for,
    tile_with_stepping_forall,
    untiled,
)
from xgpu.transform_dialect.tiles import Slice as TileSlice
from xgpu.transform_dialect.tiles import Tile, build_tile, iterators, split_mixed
from xgpu.transforms.fold_tensor_subset_ops import Slice
from xgpu.transforms.linalg.vectorization import maps

if TYPE_CHECKING:
    from xdsl.dialects.linalg import GenericOp
    from xdsl.ir import Attribute

    from xgpu.core.ods.operation import OdsOperation
    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.dialects import transform
    from xgpu.transform_dialect.state import State


# --- fuse ops ------------------------------------------------------------------------------------
# transform.structured.fuse_into_containing_op: what computes an operand moves into the loop that
# reads tiles of it, and computes these tiles.
#
#     %p = linalg.fill .. -> tensor<64xf32>
#     scf.forall (%i) .. { %s = tensor.extract_slice %p[%i] [8] [1] .. }
#     =>
#     scf.forall (%i) .. { %t = tensor.extract_slice ..; %s = linalg.fill outs(%t) .. }
#
# Three ways, tried in this order: a tile for a slice of the result, a tile for a slice of the block
# argument that the result is passed as, and a copy of the producer at a use. Source: MLIR 22.1
# LinalgTransformOps.cpp (FuseIntoContainingOp).


#: Operations that MLIR can tile and this module cannot.
NOT_TILED = frozenset(
    ("linalg.pack", "linalg.softmax", "linalg.unpack", "tensor.concat", "tensor.pad")
)


class _Fusion:
    """One container, and what has been moved into it."""

    def __init__(self, op: Operation, container: Operation, state: State) -> None:
        self.op, self.container, self.state = op, container, state
        self.fused: list[Operation] = []

    # --- looking -----------------------------------------------------------------------------
    def contains(self, op: Operation) -> bool:
        return op is not self.container and self.container.is_ancestor(op)

    def uses_inside(self, producer: Operation) -> int:
        """How many operations of the container use `producer`, the container itself included."""
        return sum(
            self.container.is_ancestor(use.operation)
            for result in producer.results
            for use in result.uses
        )

    def _slice_of(self, value: SSAValue) -> Operation | None:
        for use in value.uses:
            if use.operation.name == "tensor.extract_slice" and self.contains(use.operation):
                return use.operation
        return None

    # --- moving ------------------------------------------------------------------------------
    def fuse(self, producer: Operation) -> None:
        if producer.name in NOT_TILED:
            raise definite(self.op, f"tiles of '{producer.name}' are not supported by xgpu")
        notes: list[Diagnostic] = []
        if ops.is_structured(producer):
            if self._fuse_slice(producer, notes) or self._fuse_argument(producer, notes):
                return
        else:
            text = "producer is not a TileableInterface: "
            notes += [Diagnostic("note", text + _text(producer), producer.location)] * 2
        self._clone_at_use(producer, notes)

    def _fuse_slice(self, producer: Operation, notes: list[Diagnostic]) -> bool:
        found = next(((r, s) for r in producer.results if (s := self._slice_of(r))), None)
        if found is None:
            text = f"could not find fusion opportunity for: {_text(producer)}"
            notes.append(Diagnostic("note", text, producer.location))
            return False
        result, part = found
        rw = TrackingRewriter(self.state, part)
        slice_ = Slice(part)
        outputs = [_in_loop(part.parent_op(), v) for v in ops.outputs(producer)]
        copy = rw.insert(clone_operation(producer))
        first = len(ops.inputs(producer))
        for at, output in enumerate(outputs):
            copy.operands[first + at] = output
        tile = tile_of_producer(rw, copy, outputs, result.index, slice_)
        rw.erase(copy)
        value = reduced(rw, tile.op.results[result.index], part)
        rw.replace(part, [value])
        self.fused.append(tile.op)
        self._pass_on(producer, result.index, tile, slice_)
        return True

    def _fuse_argument(self, producer: Operation, notes: list[Diagnostic]) -> bool:
        """A slice of the block argument that the container passes the result as."""
        use = _use_by(self.container, producer)
        if use is None or self.container.name != "scf.forall":
            text = f"could not find a use by the containing op: {_text(producer)}"
            notes.append(Diagnostic("note", text, producer.location))
            return False
        argument = _tied_argument(self.container, use)
        part = self._slice_of(argument)
        if part is None:
            text = f"could not find fusion opportunity for bbArg: {_text(producer)}"
            notes.append(Diagnostic("note", text, self.container.location))
            return False
        value = self.container.operands[use.index]
        index = next(r.index for r in producer.results if r is value)
        outputs = list(ops.outputs(producer))
        dest = outputs[index]
        rw = TrackingRewriter(self.state, part)
        copy = rw.insert(clone_operation(producer))
        for at, operand in enumerate(list(copy.operands)):
            if operand is dest:
                copy.operands[at] = argument
        tile = tile_of_producer(rw, copy, list(ops.outputs(copy)), index, Slice(part))
        rw.replace(part, [reduced(rw, tile.op.results[index], part)])
        rw.erase(copy)
        self.container.operands[use.index] = outputs[0]
        self.fused.append(tile.op)
        return True

    def _clone_at_use(self, producer: Operation, notes: list[Diagnostic]) -> None:
        uses: list[tuple[int, Use]] = []
        for result in producer.results:
            for use in result.uses:
                if use.operation is self.container:
                    text = "producer op use by containing op cannot be fused by cloning"
                    notes.append(Diagnostic("note", text, producer.location))
                    raise self._failed(producer, notes)
                if self.contains(use.operation):
                    uses.append((result.index, use))
        if not uses:
            text = "no fusion opportunity by cloning"
            notes.append(Diagnostic("note", text, producer.location))
            raise self._failed(producer, notes)
        index, use = uses[0]
        rw = TrackingRewriter(self.state, use.operation)
        copy = rw.insert(clone_operation(producer))
        use.operation.operands[use.index] = copy.results[index]
        self.fused.append(copy)

    def _failed(self, producer: Operation, notes: Sequence[Diagnostic]) -> SilenceableError:
        text = f"could not fuse {_text(producer)} into {_text(self.container)}"
        failure = silenceable_at(producer.location, text)
        failure.diagnostics[0].notes.extend(notes)
        return failure

    # --- uses behind the container -------------------------------------------------------------
    def _pass_on(self, producer: Operation, index: int, tile: Tile, part: Slice) -> None:
        """Uses of the producer behind an scf.forall get what it computes of it, as one more
        result."""
        result = producer.results[index]
        later = [use for use in result.uses if self._is_behind(use.operation)]
        if not later or producer.name != "linalg.generic" or self.container.name != "scf.forall":
            return
        dest = ops.outputs(producer)[index]
        old = cast("OdsOperation", self.container)
        rw = TrackingRewriter(self.state, old)
        groups = [list(old.operand_group(group)) for group in range(4)]
        groups[3].append(dest)
        region = Region()
        old.regions[0].move_blocks(region)
        types = [value.type for value in groups[3]]
        properties = {k: v for k, v in old.properties.items() if k != "operandSegmentSizes"}
        new = rw.create(old.name, groups, types, properties, dict(old.attributes), [region])
        block: Block = region.blocks[0]
        argument = block.insert_arg(dest.type, len(block.args))
        for use in list(dest.uses):
            if use.operation is not new and new.is_ancestor(use.operation):
                use.operation.operands[use.index] = argument
        self._insert_in_parallel(block, tile.op.results[index], argument, part)
        for before, after in zip(old.results, new.results, strict=False):
            self.state.value_replaced(before, after)
            before.replace_all_uses_with(after)
        for use in later:
            use.operation.operands[use.index] = new.results[-1]
        self.state.op_replaced(old, new)
        rw.erase(old)
        self.container = new

    def _insert_in_parallel(
        self, block: Block, value: SSAValue, dest: SSAValue, part: Slice
    ) -> None:
        end = block.last_op
        assert end is not None
        rw = TrackingRewriter(self.state)
        rw.location = end.location
        rw.at_start(end.regions[0].blocks[0])
        groups: list[list[SSAValue]] = [[value], [dest]]
        properties: dict[str, Attribute] = {}
        ones: list[Mixed] = [1] * len(part.sizes)
        for name, items in (("offsets", part.offsets), ("sizes", part.sizes), ("strides", ones)):
            dynamic, static = split_mixed(items)
            groups.append(dynamic)
            properties[f"static_{name}"] = static
        rw.create("tensor.parallel_insert_slice", groups, (), properties)

    def _is_behind(self, user: Operation) -> bool:
        """Whether `user` is reached from the container's block after it."""
        if self.container.is_ancestor(user):
            return False
        ancestor: Operation | None = user
        while ancestor is not None and ancestor.parent is not self.container.parent:
            ancestor = ancestor.parent_op()
        following = self.container.next_op
        while following is not None and following is not ancestor:
            following = following.next_op
        return following is not None and ancestor is not None


def tile_of_producer(
    rw: Rewriter, producer: Operation, outputs: Sequence[SSAValue], index: int, part: Slice
) -> Tile:
    """The producer on the iterations that compute a slice of a result."""
    map_ = ops.indexing_maps(producer)[len(ops.inputs(producer)) + index]
    if not maps.is_projected_permutation(map_):
        raise definite(
            producer,
            f"'{producer.name}' op unhandled tiled implementation generation when result is "
            "not accessed using a permuted projection",
        )
    ends = loop_sizes(cast("GenericOp", producer), rw)
    assert ends is not None
    offsets: list[Mixed] = [0] * len(ends)
    sizes: list[Mixed] = list(ends)
    for dim, loop in enumerate(maps.dim_positions(map_)):
        offsets[loop], sizes[loop] = part.offsets[dim], part.sizes[dim]
    return build_tile(rw, producer, outputs, offsets, sizes)


def _text(op: Operation) -> str:
    from xgpu.core.syntax.printer import print_op

    return print_op(op)


def _use_by(container: Operation, producer: Operation) -> Use | None:
    for result in producer.results:
        for use in result.uses:
            if use.operation is container:
                return use
    return None


def _in_loop(loop: Operation | None, value: SSAValue) -> SSAValue:
    """What a loop carries of `value`, if it begins with it; `value` itself if none does."""
    if loop is None or loop.name not in _LOOPS:
        return value
    for argument, init in carried_by(loop):
        while init is not value and isinstance(init, BlockArgument):
            outer = init.owner.parent_op()
            pairs = [] if outer is None or outer.name not in _LOOPS else carried_by(outer)
            following = next((v for a, v in pairs if a is init), None)
            if following is None:
                break
            init = following
        if init is value:
            return argument
    return value


_LOOPS = frozenset(("scf.for", "scf.forall"))


def carried_by(loop: Operation) -> list[tuple[BlockArgument, SSAValue]]:
    """The arguments of a loop's body that are carried, with what they begin as."""
    values = cast("OdsOperation", loop).operand_group(3)
    arguments = loop.regions[0].blocks[0].args
    first = len(arguments) - len(values)
    return list(zip(arguments[first:], values, strict=True))


def _tied_argument(container: Operation, use: Use) -> BlockArgument:
    """The block argument of an scf.forall for one of its outputs."""
    pairs = carried_by(container)
    return pairs[use.index - (len(container.operands) - len(pairs))][0]


def reduced(rw: TrackingRewriter, value: SSAValue, part: Operation) -> SSAValue:
    """`value` without the dimensions of size 1 that the slice `part` leaves out."""
    wanted = cast("TensorType[Attribute]", part.results[0].type)
    have = cast("TensorType[Attribute]", value.type)
    if wanted.get_shape() == have.get_shape():
        return value
    if len(wanted.get_shape()) == len(have.get_shape()):
        return rw.value("tensor.cast", [value], wanted)
    sizes = list(have.get_shape())
    dynamic = [
        rw.value("tensor.dim", [value, _number(rw, dim)], _number(rw, dim).type)
        for dim, size in enumerate(sizes)
        if size == DYNAMIC
    ]
    rank = len(sizes)
    properties: dict[str, Attribute] = {
        "static_offsets": DenseArrayBase.from_list(i64, [0] * rank),
        "static_sizes": DenseArrayBase.from_list(i64, sizes),
        "static_strides": DenseArrayBase.from_list(i64, [1] * rank),
    }
    return rw.value("tensor.extract_slice", [[value], [], dynamic, []], wanted, properties)


def _number(rw: TrackingRewriter, value: int) -> SSAValue:
    return index_constant(rw, value)


def fuse_into(op: Operation, state: State) -> Results:
    producers = list(dict.fromkeys(state.ops(op.operands[0])))
    containers = state.ops(op.operands[1])
    if len(containers) != 1:
        raise definite(op, f"requires exactly one containing_op handle (got {len(containers)})")
    fusion = _Fusion(op, containers[0], state)
    while producers:
        counts = [fusion.uses_inside(producer) for producer in producers]
        at = next((i for i, count in enumerate(counts) if count > 0), None)
        if at is None:
            note = (fusion.container.location, "containing op")
            text = "could not find next producer to fuse into container"
            raise silenceable(op, text, [note])
        producer = producers[at]
        if counts[at] == 1:
            del producers[at]
        fusion.fuse(producer)
    return [fusion.fused, [fusion.container]]


# --- tile and fuse ops ---------------------------------------------------------------------------
# transform.structured.fuse: tiles an operation, and computes in its loops what the tiles read.
#
#     %e = linalg.exp ins(%a) outs(%b);  %s = linalg.add ins(%e, %a) outs(%c)       tile_sizes [32]
#     =>
#     scf.for %i .. iter_args(%o = %c) {
#       %t = linalg.exp ins(%a[%i]) outs(%b[%i]);  %u = linalg.add ins(%t, %a[%i]) outs(%o[%i]) .. }
#
# Slices that the new operations read are looked at in turn: a slice of a structured operation's
# result becomes a tile of that operation, whose slices come last. What nothing needs any more is
# erased. Source: MLIR 22.1 SCF/Transforms/TileUsingInterface.cpp.


_SUM = AffineSymExpr(0) + AffineSymExpr(1)


class _TiledFusion:
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
        copy = rw.insert(clone_operation(producer))
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
        kinds = iterators(target)
        if kinds is None:
            raise definite(op, untiled(target, "only TilingInterface ops are supported"))
        numbers = _order(op, order, len(kinds))
        if op.use_forall is not None:
            new, loop = tile_with_stepping_forall(op, target, tiles, state)
            nest = [loop]
        else:
            new, nest = tile_with_for(target, tiles, numbers, state)
        _TiledFusion(op, new, nest, state).run()
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


OPS = {
    "transform.structured.fuse_into_containing_op": fuse_into,
    "transform.structured.fuse": fuse,
}
