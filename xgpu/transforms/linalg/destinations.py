# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where structured operations write: tensors that are made become operations with a destination,
and sums become what a contraction starts from.

Source: MLIR 22.1 ConvertToDestinationStyle.cpp, FoldAddIntoDest.cpp.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, TensorType, i64
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap

from xgpu.core.ir.blocks import block_for
from xgpu.core.ir.constants import constant_of, splat_value
from xgpu.core.ir.dominance import stands_before
from xgpu.dialects.affine.index_math import as_value
from xgpu.dialects.arith.builders import attribute_constant, index_constant
from xgpu.dialects.linalg import ops
from xgpu.dialects.linalg.bodies import copying_region
from xgpu.dialects.reshapes import mixed, settle, slice_operands
from xgpu.transforms.linalg.decompose_aggregates import create_fill
from xgpu.transforms.linalg.generalize_named_ops import description
from xgpu.transforms.memref.result_sizes import size_of, size_of_result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xgpu.core.rewriting.builder import Rewriter
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.dialects import tensor


# --- destinations of tensors that are made -------------------------------------------------------
def in_destination_style(rw: Rewriter, op: Operation) -> Operation | None:
    """The last operation of what `op` becomes; None if it stays. `rw` stands before `op`."""
    rule = _STYLES.get(op.name)
    return None if rule is None else rule(rw, op)


def _from_elements(rw: Rewriter, op: Operation) -> Operation:
    """from_elements -> insertions into an empty tensor"""
    kind = cast("TensorType", op.results[0].type)
    shape = kind.get_shape()
    result = rw.value("tensor.empty", (), kind)
    numbers = [index_constant(rw, number) for number in range(max(shape, default=0))]
    places = product(*(range(extent) for extent in shape))
    last: Operation | None = None
    for element, place in zip(op.operands, places, strict=True):
        indices = [numbers[index] for index in place]
        last = rw.create("tensor.insert", [element, result, *indices], [kind])
        result = last.results[0]
    assert last is not None
    rw.replace(op, [result])
    return last


def _generic(
    rw: Rewriter, source: Block, dest: SSAValue, results: Sequence[TensorType]
) -> Operation:
    """linalg.generic over `dest` with the operations of `source`, whose arguments are places."""
    kind = cast("TensorType", dest.type)
    rank = len(kind.get_shape())
    body = block_for([dest], [kind.element_type])
    with rw.inside(body):
        indices = [
            rw.value("linalg.index", (), argument.type, {"dim": IntegerAttr(dim, i64)})
            for dim, argument in enumerate(source.args)
        ]
    for argument, index in zip(list(source.args), indices, strict=True):
        argument.replace_all_uses_with(index)
    end = source.last_op
    assert end is not None
    for moved in [moved for moved in source.ops if moved is not end]:
        moved.detach()
        body.add_op(moved)
    with rw.inside(body), rw.located(end.location):
        rw.create("linalg.yield", list(end.operands))
    rw.erase(end)
    identity = AffineMap.identity(rank)
    return rw.create(
        "linalg.generic",
        [[], [dest]],
        results,
        description([identity], [ops.PARALLEL] * rank),
        regions=[Region(body)],
    )


def _generate(rw: Rewriter, op: Operation) -> Operation | None:
    """generate -> generic over an empty tensor"""
    kind = cast("TensorType", op.results[0].type)
    if len(op.regions[0].blocks) != 1:
        return None
    dest = rw.value("tensor.empty", list(op.operands), kind)
    generic = _generic(rw, op.regions[0].block, dest, [kind])
    rw.replace(op, generic.results)
    return generic


def _owner_block(value: SSAValue) -> Block | None:
    return value.owner if isinstance(value.owner, Block) else value.owner.parent


def fill_padding(rw: Rewriter, op: Operation, dest: SSAValue) -> Operation:
    """Fills `dest`, a tensor or memref, with what the tensor.pad `op` pads with."""
    block = op.regions[0].block
    last = block.last_op
    assert last is not None
    value = last.operands[0]
    results = [dest.type] if dest.type.name == "tensor" else []
    constant = constant_of(value)
    outer: SSAValue | None = None
    if constant is not None:
        outer = attribute_constant(rw, constant, value.type)
    elif _owner_block(value) is not block:
        outer = value
    if outer is None:
        return _generic(rw, block, dest, [cast("TensorType", kind) for kind in results])
    return create_fill(rw, outer, dest)


