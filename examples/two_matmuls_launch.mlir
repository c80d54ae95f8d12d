// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two matrix products that may run together, and their sum, which waits for both:
//
//     %0 -> matmul -> %1 \
//                         join %4 -> add -> %5
//     %2 -> matmul -> %3 /
//
// The same program as two_matmuls.mlir, with the kernels in place (`gpu.launch`).
//
//   xgpu-runner examples/two_matmuls_launch.mlir
//
// prints a checksum and the largest error against a plain matrix product on the host.
#global_id = affine_map<()[s0, s1, s2] -> (s0 * s2 + s1)>

module {
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
    %1 = gpu.launch async [%0]
        blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c8, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c32, %sz = %c1) {
      %row = affine.apply #global_id()[%by, %ty, %c32]
      %column = affine.apply #global_id()[%bx, %tx, %c32]
      %zero = arith.constant 0.0 : f32
      %dot = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %zero) -> (f32) {
        %a = memref.load %lhs[%row, %k] : memref<256x1024xf32>
        %b = memref.load %rhs[%k, %column] : memref<1024x256xf32>
        %ab = arith.mulf %a, %b : f32
        %next = arith.addf %acc, %ab : f32
        scf.yield %next : f32
      }
      memref.store %dot, %first[%row, %column] : memref<256x256xf32>
      gpu.terminator
    }
    %2 = gpu.wait async
    %3 = gpu.launch async [%2]
        blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c8, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c32, %sz = %c1) {
      %row = affine.apply #global_id()[%by, %ty, %c32]
      %column = affine.apply #global_id()[%bx, %tx, %c32]
      %zero = arith.constant 0.0 : f32
      %dot = scf.for %k = %c0 to %c1024 step %c1 iter_args(%acc = %zero) -> (f32) {
        %a = memref.load %lhs[%row, %k] : memref<256x1024xf32>
        %b = memref.load %rhs[%k, %column] : memref<1024x256xf32>
        %ab = arith.mulf %a, %b : f32
        %next = arith.addf %acc, %ab : f32
        scf.yield %next : f32
      }
      memref.store %dot, %second[%row, %column] : memref<256x256xf32>
      gpu.terminator
    }
    %4 = gpu.wait async [%1, %3]
    %added = gpu.launch async [%4]
        blocks(%bx, %by, %bz) in (%gx = %c8, %gy = %c8, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c32, %sz = %c1) {
      %row = affine.apply #global_id()[%by, %ty, %c32]
      %column = affine.apply #global_id()[%bx, %tx, %c32]
      %a = memref.load %first[%row, %column] : memref<256x256xf32>
      %b = memref.load %second[%row, %column] : memref<256x256xf32>
      %ab = arith.addf %a, %b : f32
      memref.store %ab, %sum[%row, %column] : memref<256x256xf32>
      gpu.terminator
    }
    %freed = gpu.dealloc async [%added] %first : memref<256x256xf32>
    %5 = gpu.dealloc async [%freed] %second : memref<256x256xf32>
    gpu.wait [%5]
    return %sum : memref<256x256xf32>
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
