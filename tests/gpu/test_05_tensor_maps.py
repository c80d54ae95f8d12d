# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TMA on an NVIDIA GPU: tensor maps, whatever the alignment of what is around them."""

from __future__ import annotations

import pytest

import xgpu

pytestmark = pytest.mark.gpu

# One warp of each block loads a tile; each thread takes an element of it.
PROGRAM = """
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!tile = memref<8x8xf32, #gpu.address_space<workgroup>>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero,
  interleave = none>

func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %row = arith.constant ROW : index
  %column = arith.constant COLUMN : index
  %smem = arith.constant 384 : i32
  %src = gpu.alloc host_shared () : memref<64x64xf32>
  %out = gpu.alloc host_shared () : memref<64xi32>
  scf.for %i = %c0 to %c64 step %c1 { scf.for %j = %c0 to %c64 step %c1 {
    %line = arith.muli %i, %c64 : index
    %place = arith.addi %line, %j : index
    %w = arith.index_cast %place : index to i32
    %f = arith.sitofp %w : i32 to f32
    memref.store %f, %src[%i, %j] : memref<64x64xf32>
  } }
  %cast = memref.cast %src : memref<64x64xf32> to memref<*xf32>
  %map = nvgpu.tma.create.descriptor %cast box[%c8, %c8] : memref<*xf32> -> !map
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%t, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             dynamic_shared_memory_size %smem {
    %first = arith.cmpi eq, %t, %c0 : index
    %false = arith.constant false
    %ticks = arith.constant 10000000 : index
    %bytes = arith.constant 256 : index
    %b = nvgpu.mbarrier.create -> !bar
    nvgpu.mbarrier.init %b[%c0], %c1, predicate = %first : !bar
    gpu.barrier
    %m = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    // A tensor copy writes to multiples of 128 bytes; dynamic memory begins behind the mbarrier.
    %address = memref.extract_aligned_pointer_as_index %m
      : memref<?xi8, #gpu.address_space<workgroup>> -> index
    %127 = arith.constant 127 : index
    %128 = arith.constant 128 : index
    %past = arith.andi %address, %127 : index
    %missing = arith.subi %128, %past : index
    %up = arith.andi %missing, %127 : index
    %tile = memref.view %m[%up][] : memref<?xi8, #gpu.address_space<workgroup>> to !tile
    nvgpu.tma.prefetch.descriptor %map, predicate = %first : !map
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %bytes, predicate = %first : !bar
    nvgpu.tma.async.load %map[%column, %row], %b[%c0] to %tile, predicate = %first
      : !map, !bar -> !tile
    nvgpu.mbarrier.try_wait.parity %b[%c0], %false, %ticks : !bar
    %x = arith.remui %t, %c8 : index
    %y = arith.divui %t, %c8 : index
    %v = memref.load %tile[%y, %x] : !tile
    %w = arith.fptosi %v : f32 to i32
    memref.store %w, %out[%t] : memref<64xi32>
    gpu.terminator
  }
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%s = %zero) -> (i32) {
    %x = memref.load %out[%i] : memref<64xi32>
    %r = arith.addi %s, %x : i32
    scf.yield %r : i32
  }
  gpu.dealloc %src : memref<64x64xf32>
  gpu.dealloc %out : memref<64xi32>
  return %sum : i32
}
"""


def expected(row: int, column: int) -> int:
    inside = range(64)
    return sum(
        64 * r + c
        for r in range(row, row + 8)
        for c in range(column, column + 8)
        if r in inside and c in inside
    )


@pytest.mark.parametrize("device", ["host", "cuda"])
@pytest.mark.parametrize(("row", "column"), [(0, 0), (8, 8), (3, 4), (60, 60), (-3, -4)])
def test_loads(row: int, column: int, device: str, needs_chip) -> None:
    """At the edge of the tensor what lies outside is zero."""
    if device == "cuda":
        needs_chip(9)
    text = PROGRAM.replace("ROW", str(row)).replace("COLUMN", str(column))
    assert xgpu.run(text, device=device).value == expected(row, column)


def test_a_column_within_16_bytes(needs_chip, hardware: None, python) -> None:
    """An H100 loads from multiples of 16 bytes within a row alone; the context is lost then."""
    needs_chip(9)
    text = PROGRAM.replace("ROW", "3").replace("COLUMN", "5")
    code, said = python(f"import xgpu\nxgpu.run({text!r}, device='cuda')")
    assert code == 1
    assert "CUDA_ERROR_ILLEGAL_INSTRUCTION" in said


@pytest.mark.parametrize("offset", [0, 16, 32, 48])
def test_encoding_at_any_place_of_the_heap(offset: int, needs_chip) -> None:
    """The driver wants 64 bytes of alignment for what it writes, wherever our memory lies."""
    import ctypes

    from xgpu.api.devices.registry import backend
    from xgpu.runtime.cuda.memory import encode_tiled

    needs_chip(9)
    array = xgpu.zeros((64, 64), "float32", "cuda")
    room = ctypes.create_string_buffer(256)
    at = -(-ctypes.addressof(room) // 64) * 64 + offset
    words = (ctypes.c_int64 * 7).from_address(at)
    words[:] = [array.address, array.address, 0, 64, 64, 64, 1]
    box = (ctypes.c_int64 * 2)(8, 8)
    device = backend("cuda").device
    with device.entered():
        device.driver_call("cuCtxSetCurrent", device.context)
        image = encode_tiled(
            device._driver, 2, at, 7, 0, 0, 0, 0, ctypes.addressof(box)
        )  # CU_TENSOR_MAP_DATA_TYPE_FLOAT32
    assert len(image) == 128
    assert any(image)
