# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libdevice's functions on the host, by name without `__nv_`.

Those that LLVM has an intrinsic for become it; the C library has most others under the same
name; what is left (`xgpu_nv_*`) the native runtime provides
(`runtime/native/sources/libdevice.py`).
"""

from __future__ import annotations

from xgpu.backend.host import intrinsics_math as arithmetic
from xgpu.backend.host.context import FunctionContext
from xgpu.backend.host.text import Call

# libdevice's name of the f64 form -> LLVM's intrinsic; the f32 form has a trailing f in libdevice.
_INTRINSICS = {
    "ceil": "ceil", "copysign": "copysign", "cos": "cos", "exp": "exp", "exp2": "exp2",
    "exp10": "exp10", "fabs": "fabs", "floor": "floor", "fma": "fma", "fmax": "maxnum",
    "fmin": "minnum", "log": "log", "log10": "log10", "log2": "log2", "nearbyint": "nearbyint",
    "pow": "pow", "rint": "rint", "round": "round", "sin": "sin", "sqrt": "sqrt", "trunc": "trunc",
    "acos": "acos", "asin": "asin", "atan": "atan", "atan2": "atan2", "cosh": "cosh",
    "sinh": "sinh", "tan": "tan", "tanh": "tanh",
}  # fmt: skip

# Fast approximations, and IEEE forms rounded to nearest.
_ALIASES = {
    "fast_cosf": "cos", "fast_exp10f": "exp10", "fast_expf": "exp", "fast_log10f": "log10",
    "fast_log2f": "log2", "fast_logf": "log", "fast_powf": "pow", "fast_sinf": "sin",
    "fast_tanf": "tan", "fast_tanhf": "tanh", "fma_rn": "fma", "fmaf_rn": "fma",
    "fmaf_ieee_rn": "fma", "dsqrt_rn": "sqrt", "fsqrt_rn": "sqrt",
}  # fmt: skip

# Same name and operands in the C library (f32: with the f).
_LIBM = frozenset((
    "acosh", "asinh", "atanh", "cbrt", "erf", "erfc", "expm1", "fdim", "fmod", "frexp", "hypot",
    "ilogb", "j0", "j1", "jn", "ldexp", "lgamma", "llrint", "llround", "log1p", "logb", "modf",
    "nextafter", "remainder", "remquo", "tgamma", "y0", "y1", "yn",
))  # fmt: skip

_BINARY = {
    "dadd_rn": "fadd", "fadd_rn": "fadd", "dsub_rn": "fsub", "fsub_rn": "fsub",
    "dmul_rn": "fmul", "fmul_rn": "fmul", "ddiv_rn": "fdiv", "fdiv_rn": "fdiv",
    "fast_fdividef": "fdiv",
}  # fmt: skip

_INTEGER = {
    "min": "smin", "max": "smax", "umin": "umin", "umax": "umax",
    "llmin": "smin", "llmax": "smax", "ullmin": "umin", "ullmax": "umax",
    "brev": "bitreverse", "brevll": "bitreverse",
}  # fmt: skip

_BITCASTS = frozenset((
    "double_as_longlong", "longlong_as_double", "float_as_int", "float_as_uint", "int_as_float",
    "uint_as_float",
))  # fmt: skip

# Under NVVM's intrinsic of the same meaning.
_AS_NVVM = {
    "byte_perm": "prmt", "mul24": "mul24.i", "umul24": "mul24.ui", "mulhi": "mulhi.i",
    "umulhi": "mulhi.ui", "mul64hi": "mulhi.ll", "umul64hi": "mulhi.ull",
    "saturatef": "saturate.f",
}  # fmt: skip
_MODES = {"rd": "rm", "ru": "rp", "rn": "rn", "rz": "rz"}
_KINDS = {"double": "d", "float": "f", "int": "i", "uint": "ui", "ll": "ll", "ull": "ull"}


def emit(name: str, call: Call, ctx: FunctionContext) -> list[str]:
    """Lines for a call of `__nv_<name>`."""
    from xgpu.backend.host.intrinsics import find

    values = [value for _, value in call.arguments]
    base = _float_base(name, call)
    if base in _INTRINSICS:
        return arithmetic.intrinsic(ctx, call.result, call.type, _INTRINSICS[base], *values)
    if name in _ALIASES:
        return arithmetic.intrinsic(ctx, call.result, call.type, _ALIASES[name], *values)
    if name in _BINARY:
        if call.result is None:
            return []
        return [f"{call.result} = {_BINARY[name]} {call.type} {values[0]}, {values[1]}"]
    if name in _INTEGER:
        return arithmetic.intrinsic(ctx, call.result, call.type, _INTEGER[name], *values)
    if name in ("float2half_rn", "half2float"):
        return _half(name, call, values[0], ctx)
    if name in _BITCASTS:
        source = call.arguments[0][0]
        return [f"{call.result} = bitcast {source} {values[0]} to {call.type}"]
    instruction = _AS_NVVM.get(name) or _conversion(name)
    if instruction is not None:
        emitter = find(instruction)
        if emitter is not None:
            as_nvvm = Call(call.result, call.type, f"@llvm.nvvm.{instruction}", call.arguments)
            return emitter(as_nvvm, ctx)
    symbol = name if base in _LIBM else f"xgpu_nv_{name}"
    callee = ctx.module.declare(call.type, symbol, *(type for type, _ in call.arguments))
    arguments = ", ".join(f"{type} {value}" for type, value in call.arguments)
    prefix = f"{call.result} = " if call.result else ""
    return [f"{prefix}call {call.type} {callee}({arguments})"]


def _half(name: str, call: Call, value: str, ctx: FunctionContext) -> list[str]:
    """Halves travel as i16."""
    if call.result is None:
        return []
    between = ctx.fresh()
    if name == "half2float":
        return [
            f"{between} = bitcast i16 {value} to half",
            f"{call.result} = fpext half {between} to float",
        ]
    return [
        f"{between} = fptrunc float {value} to half",
        f"{call.result} = bitcast half {between} to i16",
    ]


def _float_base(name: str, call: Call) -> str:
    """`expf` as `exp` where the call is of the f32 form."""
    is_f32 = call.type == "float" or any(type == "float" for type, _ in call.arguments)
    return name[:-1] if is_f32 and name.endswith("f") else name


def _conversion(name: str) -> str | None:
    """`float2int_rz` as `f2i.rz`."""
    source, two, rest = name.partition("2")
    target, _, mode = rest.partition("_")
    if not two or source not in _KINDS or target not in _KINDS or mode not in _MODES:
        return None
    if target in ("float", "double") and mode != "rn":
        return None  # emulated natively
    return f"{_KINDS[source]}2{_KINDS[target]}.{_MODES[mode]}"
