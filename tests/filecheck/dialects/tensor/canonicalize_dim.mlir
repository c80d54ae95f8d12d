// RUN: xgpu-opt --canonicalize %s | filecheck %s --match-full-lines

// The size of a result is that of what it is written to.
// CHECK: module {
// CHECK-NEXT:   func.func @d(%arg0: tensor<?x64xf32>, %arg1: tensor<?x64xf32>, %arg2: f32, %arg3: index, %arg4: tensor<?x?xf32>, %arg5: tensor<?x?x?x?xf32>) -> (index, index, index, index, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg1, %c0 : tensor<?x64xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg1, %arg3 : tensor<?x64xf32>
// CHECK-NEXT:     %dim_1 = tensor.dim %arg0, %c0 : tensor<?x64xf32>
// CHECK-NEXT:     %dim_2 = tensor.dim %arg1, %c0 : tensor<?x64xf32>
// CHECK-NEXT:     %dim_3 = tensor.dim %arg5, %c0 : tensor<?x?x?x?xf32>
// CHECK-NEXT:     return %dim, %dim_0, %dim_1, %dim_2, %dim_3 : index, index, index, index, index
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @d(%a: tensor<?x64xf32>, %b: tensor<?x64xf32>, %f: f32, %i: index, %s: tensor<?x?xf32>, %p: tensor<?x?x?x?xf32>) -> (index, index, index,index,index) {
    %c0 = arith.constant 0 : index
    %0 = linalg.exp ins(%a : tensor<?x64xf32>) outs(%b : tensor<?x64xf32>) -> tensor<?x64xf32>
    %d = tensor.dim %0, %c0 : tensor<?x64xf32>
    %e = tensor.dim %0, %i : tensor<?x64xf32>
    %2 = tensor.insert %f into %a[%i, %i] : tensor<?x64xf32>
    %g = tensor.dim %2, %c0 : tensor<?x64xf32>
    %3 = tensor.insert_slice %s into %b[0, 0] [%i, %i] [1, 1] : tensor<?x?xf32> into tensor<?x64xf32>
    %h = tensor.dim %3, %c0 : tensor<?x64xf32>
    %4 = linalg.pack %s inner_dims_pos = [0, 1] inner_tiles = [%i, %i] into %p : tensor<?x?xf32> -> tensor<?x?x?x?xf32>
    %j = tensor.dim %4, %c0 : tensor<?x?x?x?xf32>
  return %d, %e, %g, %h, %j : index, index, index, index, index
}
