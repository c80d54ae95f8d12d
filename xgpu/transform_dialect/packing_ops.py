# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transform.structured.pack and pad_tiling_interface: operations on tensors of tiles, and on padded
ones.

    %r = linalg.matmul ins(%a, %b) outs(%c) -> tensor<16x12xf32>            packed_sizes = [8, 4, 0]
    =>
    %pa = linalg.pack %a inner_dims_pos = [0] inner_tiles = [8] into %ea     // and %b, %c likewise
    %p = linalg.generic {loops i, j, k, and in tiles ii, jj} ins(%pa, %pb) outs(%pc)
    %r = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 4] into %c

Where tiles leave a rest, or may, zeros come behind it. Source: MLIR 22.1 Linalg/Transforms.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from xdsl.dialects.builtin import DenseArrayBase, TensorType, i64
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineExpr, AffineMap, AffineSymExpr

from xgpu.conversion.linalg.linalg_to_loops import loop_sizes
from xgpu.core.ir.affine import ceildiv, mul
from xgpu.core.ir.constants import int_of
from xgpu.dialects.affine import index_math
from xgpu.dialects.affine.maps import Mixed
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.vector.builders import zero_attribute
from xgpu.transform_dialect.interpreter import Results, flag
from xgpu.transform_dialect.linalg_ops import padding_values
from xgpu.transform_dialect.state import TrackingRewriter, definite, silenceable
from xgpu.transform_dialect.tile_ops import mixed_sizes, replace_target
from xgpu.transform_dialect.tiles import split_mixed
from xgpu.transforms.linalg.generalize_named_ops import description
from xgpu.transforms.linalg.padding import pad_loops
from xgpu.transforms.linalg.split_reduction import combiner
from xgpu.transforms.memref.result_sizes import size_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import IntegerType
    from xdsl.ir import Attribute

    from xgpu.dialects import transform
    from xgpu.transform_dialect.state import State


class _Packed(NamedTuple):
    """An operand, which of its dimensions are in tiles, and the sizes of those."""

    value: SSAValue
    places: list[int]
    tiles: list[Mixed]


def pack(op: transform.StructuredPackOp, state: State) -> Results:
    targets = state.ops(op.operand_group(0)[0])
    if not targets:
        return [[]]
    target = targets[0]
    if len(targets) != 1 or not ops.is_structured(target):
        raise silenceable(op, f"requires target to map to exactly 1 LinalgOp (got {len(targets)})")
    loops = len(ops.iterator_types(target))
    (sizes,) = mixed_sizes(op, state, "static_packed_sizes", op.operand_group(1), 1)
    if len(sizes) != loops:
        raise silenceable(
            op,
            f"requires number of packed sizes match the number of loops ({len(sizes)} vs {loops})",
        )
    return [[_Packing(op, target, state, sizes).run()]]


