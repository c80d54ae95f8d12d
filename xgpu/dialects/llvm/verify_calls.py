# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifiers of calls, returns and exception handling of the llvm dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import StringAttr, UnknownLoc
from xdsl.ir import Operation

from xgpu.core.ir.attribute_text import shown
from xgpu.core.ir.errors import error, op_error
from xgpu.dialects.llvm.symbols import lookup
from xgpu.dialects.llvm.types import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMVoidType,
)

if TYPE_CHECKING:
    from xdsl.dialects.builtin import DenseArrayBase, IntegerType
    from xdsl.ir import SSAValue

    from xgpu.dialects import llvm
    from xgpu.dialects.hook_types import Verifier
    from xgpu.dialects.llvm.attributes import TailCallKindAttr


def _callee_operands(op: Operation) -> list[SSAValue]:
    segments = cast("DenseArrayBase[IntegerType] | None", op.properties.get("operandSegmentSizes"))
    count = int(segments.get_values()[0]) if segments is not None else len(op.operands)
    return list(op.operands[:count])


def _arguments(op: Operation) -> list[SSAValue]:
    return _callee_operands(op)[0 if "callee" in op.properties else 1 :]


def verify_bundles(
    op: llvm.CallOp | llvm.CallIntrinsicOp | llvm.InvokeOp | llvm.IntrAssumeOp,
) -> None:
    """Each operand bundle has a tag, which is a string."""
    sizes = cast("DenseArrayBase[IntegerType] | None", op.properties.get("op_bundle_sizes"))
    tags = op.properties.get("op_bundle_tags")
    names = [] if tags is None else tags.data
    if any(not isinstance(tag, StringAttr) for tag in names):
        raise error(op, "operand bundle tag must be a StringAttr")
    count = 0 if sizes is None else len(sizes.get_values())
    if count != len(names):
        raise error(op, f"expected {count} operand bundle tags, but actually got {len(names)}")


def _variadic_type(op: Operation) -> None:
    kind = op.properties.get("var_callee_type")
    if not isinstance(kind, LLVMFunctionType):
        return
    arguments = _arguments(op)
    if not kind.variadic:
        raise op_error(op, "expected var_callee_type to be a variadic function type")
    if len(kind.arguments) > len(arguments):
        raise op_error(op, f"expected var_callee_type to have at most {len(arguments)} parameters")
    for wanted, argument in zip(kind.arguments, arguments, strict=False):
        if wanted != argument.type:
            raise op_error(
                op,
                f"var_callee_type parameter type mismatch: '{shown(wanted)}' != "
                f"'{shown(argument.type)}'",
            )
    if not op.results:
        if not isinstance(kind.result, LLVMVoidType):
            raise op_error(op, "expected var_callee_type to return void")
    elif op.results[0].type != kind.result:
        raise op_error(
            op,
            f"var_callee_type return type mismatch: '{shown(kind.result)}' != "
            f"'{shown(op.results[0].type)}'",
        )


def _has_subprogram(op: Operation) -> bool:

    location = op.location
    if location.name in ("unknown_loc", "file_line_range"):
        return False
    return "di_subprogram" in shown(location)


def _call(op: llvm.CallOp) -> None:
    verify_bundles(op)
    _variadic_type(op)
    callee = op.properties.get("callee")
    if callee is None:
        if not op.operands:
            raise op_error(op, "must have either a `callee` attribute or at least an operand")
        if not isinstance(op.operands[0].type, LLVMPointerType):
            raise op_error(
                op,
                f"indirect call expects a pointer as callee: '{shown(op.operands[0].type)}'",
            )
        return
    function = lookup(op, callee)
    name = callee.root_reference.data
    if function is None:
        raise op_error(op, f"'{name}' does not reference a symbol in the current scope")
    if function.name == "llvm.func":
        _call_location(op, function)
        kind = function.properties["function_type"]
    elif function.name == "llvm.mlir.ifunc":
        kind = function.properties["i_func_type"]
    elif function.name == "llvm.mlir.alias":
        return
    else:
        raise op_error(op, f"'{name}' does not reference a valid LLVM function or IFunc")
    if not isinstance(kind, LLVMFunctionType):
        raise op_error(op, f"callee does not have a functional type: '{shown(kind)}'")
    _against(op, kind)


def _call_location(op: Operation, function: Operation) -> None:
    if not isinstance(op.location, UnknownLoc) or not function.regions[0].blocks:
        return
    parent = op.parent_op()
    while parent is not None and not parent.name.endswith(".func"):
        parent = parent.parent_op()
    if parent is not None and _has_subprogram(parent) and _has_subprogram(function):
        raise error(
            op,
            "inlinable function call in a function with a DISubprogram location must have a "
            "debug location",
        )


