# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of `prelude`, as instructions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from xgpu.host_device.abi.structs import SIZES, STRUCTS, size_of
from xgpu.host_device.native.expressions import ExpressionCompiler
from xgpu.host_device.native.values import INT_BITS, Value, llvm_type, type_name

Builtin = Callable[[ExpressionCompiler, ast.Call], Value]


def _zext(type: str) -> Builtin:
    def zext(f: ExpressionCompiler, node: ast.Call) -> Value:
        (value,) = f.arguments(node, 1)
        if value.type not in INT_BITS and value.type != "literal":
            raise f.fail(node, f"an integer was expected, not {value.type}")
        return f.convert(node, value, type, signed=False)

    return zext


def _atomic_load(f: ExpressionCompiler, node: ast.Call) -> Value:
    (at,) = f.arguments(node, 1)
    address, type = f.address(node, at)
    align = SIZES.get(type, 8)
    return f.value(f"load atomic {llvm_type(type)}, ptr {address} seq_cst, align {align}", type)


def _atomic_store(f: ExpressionCompiler, node: ast.Call) -> Value:
    at, new = f.arguments(node, 2)
    address, type = f.address(node, at)
    value, align = f.coerce(node, new, type).text, SIZES.get(type, 8)
    f.emit(f"store atomic {llvm_type(type)} {value}, ptr {address} seq_cst, align {align}")
    return Value("", "void")


def _atomic(operation: str) -> Builtin:
    def read_modify_write(f: ExpressionCompiler, node: ast.Call) -> Value:
        at, amount = f.arguments(node, 2)
        address, type = f.address(node, at)
        value = f.coerce(node, amount, type).text
        return f.value(f"atomicrmw {operation} ptr {address}, {type} {value} seq_cst", type)

    return read_modify_write


def _exchange_if(f: ExpressionCompiler, node: ast.Call) -> Value:
    at, old, new = f.arguments(node, 3)
    address, type = f.address(node, at)
    before, after = f.coerce(node, old, type).text, f.coerce(node, new, type).text
    code = f"cmpxchg ptr {address}, {type} {before}, {type} {after} seq_cst seq_cst"
    pair = f.value(code, "?")
    return f.value(f"extractvalue {{ {type}, i1 }} {pair.text}, 1", "i1")


def _invoke(convention: str) -> Builtin:
    def invoke(f: ExpressionCompiler, node: ast.Call) -> Value:
        """invoke(function's address, result's type, arguments...)."""
        callee = f.pointer(node, f.expression(node.args[0]))
        result = type_name(node.args[1], node, f.signature.file)
        values = [f.expression(a) for a in node.args[2:]]
        if any(v.type in ("literal", "void") for v in values):
            raise f.fail(node, "arguments here need types")
        arguments = [f"{llvm_type(v.type)} {v.text}" for v in values]
        return f.finish_call(callee, arguments, result, convention)

    return invoke


def _function_address(f: ExpressionCompiler, node: ast.Call) -> Value:
    """function_address(a function of the same part)"""
    (name,) = node.args
    if not isinstance(name, ast.Name):
        raise f.fail(node, "the name of a function was expected")
    function = f.scope.functions.get(name.id)
    return Value(f"@{name.id if function is None else function.symbol}", "ptr")


def _bitcast(source: str, target: str) -> Builtin:
    def bitcast(f: ExpressionCompiler, node: ast.Call) -> Value:
        (value,) = f.arguments(node, 1)
        value = f.coerce(node, value, source)
        return f.value(f"bitcast {llvm_type(source)} {value.text} to {llvm_type(target)}", target)

    return bitcast


def _half_to_float(f: ExpressionCompiler, node: ast.Call) -> Value:
    (bits,) = f.arguments(node, 1)
    half = f.value(f"bitcast i16 {f.coerce(node, bits, 'i16').text} to half", "?")
    return f.value(f"fpext half {half.text} to float", "f32")


