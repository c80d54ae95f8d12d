# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of the shape dialect, and those of tensors that shapes make.

Source: MLIR 22.1 Shape.cpp, ShapeCanonicalization.td.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, TensorType
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.core.ir.constants import constant_of, int_of
from xgpu.core.ir.construction import defining
from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern, keep_used_results, replace_by_block
from xgpu.dialects.shape.fold import broadcast
from xgpu.dialects.shape.ops import (
    INDEX,
    extent_tensor,
    extents_attribute,
    extents_of,
    is_extent_tensor,
    is_shape,
)


def _extents(kind: Attribute) -> Sequence[int]:
    return cast("TensorType", kind).get_shape()


def _is_dynamic(kind: Attribute) -> bool:
    return is_extent_tensor(kind) and _extents(kind)[0] == DYNAMIC_INDEX


def _with_operands(op: Operation, rw: GreedyRewriter, operands: Sequence[SSAValue]) -> bool:
    """Replaces an operation by one on other operands."""
    types = [result.type for result in op.results]
    rw.replace_with(op, op.name, operands, types, op.properties, op.attributes)
    return True


def _constant_shape(rw: GreedyRewriter, extents: Sequence[int], kind: Attribute) -> SSAValue:
    return rw.value("shape.const_shape", (), kind, {"shape": extents_attribute(extents)})


def _replace_by_true(op: Operation, rw: GreedyRewriter) -> bool:
    properties = {"passing": IntegerAttr.from_bool(True)}
    rw.replace_with(op, "shape.const_witness", (), [op.results[0].type], properties)
    return True


# -- Operands of what takes several shapes or witnesses.


