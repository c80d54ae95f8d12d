# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every use of the tensor dialect asks of its operations: result names and verifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    Float32Type,
    IndexType,
    IntegerType,
    TensorType,
)
from xdsl.ir import Attribute, Operation

from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects import tensor
from xgpu.dialects.interfaces import Verifier, cast_verifier
from xgpu.dialects.reshapes import reduced_dims, slice_lists, verify_bounds, verify_slices

if TYPE_CHECKING:
    from xgpu.core.ods.operation import OdsOperation
    from xgpu.dialects.tensor import (
        ExtractSliceOp,
        GatherOp,
        InsertSliceOp,
        ParallelInsertSliceOp,
        ScatterOp,
    )


# -- Names that MLIR suggests for results of tensor operations.


def _fixed(name: str) -> Callable[[Operation], list[str | None]]:
    return lambda op: [name]


NAMES = {
    "tensor.cast": _fixed("cast"),
    "tensor.collapse_shape": _fixed("collapsed"),
    "tensor.concat": _fixed("concat"),
    "tensor.dim": _fixed("dim"),
    "tensor.expand_shape": _fixed("expanded"),
    "tensor.extract": _fixed("extracted"),
    "tensor.extract_slice": _fixed("extracted_slice"),
    "tensor.from_elements": _fixed("from_elements"),
    "tensor.gather": _fixed("gather"),
    "tensor.generate": _fixed("generated"),
    "tensor.insert": _fixed("inserted"),
    "tensor.insert_slice": _fixed("inserted_slice"),
    "tensor.pad": _fixed("padded"),
    "tensor.rank": _fixed("rank"),
    "tensor.reshape": _fixed("reshape"),
    "tensor.scatter": _fixed("scatter"),
    "tensor.splat": _fixed("splat"),
}


# -- Verifiers of tensor.reshape, expand_shape and collapse_shape.


def verify_reshape(op: tensor.ReshapeOp) -> None:
    """`tensor.reshape`"""
    source, result = op.source.type, op.result.type
    if source.element_type != result.element_type:
        raise op_error(
            op, "element types of source and destination tensor types should be the same"
        )
    if not isinstance(result, TensorType):
        return
    (length,) = op.shape.type.get_shape()
    target = result.get_shape()
    given = source.get_shape() if isinstance(source, TensorType) else target
    if DYNAMIC_INDEX not in (*given, *target) and prod(given) != prod(target):
        raise op_error(op, "source and destination tensor should have the same number of elements")
    if length == DYNAMIC_INDEX:
        raise op_error(
            op,
            "cannot use shape operand with dynamic length to reshape to statically-ranked tensor "
            "type",
        )
    if length != len(target):
        raise op_error(op, "length of shape operand differs from the result's tensor rank")


def verify_expand(op: tensor.ExpandShapeOp) -> None:
    """`tensor.expand_shape`"""
    collapsed, expanded = op.src.type, op.result.type
    shape = list(op.properties["static_output_shape"].get_values())
    if isinstance(expanded, TensorType) and len(shape) != len(expanded.get_shape()):
        raise op_error(
            op,
            "expected number of static shape dims to be equal to the output rank "
            f"({len(expanded.get_shape())}) but found {len(shape)} inputs instead",
        )
    dynamic, given = shape.count(DYNAMIC_INDEX), len(op.operands) - 1
    if dynamic != given:
        raise op_error(
            op,
            "mismatch in dynamic dims in output_shape and static_output_shape: "
            f"static_output_shape has {dynamic} dynamic dims while output_shape has {given} values",
        )
    _verify_groups(op, collapsed, expanded)


def verify_collapse(op: tensor.CollapseShapeOp) -> None:
    """`tensor.collapse_shape`"""
    _verify_groups(op, op.results[0].type, op.operands[0].type)


def _verify_groups(
    op: tensor.CollapseShapeOp | tensor.ExpandShapeOp, collapsed: Attribute, expanded: Attribute
) -> None:
    if isinstance(op, tensor.CollapseShapeOp) and any(
        not group.data for group in op.reassociation.data
    ):
        raise op_error(op, "reassociation indices must not be empty")
    if (
        not isinstance(collapsed, TensorType)
        or not isinstance(expanded, TensorType)
        or len(collapsed.get_shape()) > len(expanded.get_shape())
    ):
        raise op_error(
            op,
            f"expected the expanded type, '{shown(expanded)}' to have a higher (or same) rank "
            f"than the collapsed type, '{shown(collapsed)}'.",
        )
    sizes = list(expanded.get_shape())
    groups = [[index.value.data for index in group.data] for group in op.reassociation.data]
    rank = len(collapsed.get_shape())
    if rank != len(groups):
        raise op_error(
            op,
            f"expected collapsed rank ({rank}) to equal the number of reassociation maps "
            f"({len(groups)}).",
        )
    if not groups:
        return  # MLIR looks no further at what has no dimensions
    _verify_indices(op, groups, len(sizes))
    _verify_sizes(op, list(collapsed.get_shape()), sizes, groups)
    wanted = TensorType(expanded.element_type, collapsed.get_shape(), expanded.encoding)
    if collapsed != wanted:
        raise op_error(
            op,
            f"expected collapsed type to be '{shown(wanted)}', but got '{shown(collapsed)}'",
        )


