// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: @lanes
// CHECK: amdgpu.dpp %{{.*}} %{{.*}} quad_perm([1 : i32, 0 : i32, 3 : i32, 2 : i32]) {bound_ctrl = true} : f32
// CHECK: amdgpu.dpp %{{.*}} %{{.*}} row_bcast_15(unit) {row_mask = 10 : i32} : f32
// CHECK: amdgpu.swizzle_bitmode %{{.*}} 0 31 0 : f32
// CHECK: rocdl.permlanex16 %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, true, false : f32, i32
// CHECK: rocdl.readlane %{{.*}}, %{{.*}} : (f32, i32) -> f32
// GENERIC: "amdgpu.dpp"(%{{.*}}, %{{.*}}) <{bank_mask = 15 : i32, bound_ctrl = true, kind = #amdgpu<dpp_perm quad_perm>
// GENERIC: "amdgpu.swizzle_bitmode"(%{{.*}}) <{and_mask = 0 : i32, or_mask = 31 : i32, xor_mask = 0 : i32}>
func.func @lanes(%x: f32, %i: i32) -> f32 {
  %0 = amdgpu.dpp %x %x quad_perm([1 : i32, 0 : i32, 3 : i32, 2 : i32]) {bound_ctrl = true} : f32
  %1 = amdgpu.dpp %0 %0 row_bcast_15(unit) {row_mask = 10 : i32} : f32
  %2 = amdgpu.swizzle_bitmode %1 0 31 0 : f32
  %3 = rocdl.permlanex16 %2, %2, %i, %i, true, false : f32, i32
  %4 = rocdl.readlane %3, %i : (f32, i32) -> f32
  return %4 : f32
}
