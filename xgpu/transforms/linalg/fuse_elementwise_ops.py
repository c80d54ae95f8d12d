# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`linalg-fuse-elementwise-ops`: what computes an operand element by element moves into its only
user.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import IndexType, IntegerAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineExpr, AffineMap

from xgpu.core.ir import constants
from xgpu.core.ir.blocks import location_of
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.builder import Rewriter
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, apply_patterns
from xgpu.dialects.affine import maps as ap
from xgpu.dialects.affine.index_math import apply, as_value
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.linalg import ops
from xgpu.transforms.linalg.generalize_named_ops import description
from xgpu.transforms.memref.result_sizes import size_of

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.dialects import linalg
    from xgpu.dialects.affine.maps import Mixed


# --- erase operands ------------------------------------------------------------------------------
# A linalg.generic with fewer operands.


def covers_loops(maps: Sequence[AffineMap]) -> bool:
    """Whether the sizes of all loops follow from operands that are walked by `maps`."""
    found = {r.position for m in maps for r in m.results if isinstance(r, AffineDimExpr)}
    return bool(maps) and len(found) == maps[0].num_dims


def drop_operands(op: Operation, places: set[int], rw: GreedyRewriter) -> None:
    """Replaces `op` by itself without the inputs at `places`, whose values nothing reads."""
    count = len(ops.inputs(cast("linalg.GenericOp", op)))
    kept = [at for at in range(len(op.operands)) if at not in places]
    maps = ops.indexing_maps(op)
    region = Region()
    op.regions[0].move_blocks(region)
    for at in sorted(places, reverse=True):
        region.block.erase_arg(region.block.args[at])
    for argument, at in zip(region.block.args, kept, strict=True):
        argument.location = location_of(op.operands[at])
    rw.before(op)
    made = rw.create(
        op.name,
        [
            [op.operands[at] for at in kept if at < count],
            [op.operands[at] for at in kept if at >= count],
        ],
        [result.type for result in op.results],
        description([maps[at] for at in kept], ops.iterator_types(op)),
        op.attributes,
        [region],
    )
    rw.replace(op, made.results)


# --- fuse elementwise ops ------------------------------------------------------------------------
# `linalg-fuse-elementwise-ops`: what computes an operand element by element moves into its only
# user.
#
#     %0 = linalg.generic ins(%a, %b) outs(%e) { add }      // all loops parallel
#     %1 = linalg.generic ins(%0, %c) outs(%f) { mul }
#     =>
#     %1 = linalg.generic ins(%a, %b, %c) outs(%f) { add, mul }
#
# Operands that are constants everywhere become constants of the body, outputs that are not read
# become empty tensors, and what is read twice is passed once. Source: MLIR 22.1
# ElementwiseOpFusion.cpp; reshapes between the two are not moved.


def body_of(op: Operation) -> Block:
    block = op.regions[0].first_block
    assert block is not None
    return block


def _inputs(op: Operation) -> Sequence[SSAValue]:
    return ops.inputs(cast("linalg.GenericOp", op))


def _is_parallel(op: Operation) -> bool:
    return all(kind == ops.PARALLEL for kind in ops.iterator_types(op))


def inverse(affine_map: AffineMap) -> AffineMap | None:
    """The inverse of a permutation; None for anything else."""
    positions = [r.position for r in affine_map.results if isinstance(r, AffineDimExpr)]
    if sorted(positions) != list(range(affine_map.num_dims)):
        return None
    if len(affine_map.results) != affine_map.num_dims:
        return None
    order = [positions.index(i) for i in range(len(positions))]
    return ops.select(len(order), order)


def compose(outer: AffineMap, inner: AffineMap) -> AffineMap:
    """`outer` of what `inner` gives."""
    dims: list[AffineExpr] = list(inner.results)
    results = tuple(ap.substitute(result, dims, ()) for result in outer.results)
    return AffineMap(inner.num_dims, 0, results)


