# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that the native language has besides those that a source defines."""

from __future__ import annotations

import ast
from collections.abc import Callable

from xgpu.backend.host.structs import SIZES, size_of
from xgpu.runtime.native.expressions import ExpressionCompiler
from xgpu.runtime.native.values import Value, llvm_type, type_name


def _zext(type: str) -> Callable[[ExpressionCompiler, ast.Call], Value]:
    return lambda f, node: f.convert(f.expression(node.args[0]), type, signed=False)


def _atomic_add(f: ExpressionCompiler, node: ast.Call) -> Value:
    """atomic_add(p.field, n): the value before."""
    address, type = f.place(node.args[0])
    amount = f.coerce(f.expression(node.args[1]), type).text
    return f.value(f"atomicrmw add ptr {address}, {llvm_type(type)} {amount} seq_cst", type)


def _atomic_load(f: ExpressionCompiler, node: ast.Call) -> Value:
    address, type = f.place(node.args[0])
    return f.value(
        f"load atomic {llvm_type(type)}, ptr {address} seq_cst, align {SIZES.get(type, 8)}", type
    )


def _atomic_store(f: ExpressionCompiler, node: ast.Call) -> Value:
    address, type = f.place(node.args[0])
    value = f.coerce(f.expression(node.args[1]), type).text
    size = SIZES.get(type, 8)
    f.emit(f"store atomic {llvm_type(type)} {value}, ptr {address} seq_cst, align {size}")
    return Value("", "void")


def _atomic_exchange(f: ExpressionCompiler, node: ast.Call) -> Value:
    """atomic_exchange(p.field, n): the value before."""
    address, type = f.place(node.args[0])
    new = f.coerce(f.expression(node.args[1]), type).text
    return f.value(f"atomicrmw xchg ptr {address}, {llvm_type(type)} {new} seq_cst", type)


def _invoke(convention: str) -> Callable[[ExpressionCompiler, ast.Call], Value]:
    def invoke(f: ExpressionCompiler, node: ast.Call) -> Value:
        """invoke(function pointer, result type, arguments...)."""
        callee = f.expression(node.args[0]).text
        result = type_name(node.args[1])
        values = [f.expression(a) for a in node.args[2:]]
        return f.finish_call(
            callee, [f"{llvm_type(v.type)} {v.text}" for v in values], result, convention
        )

    return invoke


def _bitcast(type: str) -> Callable[[ExpressionCompiler, ast.Call], Value]:
    def bitcast(f: ExpressionCompiler, node: ast.Call) -> Value:
        value = f.expression(node.args[0])
        if value.type == "literal":
            value = f.coerce(value, "i64" if type == "f64" else "i32")
        return f.value(f"bitcast {llvm_type(value.type)} {value.text} to {llvm_type(type)}", type)

    return bitcast


def _half_to_float(f: ExpressionCompiler, node: ast.Call) -> Value:
    bits = f.expression(node.args[0])
    half = f.value(f"bitcast i16 {bits.text} to half", "?")
    return f.value(f"fpext half {half.text} to float", "f32")


def _float_to_half(f: ExpressionCompiler, node: ast.Call) -> Value:
    value = f.expression(node.args[0])
    half = f.value(f"fptrunc float {value.text} to half", "?")
    return f.value(f"bitcast half {half.text} to i16", "i16")


def _advance(f: ExpressionCompiler, node: ast.Call) -> Value:
    """advance(pointer, bytes)."""
    pointer = f.expression(node.args[0])
    by = f.coerce(f.expression(node.args[1]), "i64").text
    return f.value(f"getelementptr i8, ptr {pointer.text}, i64 {by}", "ptr")


def _exchange_if(f: ExpressionCompiler, node: ast.Call) -> Value:
    """exchange_if(pointer, old, new): atomically; whether it held the old value."""
    pointer, old, new = (f.expression(a) for a in node.args)
    old, new = f.coerce(old, "i64"), f.coerce(new, "i64")
    pair = f.value(
        f"cmpxchg ptr {pointer.text}, i64 {old.text}, i64 {new.text} seq_cst seq_cst", "?"
    )
    return f.value(f"extractvalue {{ i64, i1 }} {pair.text}, 1", "i1")


def _sizeof(f: ExpressionCompiler, node: ast.Call) -> Value:
    assert isinstance(node.args[0], ast.Name)
    return Value(str(size_of(node.args[0].id)), "literal")


def _popcount(f: ExpressionCompiler, node: ast.Call) -> Value:
    value = f.expression(node.args[0])
    f.intrinsics["ctpop"] = "declare i32 @llvm.ctpop.i32(i32)"
    return f.value(f"call i32 @llvm.ctpop.i32(i32 {value.text})", "i32")


def _trailing_zeros(f: ExpressionCompiler, node: ast.Call) -> Value:
    value = f.expression(node.args[0])
    f.intrinsics["cttz"] = "declare i32 @llvm.cttz.i32(i32, i1)"
    return f.value(f"call i32 @llvm.cttz.i32(i32 {value.text}, i1 false)", "i32")


def _copy_bytes(f: ExpressionCompiler, node: ast.Call) -> Value:
    """copy_bytes(destination, source, bytes)."""
    target, source, count = (f.expression(a) for a in node.args)
    f.intrinsics["memmove"] = "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"
    f.emit(
        f"call void @llvm.memmove.p0.p0.i64(ptr {target.text}, ptr {source.text}, "
        f"i64 {f.coerce(count, 'i64').text}, i1 false)"
    )
    return Value("", "void")


def _zero_bytes(f: ExpressionCompiler, node: ast.Call) -> Value:
    """zero_bytes(destination, bytes)."""
    target, count = (f.expression(a) for a in node.args)
    f.intrinsics["memset"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    size = f.coerce(count, "i64").text
    f.emit(f"call void @llvm.memset.p0.i64(ptr {target.text}, i8 0, i64 {size}, i1 false)")
    return Value("", "void")


BUILTINS: dict[str, Callable[[ExpressionCompiler, ast.Call], Value]] = {
    "zext32": _zext("i32"),
    "zext64": _zext("i64"),
    "atomic_add": _atomic_add,
    "atomic_exchange": _atomic_exchange,
    "atomic_load": _atomic_load,
    "atomic_store": _atomic_store,
    "invoke": _invoke(""),
    "resume": _invoke("fastcc "),
    "bits_f32": _bitcast("f32"),
    "bits_f64": _bitcast("f64"),
    "bits_i32": _bitcast("i32"),
    "bits_i64": _bitcast("i64"),
    "half_to_float": _half_to_float,
    "float_to_half": _float_to_half,
    "advance": _advance,
    "sizeof": _sizeof,
    "exchange_if": _exchange_if,
    "popcount": _popcount,
    "trailing_zeros": _trailing_zeros,
    "copy_bytes": _copy_bytes,
    "zero_bytes": _zero_bytes,
}
