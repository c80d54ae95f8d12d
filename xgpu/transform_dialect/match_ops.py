# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transform operations that succeed if the payload is as they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.ir import Operation

from xgpu.transform_dialect.failures import definite, silenceable
from xgpu.transform_dialect.interpreter import Results

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr

    from xgpu.transform_dialect.state import State

_PREDICATES = {
    0: ("equal to", lambda a, b: a == b),
    1: ("not equal to", lambda a, b: a != b),
    2: ("less than", lambda a, b: a < b),
    3: ("less than or equal to", lambda a, b: a <= b),
    4: ("greater than", lambda a, b: a > b),
    5: ("greater than or equal to", lambda a, b: a >= b),
}


def _single(op: Operation, state: State) -> Operation:
    targets = state.ops(op.operands[0])
    if len(targets) != 1:
        raise definite(
            op,
            f"SingleOpMatchOpTrait requires the operand handle to point to a single payload op, "
            f"got {len(targets)}",
        )
    return targets[0]


def operation_name(op: Operation, state: State) -> Results:
    names = cast("ArrayAttr[StringAttr]", op.properties["op_names"])
    target = _single(op, state)
    if not any(name.data == target.name for name in names.data):
        raise silenceable(op, "wrong operation name")
    return []


def operation_empty(op: Operation, state: State) -> Results:
    if state.ops(op.operands[0]):
        raise silenceable(op, "operation is not empty")
    return []


def param_cmpi(op: Operation, state: State) -> Results:
    """Compares each parameter with the reference beside it."""
    params = state.payload(op.operands[0])
    references = state.payload(op.operands[1])
    if len(params) != len(references):
        raise silenceable(
            op,
            f"parameters have different payload lengths ({len(params)} vs {len(references)})",
        )
    predicate = cast("IntegerAttr", op.properties["predicate"])
    words, compare = _PREDICATES[predicate.value.data]
    for position, (param, reference) in enumerate(zip(params, references, strict=True)):
        if not compare(param.value.data, reference.value.data):
            raise silenceable(
                op,
                f"expected parameter to be {words} {reference.value.data}, got {param.value.data}",
                [
                    (
                        op.operands[0].owner.location,
                        f"value # {position} associated with the parameter defined here",
                    )
                ]
                if isinstance(op.operands[0].owner, Operation)
                else (),
            )
    return []


OPS = {
    "transform.match.operation_empty": operation_empty,
    "transform.match.operation_name": operation_name,
    "transform.match.param.cmpi": param_cmpi,
}