def _verify_indices(op: Operation, groups: Sequence[Sequence[int]], rank: int) -> None:
    # MLIR makes maps of the groups, of as many dimensions as the largest index says.
    maps_rank = max((index for group in groups for index in group), default=-1) + 1
    at = 0
    for number, group in enumerate(groups):
        if maps_rank != rank:
            raise op_error(
                op,
                f"expected reassociation map #{number} to have size equal to the expanded rank "
                f"({rank}), but it is  {maps_rank}.",
            )
        for index in group:
            if index != at:
                raise op_error(
                    op, f"expected reassociation map #{number} to be valid and contiguous."
                )
            at += 1
    if at != rank:
        raise op_error(op, "expected the reassociation maps to hold all expanded dimensions")


def _verify_sizes(
    op: Operation,
    collapsed: Sequence[int],
    expanded: Sequence[int],
    groups: Sequence[Sequence[int]],
) -> None:
    for place, group in enumerate(groups):
        sizes = [expanded[index] for index in group]
        if DYNAMIC_INDEX in sizes:
            if collapsed[place] != DYNAMIC_INDEX:
                raise op_error(
                    op,
                    f"expected dimension {place} of collapsed type to be dynamic since one or more "
                    "of the corresponding dimensions in the expanded type is dynamic",
                )
        elif collapsed[place] != prod(sizes):
            raise op_error(
                op,
                f"expected dimension {place} of collapsed type to be static value of {prod(sizes)}",
            )


# -- Verifiers of tensor operations.


def _shape(type: Attribute) -> list[int]:
    return list(cast("TensorType", type).get_shape())


def _rank(type: Attribute) -> int:
    return len(cast("TensorType", type).get_shape())


# -- dynamic sizes, indices ---------------------------------------------------------------------


def _dynamic_sizes(group: int) -> Verifier:
    """A value for each size of the result that the type leaves open."""

    def verify(op: OdsOperation) -> None:
        given = len(op.operand_group(group))
        wanted = _shape(op.results[0].type).count(DYNAMIC_INDEX)
        if given != wanted:
            raise op_error(op, f"incorrect number of dynamic sizes, has {given}, expected {wanted}")

    return verify


def _indices(tensor: int, indices: int, words: str) -> Verifier:
    """An index for each dimension of the operand number `tensor`."""

    def verify(op: OdsOperation) -> None:
        if _rank(op.operands[tensor].type) != len(op.operand_group(indices)):
            raise op_error(op, words)

    return verify


# -- casts --------------------------------------------------------------------------------------


def _shapes_agree(source: TensorType, target: TensorType) -> bool:
    if "unranked_tensor" in (source.name, target.name):
        return True
    pairs = list(zip(_shape(source), _shape(target), strict=False))
    return _rank(source) == _rank(target) and all(
        a == b or DYNAMIC_INDEX in (a, b) for a, b in pairs
    )


def _cast(source: Attribute, target: Attribute) -> bool:
    source, target = cast("TensorType", source), cast("TensorType", target)
    return source.element_type == target.element_type and _shapes_agree(source, target)


def _bitcast(source: Attribute, target: Attribute) -> bool:
    source, target = cast("TensorType", source), cast("TensorType", target)
    widths = (
        cast("Float32Type | IntegerType", source.element_type).bitwidth,
        cast("IntegerType", target.element_type).bitwidth,
    )
    return widths[0] == widths[1] and _shapes_agree(source, target)


# -- slices -------------------------------------------------------------------------------------


def _verify_slice_type(
    op: Operation, given: TensorType, element: Attribute, sizes: Sequence[int | None]
) -> None:
    """`given` is the type of a slice of these sizes, or that without dimensions of size 1."""
    full = [DYNAMIC_INDEX if size is None else size for size in sizes]
    if _rank(given) > len(full):
        raise error(op, "expected rank to be smaller or equal to the other rank. ")
    if reduced_dims(full, _shape(given)) is None:
        expected = shown(TensorType(element, full))
        raise error(
            op, f"expected type to be '{expected}' or a rank-reduced version. (size mismatch) "
        )
    if given.element_type != element:
        raise error(op, f"expected element type to be '{shown(element)}'")


