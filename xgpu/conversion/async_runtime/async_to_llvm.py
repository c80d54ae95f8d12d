# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`convert-async-to-llvm`: async.runtime becomes calls of MLIR's async runtime, async.coro LLVM's
coroutine intrinsics.

Tokens, values, groups and coroutine handles become pointers, in function signatures too; other
types stay, except where they are stored in async values. Source: MLIR 22.1 AsyncToLLVM.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    DenseArrayBase,
    DenseIntElementsAttr,
    FunctionType,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.symbols import body_operations, lookup, symbol_name
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.core.rewriting.type_converter import UNKNOWN, TypeConverter
from xgpu.dialects.llvm import builders as llvm
from xgpu.dialects.llvm.types import LLVMFunctionType

if TYPE_CHECKING:
    from xdsl.context import Context

    from xgpu.conversion.llvm_types import LLVMTypeConverter
    from xgpu.dialects import async_
    from xgpu.dialects.async_.ops import ValueType

_P, _I1, _I64, _INDEX = llvm.POINTER, llvm.I1, i64, llvm.INDEX
#: The runtime's functions: name, arguments, results. One of them is spelled so in MLIR.
FUNCTIONS: tuple[tuple[str, tuple[Attribute, ...], tuple[Attribute, ...]], ...] = (
    ("mlirAsyncRuntimeAddRef", (_P, _I64), ()),
    ("mlirAsyncRuntimeDropRef", (_P, _I64), ()),
    ("mlirAsyncRuntimeCreateToken", (), (_P,)),
    ("mlirAsyncRuntimeCreateValue", (_I64,), (_P,)),
    ("mlirAsyncRuntimeCreateGroup", (_I64,), (_P,)),
    ("mlirAsyncRuntimeEmplaceToken", (_P,), ()),
    ("mlirAsyncRuntimeEmplaceValue", (_P,), ()),
    ("mlirAsyncRuntimeSetTokenError", (_P,), ()),
    ("mlirAsyncRuntimeSetValueError", (_P,), ()),
    ("mlirAsyncRuntimeIsTokenError", (_P,), (_I1,)),
    ("mlirAsyncRuntimeIsValueError", (_P,), (_I1,)),
    ("mlirAsyncRuntimeIsGroupError", (_P,), (_I1,)),
    ("mlirAsyncRuntimeAwaitToken", (_P,), ()),
    ("mlirAsyncRuntimeAwaitValue", (_P,), ()),
    ("mlirAsyncRuntimeAwaitAllInGroup", (_P,), ()),
    ("mlirAsyncRuntimeExecute", (_P, _P), ()),
    ("mlirAsyncRuntimeGetValueStorage", (_P,), (_P,)),
    ("mlirAsyncRuntimeAddTokenToGroup", (_P, _P), (_I64,)),
    ("mlirAsyncRuntimeAwaitTokenAndExecute", (_P, _P, _P), ()),
    ("mlirAsyncRuntimeAwaitValueAndExecute", (_P, _P, _P), ()),
    ("mlirAsyncRuntimeAwaitAllInGroupAndExecute", (_P, _P, _P), ()),
    ("mlirAsyncRuntimGetNumWorkerThreads", (), (_INDEX,)),
)
_PREFIX = "mlirAsyncRuntime"
_RESUME = "__resume"
_POINTERS = frozenset(("async.token", "async.value", "async.group", "async.coro.handle"))
_TOKENS = frozenset(("async.coro.id", "async.coro.state"))


def convert_async_type(ty: Attribute) -> Attribute:
    """The type of an async type at run time."""
    name = ty.name
    if name in _POINTERS:
        return llvm.POINTER
    if name in _TOKENS:
        return ods.attr_class("llvm.token")()
    return UNKNOWN


class ConvertAsyncToLLVMPass(Pass):
    """Lowers async.runtime and async.coro."""

    name = "convert-async-to-llvm"
    summary = "Convert the operations from the async dialect into the LLVM dialect"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        from xgpu.conversion.llvm_types import LLVMTypeConverter

        _declare_functions(op)
        types = TypeConverter(lambda ty: ty)
        types.add(convert_async_type)
        stored = LLVMTypeConverter()
        stored.add(convert_async_type)
        legal = ("arith.constant", "func.constant")
        convert(op, RULES, types, legal=legal, illegal=("async",), state=stored)


def _declare_functions(module: Operation) -> None:
    known = {symbol_name(op) for op in body_operations(module)}
    block = module.regions[0].blocks[0]
    for name, inputs, outputs in FUNCTIONS:
        if name in known:
            continue
        block.add_op(
            ods.create(
                "func.func",
                properties={
                    "sym_name": StringAttr(name),
                    "function_type": FunctionType.from_lists(list(inputs), list(outputs)),
                    "sym_visibility": StringAttr("private"),
                },
                regions=(Region(),),
                location=module.location,
            )
        )


def call(
    rw: Conversion, name: str, operands: Sequence[SSAValue], results: Sequence[Attribute] = ()
) -> list[SSAValue]:
    """Calls the runtime's function `mlirAsyncRuntime<name>`."""
    callee = {"callee": SymbolRefAttr(_PREFIX + name)}
    return list(rw.create("func.call", operands, results, callee).results)


