// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @dpp(%arg0: i32, %arg1: i32) {
// CHECK-NEXT:     %0 = amdgpu.dpp %arg0 %arg1  quad_perm([0, 1, 2, 3]) : i32
// CHECK-NEXT:     %1 = amdgpu.dpp %arg0 %arg1  row_shr(1 : i32) : i32
// CHECK-NEXT:     %2 = amdgpu.dpp %arg0 %arg1  row_bcast_15 : i32
// CHECK-NEXT:     %3 = amdgpu.dpp %arg0 %arg1  row_shl(1 : i32) {bound_ctrl = true, row_mask = 3 : i32} : i32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @dpp(%old: i32, %x: i32) {
  %0 = amdgpu.dpp %old %x quad_perm([0, 1, 2, 3]) : i32
  %1 = amdgpu.dpp %old %x row_shr(1 : i32) : i32
  %2 = amdgpu.dpp %old %x row_bcast_15 : i32
  %3 = amdgpu.dpp %old %x row_shl(1 : i32) {bound_ctrl = true, row_mask = 3 : i32} : i32
  return
}

// CHECK-NEXT:   func.func @swizzle(%arg0: f32) {
// CHECK-NEXT:     %0 = amdgpu.swizzle_bitmode %arg0 31 0 4 : f32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @swizzle(%x: f32) {
  %0 = amdgpu.swizzle_bitmode %x 31 0 4 : f32
  return
}