def _float_to_half(f: ExpressionCompiler, node: ast.Call) -> Value:
    (value,) = f.arguments(node, 1)
    half = f.value(f"fptrunc float {f.coerce(node, value, 'f32').text} to half", "?")
    return f.value(f"bitcast half {half.text} to i16", "i16")


def _advance(f: ExpressionCompiler, node: ast.Call) -> Value:
    pointer, by = f.arguments(node, 2)
    at, count = f.pointer(node, pointer), f.coerce(node, by, "i64").text
    return f.value(f"getelementptr i8, ptr {at}, i64 {count}", "ptr")


def _sizeof(f: ExpressionCompiler, node: ast.Call) -> Value:
    match node.args:
        case [ast.Name(id=record)] if record in STRUCTS:
            return Value(str(size_of(record)), "literal")
        case _:
            raise f.fail(node, "sizeof takes the name of a record")


def _popcount(f: ExpressionCompiler, node: ast.Call) -> Value:
    (value,) = f.arguments(node, 1)
    f.intrinsics["ctpop"] = "declare i32 @llvm.ctpop.i32(i32)"
    return f.value(f"call i32 @llvm.ctpop.i32(i32 {f.coerce(node, value, 'i32').text})", "i32")


def _trailing_zeros(f: ExpressionCompiler, node: ast.Call) -> Value:
    (value,) = f.arguments(node, 1)
    f.intrinsics["cttz"] = "declare i32 @llvm.cttz.i32(i32, i1)"
    text = f.coerce(node, value, "i32").text
    return f.value(f"call i32 @llvm.cttz.i32(i32 {text}, i1 false)", "i32")


def _copy_bytes(f: ExpressionCompiler, node: ast.Call) -> Value:
    target, source, count = f.arguments(node, 3)
    f.intrinsics["memmove"] = "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"
    f.emit(
        f"call void @llvm.memmove.p0.p0.i64(ptr {f.pointer(node, target)}, "
        f"ptr {f.pointer(node, source)}, i64 {f.coerce(node, count, 'i64').text}, i1 false)"
    )
    return Value("", "void")


def _stack(f: ExpressionCompiler, node: ast.Call) -> Value:
    (size,) = f.arguments(node, 1)
    if size.type != "literal":
        raise f.fail(node, "stack takes a number that is known")
    name = f"%stack.{len(f.allocas)}"
    f.allocas.append(f"  {name} = alloca [{size.text} x i8], align 16")
    return Value(name, "ptr")


def _zero_bytes(f: ExpressionCompiler, node: ast.Call) -> Value:
    target, count = f.arguments(node, 2)
    f.intrinsics["memset"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    at, size = f.pointer(node, target), f.coerce(node, count, "i64").text
    f.emit(f"call void @llvm.memset.p0.i64(ptr {at}, i8 0, i64 {size}, i1 false)")
    return Value("", "void")


BUILTINS: dict[str, Builtin] = {
    "zext32": _zext("i32"),
    "zext64": _zext("i64"),
    "atomic_add": _atomic("add"),
    "atomic_exchange": _atomic("xchg"),
    "atomic_load": _atomic_load,
    "atomic_store": _atomic_store,
    "invoke": _invoke(""),
    "resume": _invoke("fastcc "),
    "function_address": _function_address,
    "bits_f32": _bitcast("i32", "f32"),
    "bits_f64": _bitcast("i64", "f64"),
    "bits_i32": _bitcast("f32", "i32"),
    "bits_i64": _bitcast("f64", "i64"),
    "half_to_float": _half_to_float,
    "float_to_half": _float_to_half,
    "advance": _advance,
    "sizeof": _sizeof,
    "exchange_if": _exchange_if,
    "popcount": _popcount,
    "trailing_zeros": _trailing_zeros,
    "copy_bytes": _copy_bytes,
    "stack": _stack,
    "zero_bytes": _zero_bytes,
}
