# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of linalg.map, reduce, transpose and broadcast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error
from xgpu.dialects.linalg.structure import inputs, outputs, scalar_type, shape_of

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from xgpu.dialects import linalg


def _shape(value: SSAValue) -> tuple[int, ...]:
    return shape_of(value) or ()


def _as_text(sizes: Sequence[int]) -> str:
    return ", ".join("-9223372036854775808" if s < 0 else str(s) for s in sizes)


def verify_map(op: linalg.MapOp) -> None:
    arguments = op.regions[0].blocks[0].args
    operands = op.operands
    if len(arguments) != len(operands):
        raise op_error(
            op,
            "expects number of operands to match the arity of mapper, but got: "
            f"{len(operands)} and {len(arguments)}",
        )
    for argument, value in zip(arguments, operands, strict=True):
        if argument.type != scalar_type(value):
            raise op_error(
                op,
                f"expected element type of input '{shown(scalar_type(value))}' to match bbArg type "
                f"'{shown(argument.type)}'",
            )
    wanted = _shape(outputs(op)[0])
    for value in inputs(op):
        if _shape(value) != wanted:
            raise op_error(
                op,
                f"expected shape of input ({_as_text(_shape(value))}) to match shape of output "
                f"({_as_text(wanted)})",
            )


def verify_reduce(op: linalg.ReduceOp) -> None:
    ins, outs = inputs(op), outputs(op)
    for words, values in (("input", ins), ("output", outs)):
        for index, value in enumerate(values):
            if _shape(value) != _shape(values[0]):
                raise op_error(
                    op,
                    f"expects all {words}s to have the same shapes. Shape at {words}-index {index} "
                    f"is not equal to the shape at {words}-index 0.",
                )
    shape, result = _shape(ins[0]), _shape(outs[0])
    dimensions = set(op.dimensions.get_values())
    for dimension in dimensions:
        if not 0 <= dimension < len(shape):
            raise op_error(
                op, f"dimensions for reduction should be in the range [0, {len(shape) - 1}]."
            )
    kept = tuple(s for i, s in enumerate(shape) if i not in dimensions)
    if len(kept) != len(result):
        raise op_error(
            op,
            f"number of dimensions after reduction {len(kept)} doesn't match the init rank "
            f"{len(result)}",
        )
    if kept != result:
        raise op_error(
            op,
            f"init dimensions [{_as_text(result)}] doesn't match input dimensions after reduction "
            f"[{_as_text(kept)}]",
        )
    arguments = op.regions[0].blocks[0].args
    if len(arguments) != len(op.operands):
        raise op_error(op, "mismatching number of operands and block arguments")
    for position, (value, argument) in enumerate(zip(op.operands, arguments, strict=True)):
        if scalar_type(value) != argument.type:
            words = "input" if position < len(ins) else "output"
            raise op_error(
                op,
                f"{words} element type '{shown(scalar_type(value))}' does not match corresponding "
                f"block argument type '{shown(argument.type)}'",
            )


def verify_transpose(op: linalg.TransposeOp) -> None:
    permutation = list(op.permutation.get_values())
    if sorted(permutation) != list(range(len(permutation))):
        raise op_error(op, "permutation is not valid")
    shape, result = _shape(op.operands[0]), _shape(op.operands[1])
    if len(shape) != len(result):
        raise op_error(op, f"input rank {len(shape)} does not match init rank {len(result)}")
    if len(permutation) != len(shape):
        raise op_error(
            op,
            f"size of permutation {len(permutation)} does not match the argument rank {len(shape)}",
        )
    for index, source in enumerate(permutation):
        if result[index] != shape[source]:
            raise op_error(
                op,
                f"dim(result, {index}) = {_as_text([result[index]])} doesn't match dim(input, "
                f"permutation[{index}]) = {_as_text([shape[source]])}",
            )


def verify_broadcast(op: linalg.BroadcastOp) -> None:
    dimensions = list(op.properties["dimensions"].get_values())
    shape, result = _shape(op.operands[0]), _shape(op.operands[1])
    if len(shape) + len(dimensions) != len(result):
        raise op_error(
            op,
            "input rank plus added dimensions does not match init rank. input rank: "
            f"{len(shape)}, dimensions size: {len(dimensions)}, init rank: {len(result)}",
        )
    for index, dimension in enumerate(dimensions):
        if not 0 <= dimension < len(result):
            raise op_error(
                op,
                f"dimension {index} is out of range. expected range: [0, {len(result) - 1}], got: "
                f"{dimension}",
            )
    kept = [d for d in range(len(result)) if d not in dimensions]
    for index, dimension in enumerate(kept):
        if shape[index] != result[dimension]:
            raise op_error(
                op,
                f"input dim {index} should match init dim {dimension}. input: "
                f"{_as_text([shape[index]])}, init: {_as_text([result[dimension]])}",
            )