def _slice(
    op: ExtractSliceOp | InsertSliceOp | ParallelInsertSliceOp, whole: TensorType, part: TensorType
) -> None:
    rank = _rank(whole)
    # The group of offsets is the one after all that is sliced.
    verify_slices(op, (rank, rank, rank), first=len(op.spec.operands) - 3)
    lists = slice_lists(op)
    _verify_slice_type(op, part, whole.element_type, lists[1])
    verify_bounds(op, whole.get_shape(), lists)


def _extract_slice(op: ExtractSliceOp) -> None:
    _slice(op, op.source.type, op.result.type)


def _insert_slice(op: InsertSliceOp | ParallelInsertSliceOp) -> None:
    _slice(op, op.dest.type, op.source.type)


def _parallel_insert_slice(op: ParallelInsertSliceOp) -> None:
    parent = op.parent_op()
    if parent is None or "InParallelOpInterface" not in traits_of(parent.name):
        from xgpu.core.syntax.printer import print_op

        found = "" if parent is None else f"\n{print_op(parent, generic=True)}"
        raise error(op, f"expected InParallelOpInterface parent, got:{found}")
    _insert_slice(op)


# -- operations with a body ---------------------------------------------------------------------


def _generate_regions(op: Operation) -> None:
    block = op.regions[0].block
    result = cast("TensorType", op.results[0].type)
    if not all(isinstance(argument.type, IndexType) for argument in block.args):
        raise error(op, "all body arguments must be index")
    if len(block.args) != _rank(result):
        raise error(op, "must have one body argument per input dimension")
    end = block.last_op
    if end is None or end.name != "tensor.yield":
        raise op_error(op, "body must be terminated with a `yield` operation")
    if [v.type for v in end.operands] != [result.element_type]:
        raise op_error(
            op, "body must be terminated with a `yield` operation of the tensor element type"
        )


def _pad(op: tensor.PadOp) -> None:
    source, result = op.source.type, op.results[0].type
    low, high = (list(numbers.get_values()) for numbers in (op.static_low, op.static_high))
    for name, numbers, group in (("low", low, 1), ("high", high, 2)):
        dynamic, given = numbers.count(DYNAMIC_INDEX), len(op.operand_group(group))
        if dynamic != given:
            raise op_error(op, f"expected {dynamic} {name} values, but found {given}")
    shape = _shape(source)
    if len(low) != len(shape) or len(high) != len(shape):
        raise error(
            op,
            f"failed to infer expectedType from sourceType '{shown(source)}', specified "
            f"resultType is '{shown(result)}'",
        )
    expected = [
        DYNAMIC_INDEX if DYNAMIC_INDEX in parts else sum(parts)
        for parts in zip(low, shape, high, strict=True)
    ]
    given = _shape(result)
    if len(expected) != len(given) or any(
        wanted not in (size, DYNAMIC_INDEX) for wanted, size in zip(expected, given, strict=True)
    ):
        wanted = "x".join("?" if size == DYNAMIC_INDEX else str(size) for size in expected)
        raise error(
            op,
            f"specified type '{shown(result)}' does not match the inferred type "
            f"'tensor<{wanted}x{shown(source.element_type)}>'",
        )


def _pad_regions(op: tensor.PadOp) -> None:
    block, result = op.regions[0].block, op.results[0].type
    if len(block.args) != _rank(result):
        raise error(op, f"expected the block to have {_rank(result)} arguments")
    for number, argument in enumerate(block.args, start=1):
        if not isinstance(argument.type, IndexType):
            raise op_error(op, f"expected block argument {number} to be an index")
    end = block.last_op
    if end is None or [v.type for v in end.operands] != [result.element_type]:
        raise op_error(op, "expected yield type to match shape element type")


# -- concat, gather, scatter --------------------------------------------------------------------


