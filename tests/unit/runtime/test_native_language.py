# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native language: small functions, compiled and called."""

from __future__ import annotations

import ctypes

import pytest

from xgpu.runtime.native.language import compile_source
from xgpu.runtime.native.values import LanguageError


def compiled(source, name, *types):
    from llvmlite import binding

    from xgpu.backend.host.machine import compile_ir, create_jit

    jit = create_jit()
    builder = binding.JITLibraryBuilder().add_object_img(compile_ir(compile_source(source), 1))
    tracker = builder.export_symbol(name).link(jit, "test")
    function = ctypes.CFUNCTYPE(*types)(tracker[name])
    function.kept = (jit, tracker)
    return function


def test_loops_and_conditions():
    f = compiled(
        """
def collatz(n: i64) -> i32:
    steps: i32 = 0
    while n != 1:
        if n % 2 == 0 and n > 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
""", "collatz", ctypes.c_int32, ctypes.c_int64)  # fmt: skip
    assert f(27) == 111


def test_pointers_break_and_continue():
    f = compiled(
        """
def total(p: Ptr[i32], n: i32) -> i64:
    sum: i64 = 0
    for i in range(n):
        if p[i] < 0:
            break
        if p[i] == 7:
            continue
        sum += i64(p[i])
    return sum
""", "total", ctypes.c_int64, ctypes.c_void_p, ctypes.c_int32)  # fmt: skip
    values = (ctypes.c_int32 * 5)(1, 7, 2, -1, 100)
    assert f(ctypes.addressof(values), 5) == 3


def test_floats_and_bits():
    f = compiled(
        "def scale(x: f64, n: i32) -> f64:\n    return -x * f64(n) + 0.5\n",
        "scale", ctypes.c_double, ctypes.c_double, ctypes.c_int32,
    )  # fmt: skip
    assert f(1.25, 2) == -2.0


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(x: i32) -> i32:\n    return y\n", "f, line 2: no such expression here: y"),
        ("def f(x: i32, y: i64) -> i32:\n    return x + y\n", "types differ: i32 and i64"),
        ("def f(x: i64) -> i32:\n    return x\n", "i64 where i32 is needed"),
        ("def f() -> i32:\n    return g(1)\n", "no function g"),
    ],
)
def test_mistakes_are_named(source, message):
    with pytest.raises(LanguageError, match=message):
        compile_source(source)
