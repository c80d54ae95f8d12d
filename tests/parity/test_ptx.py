# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PTX equals mlir-opt's, byte for byte, for kernels of many kinds.

mlir-opt lowers each kernel; its IR before `gpu-module-to-binary` is compiled by both.
"""

from __future__ import annotations

import os
import re
import subprocess

import pytest
from reference import llvm_bin

from xgpu.backend import nvptx
from xgpu.text import parse_module
from xgpu.transforms.gpu_module_to_binary import GpuModuleToBinary

pytestmark = pytest.mark.parity
MLIR_OPT = f"{llvm_bin()}/mlir-opt"

FLOATS = ("f16", "bf16", "f32", "f64")
MATH = [
    "exp",
    "log",
    "sin",
    "cos",
    "tan",
    "tanh",
    "sqrt",
    "rsqrt",
    "erf",
    "floor",
    "ceil",
    "absf",
    "exp2",
    "log2",
    "log10",
    "log1p",
    "expm1",
]


def axpy(t: str) -> str:
    mul, add = ("arith.mulf", "arith.addf") if t in FLOATS else ("arith.muli", "arith.addi")
    return f"""gpu.func @k(%a: {t}, %x: memref<?x{t}>, %y: memref<?x{t}>) kernel {{
      %i = gpu.global_id x
      %0 = memref.load %x[%i] : memref<?x{t}>
      %1 = memref.load %y[%i] : memref<?x{t}>
      %2 = {mul} %a, %0 : {t}
      %3 = {add} %2, %1 : {t}
      memref.store %3, %y[%i] : memref<?x{t}>
      gpu.return
    }}"""


def math(name: str, t: str) -> str:
    return f"""gpu.func @k(%x: memref<?x{t}>) kernel {{
      %i = gpu.thread_id x
      %0 = memref.load %x[%i] : memref<?x{t}>
      %1 = math.{name} %0 : {t}
      memref.store %1, %x[%i] : memref<?x{t}>
      gpu.return
    }}"""


MATMUL = """gpu.func @k(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32>)
    workgroup(%sa : memref<16x16xf32, #gpu.address_space<workgroup>>,
              %sb : memref<16x16xf32, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
  %tx = gpu.thread_id x
  %ty = gpu.thread_id y
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %k = %c0 to %c64 step %c16 iter_args(%acc = %z) -> f32 {
    %kx = arith.addi %k, %tx : index
    %ky = arith.addi %k, %ty : index
    %a = memref.load %A[%ty, %kx] : memref<64x64xf32>
    memref.store %a, %sa[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
    %b = memref.load %B[%ky, %tx] : memref<64x64xf32>
    memref.store %b, %sb[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %in = scf.for %j = %c0 to %c16 step %c1 iter_args(%inner = %acc) -> f32 {
      %x = memref.load %sa[%ty, %j] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %y = memref.load %sb[%j, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
      %m = arith.mulf %x, %y : f32
      %n = arith.addf %inner, %m : f32
      scf.yield %n : f32
    }
    gpu.barrier
    scf.yield %in : f32
  }
  memref.store %s, %C[%ty, %tx] : memref<64x64xf32>
  gpu.return
}"""
ATOMICS = """gpu.func @k(%A: memref<64xf32>, %B: memref<64xi32>) kernel {
  %i = gpu.thread_id x
  %f = arith.constant 1.5 : f32
  %n = arith.constant 3 : i32
  %0 = memref.atomic_rmw addf %f, %A[%i] : (f32, memref<64xf32>) -> f32
  %1 = memref.atomic_rmw maxs %n, %B[%i] : (i32, memref<64xi32>) -> i32
  gpu.return
}"""
STENCIL = """gpu.func @k(%A: memref<1024xf64>, %B: memref<1024xf64>) kernel {
  %i = gpu.global_id x
  %c1 = arith.constant 1 : index
  %c1022 = arith.constant 1022 : index
  %w = arith.constant 0.25 : f64
  %lo = arith.cmpi sgt, %i, %c1 : index
  %hi = arith.cmpi slt, %i, %c1022 : index
  %in = arith.andi %lo, %hi : i1
  scf.if %in {
    %l = arith.subi %i, %c1 : index
    %a = memref.load %A[%l] : memref<1024xf64>
    %b = memref.load %A[%i] : memref<1024xf64>
    %s = arith.addf %a, %b : f64
    %u = arith.mulf %s, %w : f64
    memref.store %u, %B[%i] : memref<1024xf64>
  }
  gpu.return
}"""
SHUFFLE = """gpu.func @k(%A: memref<32xf32>) kernel {
  %i = gpu.lane_id
  %v = memref.load %A[%i] : memref<32xf32>
  %o = arith.constant 1 : i32
  %w = arith.constant 32 : i32
  %s, %p = gpu.shuffle xor %v, %o, %w : f32
  memref.store %s, %A[%i] : memref<32xf32>
  gpu.return
}"""
VECTOR = """gpu.func @k(%A: memref<1024xf32>) kernel {
  %i = gpu.thread_id x
  %v = vector.load %A[%i] : memref<1024xf32>, vector<4xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  vector.store %w, %A[%i] : memref<1024xf32>, vector<4xf32>
  gpu.return
}"""
WMMA = """gpu.func @k(%A: memref<16x16xf16>, %B: memref<16x16xf16>, %C: memref<16x16xf32>) kernel {
  %c0 = arith.constant 0 : index
  %a = gpu.subgroup_mma_load_matrix %A[%c0, %c0] {leadDimension = 16 : index}
    : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %b = gpu.subgroup_mma_load_matrix %B[%c0, %c0] {leadDimension = 16 : index}
    : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %c = gpu.subgroup_mma_load_matrix %C[%c0, %c0] {leadDimension = 16 : index}
    : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
  %d = gpu.subgroup_mma_compute %a, %b, %c
    : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp">
    -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %d, %C[%c0, %c0] {leadDimension = 16 : index}
    : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
  gpu.return
}"""

KERNELS = {
    **{f"axpy-{t}": axpy(t) for t in (*FLOATS, "i8", "i32", "i64")},
    **{f"{name}-{t}": math(name, t) for name in MATH for t in ("f32", "f64")},
    "matmul": MATMUL,
    "atomics": ATOMICS,
    "stencil": STENCIL,
    "shuffle": SHUFFLE,
    "vector": VECTOR,
    "wmma": WMMA,
}


def assembly(text: str) -> str:
    quoted = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', text)
    assert quoted is not None
    return re.sub(r"\\([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), quoted[1])


def toolkit() -> str:
    path = nvptx.libdevice_path()
    if path is None:
        pytest.skip("no libdevice")
    return path.removesuffix("/nvvm/libdevice/libdevice.10.bc")


@pytest.mark.parametrize("name", list(KERNELS))
@pytest.mark.parametrize("level", [2, 0])
def test_ptx(name: str, level: int) -> None:
    if level == 0 and name not in ("matmul", "axpy-f32", "exp-f32"):
        pytest.skip("one level is enough for this kernel")
    text = f"module attributes {{gpu.container_module}} {{ gpu.module @m {{ {KERNELS[name]} }} }}"
    pipeline = f"cubin-chip=sm_80 cubin-features=+ptx70 cubin-format=isa opt-level={level}"
    done = subprocess.run(
        [
            MLIR_OPT,
            f"-gpu-lower-to-nvvm-pipeline={pipeline}",
            "--mlir-print-ir-before=gpu-module-to-binary",
            "-o",
            os.devnull,
        ],
        input=text,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    lowered = done.stderr.partition("\n")[2]  # behind the line that says what the dump is
    expected = assembly(
        subprocess.run(
            [MLIR_OPT, f"--gpu-module-to-binary=format=isa toolkit={toolkit()}"],
            input=lowered,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    )
    module = parse_module(lowered)
    GpuModuleToBinary(format="isa", toolkit=toolkit()).run(module, None)  # pyright: ignore
    (binary,) = module.body.block.ops
    assert binary.properties["objects"].data[0].object.data == expected  # pyright: ignore
