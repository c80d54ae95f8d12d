# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verifier of transform.apply_registered_pass: options and parameters fit together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import ArrayAttr

from xgpu.core.ir.errors import op_error
from xgpu.dialects.transform.directives import parameter_index

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DictionaryAttr
    from xdsl.ir import Attribute

    from xgpu.dialects import transform


def _parameters(value: Attribute) -> Iterator[int]:
    if value.name == "transform.param_operand":
        yield parameter_index(value)
    elif isinstance(value, ArrayAttr):
        for item in value.data:
            yield from _parameters(item)


def verify_apply_registered_pass(op: transform.ApplyRegisteredPassOp) -> None:
    options = cast("DictionaryAttr | None", op.properties.get("options"))
    count = len(op.operands) - 1
    seen: set[int] = set()
    for value in options.data.values() if options is not None else ():
        for index in _parameters(value):
            if not 0 <= index < count:
                raise op_error(
                    op,
                    f"dynamic option index {index} is out of bounds for the number of dynamic "
                    f"options: {count}",
                )
            if index in seen:
                raise op_error(op, f"dynamic option index {index} is already used in options")
            seen.add(index)
    if len(seen) != count:
        raise op_error(
            op,
            "a param operand does not have a corresponding param_operand attr in the options dict",
        )