class _Packing:
    def __init__(
        self, op: Operation, target: Operation, state: State, sizes: Sequence[Mixed]
    ) -> None:
        self.op, self.target, self.state = op, target, state
        self.rw = TrackingRewriter(state, target)
        #: The sizes of tiles, as far as they are known.
        self.known = [size if isinstance(size, int) else int_of(size) for size in sizes]
        #: Loops that are in tiles, and the sizes of those.
        self.sizes = {at: size for at, size in enumerate(sizes) if self.known[at] != 0}
        self.kinds = ops.iterator_types(target)
        self.maps = ops.indexing_maps(target)

    def _fail(self, reason: str) -> None:
        raise definite(self.op, "data tiling failed", [(self.target.location, reason)])

    def run(self) -> Operation:
        target, rw = self.target, self.rw
        if any(size is not None and size < 0 for size in self.known):
            self._fail("a size is negative")
        if ops.is_on_buffers(target):
            self._fail("only operations on tensors are packed")
        if any(inner.name == "linalg.index" for inner in target.walk()):
            self._fail("a body that asks for the number of an iteration is not packed by xgpu")
        maps = [self._map(map_) for map_ in self.maps]
        inputs, outputs = list(ops.inputs(target)), list(ops.outputs(target))
        operands = [
            self._packed(value, map_)
            for value, map_ in zip([*inputs, *outputs], self.maps, strict=True)
        ]
        self._check_padding(operands[: len(inputs)])
        kinds = [*self.kinds, *(self.kinds[at] for at in self.sizes)]
        values = [operand.value for operand in operands]
        types = [value.type for value in values[len(inputs) :]]
        region = Region()
        target.regions[0].move_blocks(region)
        made = rw.create(
            "linalg.generic",
            [values[: len(inputs)], values[len(inputs) :]],
            types,
            description(maps, kinds),
            regions=[region],
        )
        results: list[SSAValue] = []
        for result, operand, dest in zip(
            made.results, operands[len(inputs) :], outputs, strict=True
        ):
            if operand.places:
                dynamic, properties = _properties(operand)
                result = rw.value("linalg.unpack", [result, dest, *dynamic], dest.type, properties)
            results.append(result)
        replace_target(self.state, target, results)
        return made

    def _map(self, map_: AffineMap) -> AffineMap:
        """The place in tiles, and in a tile."""
        count = len(self.kinds)
        exprs: list[AffineExpr] = list(map_.results)
        for place, at in enumerate(self.sizes):
            if self._place(map_, at) is not None:
                exprs.append(AffineDimExpr(count + place))
        return AffineMap(count + len(self.sizes), 0, tuple(exprs))

    def _place(self, map_: AffineMap, loop: int) -> int | None:
        """The dimension of an operand that a loop walks along."""
        for place, expr in enumerate(map_.results):
            if expr == AffineDimExpr(loop):
                return place
            if any(part == AffineDimExpr(loop) for part in expr.dfs()):
                self._fail("an operand is read at a sum of numbers of iterations")
        return None

    def _packed(self, value: SSAValue, map_: AffineMap) -> _Packed:
        rw = self.rw
        found = [(at, place) for at in self.sizes if (place := self._place(map_, at)) is not None]
        if not found or not isinstance(value.type, TensorType):
            return _Packed(value, [], [])
        kind = value.type
        shape = [size_of(rw, value, at) for at in range(len(kind.get_shape()))]
        is_padded = not kind.has_static_shape()
        for at, place in found:
            is_padded |= self._leaves_a_rest(value, place, at)
            shape[place] = _tiles_of(rw, shape[place], self.sizes[at])
        places, tiles = [place for _, place in found], [self.sizes[at] for at, _ in found]
        dynamic, static = split_mixed([*shape, *tiles])
        sizes = cast("DenseArrayBase[IntegerType]", static)
        packed = TensorType(kind.element_type, list(sizes.get_values()))
        dest = rw.value("tensor.empty", dynamic, packed)
        padding: list[SSAValue] = []
        if is_padded:
            zero = zero_attribute(kind.element_type)
            padding = [attribute_constant(rw, zero, kind.element_type)]
        operand = _Packed(value, places, tiles)
        inner, properties = _properties(operand)
        made = rw.value("linalg.pack", [[value], [dest], padding, inner], packed, properties)
        return operand._replace(value=made)

    def _check_padding(self, inputs: Sequence[_Packed]) -> None:
        """Zeros may be behind the end of a reduction only where they change nothing: in a sum of
        inputs, or of products of inputs that all have them."""
        padded = {
            at
            for at in self.sizes
            if self.kinds[at] == ops.REDUCTION
            for value, map_ in zip(ops.inputs(self.target), self.maps, strict=False)
            if (place := self._place(map_, at)) is not None
            and self._leaves_a_rest(value, place, at)
        }
        block = self.target.regions[0].block
        for at in padded:
            reading: set[SSAValue] = {
                block.args[n]
                for n in range(len(inputs))
                if self._place(self.maps[n], at) is not None
            }
            for number in range(len(self.target.results)):
                output = block.args[len(inputs) + number]
                combining = combiner(block, output, number)
                if combining is None or combining.name not in ("arith.addf", "arith.addi"):
                    self._fail(f"zeros behind the end of loop {at} would change the result")
                    return
                (term,) = [value for value in combining.operands if value is not output]
                if not _is_product(term, reading):
                    self._fail(f"zeros behind the end of loop {at} would change the result")

    def _leaves_a_rest(self, value: SSAValue, place: int, loop: int) -> bool:
        """Whether a dimension is not known to be of whole tiles."""
        size, extent = self.known[loop], (ops.shape_of(value) or ())[place]
        return size is None or extent < 0 or extent % size != 0


