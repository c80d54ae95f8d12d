// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s -test-gpu-subgroup-reduce-lowering | filecheck %s
// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s -test-gpu-subgroup-reduce-lowering=expand-to-shuffles | filecheck %s --check-prefix=SHUFFLE

// CHECK-LABEL:   gpu.func @parts
// CHECK:         vector.extract_strided_slice {{.*}} {offsets = [0], sizes = [2], strides = [1]}
// CHECK:         gpu.subgroup_reduce add {{.*}} uniform : (vector<2xf16>)
// CHECK:         vector.extract {{.*}}[2] : f16
// CHECK:         gpu.subgroup_reduce add {{.*}} uniform : (f16)
// SHUFFLE-LABEL: gpu.func @parts
// SHUFFLE-NOT:   gpu.subgroup_reduce
// SHUFFLE:       vector.bitcast {{.*}} : vector<2xf16> to vector<1xi32>
// SHUFFLE:       gpu.shuffle xor
// SHUFFLE:       arith.addf {{.*}} : vector<2xf16>
gpu.module @kernels {
  gpu.func @parts(%x: vector<3xf16>, %m: memref<vector<3xf16>>) kernel {
    %r = gpu.subgroup_reduce add %x uniform : (vector<3xf16>) -> vector<3xf16>
    memref.store %r, %m[] : memref<vector<3xf16>>
    gpu.return
  }

  // Clusters of four lanes: two shuffles.
  // SHUFFLE-LABEL: gpu.func @clusters
  // SHUFFLE:       gpu.shuffle xor
  // SHUFFLE-NEXT:  arith.maxsi
  // SHUFFLE-NEXT:  gpu.shuffle xor
  // SHUFFLE-NEXT:  arith.maxsi
  // SHUFFLE-NEXT:  memref.store
  gpu.func @clusters(%x: i32, %m: memref<i32>) kernel {
    %r = gpu.subgroup_reduce maxsi %x cluster(size = 4) : (i32) -> i32
    memref.store %r, %m[] : memref<i32>
    gpu.return
  }
}
