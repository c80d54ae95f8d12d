# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mathematical functions as calls: `convert-math-to-libm` of the C library's, and in kernels of
CUDA's libdevice.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    FunctionType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    VectorType,
    f32,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from xgpu.core import ods
from xgpu.core.ir.blocks import location_of
from xgpu.core.ir.elements import dense_of
from xgpu.core.ir.symbols import lookup
from xgpu.core.passes.base import Pass
from xgpu.core.rewriting.driver import Conversion, NoMatch, Rule, convert
from xgpu.dialects import arith
from xgpu.dialects.arith.builders import attribute_constant
from xgpu.dialects.llvm.builders import (
    alloca,
    call,
    constant,
    function_attributes,
    icmp,
    load,
    poison,
    symbol_table,
)
from xgpu.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType

if TYPE_CHECKING:
    from xdsl.context import Context


# --- math to libdevice ---------------------------------------------------------------------------
# math operations (and some of arith) as calls of CUDA's libdevice.
#
#     %1 = math.exp %0 : f32   =>   %1 = llvm.call @__nv_expf(%0) : (f32) -> f32
#
# f16 and bf16 go through f32, vectors element by element. `fastmath<afn>` picks the fast variant
# where libdevice has one. Source: MLIR 22.1 populateLibDeviceConversionPatterns,
# OpToFuncCallLowering.h.


#: Operation -> name for f32, name for f64, fast name for f32.
_FUNCTIONS: dict[str, tuple[str, str, str]] = {
    "arith.maxnumf": ("fmaxf", "fmax", ""),
    "arith.minnumf": ("fminf", "fmin", ""),
    "arith.remf": ("fmodf", "fmod", ""),
    "math.absf": ("fabsf", "fabs", ""),
    "math.acos": ("acosf", "acos", ""),
    "math.acosh": ("acoshf", "acosh", ""),
    "math.asin": ("asinf", "asin", ""),
    "math.asinh": ("asinhf", "asinh", ""),
    "math.atan": ("atanf", "atan", ""),
    "math.atan2": ("atan2f", "atan2", ""),
    "math.atanh": ("atanhf", "atanh", ""),
    "math.cbrt": ("cbrtf", "cbrt", ""),
    "math.ceil": ("ceilf", "ceil", ""),
    "math.copysign": ("copysignf", "copysign", ""),
    "math.cos": ("cosf", "cos", "fast_cosf"),
    "math.cosh": ("coshf", "cosh", ""),
    "math.erf": ("erff", "erf", ""),
    "math.erfc": ("erfcf", "erfc", ""),
    "math.exp": ("expf", "exp", "fast_expf"),
    "math.exp2": ("exp2f", "exp2", ""),
    "math.expm1": ("expm1f", "expm1", ""),
    "math.floor": ("floorf", "floor", ""),
    "math.fma": ("fmaf", "fma", ""),
    "math.fpowi": ("powif", "powi", ""),
    "math.log": ("logf", "log", "fast_logf"),
    "math.log10": ("log10f", "log10", "fast_log10f"),
    "math.log1p": ("log1pf", "log1p", ""),
    "math.log2": ("log2f", "log2", "fast_log2f"),
    "math.powf": ("powf", "pow", "fast_powf"),
    "math.round": ("roundf", "round", ""),
    "math.roundeven": ("rintf", "rint", ""),
    "math.rsqrt": ("rsqrtf", "rsqrt", ""),
    "math.sin": ("sinf", "sin", "fast_sinf"),
    "math.sinh": ("sinhf", "sinh", ""),
    "math.sqrt": ("sqrtf", "sqrt", ""),
    "math.tan": ("tanf", "tan", "fast_tanf"),
    "math.tanh": ("tanhf", "tanh", ""),
}
#: These return i32, which is not zero for true.
_PREDICATES: dict[str, tuple[str, str]] = {
    "math.isfinite": ("finitef", "isfinited"),
    "math.isinf": ("isinff", "isinfd"),
    "math.isnan": ("isnanf", "isnand"),
}
_AFN = 64


