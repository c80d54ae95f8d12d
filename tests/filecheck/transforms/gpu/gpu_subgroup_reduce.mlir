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

  // Each kind combines by its operation, of integers or of floats.
  // SHUFFLE-LABEL: gpu.func @kinds
  // SHUFFLE:       arith.addi
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.muli
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.andi
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.ori
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.xori
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.minsi
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.minui
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.maxsi
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.maxui
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.addf
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.mulf
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.minnumf
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.maxnumf
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.minimumf
  // SHUFFLE-NEXT:  memref.store
  // SHUFFLE:       arith.maximumf
  // SHUFFLE-NEXT:  memref.store
  gpu.func @kinds(%x: i32, %y: f32, %m: memref<i32>, %n: memref<f32>) kernel {
    %r0 = gpu.subgroup_reduce add %x cluster(size = 2) : (i32) -> i32
    memref.store %r0, %m[] : memref<i32>
    %r1 = gpu.subgroup_reduce mul %x cluster(size = 2) : (i32) -> i32
    memref.store %r1, %m[] : memref<i32>
    %r2 = gpu.subgroup_reduce and %x cluster(size = 2) : (i32) -> i32
    memref.store %r2, %m[] : memref<i32>
    %r3 = gpu.subgroup_reduce or %x cluster(size = 2) : (i32) -> i32
    memref.store %r3, %m[] : memref<i32>
    %r4 = gpu.subgroup_reduce xor %x cluster(size = 2) : (i32) -> i32
    memref.store %r4, %m[] : memref<i32>
    %r5 = gpu.subgroup_reduce minsi %x cluster(size = 2) : (i32) -> i32
    memref.store %r5, %m[] : memref<i32>
    %r6 = gpu.subgroup_reduce minui %x cluster(size = 2) : (i32) -> i32
    memref.store %r6, %m[] : memref<i32>
    %r7 = gpu.subgroup_reduce maxsi %x cluster(size = 2) : (i32) -> i32
    memref.store %r7, %m[] : memref<i32>
    %r8 = gpu.subgroup_reduce maxui %x cluster(size = 2) : (i32) -> i32
    memref.store %r8, %m[] : memref<i32>
    %r9 = gpu.subgroup_reduce add %y cluster(size = 2) : (f32) -> f32
    memref.store %r9, %n[] : memref<f32>
    %r10 = gpu.subgroup_reduce mul %y cluster(size = 2) : (f32) -> f32
    memref.store %r10, %n[] : memref<f32>
    %r11 = gpu.subgroup_reduce minnumf %y cluster(size = 2) : (f32) -> f32
    memref.store %r11, %n[] : memref<f32>
    %r12 = gpu.subgroup_reduce maxnumf %y cluster(size = 2) : (f32) -> f32
    memref.store %r12, %n[] : memref<f32>
    %r13 = gpu.subgroup_reduce minimumf %y cluster(size = 2) : (f32) -> f32
    memref.store %r13, %n[] : memref<f32>
    %r14 = gpu.subgroup_reduce maximumf %y cluster(size = 2) : (f32) -> f32
    memref.store %r14, %n[] : memref<f32>
    gpu.return
  }
}
