// RUN: xgpu-opt %s --linalg-generalize-named-ops | filecheck %s

// Numbers of other types become complex ones in the body of a named operation.

// CHECK: #map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1 + d3, d4)>
// CHECK-NEXT: #map1 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4, d2)>
// CHECK-NEXT: #map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @narrow_filter(%arg0: tensor<1x6x4xcomplex<f32>>, %arg1: tensor<3x4x2xcomplex<f16>>, %arg2: tensor<1x4x2xcomplex<f32>>) -> tensor<1x4x2xcomplex<f32>> {
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x6x4xcomplex<f32>>, tensor<3x4x2xcomplex<f16>>) outs(%arg2 : tensor<1x4x2xcomplex<f32>>) {
// CHECK-NEXT:     ^bb0(%in: complex<f32>, %in_0: complex<f16>, %out: complex<f32>):
// CHECK-NEXT:       %1 = complex.re %in_0 : complex<f16>
// CHECK-NEXT:       %2 = complex.im %in_0 : complex<f16>
// CHECK-NEXT:       %3 = arith.extf %1 : f16 to f32
// CHECK-NEXT:       %4 = arith.extf %2 : f16 to f32
// CHECK-NEXT:       %5 = complex.create %3, %4 : complex<f32>
// CHECK-NEXT:       %6 = complex.mul %in, %5 : complex<f32>
// CHECK-NEXT:       %7 = complex.add %out, %6 : complex<f32>
// CHECK-NEXT:       linalg.yield %7 : complex<f32>
// CHECK-NEXT:     } -> tensor<1x4x2xcomplex<f32>>
// CHECK-NEXT:     return %0 : tensor<1x4x2xcomplex<f32>>
// CHECK-NEXT:   }
func.func @narrow_filter(%x: tensor<1x6x4xcomplex<f32>>, %f: tensor<3x4x2xcomplex<f16>>, %y: tensor<1x4x2xcomplex<f32>>) -> tensor<1x4x2xcomplex<f32>> {
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %f : tensor<1x6x4xcomplex<f32>>, tensor<3x4x2xcomplex<f16>>) outs(%y : tensor<1x4x2xcomplex<f32>>) -> tensor<1x4x2xcomplex<f32>>
  return %0 : tensor<1x4x2xcomplex<f32>>
}

// CHECK-NEXT:   func.func @real_filter(%arg0: tensor<1x6x4xcomplex<f64>>, %arg1: tensor<3x4x2xi16>, %arg2: tensor<1x4x2xcomplex<f32>>) -> tensor<1x4x2xcomplex<f32>> {
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     %0 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : tensor<1x6x4xcomplex<f64>>, tensor<3x4x2xi16>) outs(%arg2 : tensor<1x4x2xcomplex<f32>>) {
// CHECK-NEXT:     ^bb0(%in: complex<f64>, %in_0: i16, %out: complex<f32>):
// CHECK-NEXT:       %1 = complex.re %in : complex<f64>
// CHECK-NEXT:       %2 = complex.im %in : complex<f64>
// CHECK-NEXT:       %3 = arith.truncf %1 : f64 to f32
// CHECK-NEXT:       %4 = arith.truncf %2 : f64 to f32
// CHECK-NEXT:       %5 = complex.create %3, %4 : complex<f32>
// CHECK-NEXT:       %6 = arith.sitofp %in_0 : i16 to f32
// CHECK-NEXT:       %7 = complex.create %6, %cst : complex<f32>
// CHECK-NEXT:       %8 = complex.mul %5, %7 : complex<f32>
// CHECK-NEXT:       %9 = complex.add %out, %8 : complex<f32>
// CHECK-NEXT:       linalg.yield %9 : complex<f32>
// CHECK-NEXT:     } -> tensor<1x4x2xcomplex<f32>>
// CHECK-NEXT:     return %0 : tensor<1x4x2xcomplex<f32>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @real_filter(%x: tensor<1x6x4xcomplex<f64>>, %f: tensor<3x4x2xi16>, %y: tensor<1x4x2xcomplex<f32>>) -> tensor<1x4x2xcomplex<f32>> {
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %f : tensor<1x6x4xcomplex<f64>>, tensor<3x4x2xi16>) outs(%y : tensor<1x4x2xcomplex<f32>>) -> tensor<1x4x2xcomplex<f32>>
  return %0 : tensor<1x4x2xcomplex<f32>>
}
