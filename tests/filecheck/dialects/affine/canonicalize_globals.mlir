// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// Loads of constant globals.

// CHECK: module {
// CHECK-NEXT:   memref.global "private" constant @table : memref<2x2xi16> = dense<{{\[\[}}1, 2], [3, -4]]>
memref.global "private" constant @table : memref<2x2xi16> = dense<[[1, 2], [3, -4]]>
// CHECK-NEXT:   memref.global "private" constant @same : memref<8xf32> = dense<2.500000e+00>
memref.global "private" constant @same : memref<8xf32> = dense<2.5>
// CHECK-NEXT:   memref.global "private" @changing : memref<2xf32> = dense<1.000000e+00>
memref.global "private" @changing : memref<2xf32> = dense<1.0>

// CHECK-NEXT:   func.func @known(%arg0: index) -> (i16, f32) {
// CHECK-NEXT:     %c-4_i16 = arith.constant -4 : i16
// CHECK-NEXT:     %cst = arith.constant 2.500000e+00 : f32
// CHECK-NEXT:     return %c-4_i16, %cst : i16, f32
// CHECK-NEXT:   }
func.func @known(%i: index) -> (i16, f32) {
  %0 = memref.get_global @table : memref<2x2xi16>
  %1 = affine.load %0[1, 1] : memref<2x2xi16>
  %2 = memref.get_global @same : memref<8xf32>
  %3 = affine.load %2[symbol(%i)] : memref<8xf32>
  return %1, %3 : i16, f32
}

// CHECK-NEXT:   func.func @unknown(%arg0: index) -> (i16, f32) {
// CHECK-NEXT:     %0 = memref.get_global @table : memref<2x2xi16>
// CHECK-NEXT:     %1 = affine.load %0[1, symbol(%arg0)] : memref<2x2xi16>
// CHECK-NEXT:     %2 = memref.get_global @changing : memref<2xf32>
// CHECK-NEXT:     %3 = affine.load %2[0] : memref<2xf32>
// CHECK-NEXT:     return %1, %3 : i16, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @unknown(%i: index) -> (i16, f32) {
  %0 = memref.get_global @table : memref<2x2xi16>
  %1 = affine.load %0[1, symbol(%i)] : memref<2x2xi16>
  %2 = memref.get_global @changing : memref<2xf32>
  %3 = affine.load %2[0] : memref<2xf32>
  return %1, %3 : i16, f32
}
