# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""vector.print of scalars, punctuation and texts as calls of the runtime's print functions.

Vectors are taken apart by `convert-vector-to-scf` before. Source: MLIR 22.1
ConvertVectorToLLVM.cpp, PrintCallHelper.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    IndexType,
    IntegerType,
    Signedness,
    StringAttr,
    VectorType,
    i16,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.llvm_strings import string_pointer
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.llvm import builders as llvm

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from xgpu.core.rewriting.driver import Conversion, Rule
    from xgpu.dialects import vector

_PUNCTUATION = {
    "close": "printClose",
    "open": "printOpen",
    "comma": "printComma",
    "newline": "printNewline",
}
_FLOATS = {"f32": "printF32", "f64": "printF64", "f16": "printF16", "bf16": "printBF16"}


def _module(op: Operation) -> Operation:
    current: Operation | None = op
    while current is not None and current.name != "builtin.module":
        current = current.parent_op()
    if current is None:
        raise NoMatch("not inside of a module")
    return current


def _call(op: Operation, rw: Conversion, name: str, operands: Sequence[SSAValue]) -> None:
    types = [value.type for value in operands]
    function = llvm.declare(rw, _module(op), name, types, llvm.VOID)
    llvm.call(rw, llvm.reference(function), operands, None)


def lower_print(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
    module = cast("ModuleOp", _module(op))
    if operands:
        _print_scalar(op, rw, op.operands[0].type, operands[0])
    text = cast("StringAttr | None", op.properties.get("stringLiteral"))
    if isinstance(text, StringAttr):
        pointer = string_pointer(rw, module, "vector_print_str", text.data)
        _call(op, rw, "printString", [pointer])
        return ()
    punctuation = cast("vector.PunctuationAttr", op.properties["punctuation"])
    name = _PUNCTUATION.get(punctuation.data)
    if name is not None:
        _call(op, rw, name, [])
    return ()


def _print_scalar(op: Operation, rw: Conversion, ty: Attribute, value: SSAValue) -> None:
    if isinstance(ty, VectorType):
        raise NoMatch("vectors are taken apart by convert-vector-to-scf")
    if ty.name in _FLOATS:
        if ty.name in ("f16", "bf16"):
            value = rw.value("llvm.bitcast", [value], i16)  # its bits
        _call(op, rw, _FLOATS[ty.name], [value])
    elif isinstance(ty, IndexType):
        _call(op, rw, "printU64", [value])
    elif isinstance(ty, IntegerType) and ty.width.data <= 64:
        _print_integer(op, rw, ty, value)
    else:
        raise NoMatch(f"there is no function that prints {ty}")


def _print_integer(op: Operation, rw: Conversion, ty: IntegerType, value: SSAValue) -> None:
    """In 64 bits. A boolean is always 0 or 1."""
    unsigned = ty.signedness.data is Signedness.UNSIGNED
    width = ty.width.data
    if width < 64:
        extend = "arith.extui" if unsigned or width == 1 else "arith.extsi"
        value = rw.value(extend, [value], i64)
    _call(op, rw, "printU64" if unsigned else "printI64", [value])


RULES: dict[str, Rule] = {"vector.print": lower_print}
