// RUN: xgpu-opt --transform-interpreter %s | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 + s1 + 1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @elements(%arg0: f32, %arg1: f32) -> (tensor<2x2xf32>, tensor<f32>) {
// CHECK-NEXT:     %0 = tensor.empty() : tensor<2x2xf32>
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %inserted = tensor.insert %arg0 into %0[%c0, %c0] : tensor<2x2xf32>
// CHECK-NEXT:     %inserted_0 = tensor.insert %arg1 into %inserted[%c0, %c1] : tensor<2x2xf32>
// CHECK-NEXT:     %inserted_1 = tensor.insert %arg1 into %inserted_0[%c1, %c0] : tensor<2x2xf32>
// CHECK-NEXT:     %inserted_2 = tensor.insert %arg0 into %inserted_1[%c1, %c1] : tensor<2x2xf32>
// CHECK-NEXT:     %1 = tensor.empty() : tensor<f32>
// CHECK-NEXT:     %inserted_3 = tensor.insert %arg0 into %1[] : tensor<f32>
// CHECK-NEXT:     return %inserted_2, %inserted_3 : tensor<2x2xf32>, tensor<f32>
// CHECK-NEXT:   }
func.func @elements(%a: f32, %b: f32) -> (tensor<2x2xf32>, tensor<f32>) {
  %0 = tensor.from_elements %a, %b, %b, %a : tensor<2x2xf32>
  %1 = tensor.from_elements %a : tensor<f32>
  return %0, %1 : tensor<2x2xf32>, tensor<f32>
}
// CHECK-NEXT:   func.func @generate(%arg0: index) -> tensor<?x4xindex> {
// CHECK-NEXT:     %0 = tensor.empty(%arg0) : tensor<?x4xindex>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<?x4xindex>) {
// CHECK-NEXT:     ^bb0(%out: index):
// CHECK-NEXT:       %2 = linalg.index 0 : index
// CHECK-NEXT:       %3 = linalg.index 1 : index
// CHECK-NEXT:       %4 = arith.addi %2, %3 : index
// CHECK-NEXT:       linalg.yield %4 : index
// CHECK-NEXT:     } -> tensor<?x4xindex>
// CHECK-NEXT:     return %1 : tensor<?x4xindex>
// CHECK-NEXT:   }
func.func @generate(%n: index) -> tensor<?x4xindex> {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<?x4xindex>
  return %0 : tensor<?x4xindex>
}
// CHECK-NEXT:   func.func @pad(%arg0: tensor<?x4xf32>, %arg1: index, %arg2: f32) -> (tensor<?x8xf32>, tensor<6x4xindex>, tensor<?x4xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = tensor.dim %arg0, %c0 : tensor<?x4xf32>
// CHECK-NEXT:     %0 = affine.apply #map1()[%dim, %arg1]
// CHECK-NEXT:     %1 = tensor.empty(%0) : tensor<?x8xf32>
// CHECK-NEXT:     %2 = linalg.fill ins(%arg2 : f32) outs(%1 : tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %dim_1 = tensor.dim %arg0, %c0_0 : tensor<?x4xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %arg0 into %2[1, 2] [%dim_1, 4] [1, 1] : tensor<?x4xf32> into tensor<?x8xf32>
// CHECK-NEXT:     %3 = tensor.empty() : tensor<4x4xindex>
// CHECK-NEXT:     %4 = tensor.empty() : tensor<6x4xindex>
// CHECK-NEXT:     %5 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%4 : tensor<6x4xindex>) {
// CHECK-NEXT:     ^bb0(%out: index):
// CHECK-NEXT:       %8 = linalg.index 0 : index
// CHECK-NEXT:       %9 = linalg.index 1 : index
// CHECK-NEXT:       %10 = arith.muli %8, %9 : index
// CHECK-NEXT:       linalg.yield %10 : index
// CHECK-NEXT:     } -> tensor<6x4xindex>
// CHECK-NEXT:     %inserted_slice_2 = tensor.insert_slice %3 into %5[1, 0] [4, 4] [1, 1] : tensor<4x4xindex> into tensor<6x4xindex>
// CHECK-NEXT:     %c0_3 = arith.constant 0 : index
// CHECK-NEXT:     %dim_4 = tensor.dim %arg0, %c0_3 : tensor<?x4xf32>
// CHECK-NEXT:     %6 = bufferization.alloc_tensor(%dim_4) : tensor<?x4xf32>
// CHECK-NEXT:     %7 = linalg.copy ins(%arg0 : tensor<?x4xf32>) outs(%6 : tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:     return %inserted_slice, %inserted_slice_2, %7 : tensor<?x8xf32>, tensor<6x4xindex>, tensor<?x4xf32>
// CHECK-NEXT:   }
func.func @pad(%t: tensor<?x4xf32>, %h: index, %x: f32) -> (tensor<?x8xf32>, tensor<6x4xindex>, tensor<?x4xf32>) {
  %0 = tensor.pad %t low[1, 2] high[%h, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x8xf32>
  %e = tensor.empty() : tensor<4x4xindex>
  %1 = tensor.pad %e low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    %p = arith.muli %i, %j : index
    tensor.yield %p : index
  } : tensor<4x4xindex> to tensor<6x4xindex>
  %2 = tensor.pad %t nofold low[0, 0] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %x : f32
  } : tensor<?x4xf32> to tensor<?x4xf32>
  return %0, %1, %2 : tensor<?x8xf32>, tensor<6x4xindex>, tensor<?x4xf32>
}
// CHECK-NEXT:   func.func @insert(%arg0: tensor<2x3xf32>, %arg1: tensor<?x?xf32>, %arg2: index) -> tensor<?x?xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg1[%arg2, 1] [2, 3] [1, 1] : tensor<?x?xf32> to tensor<2x3xf32>
// CHECK-NEXT:     %0 = linalg.copy {copy} ins(%arg0 : tensor<2x3xf32>) outs(%extracted_slice : tensor<2x3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg1[%arg2, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x?xf32>
// CHECK-NEXT:     return %inserted_slice : tensor<?x?xf32>
// CHECK-NEXT:   }
func.func @insert(%a: tensor<2x3xf32>, %b: tensor<?x?xf32>, %i: index) -> tensor<?x?xf32> {
  %0 = tensor.insert_slice %a into %b[%i, 1] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-NEXT:   func.func @copy(%arg0: memref<4xf32>, %arg1: memref<4xf32>) {
// CHECK-NEXT:     memref.copy %arg0, %arg1 {copy} : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copy(%a: memref<4xf32>, %b: memref<4xf32>) {
  linalg.copy ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
  return
}

// CHECK-NEXT:   module attributes {transform.with_named_sequence} {
// CHECK-NEXT:     transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:       %0 = transform.structured.match ops{["tensor.from_elements", "tensor.generate", "tensor.pad"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %1 = transform.structured.rewrite_in_destination_passing_style %0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %2 = transform.structured.match ops{["func.func"]} attributes {sym_name = "insert"} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %3 = transform.structured.match ops{["tensor.insert_slice"]} in %2 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %4 = transform.structured.insert_slice_to_copy %3 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %5 = transform.structured.match ops{["tensor.insert_slice"]} in %2 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %6 = transform.structured.insert_slice_to_copy %5 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.annotate %6 "copy" : !transform.any_op
// CHECK-NEXT:       %7 = transform.structured.match ops{["func.func"]} attributes {sym_name = "copy"} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %8 = transform.structured.match ops{["linalg.copy"]} in %7 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       %9 = transform.structured.linalg_copy_to_memref %8 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:       transform.annotate %9 "copy" : !transform.any_op
// CHECK-NEXT:       transform.yield
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.from_elements", "tensor.generate", "tensor.pad"]} in %root : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.rewrite_in_destination_passing_style %0 : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "insert"} in %root : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match ops{["tensor.insert_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %3 = transform.structured.insert_slice_to_copy %2 : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match ops{["tensor.insert_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %4 = transform.structured.insert_slice_to_copy %again : (!transform.any_op) -> !transform.any_op
    transform.annotate %4 "copy" : !transform.any_op
    %g = transform.structured.match ops{["func.func"]} attributes {sym_name = "copy"} in %root : (!transform.any_op) -> !transform.any_op
    %5 = transform.structured.match ops{["linalg.copy"]} in %g : (!transform.any_op) -> !transform.any_op
    %6 = transform.structured.linalg_copy_to_memref %5 : (!transform.any_op) -> !transform.any_op
    transform.annotate %6 "copy" : !transform.any_op
    transform.yield
  }
}
