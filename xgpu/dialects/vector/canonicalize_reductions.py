# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonicalization patterns of reductions and contractions.

Source: MLIR 22.1 VectorOps.cpp. Where a mask leaves out what is reduced, the result is the
accumulator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import SSAValue

from xgpu.core.ir.constants import constant_of
from xgpu.dialects.syntax_helpers import i64_array, scalable_dims
from xgpu.dialects.vector.builders import masking_op
from xgpu.dialects.vector.combining import chosen, combine
from xgpu.dialects.vector.elements import element_of, splat_element
from xgpu.dialects.vector.infer import vector_type
from xgpu.dialects.vector.shapes import is_scalable, is_vector, rank, shape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from xdsl.dialects.builtin import VectorType
    from xdsl.ir import Attribute, Operation

    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import vector


def _scalar(rw: GreedyRewriter, value: SSAValue) -> SSAValue:
    """The only element of a vector."""
    kind = cast("VectorType", value.type)
    position = {"static_position": i64_array([0] * rank(value))}
    return rw.value("vector.extract", (value,), kind.element_type, position)


def _place(op: Operation, rw: GreedyRewriter) -> tuple[Operation, SSAValue | None]:
    """The operation to replace, which may be a mask around `op`, and the mask. From here on we
    build before it."""
    masking = masking_op(op)
    if masking is None:
        return op, None
    rw.before(masking)
    return masking, masking.operands[0]


def reduce_one(op: Operation, rw: GreedyRewriter) -> bool:
    """A reduction of one element -> the element, combined with the accumulator"""
    source, *rest = op.operands
    if shape(source.type) not in ((), (1,)) or is_scalable(source.type):
        return False
    if masking_op(op) is not None and not rest:
        return False  # what the kind leaves as it is where the mask is not set
    root, mask = _place(op, rw)
    bit = None if mask is None else _scalar(rw, mask)
    value = _scalar(rw, source)
    for acc in rest:
        fast = {"fastmath": op.properties["fastmath"]} if "fastmath" in op.properties else {}
        combined = combine(rw, op.properties["kind"], value, acc, fast)
        value = chosen(rw, bit, combined, acc)
    rw.replace(root, [value])
    return True


def reduce_units(op: vector.MultiReductionOp, rw: GreedyRewriter) -> bool:
    """A multi_reduction along dimensions of one element -> the vector without them, combined with
    the accumulator"""
    source, acc = op.operands
    kind = source.type
    reduced = op.properties["reduction_dims"].get_values()
    if any(shape(kind)[dim] != 1 or scalable_dims(kind)[dim] for dim in reduced):
        return False
    root, mask = _place(op, rw)
    left = None if mask is None else _without_units(rw, mask, acc)
    value = _without_units(rw, source, acc)
    combined = combine(rw, op.properties["kind"], acc, value)
    rw.replace(root, [chosen(rw, left, combined, acc)])
    return True


def _without_units(rw: GreedyRewriter, value: SSAValue, like: SSAValue) -> SSAValue:
    """The elements of `value` in the shape of `like`."""
    kind: Attribute = like.type
    if not is_vector(kind):
        return _scalar(rw, value)
    own = cast("VectorType", value.type)
    wanted = vector_type(own.element_type, shape(kind), scalable_dims(kind))
    return value if wanted == own else rw.value("vector.shape_cast", (value,), wanted)


def add_to_contract(op: vector.ContractOp, rw: GreedyRewriter) -> bool:
    """arith.add(contract with an accumulator of 0, %a) -> contract with the accumulator %a"""
    if op.kind.data != "add" or not _is_zero(op.operands[2]):
        return False
    result = op.results[0]
    for use in result.uses:
        add = use.operation
        if add.name not in ("arith.addi", "arith.addf"):
            continue
        rw.at(add)
        operands = (op.operands[0], op.operands[1], add.operands[1 - use.index])
        made = rw.value(op.name, operands, result.type, _properties(op), op.attributes)
        rw.replace(add, [made])
        return True
    return False


def _properties(op: Operation) -> Mapping[str, Attribute]:
    """Those of any operation, whatever its class says of their names."""
    return op.properties


def _is_zero(value: SSAValue) -> bool:
    constant = constant_of(value)
    kind = value.type
    element = splat_element(constant) if is_vector(kind) else element_of(constant, kind)
    return element is not None and not any(element)


REDUCTION_PATTERNS = {
    "vector.contract": (add_to_contract,),
    "vector.multi_reduction": (reduce_units,),
    "vector.reduction": (reduce_one,),
}
