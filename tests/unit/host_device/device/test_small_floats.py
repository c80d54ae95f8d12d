# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conversions to and from floats of 8, 6 and 4 bits, against their definition: the nearest of all
values, ties to the even code.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

pytestmark = pytest.mark.sampled(2)

# Format -> exponent bits, mantissa bits, bias, largest finite code, bits of a code.
FORMATS = {
    "e4m3": (4, 3, 7, 0x7E, 8), "e5m2": (5, 2, 15, 0x7B, 8), "e2m3": (2, 3, 1, 0x1F, 8),
    "e3m2": (3, 2, 3, 0x1F, 8), "e2m1": (2, 1, 1, 0x7, 4),
}  # fmt: skip

SOURCE = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i16 @llvm.nvvm.ff.to.{name}x2.rn{suffix}(float, float)
declare <2 x half> @llvm.nvvm.{name}x2.to.f16x2.rn{relu}(i16)
define ptx_kernel void @narrow(ptr %in, ptr %out, i32 %n) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %done
body:
  %at = getelementptr float, ptr %in, i32 %i
  %v = load float, ptr %at
  %negative = fneg float %v
  %r = call i16 @llvm.nvvm.ff.to.{name}x2.rn{suffix}(float %negative, float %v)
  %to = getelementptr i16, ptr %out, i32 %i
  store i16 %r, ptr %to
  %next = add i32 %i, 64
  br label %loop
done:
  ret void
}}
define ptx_kernel void @widen(ptr %in, ptr %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr i16, ptr %in, i32 %t
  %v = load i16, ptr %at
  %r = call <2 x half> @llvm.nvvm.{name}x2.to.f16x2.rn{relu}(i16 %v)
  %to = getelementptr <2 x half>, ptr %out, i32 %t
  store <2 x half> %r, ptr %to
  ret void
}}
"""


def value(name, code):
    exponent_bits, mantissa_bits, bias, largest, _ = FORMATS[name]
    sign = -1.0 if code >> (exponent_bits + mantissa_bits) & 1 else 1.0
    magnitude = code & (1 << (exponent_bits + mantissa_bits)) - 1
    if magnitude > largest:
        return sign * math.inf if name == "e5m2" and magnitude == 0x7C else math.nan
    exponent, mantissa = magnitude >> mantissa_bits, magnitude & (1 << mantissa_bits) - 1
    if exponent == 0:
        return sign * mantissa * 2.0 ** (1 - bias - mantissa_bits)
    return sign * (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)


def nearest(name, number):
    """The code of a number that is not negative."""
    largest = FORMATS[name][3]
    return min(range(largest + 1), key=lambda c: (abs(value(name, c) - number), c & 1))


def source(name, relu=False):
    suffix = (".relu" if relu else "") + ("" if name in ("e4m3", "e5m2") else ".satfinite")
    return SOURCE.format(name=name, suffix=suffix, relu=".relu" if relu else "")


@pytest.mark.parametrize("name", FORMATS)
def test_to_the_nearest(kernels, name):
    _, _, _, largest, width = FORMATS[name]
    finite = [value(name, c) for c in range(largest + 1)]
    middles = [(a + b) / 2 for a, b in itertools.pairwise(finite)]
    r = np.random.default_rng(1)
    numbers = np.array(
        [*finite, *middles, *(m * (1 + 1e-6) for m in middles), *(m * (1 - 1e-6) for m in middles),
         finite[-1] * 1.01, 1e30, math.inf, 1e-30, *np.abs(r.normal(0, finite[-1] / 8, 200))],
        np.float32,
    )  # fmt: skip
    codes = np.zeros(len(numbers), np.uint16)
    kernels(source(name)).run("narrow", 1, 64, numbers, codes, len(numbers))
    sign = largest + 1 if name in ("e2m3", "e3m2", "e2m1") else 0x80
    for number, both in zip(numbers, codes, strict=True):
        expected = nearest(name, min(float(number), finite[-1]))
        assert both & (1 << width) - 1 == expected
        assert both >> width == expected | sign


def test_nan_and_relu(kernels):
    numbers = np.array([math.nan, 1.0], np.float32)
    codes = np.zeros(2, np.uint16)
    kernels(source("e4m3", relu=True)).run("narrow", 1, 64, numbers, codes, 2)
    assert codes.tolist() == [0x7F7F, 0x0038]
    kernels(source("e2m1", relu=True)).run("narrow", 1, 64, numbers, codes, 2)
    assert codes.tolist() == [0x77, 0x02]


@pytest.mark.parametrize("name", FORMATS)
def test_all_codes_back(kernels, name):
    width = FORMATS[name][4]
    count = 1 << min(width, 8) if name in ("e4m3", "e5m2") else 2 * (FORMATS[name][3] + 1)
    codes = np.arange(count, dtype=np.uint16)
    both = codes | (codes[::-1] << width)
    numbers = np.zeros((count, 2), np.float16)
    kernels(source(name)).run("widen", 1, count, both, numbers)
    expected = np.array([value(name, int(c)) for c in codes], np.float16)
    np.testing.assert_array_equal(numbers[:, 0], expected)
    np.testing.assert_array_equal(numbers[:, 1], expected[::-1])


@pytest.mark.parametrize("name", ["e4m3", "e5m2"])
def test_from_halves(kernels, name):
    """The elements of the vector keep their places."""
    numbers = np.array([[1.5, -3.0], [300.0, 0.3]], np.float16)
    codes = np.zeros(2, np.uint16)
    text = f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i16 @llvm.nvvm.f16x2.to.{name}x2.rn(<2 x half>)
define ptx_kernel void @narrow(ptr %in, ptr %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr <2 x half>, ptr %in, i32 %t
  %v = load <2 x half>, ptr %at
  %r = call i16 @llvm.nvvm.f16x2.to.{name}x2.rn(<2 x half> %v)
  %to = getelementptr i16, ptr %out, i32 %t
  store i16 %r, ptr %to
  ret void
}}"""
    kernels(text).run("narrow", 1, 2, numbers, codes)
    for (low, high), code in zip(numbers.tolist(), codes, strict=True):
        assert code & 0xFF == nearest(name, low)
        assert code >> 8 == nearest(name, abs(high)) | (0x80 if high < 0 else 0)


@pytest.mark.parametrize("level", [0, 3])
def test_subnormal_bfloats_stay(level: int) -> None:
    """Instructions of some processors make zeros of them."""
    from tests.support.kernel_launch import Launcher, host_object

    data = host_object(
        """
        module attributes {gpu.container_module} {
          gpu.module @m {
            gpu.func @k(%a: memref<?xf32>, %o: memref<?xf32>) kernel {
              %i = gpu.thread_id x
              %x = memref.load %a[%i] : memref<?xf32>
              %b = arith.truncf %x : f32 to bf16
              %zero = arith.constant 0.0 : bf16
              %s = arith.addf %b, %zero : bf16
              %r = arith.extf %s : bf16 to f32
              memref.store %r, %o[%i] : memref<?xf32>
              gpu.return
            }
          }
        }
        """,
        level,
    )
    given = np.ldexp(np.arange(1, 65, dtype=np.float32), -133).astype(np.float32)
    found = np.zeros_like(given)
    launcher = Launcher(data)
    launcher.launch("k", 1, len(given), given, found)
    launcher.close()
    np.testing.assert_array_equal(found, given)
