# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of functions in PTX.

    { .param .b32 given; st.param.b32 [given], %r1; .param .b32 back;
      call.uni (back), helper, (given); ld.param.b32 %r2, [back]; }

A parameter is a register of the body that only `st.param`, `ld.param` and `call` name; it has one
number. What is called is a function of the kernel's module, one that every device has, or one of
libdevice that is only declared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Attribute

from xgpu.dialects.llvm.builders import call as call_function
from xgpu.frontend.ptx.grammar import Group, Name, Operand
from xgpu.frontend.ptx.instructions import Built, instruction, scalar_of
from xgpu.frontend.ptx.registers import I16, I32, I64, POINTER, Slot, as_type

#: Functions that every device has: types of arguments, of the result.
KNOWN: dict[str, tuple[tuple[Attribute, ...], Attribute | None]] = {
    "vprintf": ((POINTER, POINTER), I32),
    "malloc": ((I64,), POINTER),
    "free": ((POINTER,), None),
    "__assertfail": ((POINTER, POINTER, I32, POINTER, I64), None),
}


# -- libdevice's functions
#
# Where libdevice has not been linked in, as by a clang without NVIDIA's toolkit, PTX declares its
# functions with bits for floats: `.func (.param .b32 r) __nv_expf (.param .b32 x)`. Arguments and
# result are letters here: x a float of the form that the name says, s and d f32 and f64.

_SAME_TYPES = (
    ("x:x", "acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 "
     "erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs floor j0 j1 lgamma log log10 log1p "
     "log2 logb nearbyint normcdf normcdfinv rcbrt rint round rsqrt saturate sin sinh sinpi sqrt "
     "tan tanh tgamma trunc y0 y1"),
    ("xx:x", "atan2 copysign fdim fdivide fmax fmin fmod hypot nextafter pow remainder rhypot"),
    ("xxx:x", "fma norm3d rnorm3d"), ("xxxx:x", "norm4d rnorm4d"), ("xi:x", "ldexp scalbn powi"),
    ("ix:x", "jn yn"), ("ip:x", "norm rnorm"), ("x:i", "ilogb"), ("x:l", "llrint llround"),
    ("xp:x", "frexp modf"), ("xxp:x", "remquo"), ("xpp:", "sincos sincospi"), ("p:x", "nan"),
)  # fmt: skip
_BY_FORM = {name: types for types, names in _SAME_TYPES for name in names.split()}
_BY_NAME = {
    **dict.fromkeys(("isnanf", "isinff", "finitef", "signbitf"), "s:i"),
    **dict.fromkeys(("isnand", "isinfd", "isfinited", "signbitd"), "d:i"),
    "hiloint2double": "ii:d", "double2hiint": "d:i", "double2loint": "d:i", "rcp64h": "d:d",
    "half2float": "h:s", "float2half_rn": "s:h",
}  # fmt: skip
_ROUNDED = re.compile(r"([df])(add|sub|mul|div|rcp|sqrt|rsqrt)_r[nzdu]|(fmaf?)(?:_ieee)?_r[nzdu]")
_CONVERSION = re.compile(r"(\w+?)(?:2|_as_)([a-z]+)(?:_r[nzdu])?")
_KINDS = {"double": "d", "float": "s", "int": "i", "uint": "i", "ll": "l", "ull": "l",
          "longlong": "l"}  # fmt: skip
_TYPES: dict[str, Attribute] = {"s": f32, "d": f64, "h": I16, "i": I32, "l": I64, "p": I64}


def libdevice_types(name: str) -> tuple[tuple[Attribute, ...], Attribute | None] | None:
    """Types of arguments and result of a function of libdevice that has floats; a pointer is an
    i64, as PTX declares it. None for other functions."""
    if not name.startswith("__nv_"):
        return None
    letters = _letters(name.removeprefix("__nv_"))
    if letters is None:
        return None
    given, _, result = letters.partition(":")
    return tuple(_TYPES[x] for x in given), _TYPES[result] if result else None


def _letters(name: str) -> str | None:
    is_fast = name.startswith("fast_")
    double, single = _BY_FORM.get(name), _BY_FORM.get(name.removeprefix("fast_").removesuffix("f"))
    if double is not None and not is_fast:
        return double.replace("x", "d")
    if single is not None and name.endswith("f"):
        return single.replace("x", "s")
    rounded = _ROUNDED.fullmatch(name)
    if rounded is not None:
        kind = "s" if "f" in (rounded[1] or rounded[3][3:]) else "d"
        count = 3 if rounded[3] else 1 if rounded[2] in ("rcp", "sqrt", "rsqrt") else 2
        return f"{kind * count}:{kind}"
    found = _CONVERSION.fullmatch(name)
    if name not in _BY_NAME and found is not None and {found[1], found[2]} <= _KINDS.keys():
        return f"{_KINDS[found[1]]}:{_KINDS[found[2]]}"
    return _BY_NAME.get(name)


# -- rules


@instruction("st.param")
def store(p: Built) -> None:
    p.take("param")
    width = _width(p)
    p.expect(2)
    p.registers.write(_parameter(p, 0, width), p.integer(1, width))


@instruction("ld.param")
def load(p: Built) -> None:
    p.take("param")
    width = _width(p)
    p.expect(2)
    p.write(0, p.registers.read(_parameter(p, 1, width)))


def _width(p: Built) -> int:
    name = p.take_type()
    p.finish()
    kind = scalar_of(name) or p.refuse(f"'.{name}'")
    return kind[1] * kind[2]


def _parameter(p: Built, at: int, width: int) -> Slot:
    """The parameter that `[name]` names."""
    address = p.address(at)
    slot = p.slot(address.base)
    if slot is None or address.offset or slot.width != width:
        p.refuse("a part of a parameter")
    return slot


@instruction("call")
def call(p: Built) -> None:
    """call[.uni] [(result),] name[, (arguments)]"""
    p.take("uni")
    p.finish()
    operands = list(p.operands)
    result = operands.pop(0) if operands and isinstance(operands[0], Group) else None
    name = operands.pop(0) if operands else None
    given = operands.pop(0) if operands else None
    if not isinstance(name, Name) or operands or not isinstance(given, Group | None):
        p.refuse("what it calls is not known")
    found = _types(p, name.text)
    parts = [] if given is None else given.parts
    if found is None or len(found[0]) < len(parts):
        p.refuse(f"'{name.text}' is not declared")
    inputs, output = found
    _emit(p, name.text, parts, inputs[len(inputs) - len(parts) :], output, result)


def _emit(
    p: Built, name: str, parts: Sequence[Operand], inputs: Sequence[Attribute],
    output: Attribute | None, result: Operand | None,
) -> None:  # fmt: skip
    b = p.b
    values = [as_type(b, p.value(part), ty) for part, ty in zip(parts, inputs, strict=True)]
    made = call_function(b, name, values, output)
    if result is None:
        return
    targets = p.parts(result)
    if output is None or len(targets) != 1:
        p.refuse("its result")
    p.write(targets[0], made.results[0])


def _types(p: Built, name: str) -> tuple[Sequence[Attribute], Attribute | None] | None:
    """Types of a function's arguments and result; one whose host code is made has its thread's
    record before them."""
    ty = p.b.function_type(name)
    if ty is None:
        return KNOWN.get(name)
    return ty.arguments, None if ty.result.name == "llvm.void" else ty.result
