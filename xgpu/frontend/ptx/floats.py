# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic of floats in PTX.

Approximate instructions are exact; `.ftz` flushes operands and results that are denormal to zero.
Those of mixed precision (`add.f32.f16`) extend their first operands.
Directed rounding is done by NVVM's intrinsics of the same name.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntegerAttr, f16, i1, i64
from xdsl.ir import Attribute, SSAValue

from xgpu.frontend.ptx.instructions import Built, element_type, join, split
from xgpu.frontend.ptx.registers import PtxBuilder, as_integer, as_type

_BINARY = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
#: Of instructions of mixed precision, how many operands have the narrow type.
_NARROW = {"add": 1, "sub": 1, "fma": 2}
_COUNTS = {"add": 2, "sub": 2, "mul": 2, "div": 2, "min": 2, "max": 2, "fma": 3, "mad": 3,
           "copysign": 2}  # fmt: skip
_FUNCTIONS = {"sqrt": "sqrt", "sin": "sin", "cos": "cos", "lg2": "log2", "ex2": "exp2",
              "tanh": "tanh", "abs": "fabs"}  # fmt: skip


def float_operation(p: Built, name: str, ty: tuple[str, int, int]) -> None:
    """An instruction on floats of that type: each element of the result from those of operands."""
    mode = p.take("rz", "rm", "rp")
    p.take("rn")
    ftz = p.take("ftz")
    flushes = ftz is not None and ty[0] == "f" and ty[1] in _EXPONENTS
    p.take("approx", "full")
    if p.take("noftz"):
        pass
    saturates, relu = p.take("sat") is not None, p.take("relu") is not None
    kind, width, lanes = ty
    extended, narrow = 0, element_type(kind, width)
    if name in _NARROW and (width, lanes) == (16, 1) and p.take("f32"):
        if ftz or relu:
            p.refuse("'.ftz'" if ftz else "'.relu'")
        extended, kind, width = _NARROW[name], "f", 32
    compute = _computed(p, name) if mode is None else _directed(p, name, mode, width)
    p.finish()
    of = element_type(kind, width)
    count = _COUNTS.get(name, 1)
    if name in ("min", "max") and len(p.operands) == 4:
        count = 3
    given = [
        [p.b.cast("fpext", p.float(at, narrow), of)] if at <= extended
        else _elements(p, at, of, width, lanes)
        for at in range(1, count + 1)
    ]  # fmt: skip
    if flushes and name not in _SMOOTH:
        given = [[flushed(p.b, value) for value in values] for values in given]
    found = [
        _finished(p, compute(*elements), saturates, relu) for elements in zip(*given, strict=True)
    ]
    if flushes and name not in _EXACT:
        flush = _flushed_power if name == "ex2" else flushed
        found = [flush(p.b, value) for value in found]
    if lanes == 1:
        p.write(0, found[0])
        return
    p.write(0, join(p.b, [as_integer(p.b, value, width) for value in found]))


#: Operations whose result is no denormal number where no operand is.
_EXACT = ("abs", "neg", "min", "max", "sqrt", "rsqrt", "cos", "copysign")
#: Operations that give 1 for denormal numbers as for zeros, or the number itself, which is flushed
#: as a result.
_SMOOTH = ("ex2", "cos", "sin", "tanh")
#: The bits of the exponent, by width.
_EXPONENTS = {16: 0x7C00, 32: 0x7F800000}
#: The least f32 that is not denormal, and the number of `llvm.fcmp`'s "ordered and less".
_LEAST, _LESS = 2.0**-126, 4


def flushed(b: PtxBuilder, value: SSAValue) -> SSAValue:
    """An f16 or f32 as .ftz has it: zero of the same sign for a denormal number."""
    width = 16 if value.type == f16 else 32
    bits = as_integer(b, value, width)
    is_small = b.icmp("eq", b.binary("and", bits, _EXPONENTS[width]), 0)
    zero = b.binary("and", bits, -(1 << width - 1))
    return b.cast("bitcast", b.select(is_small, zero, bits), value.type)


