# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVVM's arithmetic on the host.

Approximate instructions are computed exactly, which their documented error bounds allow; so is
`.ftz` arithmetic without flushing. Sums and products of singles with directed rounding are computed
with doubles, as vectors too; other arithmetic with directed rounding calls libdevice's functions of
the same meaning (`native/sources/directed_rounding.py`).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
    bf16,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from xgpu.backend.llvm_ir.facts import number, prop, text_of
from xgpu.core.ir.constants import constant_of
from xgpu.frontend.ptx.convert import narrowed, to_integer
from xgpu.frontend.ptx.integers import nth_set_bit
from xgpu.host_device.compiler.code import Code
from xgpu.host_device.compiler.elementary import FAR_PREFIX
from xgpu.host_device.compiler.raise_intrinsics import (
    directed_conversion,
    directed_name,
    has_rounded_sum,
    mode_of,
)
from xgpu.host_device.compiler.rules.lowering import (
    Call,
    Values,
    intrinsic,
    intrinsic_rule,
    operation,
)
from xgpu.host_device.compiler.types import I1, I8, I32, I64, bits, integer_constant

if TYPE_CHECKING:
    from collections.abc import Sequence


# -- libdevice's functions on the host, by name without `__nv_`.
#
# Those that LLVM has an intrinsic for become it; the C library has most others under the same
# name; what is left (`xgpu_nv_*`) the native runtime provides
# (`host_device/native/sources/libdevice.py`).


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
    is_far = name.startswith(FAR_PREFIX)
    symbol = name.removeprefix(FAR_PREFIX) if is_far or base in _LIBM else f"xgpu_nv_{name}"
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


def _require_nearest(call: Call, b: Code) -> None:
    if not {"rm", "rp", "rz"}.isdisjoint(call.words):
        b.refuse(f"'llvm.nvvm.{call.name}' is not supported on the host device: its rounding")


def _directed(call: Call, b: Code) -> SSAValue | None:
    """The result of an instruction with directed rounding, None for another one."""
    name = directed_name(call.words)
    if name is None:
        _require_nearest(call, b)
        return None
    if has_rounded_sum(call.words):
        return _rounded_sum(call, b)
    found = library_call(Call(call.op, name, call.arguments, call.types), b)
    return None if found is None else found[0]


def _rounded_sum(call: Call, b: Code) -> SSAValue:
    """add, mul or fma of singles with directed rounding.

    The exact result is s + e: a double, and the error of its sum (Knuth's two-sum; a product of
    singles is a double). As a single, s is the result or the next one to it, as the sign of what
    is missing says; that of (s - single) + e is exact, for e is less than a unit of s.
    """
    mode = mode_of(call.words)
    if call.words[0] == "fma" and mode == "rm" and _has_units(call.arguments):
        return _floored(call.arguments, b)
    given = [b.cast("fpext", v, f64) for v in call.arguments]
    first = given[0] if call.words[0] == "add" else b.binary("fmul", given[0], given[1])
    if call.words[0] == "mul":
        total, rest = first, None
    else:
        total, rest = _sum_and_error(b, first, given[-1])
    nearest = b.cast("fptrunc", total, f32)
    missing = b.binary("fsub", total, b.cast("fpext", nearest, f64))
    if rest is not None:
        missing = b.binary("fadd", missing, rest)
    found = b.cast("bitcast", _stepped(b, nearest, missing, mode), f32)
    if mode != "rm" or rest is None:
        return found
    # An exact zero is negative unless both parts are positive.
    parts = [b.cast("bitcast", v, I64) for v in (first, given[-1])]
    is_negative = b.icmp("slt", b.binary("or", *parts), 0)
    zero = b.select(is_negative, b.real(-0.0, f32), b.real(0.0, f32))
    return b.select(_fcmp(b, _EQUAL, total, b.real(0.0, f64)), zero, found)


def _has_units(arguments: Sequence[SSAValue]) -> bool:
    """Whether `x * k + c` is between 2^23 and 2^24, where singles are the integers."""
    x, k, c = arguments
    factor, addend = _number(k), _number(c)
    if factor is None or addend is None:
        return False
    return _is_fraction(x) and factor >= 0 and addend >= 2.0**23 and addend + factor < 2.0**24


