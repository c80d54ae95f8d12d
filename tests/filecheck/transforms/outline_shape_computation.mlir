// RUN: xgpu-opt --split-input-file --allow-unregistered-dialect --outline-shape-computation %s | filecheck %s

func.func @two(%a: tensor<?x4xf32>, %b: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %of = shape.shape_of %a : tensor<?x4xf32> -> tensor<2xindex>
  %0 = "test.abs"(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %1 = shape.with_shape %0, %of : tensor<?x4xf32>, tensor<2xindex>
  %2 = shape.value_of %1 : tensor<?x4xf32>
  %3 = "test.concat"(%2, %b) : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  %4 = shape.get_extent %of, %c0 : tensor<2xindex>, index -> index
  %5 = arith.addi %4, %c2 : index
  %6 = shape.from_extents %5, %c4 : index, index
  %7 = shape.with_shape %3, %6 : tensor<?x4xf32>, !shape.shape
  %8 = shape.value_of %7 : tensor<?x4xf32>
  return %8 : tensor<?x4xf32>
}

// CHECK: module {
// CHECK-NEXT:   func.func @two(%arg0: tensor<?x4xf32>, %arg1: tensor<2x4xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT:     %0 = "test.abs"(%arg0) : (tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:     %1 = "test.concat"(%0, %arg1) : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:     return %1 : tensor<?x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   shape.func private @shape_cal_1(%arg0: tensor<?x4xf32>) -> !shape.shape {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = shape_of %arg0 : tensor<?x4xf32> -> tensor<2xindex>
// CHECK-NEXT:     %1 = get_extent %0, %c0 : tensor<2xindex>, index -> index
// CHECK-NEXT:     %2 = arith.addi %1, %c2 : index
// CHECK-NEXT:     %3 = from_extents %2, %c4 : index, index
// CHECK-NEXT:     return %3 : !shape.shape
// CHECK-NEXT:   }
// CHECK-NEXT:   shape.func private @shape_cal_0(%arg0: tensor<?x4xf32>) -> tensor<2xindex> {
// CHECK-NEXT:     %0 = shape_of %arg0 : tensor<?x4xf32> -> tensor<2xindex>
// CHECK-NEXT:     return %0 : tensor<2xindex>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// -----

func.func @used_elsewhere(%a: tensor<?xf32>) -> (tensor<?xf32>, index) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %a, %c0 : tensor<?xf32>
  %sum = arith.addi %dim, %dim : index
  %shape = shape.from_extents %sum : index
  %0 = "test.twice"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = shape.with_shape %0, %shape : tensor<?xf32>, !shape.shape
  %2 = shape.value_of %1 : tensor<?xf32>
  return %2, %sum : tensor<?xf32>, index
}

// CHECK: module {
// CHECK-NEXT:   func.func @used_elsewhere(%arg0: tensor<?xf32>) -> (tensor<?xf32>, index) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %0 = shape.shape_of %arg0 : tensor<?xf32> -> tensor<1xindex>
// CHECK-NEXT:     %1 = shape.get_extent %0, %c0 : tensor<1xindex>, index -> index
// CHECK-NEXT:     %2 = arith.addi %1, %1 : index
// CHECK-NEXT:     %3 = "test.twice"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     return %3, %2 : tensor<?xf32>, index
// CHECK-NEXT:   }
// CHECK-NEXT:   shape.func private @shape_cal_0(%arg0: index) -> !shape.shape {
// CHECK-NEXT:     %0 = from_extents %arg0 : index
// CHECK-NEXT:     return %0 : !shape.shape
// CHECK-NEXT:   }
// CHECK-NEXT: }
