# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the built-in runner functions print, and that it is what MLIR's libraries print."""

from __future__ import annotations

import ctypes
import os
import tempfile

import numpy as np
import pytest
from reference import llvm_library

from xgpu.runtime.runner_utils import lookup

TYPES = {"F32": "f4", "F64": "f8", "I8": "i1", "I16": "i2", "I32": "i4", "I64": "i8", "Ind": "i8",
         "F16": "f2", "BF16": "u2", "C32": "c8", "C64": "c16"}  # fmt: skip


def ranked(array):
    rank = array.ndim
    strides = [s // array.itemsize for s in array.strides]
    return (ctypes.c_int64 * (3 + 2 * rank))(
        array.ctypes.data, array.ctypes.data, 0, *array.shape, *strides
    )


def unranked(array):
    descriptor = ranked(array)
    words = (ctypes.c_int64 * 2)(array.ndim, ctypes.addressof(descriptor))
    return words, descriptor


def printed(name, *arguments):
    out = []
    function = lookup(name, out.append)
    assert function is not None, name
    function(*arguments)
    return "".join(out)


def test_unranked_memref():
    array = np.arange(6, dtype=np.float32).reshape(2, 3) / 4
    words, kept = unranked(array)
    text = printed("_mlir_ciface_printMemrefF32", ctypes.addressof(words))
    assert kept
    assert text == (
        f"Unranked Memref base@ = 0x{array.ctypes.data:x} rank = 2 offset = 0 sizes = [2, 3] "
        "strides = [3, 1] data = \n[[0,   0.25,   0.5], \n [0.75,   1,   1.25]]\n"
    )


def test_empty_memref_reads_nothing():
    words, kept = unranked(np.zeros((0,), np.float32))
    assert kept
    assert printed("_mlir_ciface_printMemrefF32", ctypes.addressof(words)).endswith("\n[]\n")


def test_differences_are_counted():
    left, right = np.arange(4, dtype=np.int32), np.array([0, 1, 5, 3], np.int32)
    out = []
    verify = lookup("verifyMemRefI32", out.append)
    a, b = ranked(left), ranked(right)
    assert verify(1, ctypes.addressof(a), 1, ctypes.addressof(b)) == 1
    assert out == ["2 != 5 offset = 2\n"]


def test_copy_of_strided_memrefs():
    source = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2]
    target = np.zeros((2, 3), np.float32).T
    (s, a), (t, b) = unranked(source), unranked(target)
    assert a
    assert b
    lookup("memrefCopy", print)(4, ctypes.addressof(s), ctypes.addressof(t))
    np.testing.assert_array_equal(target, source)


def captured(call):
    """What C++ code prints to standard output."""
    with tempfile.TemporaryFile() as file:
        before = os.dup(1)
        os.dup2(file.fileno(), 1)
        try:
            call()
            ctypes.CDLL(None).fflush(None)
        finally:
            os.dup2(before, 1)
            os.close(before)
        file.seek(0)
        return file.read().decode(errors="surrogateescape")


def mlirs(name):
    path = llvm_library(name)
    if path is None:
        pytest.skip(f"needs {name} of MLIR 22 (Debian: libmlir-22)")
    return ctypes.CDLL(str(path))


@pytest.mark.parity
@pytest.mark.parametrize("suffix", TYPES)
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (1, 1), (3, 1), (2, 2, 2), (2, 1, 3)])
def test_memrefs_print_as_mlirs_do(suffix, shape):
    library = mlirs("libmlir_runner_utils")
    numbers = (np.arange(np.prod(shape, dtype=int)) * 12.3456789 - 7).reshape(shape)
    if suffix == "BF16":
        numbers = np.asarray(abs(numbers * 1000))
    array = numbers.astype(TYPES[suffix])
    words, kept = unranked(array)
    assert kept
    for stem in ("printMemref", "printMemrefShape"):
        name = f"_mlir_ciface_{stem}{suffix}"
        if hasattr(library, name):
            address = ctypes.addressof(words)
            theirs = captured(lambda: getattr(library, name)(ctypes.c_void_p(address)))  # noqa: B023
            assert printed(name, address) == theirs


@pytest.mark.parity
@pytest.mark.parametrize(
    "value", [1.5, 1e20, 0.1, -0.0, float("nan"), -float("nan"), -float("inf")]
)
def test_numbers_print_as_mlirs_do(value):
    library = mlirs("libmlir_c_runner_utils")
    for name, kind in (("printF32", ctypes.c_float), ("printF64", ctypes.c_double)):
        theirs = captured(lambda: getattr(library, name)(kind(value)))  # noqa: B023
        assert printed(name, value) == theirs
