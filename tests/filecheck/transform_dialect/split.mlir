// RUN: xgpu-opt %s --transform-interpreter --canonicalize --cse --split-input-file | filecheck %s --match-full-lines

// Before and behind row 4, and the second part before and behind column 16.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.generic"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.split %0 after 4 { dimension = 0 } : !transform.any_op
    %2:2 = transform.split_handle %1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %3 = transform.structured.split %2#1 after 16 { dimension = 1 } : !transform.any_op
    transform.yield
  }
  func.func @twice(%a: tensor<10x34xindex>, %b: tensor<10x34xindex>) -> tensor<10x34xindex> {
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
        iterator_types = ["parallel", "parallel"]}
        ins(%a : tensor<10x34xindex>) outs(%b : tensor<10x34xindex>) {
    ^bb0(%x: index, %y: index):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %1 = arith.muli %i, %x : index
      %2 = arith.addi %1, %j : index
      linalg.yield %2 : index
    } -> tensor<10x34xindex>
    return %0 : tensor<10x34xindex>
  }
}

// CHECK: #map = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0 + 4)>
// CHECK-NEXT: #map2 = affine_map<()[s0] -> (s0 + 16)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.generic"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.split %0 after 4  {dimension = 0 : i64} : !transform.any_op
// CHECK-NEXT:     %2:2 = transform.split_handle %1 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
// CHECK-NEXT:     %3 = transform.structured.split %2#1 after 16  {dimension = 1 : i64} : !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @twice(%arg0: tensor<10x34xindex>, %arg1: tensor<10x34xindex>) -> tensor<10x34xindex> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0, 0] [4, 34] [1, 1] : tensor<10x34xindex> to tensor<4x34xindex>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg1[0, 0] [4, 34] [1, 1] : tensor<10x34xindex> to tensor<4x34xindex>
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice : tensor<4x34xindex>) outs(%extracted_slice_0 : tensor<4x34xindex>) {
// CHECK-NEXT:     ^bb0(%in: index, %out: index):
// CHECK-NEXT:       %3 = linalg.index 0 : index
// CHECK-NEXT:       %4 = linalg.index 1 : index
// CHECK-NEXT:       %5 = arith.muli %3, %in : index
// CHECK-NEXT:       %6 = arith.addi %5, %4 : index
// CHECK-NEXT:       linalg.yield %6 : index
// CHECK-NEXT:     } -> tensor<4x34xindex>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg1[0, 0] [4, 34] [1, 1] : tensor<4x34xindex> into tensor<10x34xindex>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %arg0[4, 0] [6, 34] [1, 1] : tensor<10x34xindex> to tensor<6x34xindex>
// CHECK-NEXT:     %extracted_slice_2 = tensor.extract_slice %inserted_slice[4, 0] [6, 34] [1, 1] : tensor<10x34xindex> to tensor<6x34xindex>
// CHECK-NEXT:     %extracted_slice_3 = tensor.extract_slice %extracted_slice_1[0, 0] [6, 16] [1, 1] : tensor<6x34xindex> to tensor<6x16xindex>
// CHECK-NEXT:     %extracted_slice_4 = tensor.extract_slice %extracted_slice_2[0, 0] [6, 16] [1, 1] : tensor<6x34xindex> to tensor<6x16xindex>
// CHECK-NEXT:     %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_3 : tensor<6x16xindex>) outs(%extracted_slice_4 : tensor<6x16xindex>) {
// CHECK-NEXT:     ^bb0(%in: index, %out: index):
// CHECK-NEXT:       %3 = linalg.index 0 : index
// CHECK-NEXT:       %4 = affine.apply #map1()[%3]
// CHECK-NEXT:       %5 = linalg.index 1 : index
// CHECK-NEXT:       %6 = arith.muli %4, %in : index
// CHECK-NEXT:       %7 = arith.addi %6, %5 : index
// CHECK-NEXT:       linalg.yield %7 : index
// CHECK-NEXT:     } -> tensor<6x16xindex>
// CHECK-NEXT:     %inserted_slice_5 = tensor.insert_slice %1 into %extracted_slice_2[0, 0] [6, 16] [1, 1] : tensor<6x16xindex> into tensor<6x34xindex>
// CHECK-NEXT:     %extracted_slice_6 = tensor.extract_slice %extracted_slice_1[0, 16] [6, 18] [1, 1] : tensor<6x34xindex> to tensor<6x18xindex>
// CHECK-NEXT:     %extracted_slice_7 = tensor.extract_slice %inserted_slice_5[0, 16] [6, 18] [1, 1] : tensor<6x34xindex> to tensor<6x18xindex>
// CHECK-NEXT:     %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice_6 : tensor<6x18xindex>) outs(%extracted_slice_7 : tensor<6x18xindex>) {
// CHECK-NEXT:     ^bb0(%in: index, %out: index):
// CHECK-NEXT:       %3 = linalg.index 0 : index
// CHECK-NEXT:       %4 = affine.apply #map1()[%3]
// CHECK-NEXT:       %5 = linalg.index 1 : index
// CHECK-NEXT:       %6 = affine.apply #map2()[%5]
// CHECK-NEXT:       %7 = arith.muli %4, %in : index
// CHECK-NEXT:       %8 = arith.addi %7, %6 : index
// CHECK-NEXT:       linalg.yield %8 : index
// CHECK-NEXT:     } -> tensor<6x18xindex>
// CHECK-NEXT:     %inserted_slice_8 = tensor.insert_slice %2 into %inserted_slice_5[0, 16] [6, 18] [1, 1] : tensor<6x18xindex> into tensor<6x34xindex>
// CHECK-NEXT:     %inserted_slice_9 = tensor.insert_slice %inserted_slice_8 into %inserted_slice[4, 0] [6, 34] [1, 1] : tensor<6x34xindex> into tensor<10x34xindex>
// CHECK-NEXT:     return %inserted_slice_9 : tensor<10x34xindex>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// The point is known when the program runs; memory has no results.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["func.call"]} in %m : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.split %0 after %1 { dimension = 0 } : !transform.any_op, !transform.any_op
    transform.yield
  }
  func.func private @point() -> index
  func.func @dynamic(%a: memref<100xf32>, %b: memref<100xf32>) {
    %0 = call @point() : () -> index
    linalg.exp ins(%a : memref<100xf32>) outs(%b : memref<100xf32>)
    return
  }
}

