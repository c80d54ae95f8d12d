# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every function operation must hold (MLIR's FunctionOpInterface)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import op_error

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType
    from xdsl.ir import Attribute, Operation


def verify_function(op: Operation) -> None:
    """Argument and result attributes, and the entry block's arguments, agree with the type."""
    kind = cast("FunctionType", op.properties["function_type"])
    inputs, outputs = kind.inputs.data, kind.outputs.data
    verify_attributes(op, inputs, outputs)
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
                f"type of entry block argument #{index}('{shown(argument.type)}') must match the "
                f"type of the corresponding argument in function signature('{shown(wanted)}')",
            )


def verify_attributes(
    op: Operation, inputs: Sequence[Attribute], outputs: Sequence[Attribute]
) -> None:
    """The attributes of arguments and results of a function of these types."""
    _verify_attributes(op, "arg_attrs", "argument", inputs)
    _verify_attributes(op, "res_attrs", "result", outputs)


def _verify_attributes(op: Operation, name: str, what: str, types: Sequence[Attribute]) -> None:
    attributes = cast("ArrayAttr[DictionaryAttr] | None", op.properties.get(name))
    if attributes is None:
        return
    if len(attributes.data) != len(types):
        raise op_error(
            op,
            f"expects {what} attribute array to have the same number of elements as the number "
            f"of function {what}s, got {len(attributes.data)}, but expected {len(types)}",
        )
    for t, dictionary in zip(types, attributes.data, strict=True):
        for key, value in dictionary.data.items():
            if "." not in key:
                raise op_error(op, f"{what}s may only have dialect attributes")
            if key.startswith("llvm."):
                from xgpu.dialects.llvm import verify_parameters

                if what == "argument":
                    verify_parameters.verify_argument(op, t, key, value)
                else:
                    verify_parameters.verify_result(op, t, key, value)
