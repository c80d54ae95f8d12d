// RUN: xgpu-opt %s --transform-interpreter | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?x8xf32>, %arg1: index, %arg2: vector<4x8xf32>, %arg3: f32, %arg4: vector<4xf32>, %arg5: tensor<8x8xf32>) -> (vector<4xf32>, tensor<?x8xf32>, vector<4x8xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = math.exp %arg3 : f32
// CHECK-NEXT:     %1 = vector.broadcast %0 : f32 to vector<4x8xf32>
// CHECK-NEXT:     %2 = vector.contract {indexing_maps = [#map, #map, #map1], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %arg2, %1, %arg4 : vector<4x8xf32>, vector<4x8xf32> into vector<4xf32>
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %3 = arith.addi %dim, %arg1 : index
// CHECK-NEXT:     %4 = tensor.empty(%3) : tensor<?x8xf32>
// CHECK-NEXT:     %5 = linalg.fill ins(%arg3 : f32) outs(%4 : tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:     %dim_0 = tensor.dim %arg0, %c0 : tensor<?x8xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %5[0, 0] [%dim_0, 8] [1, 1] : tensor<?x8xf32> into tensor<?x8xf32>
// CHECK-NEXT:     %6 = vector.transfer_read %arg5[%arg1, %c0], %arg3 {in_bounds = [true, true]} : tensor<8x8xf32>, vector<4x8xf32>
// CHECK-NEXT:     return %2, %inserted_slice, %6 : vector<4xf32>, tensor<?x8xf32>, vector<4x8xf32>
// CHECK-NEXT:   }
func.func @f(%t: tensor<?x8xf32>, %h: index, %a: vector<4x8xf32>, %s: f32, %c: vector<4xf32>, %x: tensor<8x8xf32>) -> (vector<4xf32>, tensor<?x8xf32>, vector<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %b = vector.broadcast %s : f32 to vector<4x8xf32>
  %e = math.exp %b : vector<4x8xf32>
  %p = arith.mulf %a, %e : vector<4x8xf32>
  %r = vector.multi_reduction <add>, %p, %c [1] : vector<4x8xf32> to vector<4xf32>
  %q = tensor.pad %t low[0, 0] high[%h, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %s : f32
  } : tensor<?x8xf32> to tensor<?x8xf32>
  %y = tensor.extract_slice %x[%h, 0] [4, 8] [1, 1] : tensor<8x8xf32> to tensor<4x8xf32>
  %v = vector.transfer_read %y[%c0, %c0], %s {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
  return %r, %q, %v : vector<4xf32>, tensor<?x8xf32>, vector<4x8xf32>
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.apply_patterns to %0 {
// CHECK-NEXT:         transform.apply_patterns.linalg.decompose_pad
// CHECK-NEXT:         transform.apply_patterns.linalg.pad_vectorization
// CHECK-NEXT:         transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
// CHECK-NEXT:         transform.apply_patterns.vector.reduction_to_contract
// CHECK-NEXT:         transform.apply_patterns.vector.sink_ops
// CHECK-NEXT:       } : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.linalg.decompose_pad
      transform.apply_patterns.linalg.pad_vectorization
      transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.sink_ops
    } : !transform.any_op
    transform.yield
  }
}