class _Fusion:
    """A producer and the input of a consumer that it computes."""

    def __init__(self, producer: Operation, result: int, consumer: Operation, at: int) -> None:
        self.producer, self.result, self.consumer, self.at = producer, result, consumer, at
        self.maps = ops.indexing_maps(consumer)
        self.producer_maps = ops.indexing_maps(producer)
        self.first = len(_inputs(producer))
        back = inverse(self.producer_maps[self.first + result])
        #: The producer's loops in terms of the consumer's.
        self.loops = None if back is None else compose(back, self.maps[at])

    def is_possible(self) -> bool:
        if self.loops is None or not _is_parallel(self.producer):
            return False
        if not all(isinstance(v.type, TensorType) for v in ops.outputs(self.producer)):
            return False
        if _is_parallel(self.consumer):
            return True
        # Each loop must still have its size from some operand.
        maps = [m for i, m in enumerate(self.maps) if i != self.at]
        maps += [compose(m, self.loops) for m in self.producer_maps[: self.first]]
        return covers_loops(maps)

    def _kept(self) -> list[int]:
        """The producer's results that are still wanted, or whose old contents are read."""
        assert self.loops is not None
        block = body_of(self.producer)
        kept: list[int] = []
        left = [m for i, m in enumerate(self.maps) if i != self.at]
        left += [compose(m, self.loops) for m in self.producer_maps[: self.first]]
        for index, result in enumerate(self.producer.results):
            read = block.args[self.first + index].first_use is not None
            wanted = any(use.operation is not self.consumer for use in result.uses)
            if read or wanted or not covers_loops(left):
                kept.append(index)
        return kept

    def build(self, rw: GreedyRewriter) -> None:
        assert self.loops is not None
        kept = self._kept()
        consumer_inputs = list(_inputs(self.consumer))
        count = len(consumer_inputs)
        own = [compose(m, self.loops) for m in self.producer_maps]
        inputs = [
            *consumer_inputs[: self.at],
            *_inputs(self.producer),
            *consumer_inputs[self.at + 1 :],
        ]
        kept_outputs = [ops.outputs(self.producer)[i] for i in kept]
        outputs = [*kept_outputs, *ops.outputs(self.consumer)]
        maps = [
            *self.maps[: self.at],
            *own[: self.first],
            *self.maps[self.at + 1 : count],
            *(own[self.first + i] for i in kept),
            *self.maps[count:],
        ]
        block = Block(arg_types=[ops.scalar_type(v) for v in [*inputs, *outputs]])
        self._fill(block, kept, count)
        types = [self.producer.results[i].type for i in kept]
        types += [result.type for result in self.consumer.results]
        rw.before(self.consumer)
        made = rw.create(
            "linalg.generic",
            [inputs, outputs],
            types,
            description(maps, ops.iterator_types(self.consumer)),
            regions=[Region(block)],
        )
        for at, index in enumerate(kept):
            rw.replace_all_uses(self.producer.results[index], made.results[at])
        rw.replace(self.consumer, made.results[len(kept) :])

    def _fill(self, block: Block, kept: Sequence[int], count: int) -> None:
        """The producer's body, and the consumer's with its result."""
        assert self.loops is not None
        rw = Rewriter(block=block, location=self.consumer.location)
        producer, consumer = body_of(self.producer), body_of(self.consumer)
        old = [
            *consumer.args[: self.at],
            *producer.args[: self.first],
            *consumer.args[self.at + 1 : count],
            *(producer.args[self.first + i] for i in kept),
            *consumer.args[count:],
        ]
        for argument, value in zip(block.args, old, strict=True):
            argument.location = value.location
        values: dict[SSAValue, SSAValue] = dict(zip(old, block.args, strict=True))
        results = copy_body(rw, producer, values, self.loops)
        values[consumer.args[self.at]] = results[self.result]
        yielded = copy_body(rw, consumer, values, None)
        rw.create("linalg.yield", [*(results[i] for i in kept), *yielded])


def copy_body(
    rw: Rewriter, block: Block, values: dict[SSAValue, SSAValue], loops: AffineMap | None
) -> list[SSAValue]:
    """Copies a body, `values` in place of its own; its indices are those of `loops`. Gives what it
    yields."""
    indices: list[Mixed] = []
    if loops is not None and any(op.name == "linalg.index" for op in block.walk()):
        indices = [_index(rw, dim) for dim in range(loops.num_dims)]
    for op in block.ops:
        if op.name == "linalg.yield":
            return [values.get(v, v) for v in op.operands]
        if op.name == "linalg.index" and loops is not None:
            dim = op.properties["dim"]
            assert isinstance(dim, IntegerAttr)
            expr = loops.results[dim.value.data]
            symbols = [ap.symbol(i) for i in range(len(indices))]
            where = apply(rw, ap.substitute(expr, symbols, ()), indices)
            values[op.results[0]] = as_value(rw, where)
            continue
        rw.insert(op.clone(value_mapper=values))
    return []


