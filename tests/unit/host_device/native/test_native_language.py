# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The native language: small functions, compiled and called."""

from __future__ import annotations

import ast
import ctypes
import re
from functools import cache
from pathlib import Path

import pytest

from xgpu.host_device.machine.cpu import compile_ir
from xgpu.host_device.native import prelude
from xgpu.host_device.native.arithmetic import UNSIGNED
from xgpu.host_device.native.builtins import BUILTINS
from xgpu.host_device.native.debug import line_table
from xgpu.host_device.native.language import Source, compile_source, compile_sources
from xgpu.host_device.native.values import LanguageError


@cache
def compiled(source, name, *types):
    from llvmlite import binding

    from xgpu.host_device.machine.cpu import create_jit

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


def test_names_that_blocks_have_too():
    f = compiled(
        """
def sum_of(entry: i64) -> i64:
    then: i64 = 1
    if entry > 3:
        then = then + entry
    return then
""", "sum_of", ctypes.c_int64, ctypes.c_int64)  # fmt: skip
    assert f(5) == 6
    assert f(2) == 1


def test_memory_of_a_call():
    f = compiled(
        """
def both(n: i64) -> i64:
    one = Ptr[i64](stack(16))
    other = Ptr[i64](stack(8))
    one[0] = n
    one[1] = n + 1
    other[0] = 100
    return 1000 * (i64(one) & 15) + one[0] * one[1] + other[0]
""", "both", ctypes.c_int64, ctypes.c_int64)  # fmt: skip
    assert f(3) == 112
    with pytest.raises(LanguageError, match="stack takes a number that is known"):
        compile_source("def f(n: i64) -> ptr:\n    return stack(n)\n")


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


@pytest.mark.parametrize("n", [-9, -8, -7, -1, 0, 1, 7, 8, 9])
@pytest.mark.parametrize("d", ["d", "4", "3", "-3"])
@pytest.mark.parametrize("by", [-4, -3, 3, 4])
def test_division_is_pythons(n, d, by):
    f = compiled(
        f"def f(n: i32, d: i32) -> i32:\n    return n // {d} * 100 + n % {d}\n",
        "f", ctypes.c_int32, ctypes.c_int32, ctypes.c_int32,
    )  # fmt: skip
    divisor = by if d == "d" else int(d)
    assert f(n, by) == n // divisor * 100 + n % divisor


@pytest.mark.parametrize("amount", [0, 1, 31, 32, 63, 1000])
def test_a_shift_may_be_as_far_as_it_likes(amount):
    f = compiled(
        "def f(x: i32, n: i32) -> i64:\n    return i64(x >> n) * 4294967296 + zext64(x << n)\n",
        "f", ctypes.c_int64, ctypes.c_int32, ctypes.c_int32,
    )  # fmt: skip
    for x in (-5, 7):
        left = (x << amount) & 0xFFFFFFFF
        assert f(x, amount) == (x >> amount) * 4294967296 + left


def test_only_one_side_of_a_choice_is_evaluated():
    f = compiled(
        "def f(p: Ptr[i32] | None) -> i32:\n    return p[0] if p is not None else i32(-1)\n",
        "f", ctypes.c_int32, ctypes.c_void_p,
    )  # fmt: skip
    number = ctypes.c_int32(42)
    assert (f(None), f(ctypes.addressof(number))) == (-1, 42)


def test_a_loop_counts_although_its_variable_changes():
    f = compiled(
        """
def f(n: i64) -> i64:
    sum: i64 = 0
    for i in range(n, 0, -2):
        sum = sum * 10 + i
        i = 100
    return sum
""", "f", ctypes.c_int64, ctypes.c_int64)  # fmt: skip
    assert f(7) == 7531


def test_an_augmented_place_is_evaluated_once():
    f = compiled(
        """
def next_index(at: Ptr[i64]) -> i64:
    at[0] += 1
    return at[0]


def f(values: Ptr[i64], at: Ptr[i64]) -> None:
    values[next_index(at)] += 5
""", "f", None, ctypes.c_void_p, ctypes.c_void_p)  # fmt: skip
    values, at = (ctypes.c_int64 * 3)(1, 2, 3), ctypes.c_int64(0)
    f(ctypes.addressof(values), ctypes.addressof(at))
    assert (list(values), at.value) == ([1, 7, 3], 1)


