// A parallel loop mapped to threads is what each thread of the launch does.
// RUN: xgpu-opt %s --gpu-map-foralls-to-threads | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: memref<16xf32>, %arg1: f32) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     gpu.launch blocks(%arg2, %arg3, %arg4) in (%arg8 = %c1, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %c32, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       %c16 = arith.constant 16 : index
// CHECK-NEXT:       %0 = arith.cmpi ult, %arg5, %c16 : index
// CHECK-NEXT:       scf.if %0 {
// CHECK-NEXT:         memref.store %arg1, %arg0[%arg5] : memref<16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f(%m: memref<16xf32>, %x: f32) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    scf.forall (%i) in (16) {
      memref.store %x, %m[%i] : memref<16xf32>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}
