# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inequalities that operations state of their results, arguments and dimensions.

MLIR's ValueBoundsOpInterface of arith, affine, scf, memref, tensor and gpu.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntegerType,
    MemRefType,
    ShapedType,
    TensorType,
)
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from xgpu.analysis.linear import Bounds, Form, combine, constant_of, is_index, of_variable, scale
from xgpu.analysis.ranges import GPU_RULES
from xgpu.core.ir.constants import int_of
from xgpu.dialects.reshapes import kept_dimensions
from xgpu.dialects.tensor.casts import destination_of

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.dialects import gpu, scf


# -- Rules for sizes of memrefs and tensors, by the operation that gives them.


Rule = Callable[["Bounds", OpResult, int], Form | None]


def _shape(value: SSAValue) -> tuple[int, ...] | None:
    return value.type.get_shape() if isinstance(value.type, MemRefType | TensorType) else None


def _group(op: Operation, index: int) -> Sequence[SSAValue]:
    return cast("OdsOperation", op).operand_group(index)


def _allocated(bounds: Bounds, value: OpResult, index: int) -> Form:
    shape = _shape(value) or ()
    position = sum(extent < 0 for extent in shape[:index])
    op = value.op
    sizes = _group(op, 1) if op.name == "gpu.alloc" else _group(op, 0)
    return bounds.value(sizes[position])


