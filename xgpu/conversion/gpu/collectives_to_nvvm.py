# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Barriers, shuffles, subgroup reductions, printf and assert for NVVM.

Source: MLIR 22.1 LowerGpuOpsToNVVMOps.cpp, GPUOpsLowering.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    ArrayAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.conversion.gpu.func_to_llvm import create_global
from xgpu.core import ods
from xgpu.core.ir.blocks import split_before
from xgpu.core.ir.symbols import lookup
from xgpu.core.rewriting.driver import NoMatch
from xgpu.dialects.gpu.ops import REDUX, why_not_redux
from xgpu.dialects.llvm.builders import (
    alloca,
    attribute_constant,
    binary,
    branch,
    call,
    cond_branch,
    constant,
    declare,
    extract,
    gep,
    store,
    symbol_table,
)
from xgpu.dialects.llvm.types import LLVMArrayType, LLVMPointerType, LLVMStructType, LLVMVoidType

if TYPE_CHECKING:
    from xgpu.core.rewriting.driver import Conversion
    from xgpu.core.rewriting.greedy import GreedyRewriter
    from xgpu.dialects import cf, gpu


_SHUFFLES = {"xor": "bfly", "up": "up", "down": "down", "idx": "idx"}
_POINTER = LLVMPointerType()


def lower_barrier(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    rw.create("nvvm.barrier0")
    return []


def lower_shuffle(
    op: gpu.ShuffleOp, operands: Sequence[SSAValue], rw: GreedyRewriter
) -> list[SSAValue | None]:
    """gpu.shuffle as nvvm.shfl.sync: the width becomes a mask of lanes and a clamp.

    mask = -1 >> (32 - width); clamp = width - 1, for `up` 32 - width (PTX ISA, shfl.sync).
    """
    value, offset, width = operands
    mode = op.properties["mode"]
    one = constant(rw, 1, i32)
    minus_one = constant(rw, -1, i32)
    thirty_two = constant(rw, 32, i32)
    inactive = binary(rw, "sub", thirty_two, width)
    mask = binary(rw, "lshr", minus_one, inactive)
    clamp = inactive if mode.data == "up" else binary(rw, "sub", width, one)
    properties: dict[str, Attribute] = {"kind": ods.enum("nvvm.shfl_kind", _SHUFFLES[mode.data])}
    result_type: Attribute = value.type
    uses_valid = op.results[1].first_use is not None
    if uses_valid:
        properties["return_value_and_is_valid"] = UnitAttr()
        result_type = LLVMStructType((value.type, i1))
    shuffled = rw.value("nvvm.shfl.sync", (mask, value, offset, clamp), result_type, properties)
    if not uses_valid:
        return [shuffled, None]
    return [extract(rw, shuffled, 0), extract(rw, shuffled, 1)]


def lower_subgroup_reduce(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    """gpu.subgroup_reduce uniform of i32 as nvvm.redux.sync (has-redux)."""
    reason = why_not_redux(op)
    if reason is not None:
        raise NoMatch(reason)
    kind = REDUX[op.properties["op"].data]  # pyright: ignore
    mask = constant(rw, -1, i32)
    return [
        rw.value(
            "nvvm.redux.sync",
            (operands[0], mask),
            i32,
            {
                "kind": ods.enum("nvvm.redux_kind", kind),
                "abs": IntegerAttr(0, i1),
                "nan": IntegerAttr(0, i1),
            },
        )
    ]


# --- strings -----------------------------------------------------------------------------------
def string_constant(
    rw: Conversion, op: Operation, prefix: str, text: StringAttr
) -> tuple[str, Attribute]:
    """The name and type of a NUL-terminated constant of the module, shared where equal."""
    module = symbol_table(op)
    content = text.data + "\0"
    size = len(content.encode())
    ty = LLVMArrayType(size, IntegerType(8))
    value = StringAttr(content)
    body = module.regions[0].block
    for child in body.ops:
        properties = child.properties
        if (
            child.name == "llvm.mlir.global"
            and properties.get("value") == value
            and properties["global_type"] == ty
            and "constant" in properties
            and cast("IntegerAttr", properties["addr_space"]).value.data == 0
            and "alignment" not in properties
        ):
            return cast("StringAttr", properties["sym_name"]).data, ty
    number = 0
    while lookup(module, f"{prefix}{number}") is not None:
        number += 1
    name = f"{prefix}{number}"
    global_op = create_global(name, ty, 0, value=value, is_constant=True, location=op.location)
    body.insert_op_before(global_op, cast("Operation", body.first_op))
    return name, ty


def string_pointer(rw: Conversion, op: Operation, prefix: str, text: StringAttr) -> SSAValue:
    name, ty = string_constant(rw, op, prefix, text)
    address = rw.value("llvm.mlir.addressof", (), _POINTER, {"global_name": SymbolRefAttr(name)})
    return gep(rw, address, ty, [0, 0])


def lower_printf(op: gpu.PrintfOp, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """gpu.printf as CUDA's `vprintf(format, buffer)`; floats are passed as f64."""
    declare(rw, symbol_table(op), "vprintf", [_POINTER, _POINTER], i32)
    text = op.properties["format"]
    start = string_pointer(rw, op, "printfFormat_", text)
    values = [
        rw.value("llvm.fpext", (value,), f64) if isinstance(value.type, AnyFloat) else value
        for value in operands
    ]
    struct = LLVMStructType([value.type for value in values])
    one = attribute_constant(rw, IntegerAttr(1, IndexType()), i64)
    buffer = alloca(rw, one, struct)
    for i, value in enumerate(values):
        store(rw, value, gep(rw, buffer, struct, [0, i]))
    call(rw, "vprintf", [start, buffer], i32)
    return []


def lower_assert(op: cf.AssertOp, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """cf.assert as a branch around `__assertfail(message, file, line, function, 1)`."""
    function = declare(
        rw,
        symbol_table(op),
        "__assertfail",
        [_POINTER, _POINTER, i32, _POINTER, i64],
        LLVMVoidType(),
    )
    function.properties["passthrough"] = ArrayAttr([StringAttr("noreturn")])
    before, failing = split_before(op)
    following = op.next_op
    assert following is not None
    failing, after = split_before(following)
    rw.at_end(before)
    cond_branch(rw, operands[0], after, failing)
    rw.at_end(failing)
    branch(rw, after)
    rw.before(op)
    name, line, function_name = _source_position(op)
    message_text = op.properties["msg"]
    message = string_pointer(rw, op, "assert_message_", message_text)
    file = string_pointer(rw, op, "assert_file_", StringAttr(name))
    inside = string_pointer(rw, op, "assert_func_", StringAttr(function_name))
    line_value = constant(rw, line, i32)
    one = constant(rw, 1, i64)
    call(rw, "__assertfail", [message, file, line_value, inside, one], None)
    return []


def _source_position(op: Operation) -> tuple[str, int, str]:
    """File, line and function of an operation, as far as its location tells."""
    from xdsl.dialects.builtin import CallSiteLoc, FusedLoc, NameLoc

    from xgpu.core.ir.locations import source_location

    location = op.location
    while isinstance(location, CallSiteLoc):
        location = location.callee
    function = "(unknown)"
    if isinstance(location, NameLoc):
        function = location.desc.data
        location = location.location
    no_file = isinstance(location, CallSiteLoc | FusedLoc | NameLoc)
    found = None if no_file else source_location(location)
    if found is None:
        return "(unknown)", 0, function
    return found.file, found.line, function


RULES = {
    "gpu.barrier": lower_barrier,
    "gpu.shuffle": lower_shuffle,
    "gpu.printf": lower_printf,
    "cf.assert": lower_assert,
}
REDUX_RULES = {"gpu.subgroup_reduce": lower_subgroup_reduce}