# --- functions -----------------------------------------------------------------------------------
def convert_func(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> None:
    ty = cast("FunctionType", op.properties["function_type"])
    inputs = [rw.convert_type(t) for t in ty.inputs.data]
    outputs = [rw.convert_type(t) for t in ty.outputs.data]
    if inputs == list(ty.inputs.data) and outputs == list(ty.outputs.data):
        raise NoMatch("the signature is legal")
    op.properties["function_type"] = FunctionType.from_lists(inputs, outputs)
    entry = op.regions[0].first_block
    if entry is not None:
        rw.convert_block_signature(entry, inputs)


def convert_call(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    old = [r.type for r in op.results]
    new = [rw.convert_type(ty) for ty in old]
    if new == old and list(operands) == list(op.operands):
        raise NoMatch("the call is legal")
    created = ods.create(
        op.name, operands, new, dict(op.properties), dict(op.attributes), location=op.location
    )
    block = op.parent
    assert block is not None
    # Not through the rewriter: the new call is not to be converted again.
    block.insert_op_before(created, op)
    return list(created.results)


def convert_return(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> None:
    if list(operands) == list(op.operands):
        raise NoMatch("the return is legal")
    op.operands = list(operands)


# --- async.coro ----------------------------------------------------------------------------------
def lower_id(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    zero = llvm.constant(rw, 0, i32)
    null = llvm.zero(rw, llvm.POINTER)
    token = rw.convert_type(op.results[0].type)
    return [rw.value("llvm.intr.coro.id", (zero, null, null, null), token)]


def lower_begin(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    size = rw.value("llvm.intr.coro.size", (), i64)
    align = rw.value("llvm.intr.coro.align", (), i64)
    # aligned_alloc wants the size to be a multiple of the alignment.
    size = llvm.binary(rw, "add", size, align, 0)
    size = llvm.binary(rw, "sub", size, llvm.constant(rw, 1, i64), 0)
    mask = llvm.binary(rw, "sub", llvm.constant(rw, 0, i64), align, 0)
    size = llvm.binary(rw, "and", size, mask)
    function = llvm.declare(rw, llvm.symbol_table(op), "aligned_alloc", [i64, i64], llvm.POINTER)
    frame = llvm.call(rw, llvm.reference(function), [align, size], llvm.POINTER).results[0]
    return [rw.value("llvm.intr.coro.begin", (operands[0], frame), llvm.POINTER)]


def lower_free(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    frame = rw.value("llvm.intr.coro.free", operands, llvm.POINTER)
    function = llvm.declare(rw, llvm.symbol_table(op), "free", [llvm.POINTER], llvm.VOID)
    llvm.call(rw, llvm.reference(function), [frame], None)
    return []


def lower_end(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    false = llvm.constant(rw, 0, llvm.I1)
    none = rw.value("llvm.mlir.none", (), ods.attr_class("llvm.token")())
    rw.value("llvm.intr.coro.end", (operands[0], false, none), llvm.I1)
    return []


def lower_save(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    return [rw.value("llvm.intr.coro.save", operands, rw.convert_type(op.results[0].type))]


def lower_suspend(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    suspend, resume, cleanup = op.successors
    false = llvm.constant(rw, 0, llvm.I1)
    state = rw.value("llvm.intr.coro.suspend", (operands[0], false), llvm.I8)
    wide = rw.value("llvm.sext", (state,), i32)
    rw.create(
        "llvm.switch",
        [wide, [], []],
        (),
        {
            "case_values": DenseIntElementsAttr.from_list(VectorType(i32, [2]), [0, 1]),
            "case_operand_segments": DenseArrayBase.from_list(i32, [0, 0]),
        },
        successors=(suspend, resume, cleanup),
    )
    return []


# --- async.runtime -------------------------------------------------------------------------------
def _kind(op: Operation, names: dict[str, str]) -> str:
    """The name of the function for the type of the first operand."""
    name = names.get(op.operands[0].type.name)
    if name is None:
        raise NoMatch("unsupported async type")
    return name


def _simple(token: str, value: str, group: str | None, *results: Attribute) -> Rule:
    """A rule for an operation that is one call, of a function for each type of operand."""
    names = {"async.token": token, "async.value": value}
    if group is not None:
        names["async.group"] = group

    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
        return call(rw, _kind(op, names), operands, results)

    return rule


def _stored_type(ty: Attribute, rw: Conversion) -> Attribute:
    types: LLVMTypeConverter = rw.state
    new = types.convert(ty)
    if not isinstance(new, Attribute):
        raise NoMatch("failed to convert stored value type to LLVM type")
    return new


def _converted_for_storage(value: SSAValue, rw: Conversion) -> SSAValue:
    """`value` as the llvm dialect has it."""
    types = rw.types
    rw.types = rw.state
    try:
        return rw.converted(value)
    finally:
        rw.types = types


def lower_create(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    ty = cast("ValueType", op.results[0].type)
    if ty.name == "async.token":
        return call(rw, "CreateToken", (), (llvm.POINTER,))
    if ty.name != "async.value":
        raise NoMatch("unsupported async type")
    # The size of the content: where the second element of an array at address 0 lies.
    stored = cast("AnyFloat", _stored_type(ty.value_type, rw))
    second = llvm.gep(rw, llvm.zero(rw, llvm.POINTER), stored, [1])
    size = rw.value("llvm.ptrtoint", (second,), i64)
    return call(rw, "CreateValue", (size,), (llvm.POINTER,))


def lower_create_group(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    size = _converted_for_storage(op.operands[0], rw)
    return call(rw, "CreateGroup", (size,), (llvm.POINTER,))


def lower_await_and_resume(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    name = _kind(
        op,
        {
            "async.token": "AwaitTokenAndExecute",
            "async.value": "AwaitValueAndExecute",
            "async.group": "AwaitAllInGroupAndExecute",
        },
    )
    return call(rw, name, [*operands, _resume_function(op, rw)])


def lower_resume(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    return call(rw, "Execute", [*operands, _resume_function(op, rw)])


def _resume_function(op: Operation, rw: Conversion) -> SSAValue:
    """The address of a function that resumes the coroutine that it is given."""
    table = llvm.symbol_table(op)
    if (id(table), _RESUME) not in rw.cache:
        rw.cache[id(table), _RESUME] = lookup(table, _RESUME) or _define_resume(table, rw)
    return rw.value(
        "llvm.mlir.addressof", (), llvm.POINTER, {"global_name": SymbolRefAttr(_RESUME)}
    )


def _define_resume(table: Operation, rw: Conversion) -> Operation:
    block = Block(arg_types=[llvm.POINTER])
    block.args[0].location = table.location
    ty = LLVMFunctionType((llvm.POINTER,), llvm.VOID)
    block.add_op(ods.create("llvm.intr.coro.resume", block.args, location=table.location))
    block.add_op(ods.create("llvm.return", location=table.location))
    function = ods.create(
        "llvm.func",
        properties={
            **llvm.function_attributes(_RESUME, ty),
            "sym_visibility": StringAttr("private"),
        },
        regions=(Region(block),),
        location=table.location,
    )
    table.regions[0].blocks[0].add_op(function)
    return function


def _storage(value: SSAValue, rw: Conversion) -> SSAValue:
    return call(rw, "GetValueStorage", (value,), (llvm.POINTER,))[0]


def lower_store(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    _stored_type(op.operands[0].type, rw)
    value = _converted_for_storage(op.operands[0], rw)
    llvm.store(rw, value, _storage(operands[1], rw))
    return []


def lower_load(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    ty = _stored_type(op.results[0].type, rw)
    return [llvm.load(rw, _storage(operands[0], rw), ty)]


def lower_add_to_group(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    if op.operands[0].type.name != "async.token":
        raise NoMatch("only token type is supported")
    return call(rw, "AddTokenToGroup", operands, (i64,))


def lower_num_worker_threads(
    op: Operation, operands: Sequence[SSAValue], rw: Conversion
) -> list[SSAValue]:
    callee = {"callee": SymbolRefAttr("mlirAsyncRuntimGetNumWorkerThreads")}
    return [rw.value("func.call", (), llvm.INDEX, callee)]


def _reference_counting(name: str) -> Rule:
    def rule(
        op: async_.RuntimeAddRefOp | async_.RuntimeDropRefOp,
        operands: Sequence[SSAValue],
        rw: Conversion,
    ) -> list[SSAValue]:
        count = op.properties["count"]
        value = {"value": IntegerAttr(count.value.data, i64)}
        number = rw.value("arith.constant", (), i64, value)
        return call(rw, name, [*operands, number])

    return rule


RULES: dict[str, Rule] = {
    "async.coro.begin": lower_begin,
    "async.coro.end": lower_end,
    "async.coro.free": lower_free,
    "async.coro.id": lower_id,
    "async.coro.save": lower_save,
    "async.coro.suspend": lower_suspend,
    "async.runtime.add_ref": _reference_counting("AddRef"),
    "async.runtime.add_to_group": lower_add_to_group,
    "async.runtime.await": _simple("AwaitToken", "AwaitValue", "AwaitAllInGroup"),
    "async.runtime.await_and_resume": lower_await_and_resume,
    "async.runtime.create": lower_create,
    "async.runtime.create_group": lower_create_group,
    "async.runtime.drop_ref": _reference_counting("DropRef"),
    "async.runtime.is_error": _simple("IsTokenError", "IsValueError", "IsGroupError", llvm.I1),
    "async.runtime.load": lower_load,
    "async.runtime.num_worker_threads": lower_num_worker_threads,
    "async.runtime.resume": lower_resume,
    "async.runtime.set_available": _simple("EmplaceToken", "EmplaceValue", None),
    "async.runtime.set_error": _simple("SetTokenError", "SetValueError", None),
    "async.runtime.store": lower_store,
    "func.call": convert_call,
    "func.func": convert_func,
    "func.return": convert_return,
}
