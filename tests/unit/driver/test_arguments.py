# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments from Python that a function does not take are errors, not accesses of other memory."""

from __future__ import annotations

import re

import numpy as np
import pytest

from xgpu.core.ir.errors import UsageError
from xgpu.driver.arguments import copied
from xgpu.driver.schedules import Explorer

TEXT = """
func.func @fill(%m: memref<4x?xf32>, %x: f32, %n: i8) -> i32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  memref.store %x, %m[%c3, %c0] : memref<4x?xf32>
  %r = arith.extsi %n : i8 to i32
  return %r : i32
}
func.func @strided(%m: memref<3xi32, strided<[2]>>) -> i32 {
  %c2 = arith.constant 2 : index
  %x = memref.load %m[%c2] : memref<3xi32, strided<[2]>>
  return %x : i32
}
func.func @flag(%b: i1, %i: index) -> index {
  return %i : index
}
"""


@pytest.fixture(scope="module")
def explorer():
    return Explorer(TEXT)


F32 = np.float32
GOOD = np.zeros((4, 2), F32)


def test_what_fits_runs(explorer):
    outcome = explorer.run("fill", [GOOD, 2.5, -3])
    assert (outcome.value, outcome.arrays[0][3, 0], GOOD[3, 0]) == (-3, 2.5, 0)
    assert explorer.run("fill", [GOOD, np.float32(1), np.int64(255)]).value == -1
    assert explorer.run("flag", [True, 2**63]).value == -(2**63)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((GOOD, 1.0), "function 'fill' takes 3 arguments, but 2 were given"),
        ((GOOD.astype(np.float64), 1.0, 1), "expected elements of float32, but found float64"),
        ((GOOD.astype(np.int32), 1.0, 1), "expected elements of float32, but found int32"),
        ((GOOD.astype(">f4"), 1.0, 1), "expected elements in the byte order of this machine"),
        ((np.zeros((3, 2), F32), 1.0, 1), "expected the shape (4, ?), but found (3, 2)"),
        ((np.zeros(8, F32), 1.0, 1), "expected the shape (4, ?), but found (8,)"),
        ((np.zeros((4, 4), F32)[:, ::2], 1.0, 1), "expected a contiguous array"),
        ((3, 1.0, 1), "expected an array, but 3 was given"),
        ((GOOD, "x", 1), "argument 1 of type f32: expected a number, but 'x' was given"),
        ((GOOD, GOOD, 1), "argument 1 of type f32: expected a number, but an array was given"),
        ((GOOD, 1.0, 1.5), "argument 2 of type i8: expected an integer, but 1.5 was given"),
        ((GOOD, 1.0, 256), "argument 2 of type i8: 256 does not fit in 8 bits"),
    ],
)
def test_what_does_not_fit_is_said(explorer, arguments, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        explorer.run("fill", arguments)


def test_strides_are_kept_and_checked(explorer):
    every_second = np.arange(6, dtype=np.int32)[::2]
    assert explorer.run("strided", [every_second]).value == 4
    message = "expected the strides of strided<[2]>, but found (1,)"
    with pytest.raises(UsageError, match=re.escape(message)):
        explorer.run("strided", [np.arange(3, dtype=np.int32)])


@pytest.mark.parametrize("view", [np.s_[::2, 1:], np.s_[::-1, ::3], np.s_[1:1]])
def test_a_copy_has_the_same_content_and_strides(view):
    array = np.arange(20, dtype=np.int16).reshape(4, 5)[view]
    copy = copied(array)
    assert copy.tolist() == array.tolist()
    assert copy.size == 0 or copy.strides == array.strides
    assert not np.shares_memory(copy, array)


def test_a_lowered_program_is_checked_as_far_as_it_is_known():
    text = "llvm.func @f(%a: i64) -> i64 {\n  llvm.return %a : i64\n}"
    explorer = Explorer(text)
    assert explorer.run("f", [5]).value == 5
    with pytest.raises(UsageError, match=r"value 0 after lowering: 1\.5 is no i64"):
        explorer.run("f", [1.5])
    with pytest.raises(UsageError, match=r"takes 1 values after lowering \(i64\), 2 are given"):
        explorer.run("f", [1, 2])
