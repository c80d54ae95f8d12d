# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that several tests of the front use, loaded once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import xgpu

ADD = """
gpu.module @kernels {
  gpu.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %n: index) kernel {
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x
    %base = arith.muli %block, %size : index
    %i = arith.addi %base, %thread : index
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %sum = arith.addf %x, %y : f32
      memref.store %sum, %c[%i] : memref<?xf32>
    }
    gpu.return
  }
  gpu.func @transpose(%a: memref<?x4xf64, strided<[?, ?], offset: ?>>, %b: memref<4x?xf64>) kernel {
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %x = memref.load %a[%i, %j] : memref<?x4xf64, strided<[?, ?], offset: ?>>
    memref.store %x, %b[%j, %i] : memref<4x?xf64>
    gpu.return
  }
  gpu.func @scalars(%out: memref<8xf64>, %f: f32, %h: f16, %d: f64, %i: i32, %l: i64, %b: i1,
      %s: i8) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %0 = arith.extf %f : f32 to f64
    %1 = arith.extf %h : f16 to f64
    %2 = arith.sitofp %i : i32 to f64
    %3 = arith.sitofp %l : i64 to f64
    %4 = arith.uitofp %b : i1 to f64
    %5 = arith.sitofp %s : i8 to f64
    memref.store %0, %out[%c0] : memref<8xf64>
    memref.store %1, %out[%c1] : memref<8xf64>
    memref.store %d, %out[%c2] : memref<8xf64>
    memref.store %2, %out[%c3] : memref<8xf64>
    memref.store %3, %out[%c4] : memref<8xf64>
    memref.store %4, %out[%c5] : memref<8xf64>
    memref.store %5, %out[%c6] : memref<8xf64>
    gpu.return
  }
  gpu.func @fault(%a: memref<?xf32>) kernel {
    %far = arith.constant 1000000000000 : index
    %x = arith.constant 1.0 : f32
    memref.store %x, %a[%far] : memref<?xf32>
    gpu.return
  }
  gpu.func @fixed(%a: memref<?xi32>) kernel attributes {known_block_size = array<i32: 8, 2, 1>} {
    %i = gpu.thread_id x
    %j = gpu.thread_id y
    %two = arith.constant 2 : index
    %k = arith.muli %i, %two : index
    %at = arith.addi %k, %j : index
    %v = arith.index_cast %at : index to i32
    memref.store %v, %a[%at] : memref<?xi32>
    gpu.return
  }
}
"""


@pytest.fixture(scope="session")
def module():
    return xgpu.load(ADD, "host")


@pytest.fixture(scope="session")
def add(module):
    return module.kernels["add"]


@pytest.fixture
def driver() -> Iterator[Any]:
    """The CUDA driver of xgpu, which must not refuse a call for a rule that was broken."""
    from tests.support.driver_bindings import DriverBindings

    made = DriverBindings()
    yield made
    assert made.violations == []
    made.close()


@pytest.fixture
def cuda(driver: Any) -> Iterator[Any]:
    """The device `cuda:1`, over that driver."""
    from xgpu.api.devices import registry
    from xgpu.api.devices.cuda import CudaBackend
    from xgpu.runtime.cuda.driver import Driver

    made = CudaBackend(1, Driver(driver))
    registry.install(made)
    yield made
    registry.remove("cuda:1")


@pytest.fixture
def current_cuda(cuda: Any, driver: Any) -> Iterator[Any]:
    """That device in a thread that has its context, as one of its own has."""
    with cuda.device.entered():
        driver.cuCtxSetCurrent(cuda.device.context)
        yield cuda
