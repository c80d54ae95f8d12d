# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables and constants of a module, which kernels reach by addresses that memory holds: tables
of pointers, virtual functions. They are memory of the kernels, whichever way the module comes."""

from __future__ import annotations

import numpy as np
import pytest

import xgpu
from tests.support.clang import needs_clang

_CUDA = """
struct Shape { __device__ virtual int area(int x) const = 0; };
struct Square : Shape { __device__ int area(int x) const override { return x * x; } };
struct Double : Shape { __device__ int area(int x) const override { return 2 * x; } };
__device__ const int low[4] = {0, 1, 4, 9}, high[4] = {5, 6, 7, 8};
__device__ const int *const tables[2] = {low, high};
__device__ int counter = 7;
__device__ int *where = &counter;
__global__ void k(int *out, int n) {
  Square square;
  Double twice;
  const Shape *all[2] = {&square, &twice};
  int t = threadIdx.x;
  out[t] = all[(t + n) & 1]->area(t) + tables[t & 1][t & 3] + *where;
}
"""
_LLVM_IR = """
target triple = "nvptx64-nvidia-cuda"
@low = internal unnamed_addr addrspace(1) constant [4 x i32] [i32 0, i32 1, i32 4, i32 9]
@high = internal unnamed_addr addrspace(1) constant [4 x i32] [i32 5, i32 6, i32 7, i32 8]
@tables = internal addrspace(1) constant [2 x ptr] [
    ptr addrspacecast (ptr addrspace(1) @low to ptr),
    ptr addrspacecast (ptr addrspace(1) @high to ptr)]
@counter = addrspace(1) global i32 7
@where = addrspace(1) global ptr addrspacecast (ptr addrspace(1) @counter to ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %odd = and i64 %i, 1
  %row = getelementptr ptr, ptr addrspace(1) @tables, i64 %odd
  %table = load ptr, ptr addrspace(1) %row
  %column = and i64 %i, 3
  %at = getelementptr i32, ptr %table, i64 %column
  %v = load i32, ptr %at
  %p = load ptr, ptr addrspace(1) @where
  %w = load i32, ptr %p
  %sum = add i32 %v, %w
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %sum, ptr %to
  ret void
}
"""
_PTX = """
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 low[4] = {0, 1, 4, 9};
.global .align 4 .u32 high[4] = {5, 6, 7, 8};
.const .align 8 .u64 tables[2] = {generic(low), generic(high)};
.visible .global .align 4 .u32 counter = 7;
.global .align 8 .u64 where = generic(counter);
.visible .entry k(.param .u64 out, .param .u32 n) {
  .reg .b32 %r<6>;
  .reg .b64 %d<12>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  and.b32 %r2, %r1, 1;
  mul.wide.u32 %d2, %r2, 8;
  mov.u64 %d3, tables;
  add.u64 %d4, %d3, %d2;
  ld.const.u64 %d5, [%d4];
  and.b32 %r3, %r1, 3;
  mul.wide.u32 %d6, %r3, 4;
  add.u64 %d7, %d5, %d6;
  ld.u32 %r4, [%d7];
  ld.global.u64 %d8, [where];
  ld.u32 %r5, [%d8];
  add.u32 %r4, %r4, %r5;
  mul.wide.u32 %d9, %r1, 4;
  add.u64 %d10, %d1, %d9;
  st.u32 [%d10], %r4;
  ret;
}
"""
_MLIR = """
module attributes {gpu.container_module} {
  gpu.module @m {
    llvm.mlir.global internal constant @low(dense<[0, 1, 4, 9]> : tensor<4xi32>) :
        !llvm.array<4 x i32>
    llvm.mlir.global internal constant @high(dense<[5, 6, 7, 8]> : tensor<4xi32>) :
        !llvm.array<4 x i32>
    llvm.mlir.global internal constant @tables() : !llvm.array<2 x ptr> {
      %none = llvm.mlir.poison : !llvm.array<2 x ptr>
      %low = llvm.mlir.addressof @low : !llvm.ptr
      %high = llvm.mlir.addressof @high : !llvm.ptr
      %one = llvm.insertvalue %low, %none[0] : !llvm.array<2 x ptr>
      %both = llvm.insertvalue %high, %one[1] : !llvm.array<2 x ptr>
      llvm.return %both : !llvm.array<2 x ptr>
    }
    llvm.mlir.global external @counter(7 : i32) : i32
    llvm.mlir.global external @where() : !llvm.ptr {
      %counter = llvm.mlir.addressof @counter : !llvm.ptr
      llvm.return %counter : !llvm.ptr
    }
    llvm.func @k(%out: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
      %one = llvm.mlir.constant(1 : i64) : i64
      %three = llvm.mlir.constant(3 : i64) : i64
      %t = nvvm.read.ptx.sreg.tid.x : i32
      %i = llvm.zext %t : i32 to i64
      %odd = llvm.and %i, %one : i64
      %tables = llvm.mlir.addressof @tables : !llvm.ptr
      %row = llvm.getelementptr %tables[%odd] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.ptr
      %table = llvm.load %row : !llvm.ptr -> !llvm.ptr
      %column = llvm.and %i, %three : i64
      %at = llvm.getelementptr %table[%column] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      %v = llvm.load %at : !llvm.ptr -> i32
      %where = llvm.mlir.addressof @where : !llvm.ptr
      %p = llvm.load %where : !llvm.ptr -> !llvm.ptr
      %w = llvm.load %p : !llvm.ptr -> i32
      %sum = llvm.add %v, %w : i32
      %to = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i32
      llvm.store %sum, %to : i32, !llvm.ptr
      llvm.return
    }
  }
}
"""
_TEXTS = [
    pytest.param("k.cu", _CUDA, id="cuda", marks=needs_clang), ("k.ll", _LLVM_IR), ("k.ptx", _PTX),
    ("k.mlir", _MLIR),
]  # fmt: skip


def _watched(path, text):
    """The kernel's results, and what is found in it."""
    path.write_text(text)
    (kernel,) = xgpu.load(str(path), "host").kernels.values()
    out = np.zeros(32, np.int32)
    with xgpu.sanitized() as watched:
        kernel[1, 32](out, 1)
    return out, watched.findings()