def _is_product(value: SSAValue, reading: set[SSAValue]) -> bool:
    """Whether a value is one of `reading` or a product of such, each perhaps in a wider type."""
    if value in reading:
        return True
    owner = value.owner
    if not isinstance(owner, Operation):
        return False
    if owner.name in ("arith.extf", "arith.extsi", "arith.extui", "arith.mulf", "arith.muli"):
        return all(_is_product(operand, reading) for operand in owner.operands)
    return False


def _tiles_of(rw: TrackingRewriter, whole: Mixed, size: Mixed) -> Mixed:
    if isinstance(size, int):
        expr = ceildiv(AffineSymExpr(0), AffineConstantExpr(size))
        return index_math.folded_apply(rw, expr, [whole])
    return index_math.folded_apply(rw, ceildiv(AffineSymExpr(0), AffineSymExpr(1)), [whole, size])


def _properties(operand: _Packed) -> tuple[list[SSAValue], dict[str, Attribute]]:
    dynamic, static = split_mixed(operand.tiles)
    return dynamic, {
        "inner_dims_pos": DenseArrayBase.from_list(i64, operand.places),
        "static_inner_tiles": static,
    }


# --- padded loops --------------------------------------------------------------------------------
# transform.structured.pad_tiling_interface: an operation whose loops have given lengths, or are
# multiples of given numbers, on padded operands; what it gives is cut to what there was.


def pad_tiling_interface(op: transform.StructuredPadTilingInterfaceOp, state: State) -> Results:
    padded: list[Operation] = []
    pads: list[Operation] = []
    targets = state.ops(op.operand_group(0)[0])
    every = mixed_sizes(op, state, "static_padding_sizes", op.operand_group(1), len(targets))
    for target, sizes in zip(targets, every, strict=True):
        note = [(target.location, "target op")]
        if not ops.is_structured(target) or ops.is_on_buffers(target):
            raise silenceable(op, "only TilingInterface ops are supported", note)
        if len(sizes) > len(ops.iterator_types(target)):
            raise silenceable(op, "more sizes than loops", note)
        rw = TrackingRewriter(state, target)
        ends = list(loop_sizes(target, rw) or ())
        loops: dict[int, Mixed] = {}
        for at, size in enumerate(sizes):
            if size == 0:
                continue
            if isinstance(size, int) and size < 0:
                raise silenceable(op, "a size is negative", note)
            is_multiple = flag(op, "pad_to_multiple_of")
            loops[at] = _rounded_up(rw, ends[at], size) if is_multiple else size
        made = pad_loops(rw, target, loops, padding_values(op, target, state.ctx))
        if made is None:
            raise silenceable(op, "failed to pad op", note)
        replace_target(state, target, made.values)
        padded.append(made.op)
        pads += made.pads
    return [padded, pads]


def _rounded_up(rw: TrackingRewriter, end: Mixed, size: Mixed) -> Mixed:
    if isinstance(size, int):
        step = AffineConstantExpr(size)
        return index_math.folded_apply(rw, mul(ceildiv(AffineSymExpr(0), step), step), [end])
    expr = mul(ceildiv(AffineSymExpr(0), AffineSymExpr(1)), AffineSymExpr(1))
    return index_math.folded_apply(rw, expr, [end, size])


OPS = {
    "transform.structured.pack": pack,
    "transform.structured.pad_tiling_interface": pad_tiling_interface,
}
