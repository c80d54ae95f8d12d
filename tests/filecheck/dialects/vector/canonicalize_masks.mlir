// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @known(%arg0: index) -> (vector<4xi1>, vector<4x3xi1>, vector<4xi1>, vector<4xi1>, vector<4x3xi1>) {
// CHECK-NEXT:     %cst = arith.constant dense<false> : vector<4x3xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<false> : vector<4xi1>
// CHECK-NEXT:     %cst_1 = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:     %0 = vector.constant_mask [2, 3] : vector<4x3xi1>
// CHECK-NEXT:     %1 = vector.create_mask %arg0 : vector<4xi1>
// CHECK-NEXT:     return %cst_1, %0, %cst_0, %1, %cst : vector<4xi1>, vector<4x3xi1>, vector<4xi1>, vector<4xi1>, vector<4x3xi1>
// CHECK-NEXT:   }
func.func @known(%n: index) -> (vector<4xi1>, vector<4x3xi1>, vector<4xi1>, vector<4xi1>, vector<4x3xi1>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  %0 = vector.create_mask %c9 : vector<4xi1>
  %1 = vector.create_mask %c2, %c9 : vector<4x3xi1>
  %2 = vector.create_mask %c0 : vector<4xi1>
  %3 = vector.create_mask %n : vector<4xi1>
  %4 = vector.create_mask %c2, %c0 : vector<4x3xi1>
  return %0, %1, %2, %3, %4 : vector<4xi1>, vector<4x3xi1>, vector<4xi1>, vector<4xi1>, vector<4x3xi1>
}

// CHECK-NEXT:   func.func @scalable(%arg0: index) -> (vector<[4]xi1>, vector<[4]xi1>) {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %cst = arith.constant dense<true> : vector<[4]xi1>
// CHECK-NEXT:     %0 = vector.create_mask %c4 : vector<[4]xi1>
// CHECK-NEXT:     return %cst, %0 : vector<[4]xi1>, vector<[4]xi1>
// CHECK-NEXT:   }
func.func @scalable(%n: index) -> (vector<[4]xi1>, vector<[4]xi1>) {
  %c4 = arith.constant 4 : index
  %vscale = vector.vscale
  %all = arith.muli %vscale, %c4 : index
  %0 = vector.create_mask %all : vector<[4]xi1>
  %1 = vector.create_mask %c4 : vector<[4]xi1>
  return %0, %1 : vector<[4]xi1>, vector<[4]xi1>
}

// CHECK-NEXT:   func.func @parts(%arg0: index, %arg1: index) -> (vector<3xi1>, vector<3xi1>, vector<2x2xi1>, vector<2x2xi1>, vector<3xi1>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %cst = arith.constant dense<false> : vector<3xi1>
// CHECK-NEXT:     %0 = vector.create_mask %arg0 : vector<3xi1>
// CHECK-NEXT:     %1 = arith.subi %arg0, %c1 : index
// CHECK-NEXT:     %2 = vector.create_mask %c1, %1 : vector<2x2xi1>
// CHECK-NEXT:     %3 = vector.constant_mask [1, 1] : vector<2x2xi1>
// CHECK-NEXT:     %4 = vector.create_mask %arg1, %arg0 : vector<4x3xi1>
// CHECK-NEXT:     %5 = vector.extract %4[1] : vector<3xi1> from vector<4x3xi1>
// CHECK-NEXT:     return %0, %cst, %2, %3, %5 : vector<3xi1>, vector<3xi1>, vector<2x2xi1>, vector<2x2xi1>, vector<3xi1>
// CHECK-NEXT:   }
func.func @parts(%n: index, %m: index) -> (vector<3xi1>, vector<3xi1>, vector<2x2xi1>, vector<2x2xi1>, vector<3xi1>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = vector.create_mask %c2, %n : vector<4x3xi1>
  %1 = vector.extract %0[1] : vector<3xi1> from vector<4x3xi1>
  %2 = vector.extract %0[2] : vector<3xi1> from vector<4x3xi1>
  %3 = vector.extract_strided_slice %0 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xi1> to vector<2x2xi1>
  %4 = vector.constant_mask [2, 2] : vector<4x3xi1>
  %5 = vector.extract_strided_slice %4 {offsets = [1, 1], sizes = [2, 2], strides = [1, 1]} : vector<4x3xi1> to vector<2x2xi1>
  // Whether it is set is not known.
  %6 = vector.create_mask %m, %n : vector<4x3xi1>
  %7 = vector.extract %6[1] : vector<3xi1> from vector<4x3xi1>
  return %1, %2, %3, %5, %7 : vector<3xi1>, vector<3xi1>, vector<2x2xi1>, vector<2x2xi1>, vector<3xi1>
}

