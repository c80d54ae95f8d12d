// RUN: xgpu-opt --loop-invariant-code-motion --allow-unregistered-dialect %s | filecheck %s --match-full-lines

// What works on tensors leaves a loop; what may trap, and what works in memory, stays.

// CHECK: module {
// CHECK-NEXT:   func.func @tensors(%arg0: tensor<16x16xf32>, %arg1: tensor<2x2x8x8xf32>, %arg2: f32, %arg3: index, %arg4: tensor<?xf32>, %arg5: vector<4xf32>, %arg6: memref<16x16xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %pack = linalg.pack %arg0 inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %arg1 : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
// CHECK-NEXT:     %dim = tensor.dim %arg4, %c0 : tensor<?xf32>
// CHECK-NEXT:     %0 = vector.transfer_read %arg4[%c0], %arg2 : tensor<?xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %arg5, %arg4[%c0] : vector<4xf32>, tensor<?xf32>
// CHECK-NEXT:     %2 = linalg.matmul ins(%arg0, %arg0 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%arg0 : tensor<16x16xf32>) -> tensor<16x16xf32>
// CHECK-NEXT:     scf.for %arg7 = %c0 to %arg3 step %c1 {
// CHECK-NEXT:       %dim_0 = tensor.dim %arg4, %arg3 : tensor<?xf32>
// CHECK-NEXT:       linalg.fill ins(%arg2 : f32) outs(%arg6 : memref<16x16xf32>)
// CHECK-NEXT:       "some.use"(%pack, %dim, %dim_0, %0, %1, %2) : (tensor<2x2x8x8xf32>, index, index, vector<4xf32>, tensor<?xf32>, tensor<16x16xf32>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @tensors(%a: tensor<16x16xf32>, %e: tensor<2x2x8x8xf32>, %p: f32, %n: index, %t: tensor<?xf32>, %v: vector<4xf32>, %m: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %e : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
    %y = tensor.dim %t, %c0 : tensor<?xf32>
    %z = tensor.dim %t, %n : tensor<?xf32>
    %r = vector.transfer_read %t[%c0], %p : tensor<?xf32>, vector<4xf32>
    %w = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<?xf32>
    %s = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%a : tensor<16x16xf32>) -> tensor<16x16xf32>
    linalg.fill ins(%p : f32) outs(%m : memref<16x16xf32>)
    "some.use"(%x, %y, %z, %r, %w, %s) : (tensor<2x2x8x8xf32>, index, index, vector<4xf32>, tensor<?xf32>, tensor<16x16xf32>) -> ()
  }
  return
}
