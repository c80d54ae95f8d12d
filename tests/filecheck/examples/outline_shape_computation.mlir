// The computation of a shape becomes a function of its own.
// RUN: xgpu-opt %s --outline-shape-computation --allow-unregistered-dialect | filecheck %s --match-full-lines

func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = "test.twice"(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = shape.get_extent %0, %c0 : tensor<1xindex>, index -> index
  %3 = arith.muli %2, %c2 : index
  %4 = shape.from_extents %3 : index
  %5 = shape.with_shape %1, %4 : tensor<?xf32>, !shape.shape
  %6 = shape.value_of %5 : tensor<?xf32>
  return %6 : tensor<?xf32>
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:     %0 = "test.twice"(%arg0) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:     return %0 : tensor<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT:   shape.func private @shape_cal_0(%arg0: tensor<?xf32>) -> !shape.shape {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = shape_of %arg0 : tensor<?xf32> -> tensor<1xindex>
// CHECK-NEXT:     %1 = get_extent %0, %c0 : tensor<1xindex>, index -> index
// CHECK-NEXT:     %2 = arith.muli %1, %c2 : index
// CHECK-NEXT:     %3 = from_extents %2 : index
// CHECK-NEXT:     return %3 : !shape.shape
// CHECK-NEXT:   }
// CHECK-NEXT: }