def test_one_of_several():
    f = compiled(
        "def f(x: i32) -> i1:\n    return x in (3, 5)\n", "f", ctypes.c_bool, ctypes.c_int32
    )
    assert [x for x in range(8) if f(x)] == [3, 5]


def test_a_float_out_of_range_saturates():
    f = compiled("def f(x: f64) -> i32:\n    return i32(x)\n", "f", ctypes.c_int32, ctypes.c_double)
    results = [f(x) for x in (1e30, -1e30, float("nan"), -2.9)]
    assert results == [2**31 - 1, -(2**31), 0, -2]


I32 = "def f(x: i32) -> i32:\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (I32 + "    return y\n", "native.py:2:12: f: y is not defined"),
        ("def f(x: i32, y: i64) -> i32:\n    return x + y\n", "types differ: i32 and i64"),
        ("def f(x: i64) -> i32:\n    return x\n", "native.py:2:12: f: i64 where i32 is needed"),
        (I32 + "    return g(1)\n", "no function g"),
        (I32 + "    return x // 0\n", "division by zero"),
        (I32 + "    return 1 // 0\n", "by zero"),
        (I32 + "    return x << 32\n", "a shift by 32 of 32 bits"),
        (I32 + "    return x + 4294967296\n", "4294967296 does not fit in i32"),
        (I32 + "    if x:\n        return 1\n    return 0\n", "a condition was expected, not i32"),
        (I32 + "    return x and 1\n", "a condition was expected, not i32"),
        (I32 + "    return 0 < x < 3\n", "no such expression here: 0 < x < 3"),
        (I32 + "    if x > 0:\n        return 1\n", "it may end without a result"),
        (I32 + "    return x / 2\n", "no such operator on i32"),
        (I32 + "    return g(x=1)\n", "arguments have no names here"),
        (I32 + "    for i in range(0, 9, x):\n        pass\n    return 0\n", "is a literal"),
        (I32 + "    x: i64 = 0\n    return 0\n", "x is already i32"),
        ("def f(x: i32, *y: i32) -> i32:\n    return x\n", "only plain parameters"),
        ("def f(x: int) -> i32:\n    return 0\n", "native.py:1:10: a type was expected"),
        ("def f(x: i32):\n    pass\n", "the result's type is missing"),
        ("def f(t: Thread) -> i32:\n    return t.name\n", "Thread has no field name"),
        ("def f(t: Thread) -> None:\n    t.block.launch.error = 1\n", "or atomic"),
        ("def f(t: ptr) -> i32:\n    return t[0]\n", "a Ptr or a record was expected, not ptr"),
        ("def f(t: ptr) -> Thread:\n    return t\n", "ptr where Thread is needed"),
        ("x = []\n", "native.py:1:1: no such statement outside of a function"),
        ("def f(:\n", "native.py:1:7: invalid syntax"),
        ("from xgpu.host_device.abi.codes import X as Y\n", "names are imported as they are"),
    ],
)
def test_mistakes_are_named(source, message):
    with pytest.raises(LanguageError, match=re.escape(message)):
        compile_source(source)


def test_a_missing_import_is_named():
    source = "from xgpu.host_device.native.sources.b import g\n"
    with pytest.raises(
        LanguageError, match=re.escape("a.py:1:1: xgpu.host_device.native.sources.b")
    ):
        compile_sources([Source("a", source), Source("b", "")])


def test_a_name_is_defined_once():
    source = "def f() -> None:\n    pass\n"
    with pytest.raises(LanguageError, match=re.escape("b.py:1:1: f is already in a.py")):
        compile_sources([Source("a", source), Source("b", source)])


def test_machine_code_knows_its_lines():
    source = """
def f(p: Ptr[i64]) -> i64:
    a = p[0]
    return (
        a // p[1])
"""
    table = line_table(compile_ir(compile_sources([Source("demo", source, "x/demo.py")]), 0))
    places = {row[1:] for row in table.rows if row[2]}
    assert places == {("x/demo.py", 2), ("x/demo.py", 3), ("x/demo.py", 4)}
    assert table.location(0) == ("x/demo.py", 2)
    assert table.location(1 << 30) is None


def test_checkers_know_the_prelude():
    stub = ast.parse(Path(prelude.__file__).with_suffix(".pyi").read_text())
    names = {n.name for n in stub.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
    functions = names - {"ptr", "Ptr", "Record", "extern", "record"}
    assert functions == set(BUILTINS) | set(UNSIGNED)
    assert all(hasattr(prelude, name) for name in names)