def unique_operands(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast %a, %b, %a -> broadcast %a, %b"""
    operands = list(dict.fromkeys(op.operands))
    return len(operands) < len(op.operands) and _with_operands(op, rw, operands)


def _may_have_extents(value: SSAValue) -> bool:
    if is_extent_tensor(value.type) and _extents(value.type)[0] == 0:
        return False
    return extents_of(constant_of(value)) != []


def without_scalars(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast %a, (const_shape []), %b -> broadcast %a, %b"""
    operands = [value for value in op.operands if _may_have_extents(value)]
    if not operands and op.name == "shape.broadcast":
        rw.replace(op, [_constant_shape(rw, (), op.results[0].type)])
        return True
    return 0 < len(operands) < len(op.operands) and _with_operands(op, rw, operands)


def uncast_operands(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast (cast %a : tensor<3xindex> to tensor<?xindex>), .. -> broadcast %a, .."""

    def source(value: SSAValue) -> SSAValue:
        cast_ = defining(value, "tensor.cast")
        return cast_.operands[0] if cast_ is not None and _is_dynamic(value.type) else value

    operands = [source(value) for value in op.operands]
    return operands != list(op.operands) and _with_operands(op, rw, operands)


# -- shape.broadcast


def known_rank(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast tensor<2xindex>, tensor<3xindex> -> tensor<?xindex>
    =>  a cast of the same -> tensor<3xindex>"""
    kind = op.results[0].type
    if not _is_dynamic(kind):
        return False
    tensors = [value.type for value in op.operands if is_extent_tensor(value.type)]
    if any(map(_is_dynamic, tensors)):
        return False
    rank = max((_extents(tensor)[0] for tensor in tensors), default=0)
    made = rw.value(op.name, list(op.operands), extent_tensor(rank), op.properties)
    rw.replace_with(op, "tensor.cast", [made], [kind])
    return True


def join_constants(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast (const_shape [2, 1]), %a, (const_shape [3])
    =>  broadcast %a, (const_shape [2, 3])"""
    joined: list[int] = []
    others: list[SSAValue] = []
    for value in op.operands:
        made = defining(value, "shape.const_shape")
        extents = None if made is None else extents_of(made.properties["shape"])
        together = None if extents is None else broadcast(joined, extents)
        if together is None:
            others.append(value)
        else:
            joined = together
    if len(op.operands) - len(others) < 2:
        return False
    others.append(_constant_shape(rw, joined, extent_tensor(len(joined))))
    rw.replace_with(op, op.name, others, [op.results[0].type])
    return True


def of_one(op: Operation, rw: GreedyRewriter) -> bool:
    """broadcast %a -> %a, as a tensor or a shape of the result's type"""
    if len(op.operands) != 1:
        return False
    value, kind = op.operands[0], op.results[0].type
    if value.type == kind:
        rw.replace(op, [value])
    elif is_shape(kind):
        rw.replace_with(op, "shape.from_extent_tensor", [value], [kind])
    else:
        rw.replace_with(op, "tensor.cast", [value], [kind])
    return True


# -- Constraints and what depends on them.


def of_equal_shapes(op: Operation, rw: GreedyRewriter) -> bool:
    """cstr_eq %a, %a -> const_witness true"""
    return len(set(op.operands)) <= 1 and _replace_by_true(op, rw)


def flat_witnesses(op: Operation, rw: GreedyRewriter) -> bool:
    """assuming_all (assuming_all %a, %b), %c -> assuming_all %a, %b, %c"""
    operands: list[SSAValue] = []
    for value in op.operands:
        inner = defining(value, op.name)
        operands += [value] if inner is None else list(inner.operands)
    return len(operands) != len(op.operands) and _with_operands(op, rw, operands)


def one_witness(op: Operation, rw: GreedyRewriter) -> bool:
    """assuming_all %a -> %a"""
    if len(op.operands) != 1:
        return False
    rw.replace(op, [op.operands[0]])
    return True


def _constraints(op: Operation, name: str) -> list[Operation] | None:
    found = [defining(value, name) for value in op.operands]
    made = [constraint for constraint in found if constraint is not None]
    return made if len(made) == len(found) else None


def widest_constraints(op: Operation, rw: GreedyRewriter) -> bool:
    """assuming_all (cstr_broadcastable %a, %b), (cstr_broadcastable %a, %b, %c)
    =>  assuming_all (cstr_broadcastable %a, %b, %c)"""
    constraints = _constraints(op, "shape.cstr_broadcastable")
    if constraints is None or len(unique := list(dict.fromkeys(constraints))) < 2:
        return False
    left: list[Operation] = []
    redundant: list[Operation] = []
    for constraint in sorted(unique, key=lambda c: -len(c.operands)):
        implied = any(set(constraint.operands) <= set(wide.operands) for wide in left)
        (redundant if implied else left).append(constraint)
    if not redundant:
        return False
    _with_operands(op, rw, [constraint.results[0] for constraint in left])
    for constraint in redundant:
        if constraint.results[0].first_use is None:
            rw.erase(constraint)
    return True


def joined_equalities(op: Operation, rw: GreedyRewriter) -> bool:
    """assuming_all (cstr_eq %a, %b), (cstr_eq %b, %c) -> cstr_eq %a, %b, %b, %c"""
    constraints = _constraints(op, "shape.cstr_eq")
    if constraints is None:
        return False
    shapes: list[SSAValue] = []
    for constraint in constraints:
        if shapes and constraint.operands and not set(shapes) & set(constraint.operands):
            return False
        shapes += constraint.operands
    rw.replace_with(op, "shape.cstr_eq", shapes, [op.results[0].type])
    return True


def assuming_true(op: Operation, rw: GreedyRewriter) -> bool:
    """assuming (const_witness true) { .. } -> what is in it"""
    if int_of(op.operands[0]) != -1:
        return False
    return replace_by_block(op, rw, op.regions[0].block)


def assuming_used_results(op: Operation, rw: GreedyRewriter) -> bool:
    """Results of assuming that have no users go."""
    end = op.regions[0].block.last_op
    assert end is not None
    return keep_used_results(op, rw, [end])


# -- Conversions, ranks, shapes of tensors.


def converted_back(name: str) -> Callable[[Operation, GreedyRewriter], bool]:
    """size_to_index (index_to_size %i) -> %i, and the other way."""

    def pattern(op: Operation, rw: GreedyRewriter) -> bool:
        inner = defining(op.operands[0], name)
        if inner is None or inner.operands[0].type != op.results[0].type:
            return False
        rw.replace(op, [inner.operands[0]])
        return True

    return pattern


def rank_of_shape(op: Operation, rw: GreedyRewriter) -> bool:
    """rank (shape_of %t : tensor<?x?xf32>) -> constant 2"""
    source = defining(op.operands[0], "shape.shape_of")
    if source is None or not isinstance(source.operands[0].type, TensorType | MemRefType):
        return False
    rank = IntegerAttr(len(source.operands[0].type.get_shape()), INDEX)
    kind = op.results[0].type
    name = "arith.constant" if kind == INDEX else "shape.const_size"
    rw.replace_with(op, name, (), [kind], {"value": rank})
    return True


def shape_of_static(op: Operation, rw: GreedyRewriter) -> bool:
    """shape_of %t : tensor<2x3xf32> -> const_shape [2, 3]"""
    kind, wanted = op.operands[0].type, op.results[0].type
    if not isinstance(kind, TensorType | MemRefType) or is_shape(wanted):
        return False
    extents = kind.get_shape()
    if DYNAMIC_INDEX in extents:
        return False
    made = _constant_shape(rw, extents, extent_tensor(len(extents)))
    rw.replace(op, [made if made.type == wanted else rw.value("tensor.cast", [made], wanted)])
    return True


def shape_of_reshape(op: Operation, rw: GreedyRewriter) -> bool:
    """shape_of (tensor.reshape %t(%shape)) -> %shape"""
    source = defining(op.operands[0], "tensor.reshape")
    wanted = op.results[0].type
    if source is None or not isinstance(wanted, TensorType):
        return False
    value = source.operands[1]
    given = cast("TensorType", value.type)
    if given == wanted:
        rw.replace(op, [value])
        return True
    same = given.element_type == wanted.element_type
    rw.replace_with(op, "tensor.cast" if same else "arith.index_cast", [value], [wanted])
    return True


def cast_of_shape(op: Operation, rw: GreedyRewriter) -> bool:
    """tensor.cast (shape_of %t -> tensor<3xindex>) to tensor<?xindex> -> shape_of of that type"""
    source = defining(op.operands[0], "shape.shape_of")
    wanted = op.results[0].type
    if source is None or not is_extent_tensor(wanted):
        return False
    kind = source.operands[0].type
    if not isinstance(kind, TensorType) or (
        not _is_dynamic(wanted) and _extents(wanted)[0] != len(kind.get_shape())
    ):
        return False
    rw.replace_with(op, source.name, [source.operands[0]], [wanted])
    return True


def extent_of_shape(op: Operation, rw: GreedyRewriter) -> bool:
    """tensor.extract (shape_of %t)[%i] -> tensor.dim %t, %i"""
    source = defining(op.operands[0], "shape.shape_of")
    if source is None or source.operands[0].type.name not in ("tensor", "unranked_tensor"):
        return False
    rw.fuse(op.operands[0])
    rw.replace_with(op, "tensor.dim", [source.operands[0], op.operands[1]], [INDEX])
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "shape.assuming": (assuming_used_results, assuming_true),
    "shape.assuming_all": (
        flat_witnesses,
        one_witness,
        widest_constraints,
        joined_equalities,
        unique_operands,
    ),
    "shape.broadcast": (
        known_rank,
        join_constants,
        of_one,
        uncast_operands,
        unique_operands,
        without_scalars,
    ),
    "shape.cstr_broadcastable": (
        uncast_operands,
        of_equal_shapes,
        unique_operands,
        without_scalars,
    ),
    "shape.cstr_eq": (of_equal_shapes,),
    "shape.index_to_size": (converted_back("shape.size_to_index"),),
    "shape.is_broadcastable": (unique_operands,),
    "shape.rank": (rank_of_shape,),
    "shape.shape_of": (shape_of_static, shape_of_reshape),
    "shape.size_to_index": (converted_back("shape.index_to_size"),),
}

#: What is known of tensors that hold the extents of shapes.
TENSOR_PATTERNS: dict[str, tuple[Pattern, ...]] = {
    "tensor.cast": (cast_of_shape,),
    "tensor.extract": (extent_of_shape,),
}
