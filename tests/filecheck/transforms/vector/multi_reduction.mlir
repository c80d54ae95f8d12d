// RUN: xgpu-opt %s --lower-vector-multi-reduction | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(lower-vector-multi-reduction{lowering-strategy=inner-reduction}))" | filecheck %s --check-prefix=INNER --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @vector(%arg0: vector<3xf32>, %arg1: f32) -> f32 {
// CHECK-NEXT:     %0 = vector.shape_cast %arg0 : vector<3xf32> to vector<1x3xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : f32 to vector<1xf32>
// CHECK-NEXT:     %2 = vector.transpose %0, [1, 0] : vector<1x3xf32> to vector<3x1xf32>
// CHECK-NEXT:     %3 = vector.extract %2[0] : vector<1xf32> from vector<3x1xf32>
// CHECK-NEXT:     %4 = arith.mulf %3, %1 : vector<1xf32>
// CHECK-NEXT:     %5 = vector.extract %2[1] : vector<1xf32> from vector<3x1xf32>
// CHECK-NEXT:     %6 = arith.mulf %5, %4 : vector<1xf32>
// CHECK-NEXT:     %7 = vector.extract %2[2] : vector<1xf32> from vector<3x1xf32>
// CHECK-NEXT:     %8 = arith.mulf %7, %6 : vector<1xf32>
// CHECK-NEXT:     %9 = vector.extract %8[0] : f32 from vector<1xf32>
// CHECK-NEXT:     return %9 : f32
// CHECK-NEXT:   }
// INNER: module {
// INNER-NEXT:   func.func @vector(%arg0: vector<3xf32>, %arg1: f32) -> f32 {
// INNER-NEXT:     %0 = vector.reduction <mul>, %arg0, %arg1 : vector<3xf32> into f32
// INNER-NEXT:     return %0 : f32
// INNER-NEXT:   }
func.func @vector(%a: vector<3xf32>, %b: f32) -> f32 {
  %0 = vector.multi_reduction <mul>, %a, %b [0] : vector<3xf32> to f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @matrix_to_scalar(%arg0: vector<2x2xf32>, %arg1: f32) -> f32 {
// CHECK-NEXT:     %0 = vector.shape_cast %arg0 : vector<2x2xf32> to vector<1x4xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : f32 to vector<1xf32>
// CHECK-NEXT:     %2 = vector.transpose %0, [1, 0] : vector<1x4xf32> to vector<4x1xf32>
// CHECK-NEXT:     %3 = vector.extract %2[0] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:     %4 = arith.addf %3, %1 : vector<1xf32>
// CHECK-NEXT:     %5 = vector.extract %2[1] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:     %6 = arith.addf %5, %4 : vector<1xf32>
// CHECK-NEXT:     %7 = vector.extract %2[2] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:     %8 = arith.addf %7, %6 : vector<1xf32>
// CHECK-NEXT:     %9 = vector.extract %2[3] : vector<1xf32> from vector<4x1xf32>
// CHECK-NEXT:     %10 = arith.addf %9, %8 : vector<1xf32>
// CHECK-NEXT:     %11 = vector.extract %10[0] : f32 from vector<1xf32>
// CHECK-NEXT:     return %11 : f32
// CHECK-NEXT:   }
// INNER-NEXT:   func.func @matrix_to_scalar(%arg0: vector<2x2xf32>, %arg1: f32) -> f32 {
// INNER-NEXT:     %0 = vector.shape_cast %arg0 : vector<2x2xf32> to vector<4xf32>
// INNER-NEXT:     %1 = vector.reduction <add>, %0, %arg1 : vector<4xf32> into f32
// INNER-NEXT:     return %1 : f32
// INNER-NEXT:   }
func.func @matrix_to_scalar(%a: vector<2x2xf32>, %b: f32) -> f32 {
  %0 = vector.multi_reduction <add>, %a, %b [0, 1] : vector<2x2xf32> to f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @rows(%arg0: vector<2x3xindex>, %arg1: vector<2xindex>) -> vector<2xindex> {
// CHECK-NEXT:     %0 = vector.transpose %arg0, [1, 0] : vector<2x3xindex> to vector<3x2xindex>
// CHECK-NEXT:     %1 = vector.extract %0[0] : vector<2xindex> from vector<3x2xindex>
// CHECK-NEXT:     %2 = arith.addi %1, %arg1 : vector<2xindex>
// CHECK-NEXT:     %3 = vector.extract %0[1] : vector<2xindex> from vector<3x2xindex>
// CHECK-NEXT:     %4 = arith.addi %3, %2 : vector<2xindex>
// CHECK-NEXT:     %5 = vector.extract %0[2] : vector<2xindex> from vector<3x2xindex>
// CHECK-NEXT:     %6 = arith.addi %5, %4 : vector<2xindex>
// CHECK-NEXT:     return %6 : vector<2xindex>
// CHECK-NEXT:   }
// INNER-NEXT:   func.func @rows(%arg0: vector<2x3xindex>, %arg1: vector<2xindex>) -> vector<2xindex> {
// INNER-NEXT:     %cst = arith.constant dense<0> : vector<2xindex>
// INNER-NEXT:     %0 = vector.extract %arg0[0] : vector<3xindex> from vector<2x3xindex>
// INNER-NEXT:     %1 = vector.extract %arg1[0] : index from vector<2xindex>
// INNER-NEXT:     %2 = vector.reduction <add>, %0, %1 : vector<3xindex> into index
// INNER-NEXT:     %3 = vector.insert %2, %cst [0] : index into vector<2xindex>
// INNER-NEXT:     %4 = vector.extract %arg0[1] : vector<3xindex> from vector<2x3xindex>
// INNER-NEXT:     %5 = vector.extract %arg1[1] : index from vector<2xindex>
// INNER-NEXT:     %6 = vector.reduction <add>, %4, %5 : vector<3xindex> into index
// INNER-NEXT:     %7 = vector.insert %6, %3 [1] : index into vector<2xindex>
// INNER-NEXT:     return %7 : vector<2xindex>
// INNER-NEXT:   }
func.func @rows(%a: vector<2x3xindex>, %b: vector<2xindex>) -> vector<2xindex> {
  %0 = vector.multi_reduction <add>, %a, %b [1] : vector<2x3xindex> to vector<2xindex>
  return %0 : vector<2xindex>
}

// CHECK-NEXT:   func.func @four_dimensions(%arg0: vector<2x3x1x2xi32>, %arg1: vector<2x1xi32>) -> vector<2x1xi32> {
// CHECK-NEXT:     %0 = vector.transpose %arg0, [1, 3, 0, 2] : vector<2x3x1x2xi32> to vector<3x2x2x1xi32>
// CHECK-NEXT:     %1 = vector.shape_cast %0 : vector<3x2x2x1xi32> to vector<6x2xi32>
// CHECK-NEXT:     %2 = vector.shape_cast %arg1 : vector<2x1xi32> to vector<2xi32>
// CHECK-NEXT:     %3 = vector.extract %1[0] : vector<2xi32> from vector<6x2xi32>
// CHECK-NEXT:     %4 = arith.ori %3, %2 : vector<2xi32>
// CHECK-NEXT:     %5 = vector.extract %1[1] : vector<2xi32> from vector<6x2xi32>
// CHECK-NEXT:     %6 = arith.ori %5, %4 : vector<2xi32>
// CHECK-NEXT:     %7 = vector.extract %1[2] : vector<2xi32> from vector<6x2xi32>
// CHECK-NEXT:     %8 = arith.ori %7, %6 : vector<2xi32>
// CHECK-NEXT:     %9 = vector.extract %1[3] : vector<2xi32> from vector<6x2xi32>
// CHECK-NEXT:     %10 = arith.ori %9, %8 : vector<2xi32>
// CHECK-NEXT:     %11 = vector.extract %1[4] : vector<2xi32> from vector<6x2xi32>
// CHECK-NEXT:     %12 = arith.ori %11, %10 : vector<2xi32>
// CHECK-NEXT:     %13 = vector.extract %1[5] : vector<2xi32> from vector<6x2xi32>
// CHECK-NEXT:     %14 = arith.ori %13, %12 : vector<2xi32>
// CHECK-NEXT:     %15 = vector.shape_cast %14 : vector<2xi32> to vector<2x1xi32>
// CHECK-NEXT:     return %15 : vector<2x1xi32>
// CHECK-NEXT:   }
// INNER-NEXT:   func.func @four_dimensions(%arg0: vector<2x3x1x2xi32>, %arg1: vector<2x1xi32>) -> vector<2x1xi32> {
// INNER-NEXT:     %cst = arith.constant dense<0> : vector<2xi32>
// INNER-NEXT:     %0 = vector.shape_cast %arg0 : vector<2x3x1x2xi32> to vector<2x6xi32>
// INNER-NEXT:     %1 = vector.extract %0[0] : vector<6xi32> from vector<2x6xi32>
// INNER-NEXT:     %2 = vector.extract %arg1[0, 0] : i32 from vector<2x1xi32>
// INNER-NEXT:     %3 = vector.reduction <or>, %1, %2 : vector<6xi32> into i32
// INNER-NEXT:     %4 = vector.insert %3, %cst [0] : i32 into vector<2xi32>
// INNER-NEXT:     %5 = vector.extract %0[1] : vector<6xi32> from vector<2x6xi32>
// INNER-NEXT:     %6 = vector.extract %arg1[1, 0] : i32 from vector<2x1xi32>
// INNER-NEXT:     %7 = vector.reduction <or>, %5, %6 : vector<6xi32> into i32
// INNER-NEXT:     %8 = vector.insert %7, %4 [1] : i32 into vector<2xi32>
// INNER-NEXT:     %9 = vector.shape_cast %8 : vector<2xi32> to vector<2x1xi32>
// INNER-NEXT:     return %9 : vector<2x1xi32>
// INNER-NEXT:   }
func.func @four_dimensions(%a: vector<2x3x1x2xi32>, %b: vector<2x1xi32>) -> vector<2x1xi32> {
  %0 = vector.multi_reduction <or>, %a, %b [1, 3] : vector<2x3x1x2xi32> to vector<2x1xi32>
  return %0 : vector<2x1xi32>
}

// CHECK-NEXT:   func.func @masked_vector(%arg0: vector<2xf32>, %arg1: f32, %arg2: vector<2xi1>) -> f32 {
// CHECK-NEXT:     %0 = vector.shape_cast %arg0 : vector<2xf32> to vector<1x2xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : f32 to vector<1xf32>
// CHECK-NEXT:     %2 = vector.broadcast %arg2 : vector<2xi1> to vector<1x2xi1>
// CHECK-NEXT:     %3 = vector.transpose %2, [1, 0] : vector<1x2xi1> to vector<2x1xi1>
// CHECK-NEXT:     %4 = vector.transpose %0, [1, 0] : vector<1x2xf32> to vector<2x1xf32>
// CHECK-NEXT:     %5 = vector.extract %4[0] : vector<1xf32> from vector<2x1xf32>
// CHECK-NEXT:     %6 = vector.extract %3[0] : vector<1xi1> from vector<2x1xi1>
// CHECK-NEXT:     %7 = arith.maximumf %5, %1 : vector<1xf32>
// CHECK-NEXT:     %8 = arith.select %6, %7, %1 : vector<1xi1>, vector<1xf32>
// CHECK-NEXT:     %9 = vector.extract %4[1] : vector<1xf32> from vector<2x1xf32>
// CHECK-NEXT:     %10 = vector.extract %3[1] : vector<1xi1> from vector<2x1xi1>
// CHECK-NEXT:     %11 = arith.maximumf %9, %8 : vector<1xf32>
// CHECK-NEXT:     %12 = arith.select %10, %11, %8 : vector<1xi1>, vector<1xf32>
// CHECK-NEXT:     %13 = vector.extract %12[0] : f32 from vector<1xf32>
// CHECK-NEXT:     return %13 : f32
// CHECK-NEXT:   }
// INNER-NEXT:   func.func @masked_vector(%arg0: vector<2xf32>, %arg1: f32, %arg2: vector<2xi1>) -> f32 {
// INNER-NEXT:     %0 = vector.mask %arg2 { vector.reduction <maximumf>, %arg0, %arg1 : vector<2xf32> into f32 } : vector<2xi1> -> f32
// INNER-NEXT:     return %0 : f32
// INNER-NEXT:   }
func.func @masked_vector(%a: vector<2xf32>, %b: f32, %m: vector<2xi1>) -> f32 {
  %0 = vector.mask %m {
    vector.multi_reduction <maximumf>, %a, %b [0] : vector<2xf32> to f32
  } : vector<2xi1> -> f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @masked(%arg0: vector<2x2x2xf32>, %arg1: vector<2xf32>, %arg2: vector<2x2x2xi1>) -> vector<2xf32> {
// CHECK-NEXT:     %0 = vector.transpose %arg2, [0, 2, 1] : vector<2x2x2xi1> to vector<2x2x2xi1>
// CHECK-NEXT:     %1 = vector.transpose %arg0, [0, 2, 1] : vector<2x2x2xf32> to vector<2x2x2xf32>
// CHECK-NEXT:     %2 = vector.extract %1[0, 0] : vector<2xf32> from vector<2x2x2xf32>
// CHECK-NEXT:     %3 = vector.extract %0[0, 0] : vector<2xi1> from vector<2x2x2xi1>
// CHECK-NEXT:     %4 = arith.mulf %2, %arg1 : vector<2xf32>
// CHECK-NEXT:     %5 = arith.select %3, %4, %arg1 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     %6 = vector.extract %1[0, 1] : vector<2xf32> from vector<2x2x2xf32>
// CHECK-NEXT:     %7 = vector.extract %0[0, 1] : vector<2xi1> from vector<2x2x2xi1>
// CHECK-NEXT:     %8 = arith.mulf %6, %5 : vector<2xf32>
// CHECK-NEXT:     %9 = arith.select %7, %8, %5 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     %10 = vector.extract %1[1, 0] : vector<2xf32> from vector<2x2x2xf32>
// CHECK-NEXT:     %11 = vector.extract %0[1, 0] : vector<2xi1> from vector<2x2x2xi1>
// CHECK-NEXT:     %12 = arith.mulf %10, %9 : vector<2xf32>
// CHECK-NEXT:     %13 = arith.select %11, %12, %9 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     %14 = vector.extract %1[1, 1] : vector<2xf32> from vector<2x2x2xf32>
// CHECK-NEXT:     %15 = vector.extract %0[1, 1] : vector<2xi1> from vector<2x2x2xi1>
// CHECK-NEXT:     %16 = arith.mulf %14, %13 : vector<2xf32>
// CHECK-NEXT:     %17 = arith.select %15, %16, %13 : vector<2xi1>, vector<2xf32>
// CHECK-NEXT:     return %17 : vector<2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// INNER-NEXT:   func.func @masked(%arg0: vector<2x2x2xf32>, %arg1: vector<2xf32>, %arg2: vector<2x2x2xi1>) -> vector<2xf32> {
// INNER-NEXT:     %cst = arith.constant dense<0.000000e+00> : vector<2xf32>
// INNER-NEXT:     %0 = vector.transpose %arg2, [1, 0, 2] : vector<2x2x2xi1> to vector<2x2x2xi1>
// INNER-NEXT:     %1 = vector.transpose %arg0, [1, 0, 2] : vector<2x2x2xf32> to vector<2x2x2xf32>
// INNER-NEXT:     %2 = vector.shape_cast %0 : vector<2x2x2xi1> to vector<2x4xi1>
// INNER-NEXT:     %3 = vector.shape_cast %1 : vector<2x2x2xf32> to vector<2x4xf32>
// INNER-NEXT:     %4 = vector.extract %3[0] : vector<4xf32> from vector<2x4xf32>
// INNER-NEXT:     %5 = vector.extract %arg1[0] : f32 from vector<2xf32>
// INNER-NEXT:     %6 = vector.extract %2[0] : vector<4xi1> from vector<2x4xi1>
// INNER-NEXT:     %7 = vector.mask %6 { vector.reduction <mul>, %4, %5 : vector<4xf32> into f32 } : vector<4xi1> -> f32
// INNER-NEXT:     %8 = vector.insert %7, %cst [0] : f32 into vector<2xf32>
// INNER-NEXT:     %9 = vector.extract %3[1] : vector<4xf32> from vector<2x4xf32>
// INNER-NEXT:     %10 = vector.extract %arg1[1] : f32 from vector<2xf32>
// INNER-NEXT:     %11 = vector.extract %2[1] : vector<4xi1> from vector<2x4xi1>
// INNER-NEXT:     %12 = vector.mask %11 { vector.reduction <mul>, %9, %10 : vector<4xf32> into f32 } : vector<4xi1> -> f32
// INNER-NEXT:     %13 = vector.insert %12, %8 [1] : f32 into vector<2xf32>
// INNER-NEXT:     return %13 : vector<2xf32>
// INNER-NEXT:   }
// INNER-NEXT: }
func.func @masked(%a: vector<2x2x2xf32>, %b: vector<2xf32>, %m: vector<2x2x2xi1>) -> vector<2xf32> {
  %0 = vector.mask %m {
    vector.multi_reduction <mul>, %a, %b [0, 2] : vector<2x2x2xf32> to vector<2xf32>
  } : vector<2x2x2xi1> -> vector<2xf32>
  return %0 : vector<2xf32>
}
