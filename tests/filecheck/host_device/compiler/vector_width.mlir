// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of vectors get registers of 256 bits, but for kernels that compute: a loop of theirs has
// several operations for each access, and nothing in them goes from lane to lane or is called.
// RUN: xgpu-opt --host-vectorize=block=64 %s | filecheck %s --check-prefix=WIDE
// RUN: xgpu-opt --host-vectorize=block=64 --host-runtime-calls --host-flat-memory --host-inline-waits --host-entries %s | filecheck %s

gpu.module @m {
  llvm.func @__nv_sinf(f32) -> f32

  // What is inlined and where it comes to say the same: else LLVM keeps to the wider one.
  // WIDE: llvm.func @moves({{.*}}) attributes {host.strategy = "block-loops"} {
  // CHECK: llvm.func internal @xgpu.body.moves({{.*}}) attributes {always_inline, no_unwind, passthrough = {{\[\[}}"prefer-vector-width", "256"], ["min-legal-vector-width", "0"]]} {
  // CHECK: llvm.func @xgpu.entry.moves(%arg0: !llvm.ptr, %arg1: i32) attributes {host.entry = "loop", no_unwind, passthrough = {{\[\[}}"prefer-vector-width", "256"], ["min-legal-vector-width", "0"]]} {
  llvm.func @moves(%a: !llvm.ptr, %b: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %to = llvm.getelementptr %b[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %at : !llvm.ptr -> f32
    %w = llvm.fadd %v, %v : f32
    llvm.store %w, %to : f32, !llvm.ptr
    llvm.return
  }

  // WIDE: llvm.func @computes({{.*}}) attributes {host.strategy = "block-loops", host.wide} {
  // CHECK: llvm.func internal @xgpu.body.computes({{.*}}) attributes {always_inline, no_unwind} {
  // CHECK: llvm.func @xgpu.entry.computes(%arg0: !llvm.ptr, %arg1: i32) attributes {host.entry = "loop", no_unwind} {
  llvm.func @computes(%a: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %at : !llvm.ptr -> f32
    llvm.br ^loop(%zero, %v : i32, f32)
  ^loop(%i: i32, %x: f32):
    %y = llvm.intr.fma(%x, %x, %v) : (f32, f32, f32) -> f32
    %next = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %y : i32, f32), ^end
  ^end:
    llvm.store %y, %at : f32, !llvm.ptr
    llvm.return
  }

  // One access for two operations: this loop waits for memory.
  // WIDE: llvm.func @reads({{.*}}) attributes {host.strategy = "block-loops"} {
  llvm.func @reads(%a: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    llvm.br ^loop(%zero : i32)
  ^loop(%i: i32):
    %from = llvm.getelementptr %a[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %from : !llvm.ptr -> f32
    llvm.store %v, %at : f32, !llvm.ptr
    %next = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next : i32), ^end
  ^end:
    llvm.return
  }

  // WIDE: llvm.func @exchanges({{.*}}) attributes {host.strategy = "block-loops"} {
  llvm.func @exchanges(%a: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %last = llvm.mlir.constant(31 : i32) : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %at : !llvm.ptr -> f32
    llvm.br ^loop(%zero, %v : i32, f32)
  ^loop(%i: i32, %x: f32):
    %o = nvvm.shfl.sync bfly %all, %x, %one, %last : f32 -> f32
    %y = llvm.intr.fma(%o, %x, %v) : (f32, f32, f32) -> f32
    %next = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %y : i32, f32), ^end
  ^end:
    llvm.store %y, %at : f32, !llvm.ptr
    llvm.return
  }

  // WIDE: llvm.func @calls({{.*}}) attributes {host.strategy = "block-loops"} {
  llvm.func @calls(%a: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %zero = llvm.mlir.constant(0 : i32) : i32
    %one = llvm.mlir.constant(1 : i32) : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %at = llvm.getelementptr %a[%tx] : (!llvm.ptr, i32) -> !llvm.ptr, f32
    %v = llvm.load %at : !llvm.ptr -> f32
    llvm.br ^loop(%zero, %v : i32, f32)
  ^loop(%i: i32, %x: f32):
    %e = llvm.call @__nv_sinf(%x) : (f32) -> f32
    %y = llvm.fadd %e, %v : f32
    %next = llvm.add %i, %one : i32
    %more = llvm.icmp "slt" %next, %n : i32
    llvm.cond_br %more, ^loop(%next, %y : i32, f32), ^end
  ^end:
    llvm.store %y, %at : f32, !llvm.ptr
    llvm.return
  }
}
