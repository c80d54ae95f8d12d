# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that hold what front ends leave in them, against NumPy: shapes and tensors, complex
functions, copies between strided memrefs, the grid's barrier."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu

STRIDED = "memref<?xf32, strided<[?], offset: ?>>"


def kernel(body: str, parameters: str, rest: str = "") -> xgpu.Kernel:
    text = f"gpu.module @m {{ gpu.func @k({parameters}) kernel {{ {body} gpu.return }} {rest} }}"
    return xgpu.load(text, device="host").kernels["k"]


def test_arithmetic_of_tensors_that_are_broadcast() -> None:
    k = kernel(
        """
        %a = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
        %b = bufferization.to_tensor %y restrict : memref<1xf32> to tensor<1xf32>
        %sa = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
        %sb = shape.shape_of %b : tensor<1xf32> -> tensor<1xindex>
        %s = shape.broadcast %sa, %sb : tensor<1xindex>, tensor<1xindex> -> tensor<1xindex>
        %c0 = arith.constant 0 : index
        %n = shape.get_extent %s, %c0 : tensor<1xindex>, index -> index
        %empty = tensor.empty(%n) : tensor<?xf32>
        %sum = linalg.generic {
          indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>,
                           affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]
        } ins(%a, %b : tensor<?xf32>, tensor<1xf32>) outs(%empty : tensor<?xf32>) {
        ^bb0(%p: f32, %q: f32, %o: f32):
          %r = arith.addf %p, %q : f32
          linalg.yield %r : f32
        } -> tensor<?xf32>
        %i = gpu.thread_id x
        %e = tensor.extract %sum[%i] : tensor<?xf32>
        memref.store %e, %out[%i] : memref<?xf32>
        """,
        "%x: memref<?xf32>, %y: memref<1xf32>, %out: memref<?xf32>",
    )
    x, y, out = np.arange(8, dtype=np.float32), np.ones(1, np.float32), np.zeros(8, np.float32)
    k[1, 8](x, y, out)
    np.testing.assert_array_equal(out, x + 1)


def test_reduction_of_a_tensor() -> None:
    k = kernel(
        """
        %t = bufferization.to_tensor %x restrict : memref<?xi32> to tensor<?xi32>
        %one = arith.constant 1 : i32
        %init = tensor.splat %one : tensor<i32>
        %p = linalg.reduce { arith.muli } ins(%t : tensor<?xi32>) outs(%init : tensor<i32>)
          dimensions = [0]
        %e = tensor.extract %p[] : tensor<i32>
        %c0 = arith.constant 0 : index
        memref.store %e, %out[%c0] : memref<1xi32>
        """,
        "%x: memref<?xi32>, %out: memref<1xi32>",
    )
    out = np.zeros(1, np.int32)
    k[1, 1](np.array([2, 3, 7], np.int32), out)
    assert out.tolist() == [42]


FUNCTIONS = {"log": np.log, "sqrt": np.sqrt, "tanh": np.tanh}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_complex_functions(name: str) -> None:
    k = kernel(
        f"""
        %i = gpu.thread_id x
        %v = memref.load %z[%i] : memref<?xcomplex<f64>>
        %w = complex.{name} %v : complex<f64>
        %s = complex.mul %w, %c : complex<f64>
        memref.store %s, %z[%i] : memref<?xcomplex<f64>>
        """,
        "%z: memref<?xcomplex<f64>>, %c: complex<f64>",
    )
    z = np.array([1 + 2j, -3 + 0.5j, 0.25 - 1j])
    expected = FUNCTIONS[name](z) * (2 - 1j)
    k[1, 3](z, 2 - 1j)
    np.testing.assert_allclose(z, expected, rtol=1e-12)


def test_complex_argument_that_is_none() -> None:
    k = kernel("", "%c: complex<f32>")
    with pytest.raises(TypeError, match=r"argument 'c' of type complex<f32>: expected a number"):
        k[1, 1]("text")
    with pytest.raises(ValueError, match="does not fit in complex<f32>"):
        k[1, 1](1e300 + 0j)


def test_copy_between_strided_memrefs() -> None:
    k = kernel(
        f"memref.copy %x, %y : {STRIDED} to {STRIDED}", f"%x: {STRIDED}, %y: {STRIDED}"
    )
    x, y = np.arange(10, dtype=np.float32), np.zeros(15, np.float32)
    k[1, 1](x[::2], y[::3])
    np.testing.assert_array_equal(y[::3], x[::2])
    assert y.sum() == x[::2].sum()


def test_barrier_of_the_grid() -> None:
    k = kernel(
        """
        %b = gpu.block_id x
        %n = gpu.grid_dim x
        %v = arith.index_cast %b : index to i32
        memref.store %v, %x[%b] : memref<?xi32>
        %scope = arith.constant 1 : i32
        %zero = arith.constant 0 : i32
        %grid = func.call @cudaCGGetIntrinsicHandle(%scope) : (i32) -> i64
        func.call @cudaCGSynchronize(%grid, %zero) : (i64, i32) -> i32
        %one = arith.constant 1 : index
        %after = arith.addi %b, %one : index
        %next = arith.remui %after, %n : index
        %w = memref.load %x[%next] : memref<?xi32>
        func.call @cudaCGSynchronize(%grid, %zero) : (i64, i32) -> i32
        memref.store %w, %y[%b] : memref<?xi32>
        """,
        "%x: memref<?xi32>, %y: memref<?xi32>",
        """
        func.func private @cudaCGGetIntrinsicHandle(i32) -> i64
        func.func private @cudaCGSynchronize(i64, i32) -> i32
        """,
    )
    x, y = np.zeros(5, np.int32), np.zeros(5, np.int32)
    for _ in range(2):  # the counter is ready for the next launch
        k[5, 32](x, y)
        assert y.tolist() == [1, 2, 3, 4, 0]
    with xgpu.sanitized() as watched:
        k[5, 32](x, y)
    assert not watched.findings(), watched.findings().text()