def _number(value: SSAValue) -> float | None:
    """The single that a value is, also by its bits."""
    owner = value.owner
    if isinstance(owner, Operation) and owner.name == "llvm.bitcast":
        found = constant_of(owner.operands[0])
        if not isinstance(found, IntegerAttr):
            return None
        return struct.unpack("<f", struct.pack("<I", found.value.data & 0xFFFFFFFF))[0]
    found = constant_of(value)
    return found.value.data if isinstance(found, FloatAttr) else None


def _is_fraction(value: SSAValue) -> bool:
    """Whether a value is between 0 and 1, and no NaN: what .sat gives."""
    for name, bound in (("llvm.intr.minnum", 1.0), ("llvm.intr.maxnum", 0.0)):
        owner = value.owner
        if not isinstance(owner, Operation) or owner.name != name:
            return False
        if _number(owner.operands[1]) != bound:
            return False
        value = owner.operands[0]
    return True


def _floored(arguments: Sequence[SSAValue], b: Code) -> SSAValue:
    """The integer that is next to x * k + c, or the one below. NVPTX's expansion of exp begins so.

    What is left of the product is negative if the integer is above it; one rounding keeps the sign.
    """
    x, k, c = arguments
    nearest = b.intrinsic("fma", (x, k, c))
    whole = b.binary("fsub", nearest, c)
    rest = b.intrinsic("fma", (x, k, b.value("llvm.fneg", (whole,), f32)))
    below = b.binary("fsub", nearest, b.real(1.0, f32))
    return b.select(_fcmp(b, _LESS, rest, b.real(0.0, f32)), below, nearest)


def _sum_and_error(b: Code, x: SSAValue, y: SSAValue) -> tuple[SSAValue, SSAValue]:
    total = b.binary("fadd", x, y)
    back = b.binary("fsub", total, x)
    lost = b.binary("fsub", x, b.binary("fsub", total, back))
    return total, b.binary("fadd", lost, b.binary("fsub", y, back))


def _stepped(b: Code, single: SSAValue, missing: SSAValue, mode: str) -> SSAValue:
    """The bits of a single, or of the next one where what it misses says so."""
    code = b.cast("bitcast", single, I32)
    is_negative = b.icmp("slt", code, 0)
    zero = b.real(0.0, f64)
    less, more = _fcmp(b, _LESS, missing, zero), _fcmp(b, _GREATER, missing, zero)
    outward, inward = b.binary("add", code, 1), b.binary("sub", code, 1)
    is_zero = b.icmp("eq", b.binary("and", code, 0x7FFFFFFF), 0)
    if mode == "rz":
        steps = b.binary("and", b.select(is_negative, more, less), b.binary("xor", is_zero, -1))
        return b.select(steps, inward, code)
    if mode == "rm":
        found = b.select(is_zero, b.integer(-0x7FFFFFFF), b.select(is_negative, outward, inward))
        return b.select(less, found, code)
    found = b.select(is_zero, b.integer(1), b.select(is_negative, inward, outward))
    return b.select(more, found, code)


#: Predicates of `llvm.fcmp`, all of which do not hold for NaN.
_EQUAL, _GREATER, _LESS = 1, 2, 4


def _fcmp(b: Code, predicate: int, x: SSAValue, y: SSAValue) -> SSAValue:
    return b.value("llvm.fcmp", (x, y), I1, {"predicate": IntegerAttr(predicate, I64)})


def _finished(call: Call, b: Code, value: SSAValue) -> Values:
    """`value` after .sat and .relu."""
    if "sat" in call.words or "relu" in call.words:
        value = b.intrinsic("maxnum", (value, b.real(0.0, call.type)))
    if "sat" in call.words:
        value = b.intrinsic("minnum", (value, b.real(1.0, call.type)))
    return [value]


@intrinsic(r"fma\.r\w(\.ftz)?(\.relu)?(\.sat)?\.\w+")
def fma(call: Call, b: Code) -> Values:
    directed = _directed(call, b)
    return _finished(call, b, directed or b.intrinsic("fma", call.arguments))


