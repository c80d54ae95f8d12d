# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of transform.structured operations: what they say fits together."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xgpu.core.ir.errors import op_error
from xgpu.core.ir.op_info import traits_of
from xgpu.dialects.transform.kinds import kind_of

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerType, StringAttr
    from xdsl.ir import Operation


def _numbers(op: Operation, name: str) -> list[int]:
    attr = cast("DenseArrayBase[IntegerType] | None", op.properties.get(name))
    return list(attr.get_values()) if attr is not None else []


def verify_tile_using_for(op: Operation) -> None:
    """A handle for each loop, that is for each size that is not zero."""
    sizes = _numbers(op, "static_sizes")
    scalable = _numbers(op, "scalable_sizes")
    if scalable and len(scalable) != len(sizes):
        raise op_error(
            op,
            f"expected same number of sizes ({len(sizes)}) and scalable sizes ({len(scalable)})",
        )
    expected = sum(size != 0 for size in sizes)
    if len(op.results) - 1 != expected:
        raise op_error(
            op,
            f"expected number of loops to tile ({expected}) to match number of `loops` results "
            f"({len(op.results) - 1})",
        )


_PARENT = "transform.match.structured"


def verify_match(op: Operation) -> None:
    """One argument, a handle to an operation."""
    args = op.regions[0].block.args
    if len(args) != 1:
        raise op_error(op, "expected one body argument")
    if kind_of(args[0].type) != "op":
        raise op_error(op, "expected body argument to implement TransformHandleTypeInterface")
    for inner in op.regions[0].block.ops:
        if inner.name != f"{_PARENT}.yield" and "MatchOpInterface" not in traits_of(inner.name):
            raise op_error(
                op,
                "expects nested operations to implement MatchOpInterface",
                [(inner.location, "offending operation")],
            )


def _in_match(op: Operation) -> None:
    parent = op.parent_op()
    if parent is None or parent.name != _PARENT:
        raise op_error(op, f"expects parent op to be '{_PARENT}'")
    if op.operands[0] is not parent.regions[0].block.args[0]:
        raise op_error(op, "expected predicate to apply to the surrounding structured op")


def verify_body(op: Operation) -> None:
    _in_match(op)
    names = ("reduction_position", "passthrough", "elementwise", "contraction")
    if sum(name in op.properties for name in names) > 1:
        words = ", ".join(f'"{name}"' for name in names)
        raise op_error(op, f"only one of {{{words}}} is allowed")
    contraction = cast("ArrayAttr[StringAttr] | None", op.properties.get("contraction"))
    if contraction is not None and len(contraction.data) != 2:
        raise op_error(op, 'expects "contraction" to contain two elements')


def verify_list(op: Operation, name: str) -> None:
    """A list of positions, or all, or all except some."""
    numbers = _numbers(op, name)
    everything = "is_all" in op.properties
    if everything and "is_inverted" in op.properties:
        raise op_error(op, "cannot request both 'all' and 'inverted' values in the list")
    if everything and numbers:
        raise op_error(op, "cannot both request 'all' and specific values in the list")
    if not everything and not numbers:
        raise op_error(op, "must request specific values in the list if 'all' is not specified")
    if len(set(numbers)) != len(numbers):
        raise op_error(op, "expected the listed values to be unique")


def verify_dim(op: Operation) -> None:
    _in_match(op)
    if "parallel" in op.properties and "reduction" in op.properties:
        raise op_error(op, "cannot request the same dimension to be both parallel and reduction")
    verify_list(op, "raw_dim_list")


def verify_operand(op: Operation) -> None:
    """match.structured.input and init"""
    _in_match(op)
    if "permutation" in op.properties and "projected_permutation" in op.properties:
        raise op_error(op, '"permutation" and "projected_permutation" are mutually exclusive')
    several = len(_numbers(op, "raw_position_list")) > 1
    several = several or "is_all" in op.properties or "is_inverted" in op.properties
    if op.results and several and kind_of(op.results[0].type) == "op":
        raise op_error(op, "cannot bind multiple inputs/inits to the same value")
    verify_list(op, "raw_position_list")


def verify_result(op: Operation) -> None:
    _in_match(op)
    words = "any" in op.properties, "single" in op.properties
    if any(words) is (kind_of(op.results[0].type) == "value"):
        raise op_error(
            op, "expects either the any/single keyword or the type value handle result type"
        )
    if all(words):
        raise op_error(op, "'any' and 'single' are mutually exclusive")


STRUCTURED_VERIFY = {
    _PARENT: verify_match,
    f"{_PARENT}.body": verify_body,
    f"{_PARENT}.dim": verify_dim,
    f"{_PARENT}.init": verify_operand,
    f"{_PARENT}.input": verify_operand,
    f"{_PARENT}.result": verify_result,
    "transform.structured.tile_using_for": verify_tile_using_for,
}
