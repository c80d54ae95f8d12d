// Threads that copy neighbouring elements copy four at a time.
// RUN: xgpu-opt %s --gpu-vectorize-copies | filecheck %s --match-full-lines

#map = affine_map<(d0)[s0] -> (d0 * 16 + s0)>
// CHECK: #map = affine_map<(d0)[s0] -> (d0 * 16 + s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f() {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c64 = arith.constant 64 : index
// CHECK-NEXT:     %memref = gpu.alloc  () : memref<64x32xf32>
// CHECK-NEXT:     gpu.launch blocks(%arg0, %arg1, %arg2) in (%arg6 = %c2, %arg7 = %c1, %arg8 = %c1) threads(%arg3, %arg4, %arg5) in (%arg9 = %c64, %arg10 = %c1, %arg11 = %c1) workgroup(%arg12 : memref<64x16xf32, #gpu.address_space<workgroup>>) {
// CHECK-NEXT:       scf.forall (%arg13, %arg14) in (64, 4) {
// CHECK-NEXT:         %c4 = arith.constant 4 : index
// CHECK-NEXT:         %0 = arith.muli %arg14, %c4 : index
// CHECK-NEXT:         %1 = affine.apply #map(%arg0)[%0]
// CHECK-NEXT:         %2 = vector.load %memref[%arg13, %1] {alignment = 16 : i64} : memref<64x32xf32>, vector<4xf32>
// CHECK-NEXT:         vector.store %2, %arg12[%arg13, %0] {alignment = 16 : i64} : memref<64x16xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-NEXT:       } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     } {workgroup_attrib_attrs = [{llvm.align = 16 : i64}]}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @f() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %a = gpu.alloc () : memref<64x32xf32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1)
             workgroup(%tile: memref<64x16xf32, #gpu.address_space<workgroup>>) {
    scf.forall (%i, %j) in (64, 16) {
      %column = affine.apply #map(%bx)[%j]
      %0 = memref.load %a[%i, %column] : memref<64x32xf32>
      memref.store %0, %tile[%i, %j] : memref<64x16xf32, #gpu.address_space<workgroup>>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}
