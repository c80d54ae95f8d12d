// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @one_element(%arg0: vector<1xf32>, %arg1: vector<f32>, %arg2: vector<1xi32>, %arg3: f32, %arg4: i32) -> (f32, f32, f32, i32) {
// CHECK-NEXT:     %0 = vector.extract %arg0[0] : f32 from vector<1xf32>
// CHECK-NEXT:     %1 = vector.extract %arg0[0] : f32 from vector<1xf32>
// CHECK-NEXT:     %2 = arith.mulf %1, %arg3 fastmath<nnan> : f32
// CHECK-NEXT:     %3 = vector.extract %arg1[] : f32 from vector<f32>
// CHECK-NEXT:     %4 = arith.maximumf %3, %arg3 : f32
// CHECK-NEXT:     %5 = vector.extract %arg2[0] : i32 from vector<1xi32>
// CHECK-NEXT:     %6 = arith.minui %5, %arg4 : i32
// CHECK-NEXT:     return %0, %2, %4, %6 : f32, f32, f32, i32
// CHECK-NEXT:   }
func.func @one_element(%v: vector<1xf32>, %s: vector<f32>, %i: vector<1xi32>, %a: f32, %b: i32) -> (f32, f32, f32, i32) {
  %0 = vector.reduction <add>, %v : vector<1xf32> into f32
  %1 = vector.reduction <mul>, %v, %a fastmath<nnan> : vector<1xf32> into f32
  %2 = vector.reduction <maximumf>, %s, %a : vector<f32> into f32
  %3 = vector.reduction <minui>, %i, %b : vector<1xi32> into i32
  return %0, %1, %2, %3 : f32, f32, f32, i32
}

// CHECK-NEXT:   func.func @two_elements(%arg0: vector<2xf32>) -> f32 {
// CHECK-NEXT:     %0 = vector.reduction <add>, %arg0 : vector<2xf32> into f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @two_elements(%v: vector<2xf32>) -> f32 {
  %0 = vector.reduction <add>, %v : vector<2xf32> into f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @one_masked(%arg0: vector<1xf32>, %arg1: vector<1xi1>, %arg2: f32) -> f32 {
// CHECK-NEXT:     %0 = vector.extract %arg1[0] : i1 from vector<1xi1>
// CHECK-NEXT:     %1 = vector.extract %arg0[0] : f32 from vector<1xf32>
// CHECK-NEXT:     %2 = arith.addf %1, %arg2 : f32
// CHECK-NEXT:     %3 = arith.select %0, %2, %arg2 : f32
// CHECK-NEXT:     return %3 : f32
// CHECK-NEXT:   }
func.func @one_masked(%v: vector<1xf32>, %mask: vector<1xi1>, %a: f32) -> f32 {
  %0 = vector.mask %mask { vector.reduction <add>, %v, %a : vector<1xf32> into f32 } : vector<1xi1> -> f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @units(%arg0: vector<1x4x1xf32>, %arg1: vector<4xf32>, %arg2: vector<1x1xi32>, %arg3: i32, %arg4: vector<2x4xf32>, %arg5: vector<2x4xf32>) -> (vector<4xf32>, i32, vector<2x4xf32>) {
// CHECK-NEXT:     %0 = vector.shape_cast %arg0 : vector<1x4x1xf32> to vector<4xf32>
// CHECK-NEXT:     %1 = arith.mulf %arg1, %0 : vector<4xf32>
// CHECK-NEXT:     %2 = vector.extract %arg2[0, 0] : i32 from vector<1x1xi32>
// CHECK-NEXT:     %3 = arith.xori %arg3, %2 : i32
// CHECK-NEXT:     %4 = arith.addf %arg5, %arg4 : vector<2x4xf32>
// CHECK-NEXT:     return %1, %3, %4 : vector<4xf32>, i32, vector<2x4xf32>
// CHECK-NEXT:   }
func.func @units(%v: vector<1x4x1xf32>, %a: vector<4xf32>, %w: vector<1x1xi32>, %b: i32, %u: vector<2x4xf32>, %c: vector<2x4xf32>) -> (vector<4xf32>, i32, vector<2x4xf32>) {
  %0 = vector.multi_reduction <mul>, %v, %a [0, 2] : vector<1x4x1xf32> to vector<4xf32>
  %1 = vector.multi_reduction <xor>, %w, %b [0, 1] : vector<1x1xi32> to i32
  %2 = vector.multi_reduction <add>, %u, %c [] : vector<2x4xf32> to vector<2x4xf32>
  return %0, %1, %2 : vector<4xf32>, i32, vector<2x4xf32>
}

// CHECK-NEXT:   func.func @not_units(%arg0: vector<2x4xf32>, %arg1: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:     %0 = vector.multi_reduction <add>, %arg0, %arg1 [0] : vector<2x4xf32> to vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @not_units(%v: vector<2x4xf32>, %a: vector<4xf32>) -> vector<4xf32> {
  %0 = vector.multi_reduction <add>, %v, %a [0] : vector<2x4xf32> to vector<4xf32>
  return %0 : vector<4xf32>
}

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#matmul = {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}

// CHECK-NEXT:   func.func @sum_of_product(%arg0: vector<2x4xf32>, %arg1: vector<4x3xf32>, %arg2: vector<2x3xf32>) -> (vector<2x3xf32>, vector<2x3xf32>, vector<2x3xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<1.000000e+00> : vector<2x3xf32>
// CHECK-NEXT:     %0 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
// CHECK-NEXT:     %1 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %arg2 : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
// CHECK-NEXT:     %2 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %arg0, %arg1, %cst : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
// CHECK-NEXT:     %3 = arith.addf %2, %arg2 : vector<2x3xf32>
// CHECK-NEXT:     return %0, %1, %3 : vector<2x3xf32>, vector<2x3xf32>, vector<2x3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @sum_of_product(%x: vector<2x4xf32>, %y: vector<4x3xf32>, %z: vector<2x3xf32>) -> (vector<2x3xf32>, vector<2x3xf32>, vector<2x3xf32>) {
  %zero = arith.constant dense<0.0> : vector<2x3xf32>
  %one = arith.constant dense<1.0> : vector<2x3xf32>
  %0 = vector.contract #matmul %x, %y, %zero : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  %1 = arith.addf %0, %z : vector<2x3xf32>
  %2 = vector.contract #matmul %x, %y, %zero : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  %3 = arith.addf %z, %2 : vector<2x3xf32>
  %4 = vector.contract #matmul %x, %y, %one : vector<2x4xf32>, vector<4x3xf32> into vector<2x3xf32>
  %5 = arith.addf %4, %z : vector<2x3xf32>
  return %1, %3, %5 : vector<2x3xf32>, vector<2x3xf32>, vector<2x3xf32>
}
