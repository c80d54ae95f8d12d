# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that LLVM calls where the processor has no instruction."""

from __future__ import annotations

import ctypes
import math
import random
import struct
from fractions import Fraction

import numpy as np
import pytest

import xgpu
from tests.support.some_cases import short
from xgpu.host_device.native.support import address_of
from xgpu.host_device.native.support_text import own_symbol


def function(name, result, argument):
    """Ours, even where the machine's library has one too, with 16-bit floats as integers."""
    from llvmlite import binding

    from xgpu.host_device.machine.cpu import compile_ir
    from xgpu.host_device.native.library import native_library

    types = {"half": "i16", "bfloat": "i16"}
    outer, inner = types.get(result, result), types.get(argument, argument)
    lines = [
        f"declare {result} @{own_symbol(name)}({argument})",
        f"define {outer} @run({inner} %x) {{",
        f"  %a = bitcast {inner} %x to {argument}",
        f"  %r = call {result} @{own_symbol(name)}({argument} %a)",
        f"  %b = bitcast {result} %r to {outer}",
        f"  ret {outer} %b\n}}",
    ]
    native = native_library()
    builder = binding.JITLibraryBuilder().add_object_img(compile_ir("\n".join(lines), 1))
    builder.import_symbol(own_symbol(name), native.symbols[own_symbol(name)])
    tracker = builder.export_symbol("run").link(native.jit, f"test.{name}")
    kinds = {"i16": ctypes.c_uint16, "float": ctypes.c_float, "double": ctypes.c_double}
    called = ctypes.CFUNCTYPE(kinds[outer], kinds[inner])(tracker["run"])
    called.kept = tracker
    return called


def nearest(value, exponent_bits, mantissa_bits):
    """The bits of `value` in a format, by exact arithmetic."""
    sign = (math.copysign(1.0, value) < 0) << (exponent_bits + mantissa_bits)
    top = (1 << exponent_bits) - 1
    if math.isnan(value):
        return None
    if value == 0.0:
        return sign
    if math.isinf(value):
        return sign | top << mantissa_bits
    bias = top >> 1
    exact = abs(Fraction(value))
    exponent = max(math.frexp(value)[1] - 1, 1 - bias)
    unit = Fraction(2) ** (exponent - mantissa_bits)
    count = round(exact / unit)  # Python rounds ties to even
    if exponent == 1 - bias:
        code = count
    else:
        code = ((exponent + bias) << mantissa_bits) + count - (1 << mantissa_bits)
    return sign | min(code, top << mantissa_bits)


def values():
    seed = random.Random(1)
    for _ in range(3000):
        yield struct.unpack("<d", struct.pack("<Q", seed.getrandbits(64)))[0]
        yield math.ldexp(seed.choice((-1, 1)) * (1 + seed.random()), seed.randrange(-150, 130))
    for code in range(0, 1 << 15, 37):
        half = float(np.uint16(code).view(np.float16))
        following = float(np.uint16(code + 1).view(np.float16))
        if math.isfinite(following):
            middle = (half + following) / 2
            yield from (half, middle, math.nextafter(middle, 0), math.nextafter(middle, 1e9))
    yield from (0.0, -0.0, math.inf, -math.inf, math.nan, 65519.99, 65520.0, 5e-324)


@pytest.mark.parametrize(
    ("name", "target", "sizes"),
    [("__truncdfhf2", "half", (5, 10)), ("__truncdfbf2", "bfloat", (8, 7)),
     ("__truncsfhf2", "half", (5, 10)), ("__truncsfbf2", "bfloat", (8, 7))],
)  # fmt: skip
def test_conversions_to_16_bits_are_exactly_rounded(name, target, sizes):
    single = name.startswith("__truncsf")
    convert = function(name, target, "float" if single else "double")
    for value in values():
        given = ctypes.c_float(value).value if single else value
        expected, found = nearest(given, *sizes), convert(given)
        if expected is None:
            top = ((1 << sizes[0]) - 1) << sizes[1]
            assert found & top == top, (value, hex(found))
            assert found & (1 << (sizes[1] - 1)), "a quiet NaN"
        else:
            assert found == expected, (given, hex(found), hex(expected))


def test_every_half_converts_exactly():
    convert = function("__extendhfsf2", "float", "half")
    for code in range(1 << 16):
        expected = float(np.uint16(code).view(np.float16))
        found = convert(code)
        assert found == expected or (found != found and expected != expected), hex(code)


def test_the_machines_own_functions_are_found():
    names = ("__udivti3", "__truncdfhf2", "__extendhfsf2", "__truncdfbf2")
    assert all(address_of(name) for name in names)


@pytest.mark.parametrize("opt_level", short([0, 2], 2))
@pytest.mark.parametrize(
    ("argument", "body", "expected"),
    [
        # Each calls a function that no instruction does.
        ("f64", "%h = arith.truncf %x : f64 to f16\n  %r = arith.extf %h : f16 to f64", 1.5),
        ("f64", "%h = arith.truncf %x : f64 to bf16\n  %r = arith.extf %h : bf16 to f64", 1.5),
        ("f64", "%h = arith.extf %x : f64 to f128\n  %s = arith.mulf %h, %h : f128\n"
                "  %r = arith.truncf %s : f128 to f64", 2.25),
        ("f64", "%h = arith.fptosi %x : f64 to i128\n  %r = arith.sitofp %h : i128 to f64", 1.0),
        ("f64", "%c = arith.constant 10 : i128\n  %k = arith.fptosi %x : f64 to i128\n"
                "  %q = arith.divsi %c, %k : i128\n  %r = arith.sitofp %q : i128 to f64", 10.0),
        ("f64", "%c = arith.constant 10 : i128\n  %k = arith.fptoui %x : f64 to i128\n"
                "  %q = arith.remui %c, %k : i128\n  %r = arith.uitofp %q : i128 to f64", 0.0),
        ("f64", "%h = arith.truncf %x : f64 to f16\n  %m = math.fma %h, %h, %h : f16\n"
                "  %r = arith.extf %m : f16 to f64", 3.75),
    ],
)  # fmt: skip
def test_programs_and_kernels_call_them(argument, body, expected, opt_level):
    kernel = f"""
func.func @main() -> i64 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %in = memref.alloca() : memref<1xf64>
  %start = arith.constant 1.5 : f64
  memref.store %start, %in[%c0] : memref<1xf64>
  %y = func.call @f(%in) : (memref<1xf64>) -> f64
  %out = gpu.alloc host_shared () : memref<1xf64>
  memref.store %start, %out[%c0] : memref<1xf64>
  gpu.launch blocks(%b, %by, %bz) in (%nb = %c1, %nby = %c1, %nbz = %c1)
             threads(%t, %ty, %tz) in (%n = %c1, %nty = %c1, %ntz = %c1) {{
    %x = memref.load %out[%c0] : memref<1xf64>
    {body}
    memref.store %r, %out[%c0] : memref<1xf64>
    gpu.terminator
  }}
  %z = memref.load %out[%c0] : memref<1xf64>
  %same = arith.cmpf oeq, %y, %z : f64
  %right = arith.constant {expected} : f64
  %good = arith.cmpf oeq, %y, %right : f64
  %both = arith.andi %same, %good : i1
  %result = arith.extui %both : i1 to i64
  return %result : i64
}}
func.func @f(%p: memref<1xf64>) -> f64 attributes {{no_inline}} {{
  %c0 = arith.constant 0 : index
  %x = memref.load %p[%c0] : memref<1xf64>
  {body}
  return %r : f64
}}"""
    assert xgpu.run(kernel, device="host", opt_level=opt_level).value == 1
