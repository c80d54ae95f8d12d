// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --test-gpu-subgroup-reduce-lowering="expand-to-shuffles target=gfx942" --allow-unregistered-dialect | filecheck %s
// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --test-gpu-subgroup-reduce-lowering="expand-to-shuffles target=gfx1100" --allow-unregistered-dialect | filecheck %s --check-prefix=GFX11

// CHECK-LABEL: @whole
// GFX11-LABEL: @whole
gpu.module @k {
  gpu.func @whole(%x: i32) kernel {
    // CHECK: %[[A:.*]] = amdgpu.dpp %{{.*}} %{{.*}} quad_perm([1 : i32, 0 : i32, 3 : i32, 2 : i32]) {bound_ctrl = true} : i32
    // CHECK: arith.xori %{{.*}}, %[[A]] : i32
    // CHECK: quad_perm([2 : i32, 3 : i32, 0 : i32, 1 : i32])
    // CHECK: row_half_mirror(unit) {bound_ctrl = true}
    // CHECK: row_mirror(unit) {bound_ctrl = true}
    // CHECK: row_bcast_15(unit) {row_mask = 10 : i32}
    // CHECK: row_bcast_31(unit) {bound_ctrl = true}
    // CHECK: %[[R:.*]] = rocdl.readlane %{{.*}}, %{{.*}} : (i32, i32) -> i32
    // CHECK: "test.consume"(%[[R]])
    // GFX11: rocdl.permlanex16 %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, true, false : i32, i32
    // GFX11: %[[L:.*]] = rocdl.readlane
    // GFX11: %[[H:.*]] = rocdl.readlane
    // GFX11: arith.xori %[[L]], %[[H]]
    %0 = gpu.subgroup_reduce xor %x : (i32) -> i32
    "test.consume"(%0) : (i32) -> ()
    gpu.return
  }

  // Every lane of 32 gets the result of the last.
  // CHECK-LABEL: @half
  // CHECK: amdgpu.swizzle_bitmode %{{.*}} 0 31 0 : f16
  // CHECK-NOT: rocdl.readlane
  gpu.func @half(%x: f16) kernel {
    %0 = gpu.subgroup_reduce minnumf %x cluster(size = 32) : (f16) -> f16
    "test.consume"(%0) : (f16) -> ()
    gpu.return
  }

  // Lanes that are not neighbours exchange by shuffles.
  // CHECK-LABEL: @strided
  // CHECK: gpu.shuffle xor
  gpu.func @strided(%x: i32) kernel {
    %0 = gpu.subgroup_reduce xor %x cluster(size = 4, stride = 2) : (i32) -> i32
    "test.consume"(%0) : (i32) -> ()
    gpu.return
  }
}
