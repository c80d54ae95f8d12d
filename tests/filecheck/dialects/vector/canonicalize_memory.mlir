// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: #map = affine_map<(d0, d1) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @masked(%arg0: memref<16xf32>, %arg1: index, %arg2: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.load %arg0[%arg1] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.load %arg0[%arg1] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:     vector.store %arg2, %arg0[%arg1] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:     vector.store %arg2, %arg0[%arg1] : memref<16xf32>, vector<4xf32>
// CHECK-NEXT:     return %0, %arg2, %1, %arg2 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @masked(%m: memref<16xf32>, %i: index, %v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %all = vector.constant_mask [4] : vector<4xi1>
  %none = vector.constant_mask [0] : vector<4xi1>
  %0 = vector.maskedload %m[%i], %all, %v : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.maskedload %m[%i], %none, %v : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %2 = vector.expandload %m[%i], %all, %v : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %3 = vector.expandload %m[%i], %none, %v : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i], %all, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %m[%i], %none, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %m[%i], %all, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %m[%i], %none, %v : memref<16xf32>, vector<4xi1>, vector<4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @gathers(%arg0: memref<16xf32>, %arg1: index, %arg2: vector<4xi32>, %arg3: vector<4xi1>, %arg4: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.maskedload %arg0[%arg1], %arg3, %arg4 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     %1 = vector.maskedload %arg0[%arg1], %arg3, %arg4 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     vector.maskedstore %arg0[%arg1], %arg3, %arg4 : memref<16xf32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     return %arg4, %0, %1 : vector<4xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @gathers(%m: memref<16xf32>, %i: index, %at: vector<4xi32>, %mask: vector<4xi1>, %v: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %none = vector.constant_mask [0] : vector<4xi1>
  %rows = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %step = vector.step : vector<4xindex>
  %0 = vector.gather %m[%i] [%at], %none, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.gather %m[%i] [%rows], %mask, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %2 = vector.gather %m[%i] [%step], %mask, %v : memref<16xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m[%i] [%at], %none, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%i] [%rows], %mask, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  return %0, %1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @in_bounds(%arg0: memref<8x8xf32>, %arg1: memref<?x8xf32>, %arg2: f32, %arg3: index) -> (vector<4xf32>, vector<4xf32>, vector<2x4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c5 = arith.constant 5 : index
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%arg3, %c4], %arg2 {in_bounds = [true]} : memref<8x8xf32>, vector<4xf32>
// CHECK-NEXT:     %1 = vector.transfer_read %arg0[%arg3, %c5], %arg2 : memref<8x8xf32>, vector<4xf32>
// CHECK-NEXT:     %2 = vector.transfer_read %arg1[%c0, %c4], %arg2 {in_bounds = [false, true]} : memref<?x8xf32>, vector<2x4xf32>
// CHECK-NEXT:     %3 = vector.transfer_read %arg0[%c4, %arg3], %arg2 {in_bounds = [true], permutation_map = #map} : memref<8x8xf32>, vector<4xf32>
// CHECK-NEXT:     vector.transfer_write %0, %arg0[%arg3, %c4] {in_bounds = [true]} : vector<4xf32>, memref<8x8xf32>
// CHECK-NEXT:     return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<2x4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @in_bounds(%m: memref<8x8xf32>, %d: memref<?x8xf32>, %a: f32, %i: index) -> (vector<4xf32>, vector<4xf32>, vector<2x4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %0 = vector.transfer_read %m[%i, %c4], %a : memref<8x8xf32>, vector<4xf32>
  %1 = vector.transfer_read %m[%i, %c5], %a : memref<8x8xf32>, vector<4xf32>
  %2 = vector.transfer_read %d[%c0, %c4], %a : memref<?x8xf32>, vector<2x4xf32>
  %3 = vector.transfer_read %m[%c4, %i], %a {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x8xf32>, vector<4xf32>
  vector.transfer_write %0, %m[%i, %c4] : vector<4xf32>, memref<8x8xf32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<2x4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @casts_and_masks(%arg0: memref<8xf32>, %arg1: f32, %arg2: index) -> vector<4xf32> {
// CHECK-NEXT:     %0 = vector.transfer_read %arg0[%arg2], %arg1 : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @casts_and_masks(%m: memref<8xf32>, %a: f32, %i: index) -> vector<4xf32> {
  %all = vector.constant_mask [4] : vector<4xi1>
  %0 = memref.cast %m : memref<8xf32> to memref<?xf32>
  %1 = vector.transfer_read %0[%i], %a, %all : memref<?xf32>, vector<4xf32>
  return %1 : vector<4xf32>
}

// CHECK-NEXT:   func.func @read_what_was_written(%arg0: tensor<16xf32>, %arg1: vector<4xf32>, %arg2: vector<4xf32>, %arg3: f32) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %0 = vector.transfer_write %arg1, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %arg2, %0[%c8] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     %2 = vector.transfer_read %1[%c2], %arg3 {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
// CHECK-NEXT:     return %arg2, %arg1, %2 : vector<4xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @read_what_was_written(%t: tensor<16xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %a: f32) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %1 = vector.transfer_write %w, %0[%c8] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %2 = vector.transfer_read %1[%c8], %a {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  %3 = vector.transfer_read %1[%c0], %a {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  // Some of each.
  %4 = vector.transfer_read %1[%c2], %a {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  return %2, %3, %4 : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @written_over(%arg0: tensor<16xf32>, %arg1: vector<4xf32>, %arg2: vector<4xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %0 = vector.transfer_write %arg2, %arg0[%c8] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %arg2, %0[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     %2 = vector.transfer_write %arg1, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     %3 = vector.transfer_write %arg2, %2[%c2] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     return %1, %3 : tensor<16xf32>, tensor<16xf32>
// CHECK-NEXT:   }
func.func @written_over(%t: tensor<16xf32>, %v: vector<4xf32>, %w: vector<4xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %1 = vector.transfer_write %w, %0[%c8] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %2 = vector.transfer_write %w, %1[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %3 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %4 = vector.transfer_write %w, %3[%c2] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  return %2, %4 : tensor<16xf32>, tensor<16xf32>
}

// CHECK-NEXT:   func.func @written_back(%arg0: tensor<4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<16xf32>, %arg3: index, %arg4: f32) -> (tensor<16xf32>, tensor<4xf32>) {
// CHECK-NEXT:     return %arg2, %arg0 : tensor<16xf32>, tensor<4xf32>
// CHECK-NEXT:   }
func.func @written_back(%t: tensor<4xf32>, %u: tensor<4xf32>, %big: tensor<16xf32>, %i: index, %a: f32) -> (tensor<16xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %big[%i], %a : tensor<16xf32>, vector<4xf32>
  %1 = vector.transfer_write %0, %big[%i] : vector<4xf32>, tensor<16xf32>
  %2 = vector.transfer_read %t[%c0], %a {in_bounds = [true]} : tensor<4xf32>, vector<4xf32>
  %3 = vector.transfer_write %2, %u[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  return %1, %3 : tensor<16xf32>, tensor<4xf32>
}

// CHECK-NEXT:   func.func @scalable_mask(%arg0: memref<?xf32>, %arg1: index, %arg2: vector<[4]xf32>) -> vector<[4]xf32> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %0 = vector.create_mask %c4 : vector<[4]xi1>
// CHECK-NEXT:     %1 = vector.maskedload %arg0[%arg1], %0, %arg2 : memref<?xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
// CHECK-NEXT:     return %1 : vector<[4]xf32>
// CHECK-NEXT:   }
func.func @scalable_mask(%m: memref<?xf32>, %i: index, %v: vector<[4]xf32>) -> vector<[4]xf32> {
  %c4 = arith.constant 4 : index
  %mask = vector.create_mask %c4 : vector<[4]xi1>
  %0 = vector.maskedload %m[%i], %mask, %v : memref<?xf32>, vector<[4]xi1>, vector<[4]xf32> into vector<[4]xf32>
  return %0 : vector<[4]xf32>
}

// What is written next to it, and over some of it.
// CHECK-NEXT:   func.func @read_beside_what_was_written(%arg0: tensor<16xf32>, %arg1: vector<4xf32>, %arg2: vector<4xf32>, %arg3: f32) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %0 = vector.transfer_write %arg1, %arg0[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     %1 = vector.transfer_write %arg2, %0[%c2] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
// CHECK-NEXT:     %2 = vector.transfer_read %1[%c0], %arg3 {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
// CHECK-NEXT:     return %arg1, %2 : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @read_beside_what_was_written(%t: tensor<16xf32>, %v: vector<4xf32>, %w: vector<4xf32>, %a: f32) -> (vector<4xf32>, vector<4xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %0 = vector.transfer_write %v, %t[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %1 = vector.transfer_write %w, %0[%c4] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %2 = vector.transfer_read %1[%c0], %a {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  %3 = vector.transfer_write %w, %0[%c2] {in_bounds = [true]} : vector<4xf32>, tensor<16xf32>
  %4 = vector.transfer_read %3[%c0], %a {in_bounds = [true]} : tensor<16xf32>, vector<4xf32>
  return %2, %4 : vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @indices(%arg0: memref<16xf32>, %arg1: tensor<16xf32>, %arg2: index, %arg3: vector<4xi1>, %arg4: vector<2x2xi1>, %arg5: vector<4xf32>, %arg6: vector<2x2xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<2x2xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<[0, 2, 1, 3]> : vector<4xi32>
// CHECK-NEXT:     %cst_1 = arith.constant dense<7> : vector<4xi32>
// CHECK-NEXT:     %cst_2 = arith.constant dense<{{\[\[}}0, 1], [2, 3]]> : vector<2x2xi32>
// CHECK-NEXT:     %0 = vector.maskedload %arg0[%arg2], %arg3, %arg5 : memref<16xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     %1 = vector.gather %arg0[%arg2] [%cst_0], %arg3, %arg5 : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     %2 = vector.gather %arg1[%arg2] [%cst], %arg3, %arg5 : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
// CHECK-NEXT:     %3 = vector.gather %arg0[%arg2] [%cst_2], %arg4, %arg6 : memref<16xf32>, vector<2x2xi32>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
// CHECK-NEXT:     vector.scatter %arg0[%arg2] [%cst_1], %arg3, %arg5 : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<2x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @indices(%m: memref<16xf32>, %t: tensor<16xf32>, %i: index, %mask: vector<4xi1>, %mask2: vector<2x2xi1>, %v: vector<4xf32>, %w: vector<2x2xf32>) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<2x2xf32>) {
  %neighbours = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
  %others = arith.constant dense<[0, 2, 1, 3]> : vector<4xi32>
  %same = arith.constant dense<7> : vector<4xi32>
  %rows = arith.constant dense<[[0, 1], [2, 3]]> : vector<2x2xi32>
  %0 = vector.gather %m[%i] [%neighbours], %mask, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %1 = vector.gather %m[%i] [%others], %mask, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %2 = vector.gather %t[%i] [%neighbours], %mask, %v : tensor<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %3 = vector.gather %m[%i] [%rows], %mask2, %w : memref<16xf32>, vector<2x2xi32>, vector<2x2xi1>, vector<2x2xf32> into vector<2x2xf32>
  vector.scatter %m[%i] [%same], %mask, %v : memref<16xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<2x2xf32>
}
