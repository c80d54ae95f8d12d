# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making an operation fast: what `Operation.__init__` does, without its generality.

`Operation.create` spends most of its time in properties with setters, generators and copies. The
operation here is new, so that its operands' uses, results and regions can be put in place directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Attribute, Operation, OpResult, SSAValues, Use

_NO_VALUES: Any = SSAValues()


def build_operation(
    cls: type[Operation],
    operands: Sequence[Any],
    result_types: Sequence[Attribute],
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
    location: Any,
    successors: Sequence[Any] = (),
    regions: Sequence[Any] = (),
) -> Any:
    """An operation of class `cls`, detached. The dictionaries become the operation's own."""
    op: Any = cls.__new__(cls)
    if operands:
        uses: list[Any] = []
        for index, operand in enumerate(operands):
            use = Use(op, index)
            # SSAValue.add_use
            first = operand.first_use
            use._next_use = first
            if first is not None:
                first._prev_use = use
            operand.first_use = use
            uses.append(use)
        op._operands = SSAValues(operands)
        op._operand_uses = tuple(uses)
    else:
        op._operands = _NO_VALUES
        op._operand_uses = ()
    if result_types:
        if len(result_types) == 1:
            op.results = SSAValues((OpResult(result_types[0], op, 0),))
        else:
            op.results = SSAValues([OpResult(ty, op, at) for at, ty in enumerate(result_types)])
    else:
        op.results = _NO_VALUES
    op.properties = properties
    op.attributes = attributes
    op.location = location
    if successors:
        op._successors = ()
        op._successor_uses = ()
        op.successors = successors
    else:
        op._successors = ()
        op._successor_uses = ()
    op.regions = ()
    for region in regions:
        op.add_region(region)
    return op