@pytest.mark.parametrize(("name", "text"), _TEXTS)
def test_reached_by_an_address(tmp_path, name, text):
    out, found = _watched(tmp_path / name, text)
    t = np.arange(32)
    values = np.array([[0, 1, 4, 9], [5, 6, 7, 8]])[t & 1, t & 3] + 7
    if name == "k.cu":
        values += np.where(t & 1, t * t, 2 * t)
    assert found.text() == ""
    assert out.tolist() == values.tolist()


def test_a_constant_written_by_its_address(tmp_path):
    """The store does not happen."""
    text = _LLVM_IR.replace("%v = load i32, ptr %at", "store i32 3, ptr %at")
    text = text.replace("add i32 %v", "add i32 %t")
    _, found = _watched(tmp_path / "k.ll", text)
    assert [f.message for f in found] == [
        "write of 4 bytes to a variable that is constant, which kernels cannot change"
    ]


def test_behind_the_end_of_a_variable(tmp_path):
    text = _LLVM_IR.replace("load i32, ptr %p", "load i64, ptr %p")
    text = text.replace("%sum =", "%x = trunc i64 %w to i32\n  %sum =").replace("%v, %w", "%v, %x")
    _, found = _watched(tmp_path / "k.ll", text)
    (finding,) = found
    assert "over the end of variable 'counter' of 4 bytes" in finding.message
    assert finding.sides[1].did == "4 bytes are variable 'counter' of the module"


def test_a_screened_kernel_gives_the_address_to_another(tmp_path):
    """Both have the same constant."""
    first = _LLVM_IR.split("define")[0] + """
define ptx_kernel void @store(ptr %to) {
  store ptr addrspacecast (ptr addrspace(1) @low to ptr), ptr %to
  ret void
}
define ptx_kernel void @load(ptr %from, ptr %out) {
  %table = load ptr, ptr %from
  %at = getelementptr i32, ptr %table, i64 3
  %v = load i32, ptr %at
  store i32 %v, ptr %out
  ret void
}
"""
    path = tmp_path / "two.ll"
    path.write_text(first)
    kernels = xgpu.load(str(path), "host").kernels
    with xgpu.sanitized() as watched:
        place, out = xgpu.zeros(1, np.int64, device="host"), xgpu.zeros(1, np.int32, device="host")
        kernels["store"][1, 1](place)
        kernels["load"][1, 1](place, out)
        assert out.numpy()[0] == 9
    assert watched.findings().text() == ""
    ways = {launches.kernel: launches.how for launches in watched.findings().coverage.launches}
    assert ways["store"] == "screened"