def lower_call(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """One call for each element; see the module's docstring."""
    result_type = op.results[0].type
    if isinstance(result_type, VectorType):
        return [_scalarize(op, operands, result_type, rw)]
    return [_lower_scalar(op, list(operands), result_type, rw)]


def _extended(rw: Conversion, value: SSAValue) -> SSAValue:
    with rw.located(location_of(value)):
        return rw.value("llvm.fpext", (value,), f32)


def _lower_scalar(
    op: Operation, operands: list[SSAValue], result_type: Attribute, rw: Conversion
) -> SSAValue:
    is_predicate = op.name in _PREDICATES
    narrow: Attribute | None = None
    if isinstance(operands[0].type, Float16Type | BFloat16Type):
        narrow = operands[0].type
    element = f32 if narrow is not None else operands[0].type
    name = _function_name(op, element)
    if narrow is not None:
        operands = [_extended(rw, value) if value.type == narrow else value for value in operands]
    returned = i32 if is_predicate else element
    declare_device_function(op, rw, name, [value.type for value in operands], returned)
    value = call(rw, name, operands, returned).results[0]
    if is_predicate:
        return icmp(rw, "ne", value, constant(rw, 0, i32))
    if narrow is not None:
        value = rw.value("llvm.fptrunc", (value,), narrow)
    return value


def _function_name(op: Operation, element: Attribute) -> str:
    if op.name == "math.absi":
        if element != i32:
            raise NoMatch("only i32 has __nv_abs")
        return "__nv_abs"
    if op.name in _PREDICATES:
        single, double = _PREDICATES[op.name]
        fast = ""
    else:
        single, double, fast = _FUNCTIONS[op.name]
    if isinstance(element, Float32Type):
        return "__nv_" + (fast if fast and _is_approximate(op) else single)
    if isinstance(element, Float64Type):
        return "__nv_" + double
    raise NoMatch(f"expected f16, bf16, f32 or f64, but found {element}")


def _is_approximate(op: Operation) -> bool:
    """Whether `fastmath<afn>` allows the fast variant."""
    flags = cast("arith.FastmathAttr | None", op.properties.get("fastmath"))
    return flags is not None and bool(flags.value & _AFN)


def _scalarize(
    op: Operation, operands: Sequence[SSAValue], ty: VectorType, rw: Conversion
) -> SSAValue:
    converted = rw.convert_type(ty)
    if not isinstance(converted, VectorType):
        raise NoMatch("expected a vector of one dimension")
    result = poison(rw, converted)
    for i in range(converted.get_shape()[0]):
        index = constant(rw, i, i64)
        scalars = [
            rw.value("llvm.extractelement", (value, index), value.type.element_type)
            if isinstance(value.type, VectorType)
            else value
            for value in operands
        ]
        value = _lower_scalar(op, scalars, ty.element_type, rw)
        result = rw.value("llvm.insertelement", (result, value, index), converted)
    return result


def lower_sincos(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> list[SSAValue]:
    """`math.sincos`: two buffers on the stack at the function's entry, a call, two loads."""
    (value,) = operands
    ty = value.type
    narrow = isinstance(ty, Float16Type | BFloat16Type)
    element = f32 if narrow else ty
    if not isinstance(element, Float32Type | Float64Type):
        raise NoMatch(f"expected f16, bf16, f32 or f64, but found {element}")
    if narrow:
        value = rw.value("llvm.fpext", (value,), f32)
    name = "__nv_sincos"
    if isinstance(element, Float32Type):
        name = "__nv_fast_sincosf" if _is_approximate(op) else "__nv_sincosf"
    pointer = LLVMPointerType()
    declare_device_function(op, rw, name, [element, pointer, pointer], None)
    with rw.insertion_guard():
        rw.at_start(_entry_block(op))
        one = constant(rw, 1, i32)
        sine, cosine = alloca(rw, one, element), alloca(rw, one, element)
    call(rw, name, [value, sine, cosine], None)
    results = [load(rw, sine, element), load(rw, cosine, element)]
    if narrow:
        results = [rw.value("llvm.fptrunc", (r,), ty) for r in results]
    return results


def _entry_block(op: Operation) -> Block:
    function = enclosing_function(op)
    return function.regions[0].blocks[0]


def enclosing_function(op: Operation) -> Operation:
    """The function around `op`."""
    parent = op.parent_op()
    while parent is not None and parent.name not in ("llvm.func", "gpu.func", "func.func"):
        parent = parent.parent_op()
    if parent is None:
        raise NoMatch("expected to be inside a function")
    return parent


def declare_device_function(
    op: Operation,
    rw: Conversion,
    name: str,
    arguments: Sequence[Attribute],
    result: Attribute | None,
) -> None:
    """Declares `name` right before the function around `op`, if it is not declared yet."""
    if lookup(symbol_table(op), name) is not None:
        return
    function = enclosing_function(op)
    ty = LLVMFunctionType(tuple(arguments), LLVMVoidType() if result is None else result)
    declaration = ods.create(
        "llvm.func",
        properties=function_attributes(name, ty),
        regions=[Region()],
        location=op.location,
    )
    assert function.parent is not None
    function.parent.insert_op_before(declaration, function)


LIBDEVICE_RULES = {
    **dict.fromkeys(_FUNCTIONS, lower_call),
    **dict.fromkeys(_PREDICATES, lower_call),
    "math.absi": lower_call,
    "math.sincos": lower_sincos,
}


# --- math to libm --------------------------------------------------------------------------------
# `convert-math-to-libm`: mathematical functions as calls of the C library's.
#
# f16 and bf16 go through f32; vectors are taken apart into their elements. Source: MLIR 22.1
# MathToLibm.


#: math's operation -> the C function of doubles; that of floats has an `f` at its end.
FUNCTIONS = {
    "absf": "fabs",
    "acos": "acos",
    "acosh": "acosh",
    "asin": "asin",
    "asinh": "asinh",
    "atan": "atan",
    "atan2": "atan2",
    "atanh": "atanh",
    "cbrt": "cbrt",
    "ceil": "ceil",
    "cos": "cos",
    "cosh": "cosh",
    "erf": "erf",
    "erfc": "erfc",
    "exp": "exp",
    "exp2": "exp2",
    "expm1": "expm1",
    "floor": "floor",
    "fma": "fma",
    "log": "log",
    "log10": "log10",
    "log1p": "log1p",
    "log2": "log2",
    "powf": "pow",
    "round": "round",
    "roundeven": "roundeven",
    "rsqrt": "rsqrt",
    "sin": "sin",
    "sinh": "sinh",
    "sqrt": "sqrt",
    "tan": "tan",
    "tanh": "tanh",
    "trunc": "trunc",
}


def _declare(op: Operation, name: str, ty: FunctionType) -> None:
    """The function `name`, declared at the start of the module around `op` if it is not there."""
    table = symbol_table(op)
    if lookup(table, name) is not None:
        return
    function = ods.create(
        "func.func",
        properties={
            "sym_name": StringAttr(name),
            "function_type": ty,
            "sym_visibility": StringAttr("private"),
        },
        attributes={"llvm.readnone": UnitAttr()},
        regions=(Region(),),
    )
    block = table.regions[0].blocks[0]
    assert block.first_op is not None
    block.insert_op_before(function, block.first_op)


def _scalar(op: Operation, name: str, values: Sequence[SSAValue], rw: Conversion) -> SSAValue:
    """A call of the function for the type of `values`."""
    ty = values[0].type
    if isinstance(ty, Float16Type | BFloat16Type):
        wide = [rw.value("arith.extf", [v], Float32Type()) for v in values]
        return rw.value("arith.truncf", [_scalar(op, name, wide, rw)], ty)
    callee = name if isinstance(ty, Float64Type) else f"{name}f"
    _declare(op, callee, FunctionType.from_lists([v.type for v in values], [ty]))
    return rw.value("func.call", values, ty, {"callee": SymbolRefAttr(callee)})


def _elements(op: Operation, name: str, values: Sequence[SSAValue], rw: Conversion) -> SSAValue:
    """A call for each element of vectors."""
    ty = cast("VectorType", values[0].type)
    element = cast("AnyFloat", ty.element_type)
    result = attribute_constant(rw, dense_of(ty, [0.0]), ty)
    for position in itertools.product(*(range(size) for size in ty.get_shape())):
        where = {"static_position": DenseArrayBase.from_list(i64, position)}
        pieces = [rw.value("vector.extract", [v], element, where) for v in values]
        one = _scalar(op, name, pieces, rw)
        result = rw.value("vector.insert", [one, result], ty, where)
    return result


def _is_known(ty: Attribute) -> bool:
    return isinstance(ty, Float16Type | BFloat16Type | Float32Type | Float64Type)


def _rule(name: str) -> Rule:
    def rule(op: Operation, operands: Sequence[SSAValue], rw: Conversion) -> Sequence[SSAValue]:
        ty = op.results[0].type
        if isinstance(ty, VectorType):
            scalable = any(bool(s.value.data) for s in ty.scalable_dims.data)
            if scalable or not _is_known(ty.element_type):
                raise NoMatch("expected a vector of fixed size of f16, bf16, f32 or f64")
            return [_elements(op, name, operands, rw)]
        if not _is_known(ty):
            raise NoMatch("expected f16, bf16, f32 or f64")
        return [_scalar(op, name, operands, rw)]

    return rule


LIBM_RULES: dict[str, Rule] = {f"math.{ours}": _rule(theirs) for ours, theirs in FUNCTIONS.items()}


class ConvertMathToLibmPass(Pass):
    name = "convert-math-to-libm"
    summary = "Convert Math dialect to libm calls"
    anchor = "builtin.module"

    def run(self, op: Operation, ctx: Context) -> None:
        convert(op, LIBM_RULES, illegal=("math",))
