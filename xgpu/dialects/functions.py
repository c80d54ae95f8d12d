# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every function operation must hold (MLIR's FunctionOpInterface)."""

from __future__ import annotations

from typing import Any

from xgpu.dialects.spelling import spell
from xgpu.errors import op_error


def verify_function(op: Any) -> None:
    """Argument and result attributes, and the entry block's arguments, agree with the type."""
    kind = op.properties["function_type"]
    inputs, outputs = kind.inputs.data, kind.outputs.data
    _verify_attributes(op, "arg_attrs", "argument", len(inputs))
    _verify_attributes(op, "res_attrs", "result", len(outputs))
    entry = op.regions[0].first_block
    if entry is None:
        return
    if len(entry.args) != len(inputs):
        raise op_error(
            op,
            f"entry block must have {len(inputs)} arguments to match function signature",
        )
    for index, (argument, wanted) in enumerate(zip(entry.args, inputs, strict=True)):
        if argument.type != wanted:
            raise op_error(
                op,
                f"type of entry block argument #{index}('{spell(argument.type)}') must match the "
                f"type of the corresponding argument in function signature('{spell(wanted)}')",
            )


def _verify_attributes(op: Any, name: str, what: str, count: int) -> None:
    attributes = op.properties.get(name)
    if attributes is None:
        return
    if len(attributes.data) != count:
        raise op_error(
            op,
            f"expects {what} attribute array to have the same number of elements as the number "
            f"of function {what}s, got {len(attributes.data)}, but expected {count}",
        )
    for dictionary in attributes.data:
        for key in dictionary.data:
            if "." not in key:
                raise op_error(op, f"{what}s may only have dialect attributes")
