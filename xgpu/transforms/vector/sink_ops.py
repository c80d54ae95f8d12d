# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Broadcasts and transpositions move behind the elementwise operations that use them, and extracts
before them, so that less is computed.

    %b = vector.broadcast %s : f32 to vector<8xf32>
    %r = math.exp %b : vector<8xf32>
    =>
    %e = math.exp %s : f32
    %r = vector.broadcast %e : f32 to vector<8xf32>

Source: MLIR 22.1 VectorTransforms.cpp (populateSinkVectorOpsPatterns).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import constant_of, make, splat_value
from xgpu.core.ir.construction import defining
from xgpu.core.ir.elements import dense_of
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.syntax_helpers import scalable_dims
from xgpu.dialects.vector.ops import shape, vector_type
from xgpu.transforms.vector.reduction_to_contract import permutation_of
from xgpu.transforms.vector.transfers import extract, mixed_position, transpose
from xgpu.transforms.vector.unroll import is_elementwise

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects.vector import ExtractOp


def _with_element(kind: Attribute, element: Attribute) -> Attribute:
    """A type of the shape of `kind` with other elements; `element` if `kind` is no vector."""
    if not isinstance(kind, VectorType):
        return element
    return vector_type(element, shape(kind), scalable_dims(kind))


def _element(kind: Attribute) -> Attribute:
    return kind.element_type if isinstance(kind, VectorType) else kind


def _again(
    rw: GreedyRewriter, op: Operation, operands: Sequence[SSAValue], ty: Attribute
) -> SSAValue:
    made = rw.create(op.name, operands, [ty], dict(op.properties), dict(op.attributes))
    return made.results[0]


def elementwise_of_transposed(op: Operation, rw: GreedyRewriter) -> bool:
    """f(transpose(a), transpose(b)) -> transpose(f(a, b))"""
    if len(op.results) != 1 or op.regions or not is_elementwise(op):
        return False
    found = [defining(value, "vector.transpose") for value in op.operands]
    first = next((t for t in found if t is not None), None)
    if first is None:
        return False
    order = permutation_of(first)
    for value, transposed in zip(op.operands, found, strict=True):
        if transposed is None:
            if constant_of(value) is None:
                return False
        elif permutation_of(transposed) != order:
            return False
    back = [order.index(d) for d in range(len(order))]
    operands = [
        transpose(rw, value, back) if transposed is None else transposed.operands[0]
        for value, transposed in zip(op.operands, found, strict=True)
    ]
    ty = _with_element(first.operands[0].type, _element(op.results[0].type))
    rw.replace(op, [transpose(rw, _again(rw, op, operands, ty), order)])
    return True


def cast_of_broadcast(op: Operation, rw: GreedyRewriter) -> bool:
    """cast(broadcast(a)) -> broadcast(cast(a))"""
    if len(op.operands) != 1 or "CastOpInterface" not in traits_of(op.name):
        return False
    broadcast = defining(op.operands[0], "vector.broadcast")
    if broadcast is None or not isinstance(op.results[0].type, VectorType):
        return False
    source = broadcast.operands[0]
    ty = _with_element(source.type, _element(op.results[0].type))
    value = _again(rw, op, [source], ty)
    rw.replace_with(op, "vector.broadcast", [value], [op.results[0].type])
    return True


def elementwise_of_broadcast(op: Operation, rw: GreedyRewriter) -> bool:
    """f(broadcast(a), broadcast(b)) -> broadcast(f(a, b)), of one shape before"""
    result = op.results[0].type if len(op.results) == 1 else None
    if not isinstance(result, VectorType) or not is_elementwise(op) or not op.operands:
        return False
    # It has no form on scalars.
    if op.name == "vector.fma":
        return False
    sources = [_repeated(value) for value in op.operands]
    varying = [s for s, v in zip(sources, op.operands, strict=True) if constant_of(v) is None]
    if not varying or varying[0] is None:
        return False
    kind = varying[0].type
    for source, value in zip(sources, op.operands, strict=True):
        if source is None and splat_value(constant_of(value)) is None:
            return False
        if source is not None and not _same_shape(source.type, kind):
            return False
    operands = [
        _smaller_constant(rw, value, kind) if source is None else source
        for source, value in zip(sources, op.operands, strict=True)
    ]
    value = _again(rw, op, operands, _with_element(kind, result.element_type))
    rw.replace_with(op, "vector.broadcast", [value], [result])
    return True


def _repeated(value: SSAValue) -> SSAValue | None:
    broadcast = defining(value, "vector.broadcast")
    return None if broadcast is None else broadcast.operands[0]


def _same_shape(left: Attribute, right: Attribute) -> bool:
    if not isinstance(left, VectorType) or not isinstance(right, VectorType):
        return not isinstance(left, VectorType) and not isinstance(right, VectorType)
    return shape(left) == shape(right) and scalable_dims(left) == scalable_dims(right)


def _smaller_constant(rw: GreedyRewriter, value: SSAValue, like: Attribute) -> SSAValue:
    """The constant `value`, the same everywhere, in the shape of `like`."""
    number = splat_value(constant_of(value))
    assert number is not None
    ty = _with_element(like, _element(value.type))
    attr = dense_of(ty, [number]) if isinstance(ty, VectorType) else make(ty, number)
    assert attr is not None
    return attribute_constant(rw, attr, ty)


def extract_of_elementwise(op: Operation, rw: GreedyRewriter) -> bool:
    """extract(f(a, b)) -> f(extract(a), extract(b))"""
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or not is_elementwise(inner) or inner.name == "vector.fma":
        return False
    if len(inner.results) != 1 or not inner.results[0].has_one_use():
        return False
    position = mixed_position(cast("ExtractOp", op))
    numbers = [p for p in position if isinstance(p, int)]
    if len({value.type for value in inner.operands}) != 1 or len(numbers) != len(position):
        return False
    rw.before(inner)
    taken = {value: extract(rw, value, *numbers) for value in inner.operands}
    operands = [taken[value] for value in inner.operands]
    rw.replace(op, [_again(rw, inner, operands, op.results[0].type)])
    rw.erase(inner)
    return True


class SinkPatterns(dict[str, "Sequence[Pattern]"]):
    """The patterns of this module, for operations of all names."""

    def get(self, key: str, default: object = None) -> Sequence[Pattern]:  # type: ignore[override]
        if key == "vector.extract":
            return (extract_of_elementwise,)
        traits = traits_of(key)
        if "Elementwise" not in traits and "CastOpInterface" not in traits:
            return ()
        return (elementwise_of_transposed, cast_of_broadcast, elementwise_of_broadcast)
