// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(convert-affine-for-to-gpu{gpu-block-dims=2 gpu-thread-dims=1}))" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(convert-affine-for-to-gpu{gpu-block-dims=0 gpu-thread-dims=3}))" %s | filecheck %s --match-full-lines --check-prefix=THREADS
// RUN: xgpu-opt --pass-pipeline="builtin.module(func.func(convert-affine-for-to-gpu))" --mlir-print-op-generic %s | filecheck %s --check-prefix=GENERIC

// CHECK: module {
// CHECK-NEXT:   func.func @nest(%arg0: memref<4x8x16xf32>, %arg1: f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = arith.subi %c4, %c0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %1 = arith.subi %c8, %c0_0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %2 = arith.ceildivsi %1, %c2 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %3 = arith.subi %c16, %c1_1 : index
// CHECK-NEXT:     %c1_2 = arith.constant 1 : index
// CHECK-NEXT:     %c1_3 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %0, %arg9 = %2, %arg10 = %c1_3) threads(%arg5, %arg6, %arg7) in (%arg11 = %3, %arg12 = %c1_3, %arg13 = %c1_3) {
// CHECK-NEXT:       %4 = arith.addi %c0, %arg2 : index
// CHECK-NEXT:       %5 = arith.muli %c2, %arg3 : index
// CHECK-NEXT:       %6 = arith.addi %c0_0, %5 : index
// CHECK-NEXT:       %7 = arith.addi %c1_1, %arg5 : index
// CHECK-NEXT:       memref.store %arg1, %arg0[%4, %6, %7] : memref<4x8x16xf32>
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// THREADS: module {
// THREADS-NEXT:   func.func @nest(%arg0: memref<4x8x16xf32>, %arg1: f32) {
// THREADS-NEXT:     %c0 = arith.constant 0 : index
// THREADS-NEXT:     %c4 = arith.constant 4 : index
// THREADS-NEXT:     %0 = arith.subi %c4, %c0 : index
// THREADS-NEXT:     %c1 = arith.constant 1 : index
// THREADS-NEXT:     %c0_0 = arith.constant 0 : index
// THREADS-NEXT:     %c8 = arith.constant 8 : index
// THREADS-NEXT:     %1 = arith.subi %c8, %c0_0 : index
// THREADS-NEXT:     %c2 = arith.constant 2 : index
// THREADS-NEXT:     %2 = arith.ceildivsi %1, %c2 : index
// THREADS-NEXT:     %c1_1 = arith.constant 1 : index
// THREADS-NEXT:     %c16 = arith.constant 16 : index
// THREADS-NEXT:     %3 = arith.subi %c16, %c1_1 : index
// THREADS-NEXT:     %c1_2 = arith.constant 1 : index
// THREADS-NEXT:     %c1_3 = arith.constant 1 : index
// THREADS-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c1_3, %arg9 = %c1_3, %arg10 = %c1_3) threads(%arg5, %arg6, %arg7) in (%arg11 = %0, %arg12 = %2, %arg13 = %3) {
// THREADS-NEXT:       %4 = arith.addi %c0, %arg5 : index
// THREADS-NEXT:       %5 = arith.muli %c2, %arg6 : index
// THREADS-NEXT:       %6 = arith.addi %c0_0, %5 : index
// THREADS-NEXT:       %7 = arith.addi %c1_1, %arg7 : index
// THREADS-NEXT:       memref.store %arg1, %arg0[%4, %6, %7] : memref<4x8x16xf32>
// THREADS-NEXT:       gpu.terminator
// THREADS-NEXT:     }
// THREADS-NEXT:     return
// THREADS-NEXT:   }
// THREADS-NEXT: }
func.func @nest(%m: memref<4x8x16xf32>, %x: f32) {
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 8 step 2 {
      affine.for %k = 1 to 16 {
        memref.store %x, %m[%i, %j, %k] : memref<4x8x16xf32>
      }
    }
  }
  return
}

// GENERIC: "gpu.launch"
// GENERIC: }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