// CHECK-NEXT:   func.func @shapes(%arg0: index, %arg1: index) -> (vector<4xi1>, vector<4xi1>, vector<3x4xi1>, vector<3x4xi1>, vector<4xi1>) {
// CHECK-NEXT:     %0 = vector.create_mask %arg0 : vector<4xi1>
// CHECK-NEXT:     %1 = vector.constant_mask [2] : vector<4xi1>
// CHECK-NEXT:     %2 = vector.create_mask %arg1, %arg0 : vector<3x4xi1>
// CHECK-NEXT:     %3 = vector.constant_mask [1, 2] : vector<3x4xi1>
// CHECK-NEXT:     %4 = vector.create_mask %arg0, %arg1 : vector<4x1xi1>
// CHECK-NEXT:     %5 = vector.shape_cast %4 : vector<4x1xi1> to vector<4xi1>
// CHECK-NEXT:     return %0, %1, %2, %3, %5 : vector<4xi1>, vector<4xi1>, vector<3x4xi1>, vector<3x4xi1>, vector<4xi1>
// CHECK-NEXT:   }
func.func @shapes(%n: index, %m: index) -> (vector<4xi1>, vector<4xi1>, vector<3x4xi1>, vector<3x4xi1>, vector<4xi1>) {
  %c1 = arith.constant 1 : index
  %0 = vector.create_mask %n, %c1 : vector<4x1xi1>
  %1 = vector.shape_cast %0 : vector<4x1xi1> to vector<4xi1>
  %2 = vector.constant_mask [2, 1] : vector<4x1xi1>
  %3 = vector.shape_cast %2 : vector<4x1xi1> to vector<4xi1>
  %4 = vector.create_mask %n, %m : vector<4x3xi1>
  %5 = vector.transpose %4, [1, 0] : vector<4x3xi1> to vector<3x4xi1>
  %6 = vector.constant_mask [2, 1] : vector<4x3xi1>
  %7 = vector.transpose %6, [1, 0] : vector<4x3xi1> to vector<3x4xi1>
  %8 = vector.create_mask %n, %m : vector<4x1xi1>
  %9 = vector.shape_cast %8 : vector<4x1xi1> to vector<4xi1>
  return %1, %3, %5, %7, %9 : vector<4xi1>, vector<4xi1>, vector<3x4xi1>, vector<3x4xi1>, vector<4xi1>
}

// CHECK-NEXT:   func.func @constant_masks() -> (vector<4xi1>, vector<2x2xi1>, vector<i1>, vector<4xi1>) {
// CHECK-NEXT:     %cst = arith.constant dense<true> : vector<4xi1>
// CHECK-NEXT:     %cst_0 = arith.constant dense<false> : vector<2x2xi1>
// CHECK-NEXT:     %cst_1 = arith.constant dense<true> : vector<i1>
// CHECK-NEXT:     %0 = vector.constant_mask [3] : vector<4xi1>
// CHECK-NEXT:     return %cst, %cst_0, %cst_1, %0 : vector<4xi1>, vector<2x2xi1>, vector<i1>, vector<4xi1>
// CHECK-NEXT:   }
func.func @constant_masks() -> (vector<4xi1>, vector<2x2xi1>, vector<i1>, vector<4xi1>) {
  %0 = vector.constant_mask [4] : vector<4xi1>
  %1 = vector.constant_mask [0, 0] : vector<2x2xi1>
  %2 = vector.constant_mask [1] : vector<i1>
  %3 = vector.constant_mask [3] : vector<4xi1>
  return %0, %1, %2, %3 : vector<4xi1>, vector<2x2xi1>, vector<i1>, vector<4xi1>
}

// CHECK-NEXT:   func.func @around_all(%arg0: vector<4xf32>, %arg1: f32) -> f32 {
// CHECK-NEXT:     %0 = vector.reduction <add>, %arg0, %arg1 : vector<4xf32> into f32
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @around_all(%v: vector<4xf32>, %a: f32) -> f32 {
  %mask = vector.constant_mask [4] : vector<4xi1>
  %0 = vector.mask %mask { vector.reduction <add>, %v, %a : vector<4xf32> into f32 } : vector<4xi1> -> f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @around_nothing(%arg0: vector<4xi1>, %arg1: vector<4xf32>, %arg2: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = arith.select %arg0, %arg1, %arg2 : vector<4xi1>, vector<4xf32>
// CHECK-NEXT:     return %arg1, %0 : vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @around_nothing(%mask: vector<4xi1>, %v: vector<4xf32>, %w: vector<4xf32>) -> (vector<4xf32>, vector<4xf32>) {
  %0 = vector.mask %mask { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %1 = vector.mask %mask, %w { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return %0, %1 : vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @write_under_all(%arg0: memref<16xf32>, %arg1: index, %arg2: vector<4xf32>) {
// CHECK-NEXT:     vector.transfer_write %arg2, %arg0[%arg1] {in_bounds = [true]} : vector<4xf32>, memref<16xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @write_under_all(%m: memref<16xf32>, %i: index, %v: vector<4xf32>) {
  %all = arith.constant dense<true> : vector<4xi1>
  vector.mask %all { vector.transfer_write %v, %m[%i] {in_bounds = [true]} : vector<4xf32>, memref<16xf32> } : vector<4xi1>
  return
}
