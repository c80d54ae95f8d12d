// RUN: xgpu-opt %s --convert-arith-to-llvm | filecheck %s

// Arithmetic.

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a + b over 100,000 elements: one thread an element, the last block not full.
//
//   xgpu-runner examples/vector_add.mlir
//
// prints a checksum and the largest error.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %size: index) kernel {
      %block = gpu.block_id x
      %block_size = gpu.block_dim x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %block_size : index
      %i = arith.addi %base, %thread : index
      %inside = arith.cmpi ult, %i, %size : index
      scf.if %inside {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = memref.load %b[%i] : memref<?xf32>
        %sum = arith.addf %x, %y : f32
        memref.store %sum, %c[%i] : memref<?xf32>
      }
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %size = arith.constant 100000 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %a = gpu.alloc host_shared (%size) : memref<?xf32>
    %b = gpu.alloc host_shared (%size) : memref<?xf32>
    %c = gpu.alloc host_shared (%size) : memref<?xf32>
    scf.for %i = %c0 to %size step %c1 {
      %int = arith.index_cast %i : index to i32
      %x = arith.sitofp %int : i32 to f32
      %y = arith.mulf %x, %half : f32
      memref.store %x, %a[%i] : memref<?xf32>
      memref.store %y, %b[%i] : memref<?xf32>
    }

    %blocks = arith.ceildivui %size, %c256 : index
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@add
        blocks in (%blocks, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%a : memref<?xf32>, %b : memref<?xf32>, %c : memref<?xf32>, %size : index)
    gpu.wait [%t1]

    %checksum, %error = scf.for %i = %c0 to %size step %c1
        iter_args(%total = %zero, %worst = %zero) -> (f32, f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %found = memref.load %c[%i] : memref<?xf32>
      %expected = arith.addf %x, %y : f32
      %difference = arith.subf %found, %expected : f32
      %negated = arith.negf %difference : f32
      %magnitude = arith.maximumf %difference, %negated : f32
      %worse = arith.maximumf %worst, %magnitude : f32
      %next = arith.addf %total, %found : f32
      scf.yield %next, %worse : f32, f32
    }
    call @printF32(%checksum) : (f32) -> ()
    call @printNewline() : () -> ()
    call @printF32(%error) : (f32) -> ()
    call @printNewline() : () -> ()

    %t2 = gpu.wait async
    %t3 = gpu.dealloc async [%t2] %a : memref<?xf32>
    %t4 = gpu.dealloc async [%t3] %b : memref<?xf32>
    %t5 = gpu.dealloc async [%t4] %c : memref<?xf32>
    gpu.wait [%t5]
    return
  }

  func.func private @printF32(f32)
  func.func private @printNewline()
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT: gpu.module @kernels {
// CHECK-NEXT: gpu.func @add(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index) kernel {
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg3 : index to i64
// CHECK-NEXT: %block_id_x = gpu.block_id  x
// CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %block_id_x : index to i64
// CHECK-NEXT: %block_dim_x = gpu.block_dim  x
// CHECK-NEXT: %2 = builtin.unrealized_conversion_cast %block_dim_x : index to i64
// CHECK-NEXT: %thread_id_x = gpu.thread_id  x
// CHECK-NEXT: %3 = builtin.unrealized_conversion_cast %thread_id_x : index to i64
// CHECK-NEXT: %4 = llvm.mul %1, %2 : i64
// CHECK-NEXT: %5 = llvm.add %4, %3 : i64
// CHECK-NEXT: %6 = builtin.unrealized_conversion_cast %5 : i64 to index
// CHECK-NEXT: %7 = llvm.icmp "ult" %5, %0 : i64
// CHECK-NEXT: scf.if %7 {
// CHECK-NEXT: %8 = memref.load %arg0[%6] : memref<?xf32>
// CHECK-NEXT: %9 = memref.load %arg1[%6] : memref<?xf32>
// CHECK-NEXT: %10 = llvm.fadd %8, %9 : f32
// CHECK-NEXT: memref.store %10, %arg2[%6] : memref<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: func.func @main() {
// CHECK-NEXT: %0 = llvm.mlir.constant(0 : index) : i64
// CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %0 : i64 to index
// CHECK-NEXT: %2 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT: %3 = builtin.unrealized_conversion_cast %2 : i64 to index
// CHECK-NEXT: %4 = llvm.mlir.constant(256 : index) : i64
// CHECK-NEXT: %5 = builtin.unrealized_conversion_cast %4 : i64 to index
// CHECK-NEXT: %6 = llvm.mlir.constant(100000 : index) : i64
// CHECK-NEXT: %7 = builtin.unrealized_conversion_cast %6 : i64 to index
// CHECK-NEXT: %8 = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK-NEXT: %9 = llvm.mlir.constant(5.000000e-01 : f32) : f32
// CHECK-NEXT: %memref = gpu.alloc  host_shared (%7) : memref<?xf32>
// CHECK-NEXT: %memref_0 = gpu.alloc  host_shared (%7) : memref<?xf32>
// CHECK-NEXT: %memref_1 = gpu.alloc  host_shared (%7) : memref<?xf32>
// CHECK-NEXT: scf.for %arg0 = %1 to %7 step %3 {
// CHECK-NEXT: %19 = builtin.unrealized_conversion_cast %arg0 : index to i64
// CHECK-NEXT: %20 = llvm.trunc %19 : i64 to i32
// CHECK-NEXT: %21 = llvm.sitofp %20 : i32 to f32
// CHECK-NEXT: %22 = llvm.fmul %21, %9 : f32
// CHECK-NEXT: memref.store %21, %memref[%arg0] : memref<?xf32>
// CHECK-NEXT: memref.store %22, %memref_0[%arg0] : memref<?xf32>
// CHECK-NEXT: }
// CHECK-NEXT: %10 = llvm.mlir.constant(391 : index) : i64
// CHECK-NEXT: %11 = builtin.unrealized_conversion_cast %10 : i64 to index
// CHECK-NEXT: %12 = gpu.wait async
// CHECK-NEXT: %13 = gpu.launch_func async [%12] @kernels::@add blocks in (%11, %3, %3) threads in (%5, %3, %3)  args(%memref : memref<?xf32>, %memref_0 : memref<?xf32>, %memref_1 : memref<?xf32>, %7 : index)
// CHECK-NEXT: gpu.wait [%13]
// CHECK-NEXT: %14:2 = scf.for %arg0 = %1 to %7 step %3 iter_args(%arg1 = %8, %arg2 = %8) -> (f32, f32) {
// CHECK-NEXT: %19 = memref.load %memref[%arg0] : memref<?xf32>
// CHECK-NEXT: %20 = memref.load %memref_0[%arg0] : memref<?xf32>
// CHECK-NEXT: %21 = memref.load %memref_1[%arg0] : memref<?xf32>
// CHECK-NEXT: %22 = llvm.fadd %19, %20 : f32
// CHECK-NEXT: %23 = llvm.fsub %21, %22 : f32
// CHECK-NEXT: %24 = llvm.fneg %23 : f32
// CHECK-NEXT: %25 = llvm.intr.maximum(%23, %24) : (f32, f32) -> f32
// CHECK-NEXT: %26 = llvm.intr.maximum(%arg2, %25) : (f32, f32) -> f32
// CHECK-NEXT: %27 = llvm.fadd %arg1, %21 : f32
// CHECK-NEXT: scf.yield %27, %26 : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: call @printF32(%14#0) : (f32) -> ()
// CHECK-NEXT: call @printNewline() : () -> ()
// CHECK-NEXT: call @printF32(%14#1) : (f32) -> ()
// CHECK-NEXT: call @printNewline() : () -> ()
// CHECK-NEXT: %15 = gpu.wait async
// CHECK-NEXT: %16 = gpu.dealloc async [%15] %memref : memref<?xf32>
// CHECK-NEXT: %17 = gpu.dealloc async [%16] %memref_0 : memref<?xf32>
// CHECK-NEXT: %18 = gpu.dealloc async [%17] %memref_1 : memref<?xf32>
// CHECK-NEXT: gpu.wait [%18]
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @printF32(f32)
// CHECK-NEXT: func.func private @printNewline()
// CHECK-NEXT: }
