// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// What MLIR makes something wrong of: see docs/reference/deviations.md.

// The second slice overwrites a part of the first, which is read.
// CHECK: module {
// CHECK-NEXT:   func.func @overwritten(%arg0: vector<4xf32>, %arg1: vector<4xf32>, %arg2: vector<8xf32>) -> (vector<2xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.insert_strided_slice %arg0, %arg2 {offsets = [0], strides = [1]} : vector<4xf32> into vector<8xf32>
// CHECK-NEXT:     %1 = vector.insert_strided_slice %arg1, %0 {offsets = [3], strides = [1]} : vector<4xf32> into vector<8xf32>
// CHECK-NEXT:     %2 = vector.extract_strided_slice %1 {offsets = [2], sizes = [2], strides = [1]} : vector<8xf32> to vector<2xf32>
// CHECK-NEXT:     %3 = vector.extract_strided_slice %1 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
// CHECK-NEXT:     return %2, %3 : vector<2xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @overwritten(%a: vector<4xf32>, %b: vector<4xf32>, %v: vector<8xf32>) -> (vector<2xf32>, vector<4xf32>) {
  %0 = vector.insert_strided_slice %a, %v {offsets = [0], strides = [1]} : vector<4xf32> into vector<8xf32>
  %1 = vector.insert_strided_slice %b, %0 {offsets = [3], strides = [1]} : vector<4xf32> into vector<8xf32>
  %2 = vector.extract_strided_slice %1 {offsets = [2], sizes = [2], strides = [1]} : vector<8xf32> to vector<2xf32>
  %3 = vector.extract_strided_slice %1 {offsets = [0], sizes = [4], strides = [1]} : vector<8xf32> to vector<4xf32>
  return %2, %3 : vector<2xf32>, vector<4xf32>
}

// Where the mask is not set the accumulator is left as it is.
// CHECK-NEXT:   func.func @masked_units(%arg0: vector<1x4xf32>, %arg1: vector<4xf32>, %arg2: vector<1x4xi1>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = vector.shape_cast %arg2 : vector<1x4xi1> to vector<4xi1>
// CHECK-NEXT:     %1 = vector.shape_cast %arg0 : vector<1x4xf32> to vector<4xf32>
// CHECK-NEXT:     %2 = arith.addf %arg1, %1 : vector<4xf32>
// CHECK-NEXT:     %3 = arith.select %0, %2, %arg1 : vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     return %3 : vector<4xf32>
// CHECK-NEXT:   }
func.func @masked_units(%v: vector<1x4xf32>, %a: vector<4xf32>, %mask: vector<1x4xi1>) -> vector<4xf32> {
  %0 = vector.mask %mask { vector.multi_reduction <add>, %v, %a [0] : vector<1x4xf32> to vector<4xf32> } : vector<1x4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @masked_scalar(%arg0: vector<1xf32>, %arg1: f32, %arg2: vector<1xi1>) -> f32 {
// CHECK-NEXT:     %0 = vector.extract %arg2[0] : i1 from vector<1xi1>
// CHECK-NEXT:     %1 = vector.extract %arg0[0] : f32 from vector<1xf32>
// CHECK-NEXT:     %2 = arith.addf %arg1, %1 : f32
// CHECK-NEXT:     %3 = arith.select %0, %2, %arg1 : f32
// CHECK-NEXT:     return %3 : f32
// CHECK-NEXT:   }
func.func @masked_scalar(%v: vector<1xf32>, %a: f32, %mask: vector<1xi1>) -> f32 {
  %0 = vector.mask %mask { vector.multi_reduction <add>, %v, %a [0] : vector<1xf32> to f32 } : vector<1xi1> -> f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @masked_along_none(%arg0: vector<4xf32>, %arg1: vector<4xf32>, %arg2: vector<4xi1>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = arith.mulf %arg1, %arg0 : vector<4xf32>
// CHECK-NEXT:     %1 = arith.select %arg2, %0, %arg1 : vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     return %1 : vector<4xf32>
// CHECK-NEXT:   }
func.func @masked_along_none(%v: vector<4xf32>, %a: vector<4xf32>, %mask: vector<4xi1>) -> vector<4xf32> {
  %0 = vector.mask %mask { vector.multi_reduction <mul>, %v, %a [] : vector<4xf32> to vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @masked_element(%arg0: vector<1xf32>, %arg1: vector<1xi1>) -> f32 {
// CHECK-NEXT:     %0 = vector.mask %arg1 { vector.reduction <mul>, %arg0 : vector<1xf32> into f32 } : vector<1xi1> -> f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @masked_element(%v: vector<1xf32>, %mask: vector<1xi1>) -> f32 {
  %0 = vector.mask %mask { vector.reduction <mul>, %v : vector<1xf32> into f32 } : vector<1xi1> -> f32
  return %0 : f32
}

// There are vscale elements.
// CHECK-NEXT:   func.func @scalable(%arg0: vector<[1]x4xf32>, %arg1: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = vector.multi_reduction <add>, %arg0, %arg1 [0] : vector<[1]x4xf32> to vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @scalable(%v: vector<[1]x4xf32>, %a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction <add>, %v, %a [0] : vector<[1]x4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}

// CHECK-NEXT:   func.func @scalable_step() -> vector<[4]xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<4> : vector<[4]xindex>
// CHECK-NEXT:     %0 = vector.step : vector<[4]xindex>
// CHECK-NEXT:     %1 = arith.cmpi ult, %0, %cst : vector<[4]xindex>
// CHECK-NEXT:     return %1 : vector<[4]xi1>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @scalable_step() -> vector<[4]xi1> {
  %step = vector.step : vector<[4]xindex>
  %four = arith.constant dense<4> : vector<[4]xindex>
  %0 = arith.cmpi ult, %step, %four : vector<[4]xindex>
  return %0 : vector<[4]xi1>
}
