# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libdevice's functions on the host, by name without `__nv_`.

Those that LLVM has an intrinsic for become it; the C library has most others under the same
name; what is left (`xgpu_nv_*`) the native runtime provides
(`host_device/native/sources/libdevice.py`).
"""

from __future__ import annotations

from xdsl.dialects.builtin import f16, f32

from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.rules.lowering import Call, Values, intrinsic_rule

# libdevice's name of the f64 form -> LLVM's intrinsic; the f32 form has a trailing f in libdevice.
_INTRINSICS = {
    "ceil": "ceil", "copysign": "copysign", "cos": "cos", "exp": "exp", "exp2": "exp2",
    "exp10": "exp10", "fabs": "fabs", "floor": "floor", "fma": "fma", "fmax": "maxnum",
    "fmin": "minnum", "log": "log", "log10": "log10", "log2": "log2", "nearbyint": "nearbyint",
    "pow": "pow", "rint": "rint", "round": "round", "sin": "sin", "sqrt": "sqrt", "trunc": "trunc",
    "acos": "acos", "asin": "asin", "atan": "atan", "atan2": "atan2", "cosh": "cosh",
    "sinh": "sinh", "tan": "tan", "tanh": "tanh",
}  # fmt: skip

# Fast approximations, IEEE forms rounded to nearest, and integers.
_ALIASES = {
    "fast_cosf": "cos", "fast_exp10f": "exp10", "fast_expf": "exp", "fast_log10f": "log10",
    "fast_log2f": "log2", "fast_logf": "log", "fast_powf": "pow", "fast_sinf": "sin",
    "fast_tanf": "tan", "fast_tanhf": "tanh", "fma_rn": "fma", "fmaf_rn": "fma",
    "fmaf_ieee_rn": "fma", "dsqrt_rn": "sqrt", "fsqrt_rn": "sqrt",
    "min": "smin", "max": "smax", "umin": "umin", "umax": "umax",
    "llmin": "smin", "llmax": "smax", "ullmin": "umin", "ullmax": "umax",
    "brev": "bitreverse", "brevll": "bitreverse",
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


def library_call(call: Call, b: Code) -> Values | None:
    """A call of `__nv_<name>`; `call.name` is without the prefix."""
    name = call.name
    base = _float_base(call)
    found = _INTRINSICS.get(base) or _ALIASES.get(name)
    if found is not None:
        return [b.intrinsic(found, call.arguments)]
    if name in _BINARY:
        return [b.binary(_BINARY[name], *call.arguments)]
    if name == "half2float":  # halves travel as i16
        return [b.cast("fpext", b.cast("bitcast", call.arguments[0], f16), f32)]
    if name == "float2half_rn":
        return [b.cast("bitcast", b.cast("fptrunc", call.arguments[0], f16), call.type)]
    if name in _BITCASTS:
        return [b.cast("bitcast", call.arguments[0], call.type)]
    instruction = _AS_NVVM.get(name) or _conversion(name)
    rule = intrinsic_rule(instruction) if instruction is not None else None
    if rule is not None and instruction is not None:
        return rule(Call(call.op, instruction, call.arguments), b)
    symbol = name if base in _LIBM else f"xgpu_nv_{name}"
    result = b.call(symbol, call.type, *call.arguments)
    return [] if result is None else [result]


def _float_base(call: Call) -> str:
    """`expf` as `exp` where the call is of the f32 form."""
    is_f32 = call.type == f32 or any(v.type == f32 for v in call.arguments)
    return call.name[:-1] if is_f32 and call.name.endswith("f") else call.name


def _conversion(name: str) -> str | None:
    """`float2int_rz` as `f2i.rz`."""
    source, two, rest = name.partition("2")
    target, _, mode = rest.partition("_")
    if not two or source not in _KINDS or target not in _KINDS or mode not in _MODES:
        return None
    if target in ("float", "double") and mode != "rn":
        return None  # emulated natively
    return f"{_KINDS[source]}2{_KINDS[target]}.{_MODES[mode]}"