_OPCODES = {"add": "fadd", "mul": "fmul", "div": "fdiv"}


@intrinsic(
    r"add\.r\w(\.ftz)?(\.sat)?\.\w", r"mul\.r\w(\.ftz)?\.\w",
    r"div\.(r\w|approx|full)(\.ftz)?(\.\w)?",
)  # fmt: skip
def binary(call: Call, b: Code) -> Values:
    left, right = call.arguments
    directed = _directed(call, b)
    return _finished(call, b, directed or b.binary(_OPCODES[call.words[0]], left, right))


@intrinsic(r"rcp\.(r\w|approx)(\.ftz)?\.\w")
def reciprocal(call: Call, b: Code) -> Values:
    directed = _directed(call, b)
    return [directed or b.binary("fdiv", b.real(1.0, call.type), call.arguments[0])]


@intrinsic(r"rsqrt\.approx(\.ftz)?\.\w")
def reciprocal_root(call: Call, b: Code) -> Values:
    root = b.intrinsic("sqrt", call.arguments)
    return [b.binary("fdiv", b.real(1.0, call.type), root)]


@intrinsic(r"sqrt(\.r\w|\.approx)?(\.ftz)?\.\w")
def root(call: Call, b: Code) -> Values:
    return [_directed(call, b) or b.intrinsic("sqrt", call.arguments)]


@intrinsic(r"f(min|max)\..*")
def extremum(call: Call, b: Code) -> Values:
    """fmin/fmax with .nan (NaN wins) and .xorsign.abs (sign is the xor of the operands' signs)."""
    least = call.words[0] == "fmin"
    propagates = "nan" in call.words
    name = ("minimum" if least else "maximum") if propagates else ("minnum" if least else "maxnum")
    left, right = call.arguments
    if "xorsign" not in call.words:
        return [b.intrinsic(name, (left, right))]
    value = b.intrinsic(name, (b.intrinsic("fabs", (left,)), b.intrinsic("fabs", (right,))))
    one = b.real(1.0, call.type)
    signs = [b.intrinsic("copysign", (one, operand)) for operand in (left, right)]
    return [b.intrinsic("copysign", (value, b.binary("fmul", *signs)))]


_ROUNDING = {"rn": "roundeven", "rz": "trunc", "rm": "floor", "rp": "ceil"}
_INTEGERS: dict[str, tuple[str, IntegerType]] = {
    "i": ("s", I32), "ui": ("u", I32), "ll": ("s", I64), "ull": ("u", I64)
}  # fmt: skip


@intrinsic(r"[fd]2u?(i|ll)\.r\w(\.ftz)?")
def float_to_integer(call: Call, b: Code) -> Values:
    """{f,d}2{i,ui,ll,ull}.<mode>: round, then convert as PTX's cvt does."""
    sign, ty = _INTEGERS[call.words[0].split("2")[1]]
    rounded = b.intrinsic(_ROUNDING[call.words[1]], call.arguments)
    return [to_integer(b, rounded, ty, sign == "s")]


@intrinsic(r"u?(i|ll)2[fd]\.r\w")
def integer_to_float(call: Call, b: Code) -> Values:
    """{i,ui,ll,ull}2{f,d}.<mode>; a double holds all that have 32 bits."""
    sign, _ = _INTEGERS[call.words[0].split("2")[0]]
    name = directed_conversion(call.words)
    if name is not None:
        return library_call(Call(call.op, name, call.arguments, call.types), b) or []
    return [b.cast(f"{sign}itofp", call.arguments[0], call.type)]


@intrinsic(r"d2f\.r\w(\.ftz)?", r"f2b?f16\..*")
def narrow(call: Call, b: Code) -> Values:
    value = narrowed(b, call.arguments[0], call.type, mode_of(call.words))
    return _finished(call, b, value)


@intrinsic(r"d2i\.(lo|hi)")
def half_of_double(call: Call, b: Code) -> Values:
    """d2i.{lo,hi}: half of the bits of a double."""
    word = b.cast("bitcast", call.arguments[0], I64)
    if call.words[1] == "hi":
        word = b.binary("lshr", word, 32)
    return [b.cast("trunc", word, I32)]


