# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Unrolling vector operations to a native shape.

`shape_of(op)` gives the shape to unroll to, or None; `order_of(op)` the order in which the tiles of
a contraction are visited, outermost first. Source: MLIR 22.1 VectorUnroll.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr, IndexType, IntegerAttr, VectorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap

from xgpu.core.ir import affine
from xgpu.core.ir.constants import make
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.arith.builders import attribute_constant

if TYPE_CHECKING:
    from xdsl.ir import Attribute

    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import vector

ShapeOf = Callable[[Operation], "Sequence[int] | None"]
OrderOf = Callable[[Operation], "Sequence[int] | None"]
_ELEMENTWISE = frozenset(("Elementwise", "Scalarizable", "Vectorizable", "Tensorizable"))


def is_elementwise(op: Operation) -> bool:
    """Whether `op` works on each element of its operands alike."""
    return traits_of(op.name) >= _ELEMENTWISE


def _ratio(shape: Sequence[int], tile: Sequence[int]) -> list[int] | None:
    """How many tiles there are in each dimension, if they fit exactly."""
    if len(shape) < len(tile):
        return None
    padded = [1] * (len(shape) - len(tile)) + list(tile)
    if any(size % part for size, part in zip(shape, padded, strict=True)):
        return None
    return [size // part for size, part in zip(shape, padded, strict=True)]


def _tiles(
    shape: Sequence[int], tile: Sequence[int], order: Sequence[int] | None = None
) -> Iterator[list[int]]:
    """The offsets of all tiles; the last dimension of `order` runs fastest."""
    ratio = _ratio(shape, tile)
    assert ratio is not None
    visit = list(order) if order is not None else list(range(len(shape)))
    for position in product(*(range(ratio[d]) for d in visit)):
        offsets = [0] * len(shape)
        for dimension, number in zip(visit, position, strict=True):
            offsets[dimension] = number * tile[dimension]
        yield offsets


def _numbers(values: Sequence[int]) -> ArrayAttr:
    return ArrayAttr([IntegerAttr(value, i64) for value in values])


def _slice(rw: Rewriter, value: SSAValue, offsets: Sequence[int], sizes: Sequence[int]) -> SSAValue:
    ty = cast("VectorType", value.type)
    if list(ty.get_shape()) == list(sizes):
        return value
    properties: dict[str, Attribute] = {
        "offsets": _numbers(offsets),
        "sizes": _numbers(sizes),
        "strides": _numbers([1] * len(sizes)),
    }
    result = VectorType(ty.element_type, list(sizes))
    return rw.value("vector.extract_strided_slice", [value], result, properties)


def _put(rw: GreedyRewriter, value: SSAValue, into: SSAValue, offsets: Sequence[int]) -> SSAValue:
    if value.type == into.type:
        return value
    ty = cast("VectorType", value.type)
    properties: dict[str, Attribute] = {
        "offsets": _numbers(offsets),
        "strides": _numbers([1] * len(ty.get_shape())),
    }
    return rw.value("vector.insert_strided_slice", [value, into], into.type, properties)


def _zeros(rw: GreedyRewriter, ty: Attribute) -> SSAValue:
    zero = make(ty, 0)
    assert zero is not None
    return attribute_constant(rw, zero, ty)


def _indices(
    rw: GreedyRewriter, offsets: Sequence[int], indices: Sequence[SSAValue], permutation: AffineMap
) -> list[SSAValue]:
    moved = list(indices)
    for expr, offset in zip(permutation.results, offsets, strict=True):
        if not isinstance(expr, AffineDimExpr):
            continue
        shifted = affine.add(AffineDimExpr(0), AffineConstantExpr(offset))
        shift = AffineMapAttr(AffineMap(1, 0, (shifted,)))
        moved[expr.position] = rw.value(
            "affine.apply", [indices[expr.position]], IndexType(), {"map": shift}
        )
    return moved


class _Unroller:
    def __init__(self, shape_of: ShapeOf, order_of: OrderOf) -> None:
        self.shape_of = shape_of
        self.order_of = order_of

    def _target(self, op: Operation, shape: Sequence[int]) -> list[int] | None:
        """The shape to unroll `op` of `shape` to, if that changes it."""
        target = self.shape_of(op)
        if target is None:
            return None
        ratio = _ratio(shape, target)
        if ratio is None or all(count == 1 for count in ratio):
            return None
        return [1] * (len(shape) - len(target)) + list(target)

    def transfer_read(self, op: vector.TransferReadOp, rw: GreedyRewriter) -> bool:
        whole = op.results[0].type
        if op.mask is not None or not whole.get_shape():
            return False
        target = self._target(op, whole.get_shape())
        if target is None:
            return False
        result = _zeros(rw, whole)
        part = VectorType(whole.element_type, target)
        permutation = op.properties["permutation_map"].data
        for offsets in _tiles(whole.get_shape(), target):
            at = _indices(rw, offsets, list(op.indices), permutation)
            read = rw.value(
                "vector.transfer_read", [op.base, at, op.padding, None], part, _kept(op)
            )
            result = _put(rw, read, result, offsets)
        rw.replace(op, [result])
        return True

    def transfer_write(self, op: vector.TransferWriteOp, rw: GreedyRewriter) -> bool:
        whole = op.value_to_store.type
        if op.mask is not None or not whole.get_shape():
            return False
        target = self._target(op, whole.get_shape())
        if target is None:
            return False
        permutation = op.properties["permutation_map"].data
        base = op.base
        for offsets in _tiles(whole.get_shape(), target):
            part = _slice(rw, op.value_to_store, offsets, target)
            at = _indices(rw, offsets, list(op.indices), permutation)
            types = [r.type for r in op.results]
            new = rw.create("vector.transfer_write", [part, base, at, None], types, _kept(op))
            if new.results:
                base = new.results[0]
        rw.replace(op, [base] if op.results else [])
        return True

    def contract(self, op: vector.ContractOp, rw: GreedyRewriter) -> bool:
        maps = [cast("AffineMapAttr", attr).data for attr in op.properties["indexing_maps"].data]
        whole = op.results[0].type
        if not isinstance(whole, VectorType):
            return False
        shape = _iteration_space(op, maps)
        target = self._target(op, shape)
        if target is None:
            return False
        sums: dict[tuple[int, ...], SSAValue] = {}
        for offsets in _tiles(shape, target, self.order_of(op)):
            operands = [
                _slice(rw, op.operands[i], _permuted(maps[i], offsets), _permuted(maps[i], target))
                for i in range(2)
            ]
            place = tuple(_permuted(maps[2], offsets))
            size = _permuted(maps[2], target)
            accumulator = sums.get(place)
            if accumulator is None:
                accumulator = _slice(rw, op.operands[2], place, size)
            part = VectorType(whole.element_type, size)
            operands.append(accumulator)
            new = rw.create(
                op.name,
                operands,
                [part],
                cast("dict[str, Attribute]", op.properties),
                op.attributes,
            )
            sums[place] = new.results[0]
        result = _zeros(rw, whole)
        for place, value in sums.items():
            result = _put(rw, value, result, place)
        rw.replace(op, [result])
        return True

    def elementwise(self, op: Operation, rw: GreedyRewriter) -> bool:
        if len(op.results) != 1 or not isinstance(op.results[0].type, VectorType):
            return False
        whole = op.results[0].type
        target = self._target(op, whole.get_shape())
        if target is None:
            return False
        result = _zeros(rw, whole)
        part = VectorType(whole.element_type, target)
        for offsets in _tiles(whole.get_shape(), target):
            operands = [
                _slice(rw, v, offsets, target) if isinstance(v.type, VectorType) else v
                for v in op.operands
            ]
            new = rw.create(op.name, operands, [part], op.properties, op.attributes)
            result = _put(rw, new.results[0], result, offsets)
        rw.replace(op, [result])
        return True


def _kept(op: Operation) -> dict[str, Attribute]:
    return {k: v for k, v in op.properties.items() if k != "operandSegmentSizes"}


def _permuted(permutation: AffineMap, values: Sequence[int]) -> list[int]:
    return [values[e.position] if isinstance(e, AffineDimExpr) else 0 for e in permutation.results]


def _iteration_space(op: Operation, maps: Sequence[AffineMap]) -> list[int]:
    sizes = [1] * maps[0].num_dims
    for value, permutation in zip(op.operands[:2], maps, strict=False):
        for expr, size in zip(
            permutation.results, cast("VectorType", value.type).get_shape(), strict=True
        ):
            if isinstance(expr, AffineDimExpr):
                sizes[expr.position] = size
    return sizes


class UnrollPatterns(dict[str, "Sequence[Pattern]"]):
    """The patterns by operation name; elementwise operations of every dialect have one."""

    def __init__(self, shape_of: ShapeOf, order_of: OrderOf = lambda op: None) -> None:
        super().__init__()
        self._unroller = _Unroller(shape_of, order_of)
        self["vector.contract"] = (self._unroller.contract,)
        self["vector.transfer_read"] = (self._unroller.transfer_read,)
        self["vector.transfer_write"] = (self._unroller.transfer_write,)

    def get(self, key: str, default: object = None) -> Sequence[Pattern]:
        found = super().get(key)
        if found is None:
            is_each = traits_of(key) >= _ELEMENTWISE and "VectorUnrollOpInterface" in traits_of(key)
            found = self[key] = (self._unroller.elementwise,) if is_each else ()
        return found
