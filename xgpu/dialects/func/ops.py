# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ODS leaves to C++ of the func dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import FunctionType, StringAttr, SymbolRefAttr
from xdsl.ir import Operation
from xdsl.traits import SymbolTable

from xgpu.core.ir.construction import defining
from xgpu.core.ir.errors import error, op_error, shown
from xgpu.core.ir.op_info import attribute_of
from xgpu.core.ir.symbols import may_be_table
from xgpu.dialects.interfaces import verify_function
from xgpu.dialects.syntax_helpers import parse_function, print_function

if TYPE_CHECKING:
    from xgpu.core.rewriting.greedy import GreedyRewriter, Pattern
    from xgpu.core.syntax.printer import Printer
    from xgpu.dialects import func


# -- Names that MLIR suggests for results of func operations.


def _name_constant(op: Operation) -> list[str | None]:
    return ["f"]


NAMES = {"func.constant": _name_constant}


# -- `func.func visibility? @name(arguments) -> results attributes {...} { body }`


PARSE = {"func.func": lambda parser: parse_function(parser, "func.func")}


def _print(op: func.FuncOp, printer: Printer) -> None:
    print_function(printer, op)


PRINT = {"func.func": _print}


# -- Verifiers of func operations, and of what refers to functions.


def lookup_symbol(op: Operation, reference: SymbolRefAttr) -> Operation | None:
    """The operation that a flat reference names in the nearest symbol table, or None."""
    holder = op.parent_op()
    while holder is not None and not holder.has_trait(SymbolTable, value_if_unregistered=False):
        if may_be_table(holder):
            return None
        holder = holder.parent_op()
    if holder is None:
        return None
    wanted = reference.root_reference.data
    # A table is read once, not once for each reference to it; what it says is checked, for symbols
    # come and go.
    known: dict[str, Operation] = vars(holder).setdefault("_xgpu_symbols", {})
    found = known.get(wanted)
    if found is None or found.parent_op() is not holder or _symbol_name(found) != wanted:
        known.clear()
        for block in holder.regions[0].blocks:
            for child in block.ops:
                name = _symbol_name(child)
                if name is not None:
                    known.setdefault(name, child)
        found = known.get(wanted)
    return found


def _symbol_name(op: Operation) -> str | None:
    name = attribute_of(op, "sym_name")
    return name.data if isinstance(name, StringAttr) else None


def verify_call(op: Operation, kind_of_function: str = "func.func", word: str = "function") -> None:
    """The callee is there, is such an operation, and takes and returns what the call says."""
    callee = cast("SymbolRefAttr", op.properties["callee"])
    function = lookup_symbol(op, callee)
    name = callee.root_reference.data
    if function is None or function.name != kind_of_function:
        raise op_error(op, f"'{name}' does not reference a valid {word}")
    kind = cast("FunctionType", function.properties["function_type"])
    inputs, outputs = kind.inputs.data, kind.outputs.data
    if len(inputs) != len(op.operands):
        raise op_error(op, "incorrect number of operands for callee")
    for index, (wanted, operand) in enumerate(zip(inputs, op.operands, strict=True)):
        if operand.type != wanted:
            raise op_error(
                op,
                f"operand type mismatch: expected operand type '{shown(wanted)}', but provided "
                f"'{shown(operand.type)}' for operand number {index}",
            )
    if len(outputs) != len(op.results):
        raise op_error(op, "incorrect number of results for callee")
    for index, (wanted, result) in enumerate(zip(outputs, op.results, strict=True)):
        if result.type != wanted:
            types = ", ".join(f"'{shown(r.type)}'" for r in op.results)
            expected = ", ".join(f"'{shown(t)}'" for t in outputs)
            raise op_error(
                op,
                f"result type mismatch at index {index}",
                [
                    (op.location, f"      op result types: {types}"),
                    (op.location, f"function result types: {expected}"),
                ],
            )


def _constant(op: func.ConstantOp) -> None:
    reference = op.properties["value"]
    name = reference.root_reference.data
    kind = op.results[0].type
    function = lookup_symbol(op, reference)
    if function is None or function.name != "func.func":
        raise op_error(op, f"reference to undefined function '{name}'")
    if function.properties["function_type"] != kind:
        raise op_error(op, "reference to function with mismatched type")


def _return(op: func.ReturnOp) -> None:
    function = cast("func.FuncOp", op.parent_op())
    results = function.properties["function_type"].outputs.data
    if len(op.operands) != len(results):
        raise op_error(
            op,
            f"has {len(op.operands)} operands, but enclosing function "
            f"(@{function.properties['sym_name'].data}) returns {len(results)}",
        )
    for index, (operand, wanted) in enumerate(zip(op.operands, results, strict=True)):
        if operand.type != wanted:
            raise error(
                op,
                f"type of return operand {index} ('{shown(operand.type)}') doesn't match function "
                f"result type ('{shown(wanted)}') in function "
                f"@{function.properties['sym_name'].data}",
            )


VERIFY = {
    "func.func": verify_function,
    "func.call": verify_call,
    "func.constant": _constant,
    "func.return": _return,
}


# -- Canonicalization patterns of the func dialect.


def known_callee(op: Operation, rw: GreedyRewriter) -> bool:
    """call_indirect(constant @f)(x) -> call @f(x)"""
    callee = defining(op.operands[0], "func.constant")
    if callee is None:
        return False
    properties = {"callee": callee.properties["value"]}
    types = [result.type for result in op.results]
    rw.replace_with(op, "func.call", list(op.operands[1:]), types, properties)
    return True


PATTERNS: dict[str, tuple[Pattern, ...]] = {"func.call_indirect": (known_callee,)}