def _concat(op: tensor.ConcatOp) -> None:
    inputs = [value.type for value in op.inputs]
    result = op.results[0].type
    if not inputs:
        raise op_error(op, "requires at least one input")
    rank = _rank(result)
    if any(_rank(kind) != rank for kind in inputs):
        raise op_error(op, "rank of concatenated inputs must match result rank")
    if any(kind.element_type != result.element_type for kind in inputs):
        raise op_error(op, "inputs and result element type must match")
    dim = op.properties["dim"].value.data
    if dim >= rank:
        raise op_error(op, "concatenation dim must be less than the tensor rank")
    if dim < 0:
        raise op_error(op, "concatenation dim must not be negative")
    expected: list[int] = []
    for place in range(rank):
        sizes = [_shape(kind)[place] for kind in inputs]
        if place == dim:
            expected.append(DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes))
            continue
        known = {size for size in sizes if size != DYNAMIC_INDEX}
        if len(known) > 1:
            raise op_error(
                op,
                f"static concatenation size mismatch along non-concatenated dimension {place}",
            )
        expected.append(known.pop() if known else DYNAMIC_INDEX)
    for wanted, given in zip(expected, _shape(result), strict=True):
        if DYNAMIC_INDEX not in (wanted, given) and wanted != given:
            inferred = TensorType(result.element_type, expected)
            raise op_error(
                op,
                f"result type '{shown(result)}'does not match inferred shape "
                f"'{shown(inferred)}' static sizes",
            )


def _verify_dims(
    op: Operation, name: str, what: str, rank: int, indices: Sequence[int]
) -> list[int]:
    """The dimensions that gather and scatter have indices for."""
    dims = list(cast("DenseArrayBase[IntegerType]", op.properties[name]).get_values())
    if not dims:
        raise op_error(op, f"{name} must be non-empty")
    if len(dims) > rank:
        raise op_error(op, f"{name} overflow {what} rank")
    for dim in dims:
        if dim < 0:
            raise op_error(op, f"{name} value must be non-negative")
        if dim >= rank:
            raise op_error(op, f"{name} value must be smaller than {what} rank")
    if not indices or indices[-1] != len(dims):
        raise op_error(op, f"{name} length must match the size of last dimension of indices")
    if any(a >= b for a, b in pairwise(dims)):
        raise op_error(op, f"{name} values must be strictly increasing")
    return dims


def _gathered(
    whole: TensorType, dims: Sequence[int], indices: Sequence[int], reduced: bool
) -> TensorType:
    """What is gathered: for each index a slice, of size 1 in (or without) the dimensions."""
    shape = list(indices[:-1])
    for place, size in enumerate(_shape(whole)):
        if place not in dims:
            shape.append(size)
        elif not reduced:
            shape.append(1)
    return TensorType(whole.element_type, shape)


def _verify_gathered(
    op: Operation,
    what: str,
    given: Attribute,
    whole: TensorType,
    dims: Sequence[int],
    indices: Sequence[int],
) -> None:
    full, reduced = (_gathered(whole, dims, indices, short) for short in (False, True))
    if given not in (full, reduced):
        raise op_error(
            op,
            f"{what} type mismatch: expected '{shown(full)}' or its rank-reduced variant "
            f"'{shown(reduced)}' (got: '{shown(given)}')",
        )


def _gather(op: GatherOp) -> None:
    source, indices = op.source.type, _shape(op.operands[1].type)
    dims = _verify_dims(op, "gather_dims", "source", _rank(source), indices)
    _verify_gathered(op, "result", op.results[0].type, source, dims, indices)


def _scatter(op: ScatterOp) -> None:
    source, dest = op.source.type, op.dest.type
    indices = _shape(op.operands[2].type)
    dims = _verify_dims(op, "scatter_dims", "dest", _rank(dest), indices)
    if "unique" not in op.properties:
        raise op_error(op, "requires 'unique' attribute to be set")
    _verify_gathered(op, "source", source, dest, dims, indices)


VERIFY: dict[str, Verifier] = {
    "tensor.bitcast": cast_verifier(_bitcast),
    "tensor.cast": cast_verifier(_cast),
    "tensor.collapse_shape": verify_collapse,
    "tensor.concat": _concat,
    "tensor.empty": _dynamic_sizes(0),
    "tensor.expand_shape": verify_expand,
    "tensor.extract": _indices(0, 1, "incorrect number of indices for extract_element"),
    "tensor.extract_slice": _extract_slice,
    "tensor.gather": _gather,
    "tensor.generate": _dynamic_sizes(0),
    "tensor.insert": _indices(1, 2, "incorrect number of indices"),
    "tensor.insert_slice": _insert_slice,
    "tensor.pad": _pad,
    "tensor.parallel_insert_slice": _parallel_insert_slice,
    "tensor.reshape": verify_reshape,
    "tensor.scatter": _scatter,
    "tensor.splat": _dynamic_sizes(1),
}

VERIFY_REGIONS: dict[str, Verifier] = {
    "tensor.generate": _generate_regions,
    "tensor.pad": _pad_regions,
}
