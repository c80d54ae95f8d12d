// RUN: xgpu-opt %s --gpu-to-llvm | filecheck %s

module attributes {gpu.container_module} {
  // The size of a copy is the product of all extents.
  // CHECK-LABEL: llvm.func @copy
  // CHECK: %[[X:.*]] = llvm.extractvalue %{{.*}}[3, 0]
  // CHECK: %[[Y:.*]] = llvm.extractvalue %{{.*}}[3, 1]
  // CHECK: %[[XY:.*]] = llvm.mul %[[X]], %[[Y]]
  // CHECK: %[[Z:.*]] = llvm.extractvalue %{{.*}}[3, 2]
  // CHECK: %[[N:.*]] = llvm.mul %[[XY]], %[[Z]]
  // CHECK: llvm.getelementptr %{{.*}}[%[[N]]]
  func.func @copy(%dst: memref<?x4x?xf32>, %src: memref<?x4x?xf32>) {
    %0 = gpu.wait async
    %1 = gpu.memcpy async [%0] %dst, %src : memref<?x4x?xf32>, memref<?x4x?xf32>
    return
  }

  // A vector of one element stays a vector.
  // CHECK-LABEL: llvm.func @one_element
  // CHECK: llvm.store %{{.*}}, %{{.*}} {alignment = 4 : i64} : vector<1xf32>, !llvm.ptr
  func.func @one_element(%v: vector<1xf32>, %m: memref<8xf32>, %i: index) {
    vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<1xf32>, memref<8xf32>
    return
  }

  // A mask around nothing goes.
  // CHECK-LABEL: llvm.func @empty_mask
  // CHECK-NEXT: llvm.return %{{.*}} : vector<4xf32>
  func.func @empty_mask(%v: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
    %0 = vector.mask %mask { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
    return %0 : vector<4xf32>
  }
}
