// RUN: xgpu-opt %s '--nvvm-attach-target=chip=sm_90 features=+ptx80 O=3' | filecheck %s

// A target on each kernel module.

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of 65,536 numbers: each block of 256 threads adds its part up in workgroup memory, a
// barrier between the steps, and its first thread adds the block's sum to the result atomically.
//
//   xgpu-runner examples/reduce.mlir
//
// prints the sum and its distance from the sum that the host computes. All partial sums are small
// multiples of 1/8, so that no order of additions rounds.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reduce(%in: memref<65536xf32>, %out: memref<1xf32>)
        workgroup(%partial: memref<256xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %c256 : index
      %i = arith.addi %base, %thread : index
      %own = memref.load %in[%i] : memref<65536xf32>
      memref.store %own, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      scf.for %step = %c0 to %c8 step %c1 {
        %stride = arith.shrui %c128, %step : index
        %active = arith.cmpi ult, %thread, %stride : index
        scf.if %active {
          %other = arith.addi %thread, %stride : index
          %x = memref.load %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
          %y = memref.load %partial[%other] : memref<256xf32, #gpu.address_space<workgroup>>
          %sum = arith.addf %x, %y : f32
          memref.store %sum, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
      }
      %first = arith.cmpi eq, %thread, %c0 : index
      scf.if %first {
        %sum = memref.load %partial[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
        %old = memref.atomic_rmw addf %sum, %out[%c0] : (f32, memref<1xf32>) -> f32
      }
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %c256 = arith.constant 256 : index
    %size = arith.constant 65536 : index
    %zero = arith.constant 0.0 : f32
    %eighth = arith.constant 0.125 : f32
    %in = gpu.alloc host_shared () : memref<65536xf32>
    %out = gpu.alloc host_shared () : memref<1xf32>
    memref.store %zero, %out[%c0] : memref<1xf32>
    %expected = scf.for %i = %c0 to %size step %c1 iter_args(%total = %zero) -> (f32) {
      %rest = arith.remui %i, %c31 : index
      %int = arith.index_cast %rest : index to i32
      %float = arith.sitofp %int : i32 to f32
      %value = arith.mulf %float, %eighth : f32
      memref.store %value, %in[%i] : memref<65536xf32>
      %next = arith.addf %total, %value : f32
      scf.yield %next : f32
    }

    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@reduce
        blocks in (%c256, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%in : memref<65536xf32>, %out : memref<1xf32>)
    gpu.wait [%t1]

    %found = memref.load %out[%c0] : memref<1xf32>
    %difference = arith.subf %found, %expected : f32
    call @printF32(%found) : (f32) -> ()
    call @printNewline() : () -> ()
    call @printF32(%difference) : (f32) -> ()
    call @printNewline() : () -> ()

    %t2 = gpu.wait async
    %t3 = gpu.dealloc async [%t2] %in : memref<65536xf32>
    %t4 = gpu.dealloc async [%t3] %out : memref<1xf32>
    gpu.wait [%t4]
    return
  }

  func.func private @printF32(f32)
  func.func private @printNewline()
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT: gpu.module @kernels [#nvvm.target<O = 3, chip = "sm_90", features = "+ptx80">] {
// CHECK-NEXT: gpu.func @reduce(%arg0: memref<65536xf32>, %arg1: memref<1xf32>) workgroup(%arg2 : memref<256xf32, #gpu.address_space<workgroup>>) kernel {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %c128 = arith.constant 128 : index
// CHECK-NEXT: %c256 = arith.constant 256 : index
// CHECK-NEXT: %block_id_x = gpu.block_id  x
// CHECK-NEXT: %thread_id_x = gpu.thread_id  x
// CHECK-NEXT: %0 = arith.muli %block_id_x, %c256 : index
// CHECK-NEXT: %1 = arith.addi %0, %thread_id_x : index
// CHECK-NEXT: %2 = memref.load %arg0[%1] : memref<65536xf32>
// CHECK-NEXT: memref.store %2, %arg2[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: scf.for %arg3 = %c0 to %c8 step %c1 {
// CHECK-NEXT: %4 = arith.shrui %c128, %arg3 : index
// CHECK-NEXT: %5 = arith.cmpi ult, %thread_id_x, %4 : index
// CHECK-NEXT: scf.if %5 {
// CHECK-NEXT: %6 = arith.addi %thread_id_x, %4 : index
// CHECK-NEXT: %7 = memref.load %arg2[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: %8 = memref.load %arg2[%6] : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: %9 = arith.addf %7, %8 : f32
// CHECK-NEXT: memref.store %9, %arg2[%thread_id_x] : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: }
// CHECK-NEXT: %3 = arith.cmpi eq, %thread_id_x, %c0 : index
// CHECK-NEXT: scf.if %3 {
// CHECK-NEXT: %4 = memref.load %arg2[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
// CHECK-NEXT: %5 = memref.atomic_rmw addf %4, %arg1[%c0] : (f32, memref<1xf32>) -> f32
// CHECK-NEXT: }
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: func.func @main() {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c31 = arith.constant 31 : index
// CHECK-NEXT: %c256 = arith.constant 256 : index
// CHECK-NEXT: %c65536 = arith.constant 65536 : index
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant 1.250000e-01 : f32
// CHECK-NEXT: %memref = gpu.alloc  host_shared () : memref<65536xf32>
// CHECK-NEXT: %memref_1 = gpu.alloc  host_shared () : memref<1xf32>
// CHECK-NEXT: memref.store %cst, %memref_1[%c0] : memref<1xf32>
// CHECK-NEXT: %0 = scf.for %arg0 = %c0 to %c65536 step %c1 iter_args(%arg1 = %cst) -> (f32) {
// CHECK-NEXT: %8 = arith.remui %arg0, %c31 : index
// CHECK-NEXT: %9 = arith.index_cast %8 : index to i32
// CHECK-NEXT: %10 = arith.sitofp %9 : i32 to f32
// CHECK-NEXT: %11 = arith.mulf %10, %cst_0 : f32
// CHECK-NEXT: memref.store %11, %memref[%arg0] : memref<65536xf32>
// CHECK-NEXT: %12 = arith.addf %arg1, %11 : f32
// CHECK-NEXT: scf.yield %12 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %1 = gpu.wait async
// CHECK-NEXT: %2 = gpu.launch_func async [%1] @kernels::@reduce blocks in (%c256, %c1, %c1) threads in (%c256, %c1, %c1)  args(%memref : memref<65536xf32>, %memref_1 : memref<1xf32>)
// CHECK-NEXT: gpu.wait [%2]
// CHECK-NEXT: %3 = memref.load %memref_1[%c0] : memref<1xf32>
// CHECK-NEXT: %4 = arith.subf %3, %0 : f32
// CHECK-NEXT: call @printF32(%3) : (f32) -> ()
// CHECK-NEXT: call @printNewline() : () -> ()
// CHECK-NEXT: call @printF32(%4) : (f32) -> ()
// CHECK-NEXT: call @printNewline() : () -> ()
// CHECK-NEXT: %5 = gpu.wait async
// CHECK-NEXT: %6 = gpu.dealloc async [%5] %memref : memref<65536xf32>
// CHECK-NEXT: %7 = gpu.dealloc async [%6] %memref_1 : memref<1xf32>
// CHECK-NEXT: gpu.wait [%7]
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: func.func private @printF32(f32)
// CHECK-NEXT: func.func private @printNewline()
// CHECK-NEXT: }