def _pad(rw: Rewriter, op: Operation) -> Operation | None:
    """pad -> fill of an empty tensor, and insert_slice"""
    pad = cast("tensor.PadOp", op)
    kind = cast("TensorType", op.results[0].type)
    rank = len(kind.get_shape())
    sizes = [size_of_result(op.results[0], dim, rw) for dim in range(rank)]
    dynamic = [
        as_value(rw, size)
        for size, extent in zip(sizes, kind.get_shape(), strict=True)
        if extent == DYNAMIC_INDEX and size is not None
    ]
    low, high = mixed(pad, "low"), mixed(pad, "high")
    if "nofold" in op.properties and all(n == 0 for n in settle([*low, *high])):
        return _copy(rw, op, rw.value("bufferization.alloc_tensor", [dynamic, [], []], kind))
    dest = rw.value("tensor.empty", dynamic, kind)
    fill = fill_padding(rw, op, dest)
    rw.after(fill)
    source = op.operands[0]
    part = [size_of(rw, source, dim) for dim in range(rank)]
    groups, properties = slice_operands((low, part, [1] * rank))
    new = rw.create(
        "tensor.insert_slice", [[source], [fill.results[0]], *groups], [kind], properties
    )
    rw.replace(op, new.results)
    return new


def _copy(rw: Rewriter, op: Operation, dest: SSAValue) -> Operation:
    new = create_copy(rw, op.operands[0], dest)
    rw.replace(op, new.results)
    return new


def create_copy(rw: Rewriter, source: SSAValue, dest: SSAValue) -> Operation:
    """linalg.copy of a tensor or memref to another."""
    types = [dest.type] if dest.type.name == "tensor" else []
    region = copying_region([source, dest], rw.location)
    return rw.create("linalg.copy", [[source], [dest]], types, regions=[region])


_STYLES = {
    "tensor.from_elements": _from_elements,
    "tensor.generate": _generate,
    "tensor.pad": _pad,
}


# --- sums as destinations ------------------------------------------------------------------------
def _is_zero(value: SSAValue) -> bool:
    """Whether a value, or all its elements, are zero."""
    constant = splat_value(constant_of(value))
    if constant is not None:
        return constant == 0 and str(constant)[0] != "-"
    owner = value.owner
    if isinstance(owner, Operation) and owner.name in ("linalg.fill", "linalg.copy"):
        return _is_zero(owner.operands[0])
    return False


def _stands_before(value: SSAValue, op: Operation) -> bool:
    owner = value.owner
    return isinstance(owner, Block) or stands_before(owner, op)


def fold_add(op: Operation, rw: GreedyRewriter) -> bool:
    """add(%x, contraction outs(zeros)) -> contraction outs(%x)"""
    if ops.is_on_buffers(op) or not op.results:
        return False
    pair = op.operands[0], op.operands[1]
    contraction, other = None, None
    for summand, rest in (pair[::-1], pair):
        owner = summand.owner
        if (
            isinstance(owner, Operation)
            and ops.is_structured(owner)
            and _stands_before(rest, owner)
        ):
            contraction, other = owner, rest
    if contraction is None or other is None:
        return False
    if len(contraction.results) != 1 or not _is_contraction(contraction):
        return False
    outputs = ops.outputs(contraction)
    if not contraction.results[0].has_one_use() or not _is_zero(outputs[0]):
        return False
    last = -1
    for expr in ops.indexing_maps(contraction)[-1].results:
        if not isinstance(expr, AffineDimExpr) or expr.position < last:
            return False
        last = expr.position
    rw.set_operand(contraction, len(contraction.operands) - 1, other)
    for old, new in zip(op.results, contraction.results, strict=True):
        rw.replace_all_uses(old, new)
    return True


def _is_contraction(op: Operation) -> bool:
    if len(ops.inputs(op)) != 2 or len(ops.outputs(op)) != 1:
        return False
    maps = ops.indexing_maps(op)
    if not all(isinstance(e, AffineDimExpr) for m in maps for e in m.results):
        return False
    if "reduction" not in ops.iterator_types(op):
        return False
    return ops.is_contraction_body(op.regions[0].block)


ADD_PATTERNS: dict[str, tuple[Pattern, ...]] = {"linalg.add": (fold_add,)}
