// RUN: xgpu-opt %s --convert-func-to-llvm | filecheck %s

// Functions with memrefs.

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two matrix products that may run together, and their sum, which waits for both:
//
//     %0 -> matmul -> %1 \
//                         join %4 -> add -> %5
//     %2 -> matmul -> %3 /
//
//   xgpu-runner examples/two_matmuls.mlir
//
// prints a checksum and the largest error against a plain matrix product on the host.
#global_id = affine_map<()[s0, s1, s2] -> (s0 * s2 + s1)>

module attributes {gpu.container_module} {
  func.func @two_matmuls(%lhs: memref<256x1024xf32>, %rhs: memref<1024x256xf32>)
      -> memref<256x256xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %first = gpu.alloc host_shared () : memref<256x256xf32>
    %second = gpu.alloc host_shared () : memref<256x256xf32>
    %sum = gpu.alloc host_shared () : memref<256x256xf32>
    %0 = gpu.wait async
    %1 = gpu.launch_func async [%0] @first_kernel::@matmul
        blocks in (%c8, %c8, %c1) threads in (%c32, %c32, %c1)
        args(%lhs : memref<256x1024xf32>, %rhs : memref<1024x256xf32>,
             %first : memref<256x256xf32>, %c32 : index, %c0 : index, %c1024 : index, %c1 : index)
    %2 = gpu.wait async
    %3 = gpu.launch_func async [%2] @second_kernel::@matmul
        blocks in (%c8, %c8, %c1) threads in (%c32, %c32, %c1)
        args(%lhs : memref<256x1024xf32>, %rhs : memref<1024x256xf32>,
             %second : memref<256x256xf32>, %c32 : index, %c0 : index, %c1024 : index, %c1 : index)
    %4 = gpu.wait async [%1, %3]
    %added = gpu.launch_func async [%4] @add_kernel::@add
        blocks in (%c8, %c8, %c1) threads in (%c32, %c32, %c1)
        args(%first : memref<256x256xf32>, %second : memref<256x256xf32>,
             %sum : memref<256x256xf32>, %c32 : index)
    %freed = gpu.dealloc async [%added] %first : memref<256x256xf32>
    %5 = gpu.dealloc async [%freed] %second : memref<256x256xf32>
    gpu.wait [%5]
    return %sum : memref<256x256xf32>
  }

  gpu.module @first_kernel {
    gpu.func @matmul(%lhs: memref<256x1024xf32>, %rhs: memref<1024x256xf32>,
                     %out: memref<256x256xf32>, %tile: index, %begin: index, %end: index,
                     %step: index) kernel {
      %block_x = gpu.block_id x
      %block_y = gpu.block_id y
      %thread_x = gpu.thread_id x
      %thread_y = gpu.thread_id y
      %row = affine.apply #global_id()[%block_y, %thread_y, %tile]
      %column = affine.apply #global_id()[%block_x, %thread_x, %tile]
      %zero = arith.constant 0.0 : f32
      %dot = scf.for %k = %begin to %end step %step iter_args(%acc = %zero) -> (f32) {
        %a = memref.load %lhs[%row, %k] : memref<256x1024xf32>
        %b = memref.load %rhs[%k, %column] : memref<1024x256xf32>
        %ab = arith.mulf %a, %b : f32
        %next = arith.addf %acc, %ab : f32
        scf.yield %next : f32
      }
      memref.store %dot, %out[%row, %column] : memref<256x256xf32>
      gpu.return
    }
  }

  gpu.module @second_kernel {
    gpu.func @matmul(%lhs: memref<256x1024xf32>, %rhs: memref<1024x256xf32>,
                     %out: memref<256x256xf32>, %tile: index, %begin: index, %end: index,
                     %step: index) kernel {
      %block_x = gpu.block_id x
      %block_y = gpu.block_id y
      %thread_x = gpu.thread_id x
      %thread_y = gpu.thread_id y
      %row = affine.apply #global_id()[%block_y, %thread_y, %tile]
      %column = affine.apply #global_id()[%block_x, %thread_x, %tile]
      %zero = arith.constant 0.0 : f32
      %dot = scf.for %k = %begin to %end step %step iter_args(%acc = %zero) -> (f32) {
        %a = memref.load %lhs[%row, %k] : memref<256x1024xf32>
        %b = memref.load %rhs[%k, %column] : memref<1024x256xf32>
        %ab = arith.mulf %a, %b : f32
        %next = arith.addf %acc, %ab : f32
        scf.yield %next : f32
      }
      memref.store %dot, %out[%row, %column] : memref<256x256xf32>
      gpu.return
    }
  }

  gpu.module @add_kernel {
    gpu.func @add(%first: memref<256x256xf32>, %second: memref<256x256xf32>,
                  %sum: memref<256x256xf32>, %tile: index) kernel {
      %block_x = gpu.block_id x
      %block_y = gpu.block_id y
      %thread_x = gpu.thread_id x
      %thread_y = gpu.thread_id y
      %row = affine.apply #global_id()[%block_y, %thread_y, %tile]
      %column = affine.apply #global_id()[%block_x, %thread_x, %tile]
      %a = memref.load %first[%row, %column] : memref<256x256xf32>
      %b = memref.load %second[%row, %column] : memref<256x256xf32>
      %ab = arith.addf %a, %b : f32
      memref.store %ab, %sum[%row, %column] : memref<256x256xf32>
      gpu.return
    }
  }

  // Fills the inputs, multiplies on the device, and compares with a plain loop on the host.
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %c7 = arith.constant 7 : index
    %c11 = arith.constant 11 : index
    %c13 = arith.constant 13 : index
    %c256 = arith.constant 256 : index
    %c1024 = arith.constant 1024 : index
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2.0 : f32
    %lhs = gpu.alloc host_shared () : memref<256x1024xf32>
    %rhs = gpu.alloc host_shared () : memref<1024x256xf32>
    scf.for %i = %c0 to %c256 step %c1 {
      scf.for %k = %c0 to %c1024 step %c1 {
        %0 = func.call @sample(%i, %k, %c7, %c3, %c13) : (index, index, index, index, index) -> f32
        memref.store %0, %lhs[%i, %k] : memref<256x1024xf32>
        %1 = func.call @sample(%k, %i, %c5, %c1, %c11) : (index, index, index, index, index) -> f32
        memref.store %1, %rhs[%k, %i] : memref<1024x256xf32>
      }
    }

    %sum = call @two_matmuls(%lhs, %rhs)
        : (memref<256x1024xf32>, memref<1024x256xf32>) -> memref<256x256xf32>

    %checksum, %error = scf.for %i = %c0 to %c256 step %c1
        iter_args(%total = %zero, %worst = %zero) -> (f32, f32) {
      %row:2 = scf.for %j = %c0 to %c256 step %c1
          iter_args(%total_in = %total, %worst_in = %worst) -> (f32, f32) {
        %dot = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %zero) -> (f32) {
          %a = memref.load %lhs[%i, %k] : memref<256x1024xf32>
          %b = memref.load %rhs[%k, %j] : memref<1024x256xf32>
          %ab = arith.mulf %a, %b : f32
          %next = arith.addf %acc, %ab : f32
          scf.yield %next : f32
        }
        %expected = arith.mulf %dot, %two : f32
        %found = memref.load %sum[%i, %j] : memref<256x256xf32>
        %difference = arith.subf %found, %expected : f32
        %negated = arith.negf %difference : f32
        %magnitude = arith.maximumf %difference, %negated : f32
        %worse = arith.maximumf %worst_in, %magnitude : f32
        %total_out = arith.addf %total_in, %found : f32
        scf.yield %total_out, %worse : f32, f32
      }
      scf.yield %row#0, %row#1 : f32, f32
    }
    call @printF32(%checksum) : (f32) -> ()
    call @printNewline() : () -> ()
    call @printF32(%error) : (f32) -> ()
    call @printNewline() : () -> ()

    %t0 = gpu.wait async
    %t1 = gpu.dealloc async [%t0] %lhs : memref<256x1024xf32>
    %t2 = gpu.dealloc async [%t1] %rhs : memref<1024x256xf32>
    %t3 = gpu.dealloc async [%t2] %sum : memref<256x256xf32>
    gpu.wait [%t3]
    return
  }

  // (((i * a + j * b) mod m) - 5) / 20: small numbers that no two rows share.
  func.func private @sample(%i: index, %j: index, %a: index, %b: index, %m: index) -> f32 {
    %c5 = arith.constant 5 : index
    %scale = arith.constant 0.05 : f32
    %0 = arith.muli %i, %a : index
    %1 = arith.muli %j, %b : index
    %2 = arith.addi %0, %1 : index
    %3 = arith.remui %2, %m : index
    %4 = arith.subi %3, %c5 : index
    %5 = arith.index_cast %4 : index to i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %scale : f32
    return %7 : f32
  }

  func.func private @printF32(f32)
  func.func private @printNewline()
}