@intrinsic(r"lohi\.i2d")
def double_of_halves(call: Call, b: Code) -> Values:
    low, high = (b.cast("zext", half, I64) for half in call.arguments)
    return [b.cast("bitcast", b.binary("or", low, b.binary("shl", high, 32)), call.type)]


@intrinsic(r"flo\.[su]\.i(32|64)")
def find_leading_bit(call: Call, b: Code) -> Values:
    """flo.{s,u}(a, from the top): the highest bit that is not the sign; -1 if there is none."""
    value, from_top = call.arguments[0], integer_constant(call.arguments[1])
    width = bits(value.type) or 32
    if call.words[1] == "s":
        value = b.select(b.icmp("slt", value, 0), b.binary("xor", value, -1), value)
    properties = {"is_zero_poison": IntegerAttr(0, I1)}
    zeros = b.value("llvm.intr.ctlz", (value,), value.type, properties)
    if width == 64:
        zeros = b.cast("trunc", zeros, I32)
    found = zeros if from_top else b.binary("sub", width - 1, zeros)
    return [b.select(b.icmp("eq", value, 0), b.integer(-1, I32), found)]


@intrinsic(r"bmsk\.(wrap|clamp)")
def bit_mask(call: Call, b: Code) -> Values:
    """bmsk(position, count): as many ones from a bit on."""
    position, count = (_places(call, b, value) for value in call.arguments)
    ones = b.binary("sub", b.binary("shl", b.integer(1, I64), count), 1)
    return [b.cast("trunc", b.binary("shl", ones, position), I32)]


@intrinsic("fns")
def find_set_bit(call: Call, b: Code) -> Values:
    """fns(mask, base, offset): the n-th set bit from a position on, as in PTX (`nth_set_bit`). A
    base above 31 counts modulo 32."""
    return [nth_set_bit(b, *call.arguments)]


@intrinsic(r"[sz]ext\.(wrap|clamp)")
def extend_from(call: Call, b: Code) -> Values:
    """{s,z}ext(a, count): the lowest bits, with sign or zeros."""
    value, count = b.cast("zext", call.arguments[0], I64), _places(call, b, call.arguments[1])
    rest = b.binary("sub", 64, count)
    right = "ashr" if call.words[0] == "sext" else "lshr"
    # A shift by 64 has no meaning.
    short = b.binary("and", rest, 63)
    found = b.binary(right, b.binary("shl", value, short), short)
    found = b.select(b.icmp("eq", count, 0), b.integer(0, I64), found)
    return [b.cast("trunc", found, I32)]


def _places(call: Call, b: Code, value: SSAValue) -> SSAValue:
    """A number of bits as an i64, at most 32; modulo 32 where it wraps."""
    if call.words[-1] == "wrap":
        value = b.binary("and", value, 31)
    else:
        value = b.value("llvm.intr.umin", (value, b.integer(32, I32)), I32)
    return b.cast("zext", value, I64)


@intrinsic(r"fsh[lr]\.clamp\.i32")
def funnel_shift(call: Call, b: Code) -> Values:
    """fsh{l,r}.clamp(high, low, count): the upper or lower word of a pair that is shifted by at
    most 32 places."""
    high, low, count = call.arguments
    upper = b.binary("shl", b.cast("zext", high, I64), 32)
    pair = b.binary("or", upper, b.cast("zext", low, I64))
    places = _places(call, b, count)
    if call.words[0] == "fshr":
        return [b.cast("trunc", b.binary("lshr", pair, places), I32)]
    return [b.cast("trunc", b.binary("lshr", b.binary("shl", pair, places), 32), I32)]


@intrinsic(r"mulhi\.\w+")
def high_product(call: Call, b: Code) -> Values:
    """mulhi.{i,ui,s,us,ll,ull}: the upper half of the double-width product."""
    width = bits(call.type) or 32
    wide = IntegerType(2 * width)
    extend = "zext" if call.words[1].startswith("u") else "sext"
    left, right = (b.cast(extend, value, wide) for value in call.arguments)
    high = b.binary("lshr", b.binary("mul", left, right), width)
    return [b.cast("trunc", high, call.type)]