// CHECK: #map = affine_map<()[s0] -> (100, s0)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (-s0 + 100)>
// CHECK-NEXT: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.exp"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.match ops{["func.call"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %2 = transform.structured.split %0 after %1  {dimension = 0 : i64} : !transform.any_op, !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func private @point() -> index
// CHECK-NEXT:   func.func @dynamic(%arg0: memref<100xf32>, %arg1: memref<100xf32>) {
// CHECK-NEXT:     %0 = call @point() : () -> index
// CHECK-NEXT:     %1 = affine.min #map()[%0]
// CHECK-NEXT:     %2 = affine.apply #map1()[%1]
// CHECK-NEXT:     %subview = memref.subview %arg0[0] [%1] [1] : memref<100xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:     %subview_0 = memref.subview %arg1[0] [%1] [1] : memref<100xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:     linalg.exp ins(%subview : memref<?xf32, strided<[1]>>) outs(%subview_0 : memref<?xf32, strided<[1]>>)
// CHECK-NEXT:     %subview_1 = memref.subview %arg0[%1] [%2] [1] : memref<100xf32> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     %subview_2 = memref.subview %arg1[%1] [%2] [1] : memref<100xf32> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:     linalg.exp ins(%subview_1 : memref<?xf32, strided<[1], offset: ?>>) outs(%subview_2 : memref<?xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

// Points one behind the other; the last one lies outside.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["arith.constant"]} in %m : (!transform.any_op) -> !transform.any_op
    %2 = "transform.structured.split"(%0, %1) <{dimension = 0 : i64, static_chunk_sizes = -9223372036854775808 : i64, multiway}> : (!transform.any_op, !transform.any_op) -> !transform.any_op
    transform.yield
  }
  func.func @several(%a: tensor<100xf32>) -> tensor<100xf32> {
    %c20 = arith.constant 20 : index
    %c30 = arith.constant 30 : index
    %c90 = arith.constant 90 : index
    %0 = linalg.exp ins(%a : tensor<100xf32>) outs(%a : tensor<100xf32>) -> tensor<100xf32>
    return %0 : tensor<100xf32>
  }
}

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
// CHECK-NEXT:     %0 = transform.structured.match ops{["linalg.exp"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %1 = transform.structured.match ops{["arith.constant"]} in %arg0 : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     %2 = transform.structured.split %0 after %1  {dimension = 0 : i64, multiway} : !transform.any_op, !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @several(%arg0: tensor<100xf32>) -> tensor<100xf32> {
// CHECK-NEXT:     %extracted_slice = tensor.extract_slice %arg0[0] [20] [1] : tensor<100xf32> to tensor<20xf32>
// CHECK-NEXT:     %0 = linalg.exp ins(%extracted_slice : tensor<20xf32>) outs(%extracted_slice : tensor<20xf32>) -> tensor<20xf32>
// CHECK-NEXT:     %inserted_slice = tensor.insert_slice %0 into %arg0[0] [20] [1] : tensor<20xf32> into tensor<100xf32>
// CHECK-NEXT:     %extracted_slice_0 = tensor.extract_slice %arg0[20] [80] [1] : tensor<100xf32> to tensor<80xf32>
// CHECK-NEXT:     %extracted_slice_1 = tensor.extract_slice %inserted_slice[20] [80] [1] : tensor<100xf32> to tensor<80xf32>
// CHECK-NEXT:     %extracted_slice_2 = tensor.extract_slice %extracted_slice_0[0] [30] [1] : tensor<80xf32> to tensor<30xf32>
// CHECK-NEXT:     %extracted_slice_3 = tensor.extract_slice %extracted_slice_1[0] [30] [1] : tensor<80xf32> to tensor<30xf32>
// CHECK-NEXT:     %1 = linalg.exp ins(%extracted_slice_2 : tensor<30xf32>) outs(%extracted_slice_3 : tensor<30xf32>) -> tensor<30xf32>
// CHECK-NEXT:     %inserted_slice_4 = tensor.insert_slice %1 into %extracted_slice_1[0] [30] [1] : tensor<30xf32> into tensor<80xf32>
// CHECK-NEXT:     %extracted_slice_5 = tensor.extract_slice %extracted_slice_0[30] [50] [1] : tensor<80xf32> to tensor<50xf32>
// CHECK-NEXT:     %extracted_slice_6 = tensor.extract_slice %inserted_slice_4[30] [50] [1] : tensor<80xf32> to tensor<50xf32>
// CHECK-NEXT:     %2 = linalg.exp ins(%extracted_slice_5 : tensor<50xf32>) outs(%extracted_slice_6 : tensor<50xf32>) -> tensor<50xf32>
// CHECK-NEXT:     %inserted_slice_7 = tensor.insert_slice %2 into %inserted_slice_4[30] [50] [1] : tensor<50xf32> into tensor<80xf32>
// CHECK-NEXT:     %inserted_slice_8 = tensor.insert_slice %inserted_slice_7 into %inserted_slice[20] [80] [1] : tensor<80xf32> into tensor<100xf32>
// CHECK-NEXT:     return %inserted_slice_8 : tensor<100xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