// CHECK: #map = affine_map<()[s0, s1, s2] -> (s0 * s2 + s1)>
// CHECK-NEXT: module attributes {gpu.container_module} {
// CHECK-NEXT: llvm.func @two_matmuls(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: !llvm.ptr, %arg8: !llvm.ptr, %arg9: i64, %arg10: i64, %arg11: i64, %arg12: i64, %arg13: i64) -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> {
// CHECK-NEXT: %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %1 = llvm.insertvalue %arg7, %0[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %2 = llvm.insertvalue %arg8, %1[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %3 = llvm.insertvalue %arg9, %2[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %4 = llvm.insertvalue %arg10, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %5 = llvm.insertvalue %arg12, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %6 = llvm.insertvalue %arg11, %5[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %7 = llvm.insertvalue %arg13, %6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %8 = builtin.unrealized_conversion_cast %7 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<1024x256xf32>
// CHECK-NEXT: %9 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %10 = llvm.insertvalue %arg0, %9[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %11 = llvm.insertvalue %arg1, %10[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %12 = llvm.insertvalue %arg2, %11[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %13 = llvm.insertvalue %arg3, %12[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %14 = llvm.insertvalue %arg5, %13[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %15 = llvm.insertvalue %arg4, %14[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %16 = llvm.insertvalue %arg6, %15[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %17 = builtin.unrealized_conversion_cast %16 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<256x1024xf32>
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %c8 = arith.constant 8 : index
// CHECK-NEXT: %c32 = arith.constant 32 : index
// CHECK-NEXT: %c1024 = arith.constant 1024 : index
// CHECK-NEXT: %memref = gpu.alloc  host_shared () : memref<256x256xf32>
// CHECK-NEXT: %memref_0 = gpu.alloc  host_shared () : memref<256x256xf32>
// CHECK-NEXT: %memref_1 = gpu.alloc  host_shared () : memref<256x256xf32>
// CHECK-NEXT: %18 = builtin.unrealized_conversion_cast %memref_1 : memref<256x256xf32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %19 = gpu.wait async
// CHECK-NEXT: %20 = gpu.launch_func async [%19] @first_kernel::@matmul blocks in (%c8, %c8, %c1) threads in (%c32, %c32, %c1)  args(%17 : memref<256x1024xf32>, %8 : memref<1024x256xf32>, %memref : memref<256x256xf32>, %c32 : index, %c0 : index, %c1024 : index, %c1 : index)
// CHECK-NEXT: %21 = gpu.wait async
// CHECK-NEXT: %22 = gpu.launch_func async [%21] @second_kernel::@matmul blocks in (%c8, %c8, %c1) threads in (%c32, %c32, %c1)  args(%17 : memref<256x1024xf32>, %8 : memref<1024x256xf32>, %memref_0 : memref<256x256xf32>, %c32 : index, %c0 : index, %c1024 : index, %c1 : index)
// CHECK-NEXT: %23 = gpu.wait async [%20, %22]
// CHECK-NEXT: %24 = gpu.launch_func async [%23] @add_kernel::@add blocks in (%c8, %c8, %c1) threads in (%c32, %c32, %c1)  args(%memref : memref<256x256xf32>, %memref_0 : memref<256x256xf32>, %memref_1 : memref<256x256xf32>, %c32 : index)
// CHECK-NEXT: %25 = gpu.dealloc async [%24] %memref : memref<256x256xf32>
// CHECK-NEXT: %26 = gpu.dealloc async [%25] %memref_0 : memref<256x256xf32>
// CHECK-NEXT: gpu.wait [%26]
// CHECK-NEXT: llvm.return %18 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: }
// CHECK-NEXT: gpu.module @first_kernel {
// CHECK-NEXT: gpu.func @matmul(%arg0: memref<256x1024xf32>, %arg1: memref<1024x256xf32>, %arg2: memref<256x256xf32>, %arg3: index, %arg4: index, %arg5: index, %arg6: index) kernel {
// CHECK-NEXT: %block_id_x = gpu.block_id  x
// CHECK-NEXT: %block_id_y = gpu.block_id  y
// CHECK-NEXT: %thread_id_x = gpu.thread_id  x
// CHECK-NEXT: %thread_id_y = gpu.thread_id  y
// CHECK-NEXT: %0 = affine.apply #map()[%block_id_y, %thread_id_y, %arg3]
// CHECK-NEXT: %1 = affine.apply #map()[%block_id_x, %thread_id_x, %arg3]
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %2 = scf.for %arg7 = %arg4 to %arg5 step %arg6 iter_args(%arg8 = %cst) -> (f32) {
// CHECK-NEXT: %3 = memref.load %arg0[%0, %arg7] : memref<256x1024xf32>
// CHECK-NEXT: %4 = memref.load %arg1[%arg7, %1] : memref<1024x256xf32>
// CHECK-NEXT: %5 = arith.mulf %3, %4 : f32
// CHECK-NEXT: %6 = arith.addf %arg8, %5 : f32
// CHECK-NEXT: scf.yield %6 : f32
// CHECK-NEXT: }
// CHECK-NEXT: memref.store %2, %arg2[%0, %1] : memref<256x256xf32>
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: gpu.module @second_kernel {
// CHECK-NEXT: gpu.func @matmul(%arg0: memref<256x1024xf32>, %arg1: memref<1024x256xf32>, %arg2: memref<256x256xf32>, %arg3: index, %arg4: index, %arg5: index, %arg6: index) kernel {
// CHECK-NEXT: %block_id_x = gpu.block_id  x
// CHECK-NEXT: %block_id_y = gpu.block_id  y
// CHECK-NEXT: %thread_id_x = gpu.thread_id  x
// CHECK-NEXT: %thread_id_y = gpu.thread_id  y
// CHECK-NEXT: %0 = affine.apply #map()[%block_id_y, %thread_id_y, %arg3]
// CHECK-NEXT: %1 = affine.apply #map()[%block_id_x, %thread_id_x, %arg3]
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %2 = scf.for %arg7 = %arg4 to %arg5 step %arg6 iter_args(%arg8 = %cst) -> (f32) {
// CHECK-NEXT: %3 = memref.load %arg0[%0, %arg7] : memref<256x1024xf32>
// CHECK-NEXT: %4 = memref.load %arg1[%arg7, %1] : memref<1024x256xf32>
// CHECK-NEXT: %5 = arith.mulf %3, %4 : f32
// CHECK-NEXT: %6 = arith.addf %arg8, %5 : f32
// CHECK-NEXT: scf.yield %6 : f32
// CHECK-NEXT: }
// CHECK-NEXT: memref.store %2, %arg2[%0, %1] : memref<256x256xf32>
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: gpu.module @add_kernel {
// CHECK-NEXT: gpu.func @add(%arg0: memref<256x256xf32>, %arg1: memref<256x256xf32>, %arg2: memref<256x256xf32>, %arg3: index) kernel {
// CHECK-NEXT: %block_id_x = gpu.block_id  x
// CHECK-NEXT: %block_id_y = gpu.block_id  y
// CHECK-NEXT: %thread_id_x = gpu.thread_id  x
// CHECK-NEXT: %thread_id_y = gpu.thread_id  y
// CHECK-NEXT: %0 = affine.apply #map()[%block_id_y, %thread_id_y, %arg3]
// CHECK-NEXT: %1 = affine.apply #map()[%block_id_x, %thread_id_x, %arg3]
// CHECK-NEXT: %2 = memref.load %arg0[%0, %1] : memref<256x256xf32>
// CHECK-NEXT: %3 = memref.load %arg1[%0, %1] : memref<256x256xf32>
// CHECK-NEXT: %4 = arith.addf %2, %3 : f32
// CHECK-NEXT: memref.store %4, %arg2[%0, %1] : memref<256x256xf32>
// CHECK-NEXT: gpu.return
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: llvm.func @main() {
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %c1 : index to i64
// CHECK-NEXT: %c3 = arith.constant 3 : index
// CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %c3 : index to i64
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %2 = builtin.unrealized_conversion_cast %c5 : index to i64
// CHECK-NEXT: %c7 = arith.constant 7 : index
// CHECK-NEXT: %3 = builtin.unrealized_conversion_cast %c7 : index to i64
// CHECK-NEXT: %c11 = arith.constant 11 : index
// CHECK-NEXT: %4 = builtin.unrealized_conversion_cast %c11 : index to i64
// CHECK-NEXT: %c13 = arith.constant 13 : index
// CHECK-NEXT: %5 = builtin.unrealized_conversion_cast %c13 : index to i64
// CHECK-NEXT: %c256 = arith.constant 256 : index
// CHECK-NEXT: %c1024 = arith.constant 1024 : index
// CHECK-NEXT: %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %cst_0 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %memref = gpu.alloc  host_shared () : memref<256x1024xf32>
// CHECK-NEXT: %6 = builtin.unrealized_conversion_cast %memref : memref<256x1024xf32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %memref_1 = gpu.alloc  host_shared () : memref<1024x256xf32>
// CHECK-NEXT: %7 = builtin.unrealized_conversion_cast %memref_1 : memref<1024x256xf32> to !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: scf.for %arg0 = %c0 to %c256 step %c1 {
// CHECK-NEXT: %29 = builtin.unrealized_conversion_cast %arg0 : index to i64
// CHECK-NEXT: scf.for %arg1 = %c0 to %c1024 step %c1 {
// CHECK-NEXT: %30 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT: %31 = llvm.call @sample(%29, %30, %3, %1, %5) : (i64, i64, i64, i64, i64) -> f32
// CHECK-NEXT: memref.store %31, %memref[%arg0, %arg1] : memref<256x1024xf32>
// CHECK-NEXT: %32 = llvm.call @sample(%30, %29, %2, %0, %4) : (i64, i64, i64, i64, i64) -> f32
// CHECK-NEXT: memref.store %32, %memref_1[%arg1, %arg0] : memref<1024x256xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: %8 = llvm.extractvalue %6[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %9 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %10 = llvm.extractvalue %6[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %11 = llvm.extractvalue %6[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %12 = llvm.extractvalue %6[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %13 = llvm.extractvalue %6[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %14 = llvm.extractvalue %6[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %15 = llvm.extractvalue %7[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %16 = llvm.extractvalue %7[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %17 = llvm.extractvalue %7[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %18 = llvm.extractvalue %7[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %19 = llvm.extractvalue %7[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %20 = llvm.extractvalue %7[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %21 = llvm.extractvalue %7[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %22 = llvm.call @two_matmuls(%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21) : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
// CHECK-NEXT: %23 = builtin.unrealized_conversion_cast %22 : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> to memref<256x256xf32>
// CHECK-NEXT: %24:2 = scf.for %arg0 = %c0 to %c256 step %c1 iter_args(%arg1 = %cst, %arg2 = %cst) -> (f32, f32) {
// CHECK-NEXT: %29:2 = scf.for %arg3 = %c0 to %c256 step %c1 iter_args(%arg4 = %arg1, %arg5 = %arg2) -> (f32, f32) {
// CHECK-NEXT: %30 = scf.for %arg6 = %c0 to %c1024 step %c1 iter_args(%arg7 = %cst) -> (f32) {
// CHECK-NEXT: %38 = memref.load %memref[%arg0, %arg6] : memref<256x1024xf32>
// CHECK-NEXT: %39 = memref.load %memref_1[%arg6, %arg3] : memref<1024x256xf32>
// CHECK-NEXT: %40 = arith.mulf %38, %39 : f32
// CHECK-NEXT: %41 = arith.addf %arg7, %40 : f32
// CHECK-NEXT: scf.yield %41 : f32
// CHECK-NEXT: }
// CHECK-NEXT: %31 = arith.mulf %30, %cst_0 : f32
// CHECK-NEXT: %32 = memref.load %23[%arg0, %arg3] : memref<256x256xf32>
// CHECK-NEXT: %33 = arith.subf %32, %31 : f32
// CHECK-NEXT: %34 = arith.negf %33 : f32
// CHECK-NEXT: %35 = arith.maximumf %33, %34 : f32
// CHECK-NEXT: %36 = arith.maximumf %arg5, %35 : f32
// CHECK-NEXT: %37 = arith.addf %arg4, %32 : f32
// CHECK-NEXT: scf.yield %37, %36 : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %29#0, %29#1 : f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: llvm.call @printF32(%24#0) : (f32) -> ()
// CHECK-NEXT: llvm.call @printNewline() : () -> ()
// CHECK-NEXT: llvm.call @printF32(%24#1) : (f32) -> ()
// CHECK-NEXT: llvm.call @printNewline() : () -> ()
// CHECK-NEXT: %25 = gpu.wait async
// CHECK-NEXT: %26 = gpu.dealloc async [%25] %memref : memref<256x1024xf32>
// CHECK-NEXT: %27 = gpu.dealloc async [%26] %memref_1 : memref<1024x256xf32>
// CHECK-NEXT: %28 = gpu.dealloc async [%27] %23 : memref<256x256xf32>
// CHECK-NEXT: gpu.wait [%28]
// CHECK-NEXT: llvm.return
// CHECK-NEXT: }
// CHECK-NEXT: llvm.func @sample(%arg0: i64, %arg1: i64, %arg2: i64, %arg3: i64, %arg4: i64) -> f32 attributes {sym_visibility = "private"} {
// CHECK-NEXT: %0 = builtin.unrealized_conversion_cast %arg4 : i64 to index
// CHECK-NEXT: %1 = builtin.unrealized_conversion_cast %arg3 : i64 to index
// CHECK-NEXT: %2 = builtin.unrealized_conversion_cast %arg2 : i64 to index
// CHECK-NEXT: %3 = builtin.unrealized_conversion_cast %arg1 : i64 to index
// CHECK-NEXT: %4 = builtin.unrealized_conversion_cast %arg0 : i64 to index
// CHECK-NEXT: %c5 = arith.constant 5 : index
// CHECK-NEXT: %cst = arith.constant 5.000000e-02 : f32
// CHECK-NEXT: %5 = arith.muli %4, %2 : index
// CHECK-NEXT: %6 = arith.muli %3, %1 : index
// CHECK-NEXT: %7 = arith.addi %5, %6 : index
// CHECK-NEXT: %8 = arith.remui %7, %0 : index
// CHECK-NEXT: %9 = arith.subi %8, %c5 : index
// CHECK-NEXT: %10 = arith.index_cast %9 : index to i32
// CHECK-NEXT: %11 = arith.sitofp %10 : i32 to f32
// CHECK-NEXT: %12 = arith.mulf %11, %cst : f32
// CHECK-NEXT: llvm.return %12 : f32
// CHECK-NEXT: }
// CHECK-NEXT: llvm.func @printF32(f32) attributes {sym_visibility = "private"}
// CHECK-NEXT: llvm.func @printNewline() attributes {sym_visibility = "private"}
// CHECK-NEXT: }