@intrinsic(r"mul24\.\w+")
def multiply_24(call: Call, b: Code) -> Values:
    shift = "lshr" if call.words[1] == "ui" else "ashr"
    left, right = (b.binary(shift, b.binary("shl", v, 8), 8) for v in call.arguments)
    return [b.binary("mul", left, right)]


@intrinsic(r"sad\.\w+")
def absolute_difference(call: Call, b: Code) -> Values:
    """sad.{i,ui,s,us,ll,ull}(a, b, c): |a - b| + c."""
    sign = "u" if call.words[1].startswith("u") else "s"
    left, right, addend = call.arguments
    least, most = (b.intrinsic(f"{sign}{end}", (left, right)) for end in ("min", "max"))
    return [b.binary("add", b.binary("sub", most, least), addend)]


def _dot(
    b: Code, given: Sequence[SSAValue], signs: list[str], pairs: list[tuple[int, int, int, int]]
) -> Values:
    """A sum of products of parts of two words, and an addend. A pair is (first bit, bits) of each
    operand."""
    first, second, total = given
    for at, width, other, other_width in pairs:
        parts: list[SSAValue] = []
        for value, bit, size, sign in (
            (first, at, width, signs[0]), (second, other, other_width, signs[1])
        ):  # fmt: skip
            low = b.cast("trunc", b.binary("lshr", value, bit), IntegerType(size))
            parts.append(b.cast("sext" if sign == "s" else "zext", low, I32))
        total = b.binary("add", total, b.binary("mul", *parts))
    return [total]


@intrinsic(r"idp4a\.[su]\.[su]")
def dot_4(call: Call, b: Code) -> Values:
    """idp4a.<a>.<b>(a, b, c): four 8-bit products and c; signedness of each operand in the name."""
    return _dot(b, call.arguments, call.words[1:3], [(8 * i, 8, 8 * i, 8) for i in range(4)])


@intrinsic(r"idp2a\.[su]\.[su]")
def dot_2(call: Call, b: Code) -> Values:
    """idp2a.<a>.<b>(a, b, high, c): two products of 16 by 8 bits; `high` chooses b's half."""
    first, second, high, total = call.arguments
    half = 16 if integer_constant(high) else 0
    pairs = [(16 * i, 16, half + 8 * i, 8) for i in range(2)]
    return _dot(b, (first, second, total), call.words[1:3], pairs)


@operation("nvvm.dot.accumulate.4way", "nvvm.dot.accumulate.2way")
def dot_operation(call: Call, b: Code) -> Values:
    op = call.op
    first, second = (b.cast("bitcast", v, I32) for v in (op.a, op.b))
    signs = [text_of(prop(op, name))[0] for name in ("a_type", "b_type")]
    if call.name.endswith("4way"):
        return _dot(b, (first, second, op.c), signs, [(8 * i, 8, 8 * i, 8) for i in range(4)])
    half = 16 if number(prop(op, "b_hi")) else 0
    pairs = [(16 * i, 16, half + 8 * i, 8) for i in range(2)]
    return _dot(b, (first, second, op.c), signs, pairs)


@intrinsic(r"prmt")
def permute(call: Call, b: Code) -> Values:
    """prmt(a, b, selector): byte permute, default mode; bit 3 of a selector replicates the sign."""
    first, second, selector = call.arguments
    upper = b.binary("shl", b.cast("zext", second, I64), 32)
    pair = b.binary("or", upper, b.cast("zext", first, I64))
    total: SSAValue = b.integer(0)
    for lane in range(4):
        own = b.binary("lshr", selector, 4 * lane)
        shift = b.cast("zext", b.binary("mul", b.binary("and", own, 7), 8), I64)
        byte = b.cast("trunc", b.binary("lshr", pair, shift), I8)
        signed = b.icmp("ne", b.binary("and", own, 8), 0)
        chosen = b.select(signed, b.binary("ashr", byte, 7), byte)
        total = b.binary("or", total, b.binary("shl", b.cast("zext", chosen, I32), 8 * lane))
    return [total]