def _against(op: Operation, kind: LLVMFunctionType) -> None:
    """The call agrees with the function's type."""
    operands, wanted = _callee_operands(op), kind.arguments
    if kind.variadic and "var_callee_type" not in op.properties:
        raise op_error(op, "missing var_callee_type attribute for vararg call")
    if not kind.variadic and len(wanted) != len(operands):
        raise op_error(
            op,
            f"incorrect number of operands ({len(operands)}) for callee (expecting: {len(wanted)})",
        )
    if len(wanted) > len(operands):
        raise op_error(
            op,
            f"incorrect number of operands ({len(operands)}) for varargs callee (expecting at "
            f"least: {len(wanted)})",
        )
    for place, (t, operand) in enumerate(zip(wanted, operands, strict=False)):
        if operand.type != t:
            raise op_error(
                op,
                f"operand type mismatch for operand {place}: '{shown(operand.type)}' != "
                f"'{shown(t)}'",
            )
    void = isinstance(kind.result, LLVMVoidType)
    if not op.results and not void:
        raise op_error(op, "expected function call to produce a value")
    if op.results and void:
        raise op_error(op, "calling function with void result must not produce values")
    if len(op.results) > 1:
        raise op_error(op, "expected LLVM function call to produce 0 or 1 result")
    if op.results and op.results[0].type != kind.result:
        raise op_error(
            op,
            f"result type mismatch: '{shown(op.results[0].type)}' != '{shown(kind.result)}'",
        )


def _invoke(op: llvm.InvokeOp) -> None:
    _variadic_type(op)
    unwind = op.successors[1]
    if unwind.first_op is None:
        raise error(op, "must have at least one operation in unwind destination")
    if unwind.first_op.name != "llvm.landingpad":
        raise error(
            op,
            "first operation in unwind destination should be a llvm.landingpad operation",
        )
    verify_bundles(op)


def _defining(value: SSAValue) -> Operation | None:
    owner = value.owner
    return owner if isinstance(owner, Operation) else None


def _landingpad(op: llvm.LandingpadOp) -> None:
    function = op.parent_op()
    while function is not None and function.name != "llvm.func":
        function = function.parent_op()
    if function is not None and "personality" not in function.properties:
        raise error(op, "llvm.landingpad needs to be in a function with a personality")
    if "cleanup" not in op.properties and not op.operands:
        raise error(op, "landingpad instruction expects at least one clause or cleanup attribute")
    for place, value in enumerate(op.operands):
        if isinstance(value.type, LLVMArrayType):
            continue
        source = _defining(value)
        name = source.name if source is not None else ""
        if source is not None and name == "llvm.bitcast":
            address = _defining(source.operands[0])
            if address is None or address.name != "llvm.mlir.addressof":
                note = "global addresses expected as operand to bitcast used in clauses for "
                raise error(
                    op, "constant clauses expected", [(source.location, note + "landingpad")]
                )
        elif name not in ("llvm.mlir.zero", "llvm.mlir.addressof"):
            raise error(op, f"clause #{place} is not a known constant - null, addressof, bitcast")


def _return(op: Operation) -> None:
    function = op.parent_op()
    while function is not None and function.name != "llvm.func":
        function = function.parent_op()
    if function is None:
        return
    wanted = cast("LLVMFunctionType", function.properties["function_type"]).result
    note = [(function.location, "when returning from function")]
    if isinstance(wanted, LLVMVoidType):
        if op.operands:
            raise op_error(op, "expected no operands", note)
    elif not op.operands:
        raise op_error(op, "expected 1 operand", note)
    elif op.operands[0].type != wanted:
        raise op_error(op, "mismatching result types", note)


def _call_intrinsic(op: llvm.CallIntrinsicOp) -> None:
    if not op.intrin.data.startswith("llvm."):
        raise op_error(op, "intrinsic name must start with 'llvm.'")
    verify_bundles(op)


def _inline_asm(op: Operation) -> None:
    kind = cast("TailCallKindAttr | None", op.properties.get("tail_call_kind"))
    if kind is not None and kind.data == "musttail":
        raise op_error(op, "tail call kind 'musttail' is not supported by this operation")


CALL_VERIFY: dict[str, Verifier] = {
    "llvm.call": _call,
    "llvm.invoke": _invoke,
    "llvm.landingpad": _landingpad,
    "llvm.return": _return,
    "llvm.call_intrinsic": _call_intrinsic,
    "llvm.intr.assume": verify_bundles,
    "llvm.inline_asm": _inline_asm,
}