def _index(rw: Rewriter, dim: int) -> SSAValue:
    return rw.value("linalg.index", (), IndexType(), {"dim": IntegerAttr(dim, 64)})


# --- patterns ----------------------------------------------------------------------------------
def _fuse(op: Operation, rw: GreedyRewriter) -> bool:
    for at, value in enumerate(_inputs(op)):
        if not isinstance(value, OpResult) or value.op.name != "linalg.generic":
            continue
        if not value.has_one_use() or not isinstance(value.type, TensorType):
            continue
        fusion = _Fusion(value.op, value.index, op, at)
        if fusion.is_possible():
            fusion.build(rw)
            return True
    return False


def _inline_constants(op: Operation, rw: GreedyRewriter) -> bool:
    """An operand that is one number everywhere is a constant of the body."""
    maps = ops.indexing_maps(op)
    for at, value in enumerate(_inputs(op)):
        known = _number_everywhere(value)
        rest = [m for i, m in enumerate(maps) if i != at]
        if known is None or not covers_loops(rest):
            continue
        argument = body_of(op).args[at]
        if isinstance(known, SSAValue):
            scalar = known
        else:
            rw.before(op)
            scalar = attribute_constant(rw, known, argument.type)
        rw.replace_all_uses(argument, scalar)
        drop_operands(op, {at}, rw)
        return True
    return False


def _number_everywhere(value: SSAValue) -> Attribute | SSAValue | None:
    """The element of a splat constant or of a filled tensor."""
    owner = value.owner
    if not isinstance(owner, Operation):
        return None
    if owner.name == "linalg.fill":
        return owner.operands[0]
    known = constants.constant_of(value)
    if known is None:
        return None
    number = constants.splat_value(known)
    kind = value.type
    if not isinstance(kind, TensorType):
        return known if number is not None else None
    return None if number is None else constants.make(kind.element_type, number)


def _forget_outputs(op: Operation, rw: GreedyRewriter) -> bool:
    """An output that the body does not read is written over an empty tensor."""
    first = len(_inputs(op))
    block = body_of(op)
    changed = False
    for at in range(first, len(op.operands)):
        value = op.operands[at]
        kind = value.type
        if not isinstance(kind, TensorType) or block.args[at].first_use is not None:
            continue
        owner = value.owner
        if isinstance(owner, Operation) and owner.name in (
            "tensor.empty",
            "bufferization.alloc_tensor",
        ):
            continue
        rw.before(op)
        sizes = [
            as_value(rw, size_of(rw, value, dim))
            for dim, size in enumerate(kind.get_shape())
            if size < 0
        ]
        rw.set_operand(op, at, rw.value("tensor.empty", sizes, kind))
        changed = True
    return changed


def _drop_unused(op: Operation, rw: GreedyRewriter) -> bool:
    """Inputs that are there twice, or that nothing reads, go."""
    inputs, maps, block = list(_inputs(op)), ops.indexing_maps(op), body_of(op)
    for at, value in enumerate(inputs):
        for earlier in range(at):
            if inputs[earlier] is value and maps[earlier] == maps[at]:
                rw.replace_all_uses(block.args[at], block.args[earlier])
                drop_operands(op, {at}, rw)
                return True
        rest = [m for i, m in enumerate(maps) if i != at]
        if block.args[at].first_use is None and covers_loops(rest):
            drop_operands(op, {at}, rw)
            return True
    return False


PATTERNS: Mapping[str, tuple[Pattern, ...]] = {
    "linalg.generic": (_fuse, _inline_constants, _forget_outputs, _drop_unused),
}


class LinalgElementwiseOpFusionPass(Pass):
    """Elementwise producers move into their only user."""

    name = "linalg-fuse-elementwise-ops"
    summary = "Fuse elementwise operations on tensors"

    def run(self, op: Operation, ctx: Context) -> None:
        apply_patterns(op, PATTERNS)