def _chosen(b: Code, mode: str, selector: SSAValue, lane: int) -> SSAValue:
    """Which byte of a pair of words comes to byte `lane` of the result (PTX ISA, prmt)."""
    if mode == "f4e":
        return b.binary("add", selector, lane)
    if mode == "b4e":
        return b.binary("and", b.binary("sub", selector, lane), 7)
    if mode == "rc8":
        return selector
    if mode == "rc16":
        return b.binary("add", b.binary("mul", b.binary("and", selector, 1), 2), lane & 1)
    return b.intrinsic("umax" if mode == "ecl" else "umin", (selector, b.integer(lane)))


@intrinsic(r"prmt\.(f4e|b4e|rc8|ecl|ecr|rc16)")
def permute_by_mode(call: Call, b: Code) -> Values:
    """(a[, b], selector), of which two bits count."""
    first, second = call.arguments[0], call.arguments[-2]
    selector = b.binary("and", call.arguments[-1], 3)
    upper = b.binary("shl", b.cast("zext", second, I64), 32)
    pair = b.binary("or", upper, b.cast("zext", first, I64))
    total: SSAValue = b.integer(0)
    for lane in range(4):
        shift = b.binary("mul", _chosen(b, call.words[1], selector, lane), 8)
        moved = b.cast("trunc", b.binary("lshr", pair, b.cast("zext", shift, I64)), I32)
        byte = b.binary("and", moved, 255)
        total = b.binary("or", total, b.binary("shl", byte, 8 * lane))
    return [total]


_APPROXIMATE = {"ex2": "exp2", "lg2": "log2", "round": "roundeven"}


@intrinsic(
    r"(ex2|lg2|sin|cos|tanh)\.approx.*", r"(ceil|floor|trunc|round)(\.ftz)?\.\w",
    r"fabs(\.ftz)?(\.\w+)?",
)  # fmt: skip
def same(call: Call, b: Code) -> Values:
    name = _APPROXIMATE.get(call.words[0], call.words[0])
    return [b.intrinsic(name, call.arguments)]


@intrinsic(r"neg\.bf16(x2)?")
def negate(call: Call, b: Code) -> Values:
    """The sign flips, of NaN too."""
    return [b.value("llvm.fneg", call.arguments, call.type)]


@intrinsic(r"saturate(\.ftz)?\.\w")
def saturate(call: Call, b: Code) -> Values:
    low = b.intrinsic("maxnum", (call.arguments[0], b.real(0.0, call.type)))
    return [b.intrinsic("minnum", (low, b.real(1.0, call.type)))]


@intrinsic(r"b?f2h\.rn(\.ftz)?")
def half_bits(call: Call, b: Code) -> Values:
    """The bits of a half; what is below them is zero, flushed or not."""
    value = call.arguments[0]
    if value.type == bf16:
        value = b.cast("fpext", value, f32)
    return [b.cast("bitcast", b.cast("fptrunc", value, f16), call.type)]


def _pack(call: Call, b: Code, element: Attribute) -> Values:
    """ff2{f16,bf16}x2.{rn,rz}(a, b): a in the upper half."""
    if len(call.arguments) != 2:
        b.refuse(f"'llvm.nvvm.{call.name}' is not supported on the host device")
    mode = mode_of(call.words)
    high, low = (narrowed(b, value, element, mode) for value in call.arguments)
    return _finished(call, b, b.vector(VectorType(element, (2,)), (low, high)))


@intrinsic(r"ff2f16x2\.r[nz].*")
def pack_halves(call: Call, b: Code) -> Values:
    return _pack(call, b, f16)


@intrinsic(r"ff2bf16x2\.r[nz].*")
def pack_bfloats(call: Call, b: Code) -> Values:
    return _pack(call, b, bf16)


@intrinsic(r"reflect")
def reflect(call: Call, b: Code) -> Values:
    return [b.integer(0, call.type)]


@intrinsic(r"move\.\w+")
def move(call: Call, b: Code) -> Values:
    return [call.arguments[0]]