def _flushed_power(b: PtxBuilder, value: SSAValue) -> SSAValue:
    """Likewise for one that is not negative."""
    ty = value.type
    if ty == f16:
        return flushed(b, value)
    properties = {"predicate": IntegerAttr(_LESS, i64)}
    is_small = b.value("llvm.fcmp", (value, b.real(_LEAST, ty)), i1, properties)
    return b.select(is_small, b.real(0.0, ty), value)


def _elements(p: Built, at: int, of: Attribute, width: int, lanes: int) -> list[SSAValue]:
    if lanes == 1:
        return [p.float(at, of)]
    return [as_type(p.b, part, of) for part in split(p.b, p.integer(at, width * lanes), lanes)]


def _finished(p: Built, value: SSAValue, saturates: bool, relu: bool) -> SSAValue:
    """A NaN becomes zero by .sat, and stays with .relu."""
    b = p.b
    if saturates:
        value = b.intrinsic("maxnum", (value, b.real(0.0, value.type)))
        return b.intrinsic("minnum", (value, b.real(1.0, value.type)))
    return b.intrinsic("maximum", (value, b.real(0.0, value.type))) if relu else value


def _computed(p: Built, name: str) -> Callable[..., SSAValue]:
    b = p.b
    if name in _BINARY:
        return lambda x, y: b.binary(_BINARY[name], x, y)
    if name in ("fma", "mad"):
        return lambda x, y, z: b.intrinsic("fma", (x, y, z))
    if name in ("min", "max"):
        return _extremum(p, name)
    if name == "neg":
        return lambda x: b.value("llvm.fneg", (x,), x.type)
    if name == "copysign":
        return lambda x, y: b.intrinsic("copysign", (y, x))
    if name == "rcp":
        return lambda x: b.binary("fdiv", b.real(1.0, x.type), x)
    if name == "rsqrt":
        return lambda x: b.binary("fdiv", b.real(1.0, x.type), b.intrinsic("sqrt", (x,)))
    if name in _FUNCTIONS:
        return lambda x: b.intrinsic(_FUNCTIONS[name], (x,))
    p.refuse()


_DIRECTED = {"add": "add", "sub": "add", "mul": "mul", "div": "div", "fma": "fma", "mad": "fma",
             "rcp": "rcp", "sqrt": "sqrt"}  # fmt: skip


def _directed(p: Built, name: str, mode: str, width: int) -> Callable[..., SSAValue]:
    b = p.b
    if name not in _DIRECTED or width not in (32, 64):
        p.refuse(f"'.{mode}'")
    intrinsic = f"{_DIRECTED[name]}.{mode}.{'f' if width == 32 else 'd'}"

    def compute(*given: SSAValue) -> SSAValue:
        values = list(given)
        if name == "sub":
            values[1] = b.value("llvm.fneg", (values[1],), values[1].type)
        found = b.nvvm(intrinsic, values, values[0].type)
        assert found is not None
        return found

    return compute


def _extremum(p: Built, name: str) -> Callable[..., SSAValue]:
    b = p.b
    propagates = p.take("NaN") is not None
    xor_sign = p.take("xorsign") is not None
    absolute = p.take("abs") is not None
    operation = ("minimum" if name == "min" else "maximum") if propagates else f"{name}num"
    if xor_sign and not absolute:
        p.refuse()

    def compute(*values: SSAValue) -> SSAValue:
        given = [b.intrinsic("fabs", (v,)) for v in values] if absolute else list(values)
        found = given[0]
        for value in given[1:]:
            found = b.intrinsic(operation, (found, value))
        if not xor_sign:
            return found
        one = b.real(1.0, found.type)
        signs = [b.intrinsic("copysign", (one, value)) for value in values[:2]]
        return b.intrinsic("copysign", (found, b.binary("fmul", *signs)))

    return compute
