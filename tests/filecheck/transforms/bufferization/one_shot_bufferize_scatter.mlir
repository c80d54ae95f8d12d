// RUN: xgpu-opt --one-shot-bufferize=bufferize-function-boundaries --split-input-file %s | filecheck %s --match-full-lines

// The other elements stay, so who needs the tensor from before gets a copy.

// CHECK: module {
// CHECK-NEXT:   func.func @in_place(%arg0: memref<16x16xf32, strided<[?, ?], offset: ?>>, %arg1: vector<16xi32>, %arg2: vector<16xi1>, %arg3: vector<16xf32>) -> memref<16x16xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     vector.scatter %arg0[%c0, %c0] [%arg1], %arg2, %arg3 : memref<16x16xf32, strided<[?, ?], offset: ?>>, vector<16xi32>, vector<16xi1>, vector<16xf32>
// CHECK-NEXT:     return %arg0 : memref<16x16xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @in_place(%t: tensor<16x16xf32>, %i: vector<16xi32>, %m: vector<16xi1>, %v: vector<16xf32>) -> tensor<16x16xf32> {
  %c0 = arith.constant 0 : index
  %0 = vector.scatter %t[%c0, %c0] [%i], %m, %v : tensor<16x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}

// -----

// CHECK: module {
// CHECK-NEXT:   func.func @both(%arg0: memref<16xf32, strided<[?], offset: ?>>, %arg1: vector<4xi32>, %arg2: vector<4xi1>, %arg3: vector<4xf32>) -> (memref<16xf32>, f32) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
// CHECK-NEXT:     memref.copy %arg0, %alloc : memref<16xf32, strided<[?], offset: ?>> to memref<16xf32>
// CHECK-NEXT:     vector.scatter %alloc[%c0] [%arg1], %arg2, %arg3 : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     %0 = memref.load %arg0[%c0] : memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<16xf32> to memref<16xf32, strided<[?], offset: ?>>
// CHECK-NEXT:     return %alloc, %0 : memref<16xf32>, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @both(%t: tensor<16xf32>, %i: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> (tensor<16xf32>, f32) {
  %c0 = arith.constant 0 : index
  %0 = vector.scatter %t[%c0] [%i], %m, %v : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<16xf32>
  %1 = tensor.extract %t[%c0] : tensor<16xf32>
  return %0, %1 : tensor<16xf32>, f32
}

// -----

// The name of a global without dimensions.

func.func @scalar() -> tensor<f32> {
  %0 = arith.constant dense<1.0> : tensor<f32>
  return %0 : tensor<f32>
}

// CHECK: module {
// CHECK-NEXT:   memref.global "private" constant @__constant_xf32 : memref<f32> = dense<1.000000e+00> {alignment = 64 : i64}
// CHECK-NEXT:   func.func @scalar() -> memref<f32> {
// CHECK-NEXT:     %0 = memref.get_global @__constant_xf32 : memref<f32>
// CHECK-NEXT:     %cast = memref.cast %0 : memref<f32> to memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:     return %0 : memref<f32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