def _of_source(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    source = value.op.operands[0]
    return None if _shape(source) is None else bounds.dimension(source, index)


def _of_destination(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    """What an operation writes to has the shape of its result."""
    dest = destination_of(value)
    if dest is None or dest.type != value.type:
        return None
    return bounds.dimension(dest, index)


def _of_slice(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    """The size that a slice takes along a dimension that its result has."""
    op = value.op
    static = cast("DenseArrayBase[IntegerType]", op.properties["static_sizes"]).get_values()
    shape = _shape(value) or ()
    dim = kept_dimensions(static, shape)[index]
    if static[dim] != DYNAMIC_INDEX:
        return {None: static[dim]}
    position = sum(number == DYNAMIC_INDEX for number in static[:dim])
    return bounds.value(_group(op, 2)[position])


def _padded(bounds: Bounds, value: OpResult, index: int) -> Form | None:
    op = value.op
    total = bounds.dimension(op.operands[0], index)
    for group, name in ((1, "static_low"), (2, "static_high")):
        static = cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values()
        if static[index] != DYNAMIC_INDEX:
            total = combine(total, {None: static[index]})
            continue
        position = sum(number == DYNAMIC_INDEX for number in static[:index])
        total = combine(total, bounds.value(_group(op, group)[position]))
    return total


#: Of a dimension of a result.
DIMENSIONS: dict[str, Rule] = {
    "DestinationStyleOpInterface": _of_destination,
    "bufferization.alloc_tensor": _allocated,
    "gpu.alloc": _allocated,
    "memref.alloc": _allocated,
    "memref.alloca": _allocated,
    "memref.cast": _of_source,
    "memref.subview": _of_slice,
    "tensor.cast": _of_source,
    "tensor.empty": _allocated,
    "tensor.extract_slice": _of_slice,
    "tensor.insert": _of_destination,
    "tensor.insert_slice": _of_destination,
    "tensor.pad": _padded,
}


# -- Rules for results and arguments, by the operation that defines them.


_ZERO: Form = {None: 0}


# --- arith ---------------------------------------------------------------------------------------
def _add(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    left, right = (bounds.value(v) for v in op.operands)
    bounds.equal(of_variable(value), combine(left, right))


def _subtract(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    left, right = (bounds.value(v) for v in op.operands)
    bounds.equal(of_variable(value), combine(left, right, times=-1))


def _multiply(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    left, right = (bounds.value(v) for v in op.operands)
    for one, other in ((left, right), (right, left)):
        number = constant_of(other)
        if number is not None:
            bounds.equal(of_variable(value), scale(one, number))
            return


def _floor_divide(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    divisor = int_of(op.operands[1])
    if divisor is not None and divisor > 0:
        quotient = bounds.quotient(bounds.value(op.operands[0]), divisor)
        bounds.equal(of_variable(value), quotient)


def _select(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    """Between the two values, where one of them is known to be the smaller."""
    _between(bounds, value, op.operands[1], op.operands[2])


def _between(bounds: Bounds, value: SSAValue, first: SSAValue, second: SSAValue) -> None:
    if not is_index(value):
        return
    a, b = bounds.value(first), bounds.value(second)
    apart = type(bounds)()
    one, other = apart.value(first), apart.value(second)
    if apart.compare(one, "LE", other):
        low, high = a, b
    elif apart.compare(other, "LE", one):
        low, high = b, a
    else:
        return
    bounds.at_least(of_variable(value), low)
    bounds.at_least(high, of_variable(value))


# --- affine --------------------------------------------------------------------------------------
def _map_results(bounds: Bounds, op: Operation) -> list[Form | None]:
    mapping = cast("AffineMapAttr", op.properties["map"]).data
    values = [bounds.value(operand) for operand in op.operands]
    dims, symbols = values[: mapping.num_dims], values[mapping.num_dims :]
    return [bounds.expression(expr, dims, symbols) for expr in mapping.results]


def _apply(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    found = _map_results(bounds, op)[0]
    if found is not None:
        bounds.equal(of_variable(value), found)


def _minimum(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    for found in _map_results(bounds, op):
        if found is not None:
            bounds.at_least(found, of_variable(value))


def _maximum(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    for found in _map_results(bounds, op):
        if found is not None:
            bounds.at_least(of_variable(value), found)


# --- scf -----------------------------------------------------------------------------------------
def _loop_variable(bounds: Bounds, op: Operation, argument: BlockArgument) -> None:
    """The induction variable is between the bounds; other arguments are not known."""
    if argument.index == 0 and is_index(argument):
        variable = of_variable(argument)
        bounds.at_least(variable, bounds.value(op.operands[0]))
        bounds.at_least(combine(bounds.value(op.operands[1]), {None: -1}), variable)


def _forall_variable(bounds: Bounds, op: scf.ForallOp, argument: BlockArgument) -> None:
    static_low, static_high = (
        list(op.properties[name].get_values()) for name in ("staticLowerBound", "staticUpperBound")
    )
    if argument.index >= len(static_low):
        return
    variable = of_variable(argument)
    for static, group, is_low in (
        (static_low, op.dynamic_lower_bound, True),
        (static_high, op.dynamic_upper_bound, False),
    ):
        number = static[argument.index]
        if number == DYNAMIC_INDEX:
            position = static[: argument.index].count(DYNAMIC_INDEX)
            bound = bounds.value(group[position])
        else:
            bound: Form = {None: number}
        if is_low:
            bounds.at_least(variable, bound)
        else:
            bounds.at_least(combine(bound, {None: -1}), variable)


def _if_result(bounds: Bounds, op: Operation, value: OpResult) -> None:
    ends = [region.first_block.last_op for region in op.regions if region.first_block is not None]
    if len(ends) == 2 and all(end is not None for end in ends):
        first, second = (end.operands[value.index] for end in ends)  # pyright: ignore
        _between(bounds, value, first, second)


# --- sizes --------------------------------------------------------------------------------------
def _dim(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    index = int_of(op.operands[1])
    shape = op.operands[0].type
    if index is None or not isinstance(shape, ShapedType):
        return
    if 0 <= index < len(shape.get_shape()):
        bounds.equal(of_variable(value), bounds.dimension(op.operands[0], index))
    else:
        bounds.at_least(of_variable(value), _ZERO)


# --- gpu -----------------------------------------------------------------------------------------
def _from_range(bounds: Bounds, op: Operation, value: SSAValue) -> None:
    found = GPU_RULES[op.name](op, []).get(value)
    if found is not None:
        bounds.at_least(of_variable(value), {None: found.smin})
        bounds.at_least({None: found.smax}, of_variable(value))


def _launch_argument(bounds: Bounds, op: gpu.LaunchOp, argument: BlockArgument) -> None:
    """Ids are less than their sizes; sizes are the operands, and at least 1."""
    kinds = 9 if op.cluster_size_x is not None else 6
    if argument.index >= 2 * kinds:
        return
    sizes = [group for i in range(1, 10) for group in op.operand_group(i)]
    size = bounds.value(sizes[argument.index % kinds])
    variable = of_variable(argument)
    if argument.index < kinds:
        bounds.at_least(variable, _ZERO)
        bounds.at_least(combine(size, {None: -1}), variable)
    else:
        bounds.at_least(variable, {None: 1})
        bounds.equal(variable, size)


#: Whose ranges follow from those of operands: they have rules of their own, or none.
_NOT_OF_RANGES = frozenset({"gpu.launch", "gpu.subgroup_broadcast"})

#: Of a result.
VALUES: dict[str, Callable[..., None]] = {
    "affine.apply": _apply,
    "affine.max": _maximum,
    "affine.min": _minimum,
    "arith.addi": _add,
    "arith.floordivsi": _floor_divide,
    "arith.muli": _multiply,
    "arith.select": _select,
    "arith.subi": _subtract,
    "memref.dim": _dim,
    "scf.if": _if_result,
    "tensor.dim": _dim,
    **{name: _from_range for name in GPU_RULES if name not in _NOT_OF_RANGES},
}
#: Of an argument of the first region.
ARGUMENTS: dict[str, Callable[..., None]] = {
    "gpu.launch": _launch_argument,
    "scf.for": _loop_variable,
    "scf.forall": _forall_variable,
}


class ValueBounds(Bounds):
    """Bounds by the rules of all operations that have some."""

    arguments = ARGUMENTS
    values = VALUES
    dimensions = DIMENSIONS
