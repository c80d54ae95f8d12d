// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @broadcasts(%arg0: f32, %arg1: vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>, vector<3x4xf32>) {
// CHECK-NEXT:     %0 = vector.broadcast %arg0 : f32 to vector<2x4xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : vector<4xf32> to vector<3x4xf32>
// CHECK-NEXT:     return %0, %arg1, %1 : vector<2x4xf32>, vector<4xf32>, vector<3x4xf32>
// CHECK-NEXT:   }
func.func @broadcasts(%a: f32, %v: vector<4xf32>) -> (vector<2x4xf32>, vector<4xf32>, vector<3x4xf32>) {
  %0 = vector.broadcast %a : f32 to vector<4xf32>
  %1 = vector.broadcast %0 : vector<4xf32> to vector<2x4xf32>
  %2 = vector.broadcast %v : vector<4xf32> to vector<4xf32>
  %3 = vector.shape_cast %v : vector<4xf32> to vector<1x4xf32>
  %4 = vector.broadcast %3 : vector<1x4xf32> to vector<3x4xf32>
  return %1, %2, %4 : vector<2x4xf32>, vector<4xf32>, vector<3x4xf32>
}

// CHECK-NEXT:   func.func @broadcast_constants() -> (vector<3xi32>, vector<2x3xi32>, vector<2xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<4> : vector<3xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<5> : vector<2x3xi32>
// CHECK-NEXT:     %0 = ub.poison : vector<2xf32>
// CHECK-NEXT:     return %cst, %cst_0, %0 : vector<3xi32>, vector<2x3xi32>, vector<2xf32>
// CHECK-NEXT:   }
func.func @broadcast_constants() -> (vector<3xi32>, vector<2x3xi32>, vector<2xf32>) {
  %a = arith.constant 4 : i32
  %v = arith.constant dense<5> : vector<3xi32>
  %p = ub.poison : f32
  %0 = vector.broadcast %a : i32 to vector<3xi32>
  %1 = vector.broadcast %v : vector<3xi32> to vector<2x3xi32>
  %2 = vector.broadcast %p : f32 to vector<2xf32>
  return %0, %1, %2 : vector<3xi32>, vector<2x3xi32>, vector<2xf32>
}

// CHECK-NEXT:   func.func @casts(%arg0: vector<2x6xf32>, %arg1: vector<1x4x1xf32>, %arg2: f32, %arg3: vector<4xf32>) -> (vector<4x3xf32>, vector<4xf32>, vector<4x1xf32>, vector<3x4xf32>, vector<4x1xf32>) {
// CHECK-NEXT:     %0 = vector.shape_cast %arg0 : vector<2x6xf32> to vector<4x3xf32>
// CHECK-NEXT:     %1 = vector.shape_cast %arg1 : vector<1x4x1xf32> to vector<4xf32>
// CHECK-NEXT:     %2 = vector.broadcast %arg2 : f32 to vector<4x1xf32>
// CHECK-NEXT:     %3 = vector.broadcast %arg3 : vector<4xf32> to vector<3x4xf32>
// CHECK-NEXT:     %4 = vector.shape_cast %arg3 : vector<4xf32> to vector<4x1xf32>
// CHECK-NEXT:     return %0, %1, %2, %3, %4 : vector<4x3xf32>, vector<4xf32>, vector<4x1xf32>, vector<3x4xf32>, vector<4x1xf32>
// CHECK-NEXT:   }
func.func @casts(%v: vector<2x6xf32>, %w: vector<1x4x1xf32>, %s: f32, %u: vector<4xf32>) -> (vector<4x3xf32>, vector<4xf32>, vector<4x1xf32>, vector<3x4xf32>, vector<4x1xf32>) {
  %0 = vector.shape_cast %v : vector<2x6xf32> to vector<12xf32>
  %1 = vector.shape_cast %0 : vector<12xf32> to vector<4x3xf32>
  %2 = vector.transpose %w, [1, 0, 2] : vector<1x4x1xf32> to vector<4x1x1xf32>
  %3 = vector.shape_cast %2 : vector<4x1x1xf32> to vector<4xf32>
  %4 = vector.broadcast %s : f32 to vector<1x4xf32>
  %5 = vector.shape_cast %4 : vector<1x4xf32> to vector<4x1xf32>
  %6 = vector.broadcast %u : vector<4xf32> to vector<1x3x4xf32>
  %7 = vector.shape_cast %6 : vector<1x3x4xf32> to vector<3x4xf32>
  %8 = vector.broadcast %u : vector<4xf32> to vector<1x4xf32>
  %9 = vector.shape_cast %8 : vector<1x4xf32> to vector<4x1xf32>
  return %1, %3, %5, %7, %9 : vector<4x3xf32>, vector<4xf32>, vector<4x1xf32>, vector<3x4xf32>, vector<4x1xf32>
}

// CHECK-NEXT:   func.func @cast_constants() -> (vector<4xi32>, vector<2xi32>, vector<2xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<[1, 2, 3, 4]> : vector<4xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<7> : vector<2xi32>
// CHECK-NEXT:     %0 = ub.poison : vector<2xf32>
// CHECK-NEXT:     return %cst, %cst_0, %0 : vector<4xi32>, vector<2xi32>, vector<2xf32>
// CHECK-NEXT:   }
func.func @cast_constants() -> (vector<4xi32>, vector<2xi32>, vector<2xf32>) {
  %v = arith.constant dense<[[1, 2], [3, 4]]> : vector<2x2xi32>
  %s = arith.constant dense<7> : vector<2x1xi32>
  %p = ub.poison : vector<1x2xf32>
  %0 = vector.shape_cast %v : vector<2x2xi32> to vector<4xi32>
  %1 = vector.shape_cast %s : vector<2x1xi32> to vector<2xi32>
  %2 = vector.shape_cast %p : vector<1x2xf32> to vector<2xf32>
  return %0, %1, %2 : vector<4xi32>, vector<2xi32>, vector<2xf32>
}

// CHECK-NEXT:   func.func @transposes(%arg0: vector<2x3x4xf32>, %arg1: vector<2x1x4xf32>, %arg2: vector<8xf32>) -> (vector<4x2x3xf32>, vector<2x3x4xf32>, vector<1x2x4xf32>, vector<2x1x4xf32>) {
// CHECK-NEXT:     %0 = vector.transpose %arg0, [2, 0, 1] : vector<2x3x4xf32> to vector<4x2x3xf32>
// CHECK-NEXT:     %1 = vector.transpose %arg1, [1, 0, 2] : vector<2x1x4xf32> to vector<1x2x4xf32>
// CHECK-NEXT:     %2 = vector.shape_cast %arg2 : vector<8xf32> to vector<2x1x4xf32>
// CHECK-NEXT:     return %0, %arg0, %1, %2 : vector<4x2x3xf32>, vector<2x3x4xf32>, vector<1x2x4xf32>, vector<2x1x4xf32>
// CHECK-NEXT:   }
func.func @transposes(%v: vector<2x3x4xf32>, %w: vector<2x1x4xf32>, %u: vector<8xf32>) -> (vector<4x2x3xf32>, vector<2x3x4xf32>, vector<1x2x4xf32>, vector<2x1x4xf32>) {
  %0 = vector.transpose %v, [1, 2, 0] : vector<2x3x4xf32> to vector<3x4x2xf32>
  %1 = vector.transpose %0, [1, 2, 0] : vector<3x4x2xf32> to vector<4x2x3xf32>
  %2 = vector.transpose %1, [1, 2, 0] : vector<4x2x3xf32> to vector<2x3x4xf32>
  %3 = vector.transpose %w, [1, 0, 2] : vector<2x1x4xf32> to vector<1x2x4xf32>
  %4 = vector.shape_cast %u : vector<8xf32> to vector<1x2x4xf32>
  %5 = vector.transpose %4, [1, 0, 2] : vector<1x2x4xf32> to vector<2x1x4xf32>
  return %1, %2, %3, %5 : vector<4x2x3xf32>, vector<2x3x4xf32>, vector<1x2x4xf32>, vector<2x1x4xf32>
}

// CHECK-NEXT:   func.func @transposed_sources(%arg0: f32, %arg1: vector<4xf32>, %arg2: f32, %arg3: vector<3x1x4xf32>) -> (vector<4x2xf32>, vector<3x2x4xf32>, vector<2x2xf32>, vector<4x3xf32>, vector<2x4x3xf32>) {
// CHECK-NEXT:     %0 = vector.broadcast %arg0 : f32 to vector<4x2xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : vector<4xf32> to vector<3x2x4xf32>
// CHECK-NEXT:     %2 = vector.from_elements %arg0, %arg0, %arg2, %arg0 : vector<2x2xf32>
// CHECK-NEXT:     %3 = vector.broadcast %arg1 : vector<4xf32> to vector<3x4xf32>
// CHECK-NEXT:     %4 = vector.transpose %3, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
// CHECK-NEXT:     %5 = vector.broadcast %arg3 : vector<3x1x4xf32> to vector<3x2x4xf32>
// CHECK-NEXT:     %6 = vector.transpose %5, [1, 2, 0] : vector<3x2x4xf32> to vector<2x4x3xf32>
// CHECK-NEXT:     return %0, %1, %2, %4, %6 : vector<4x2xf32>, vector<3x2x4xf32>, vector<2x2xf32>, vector<4x3xf32>, vector<2x4x3xf32>
// CHECK-NEXT:   }
func.func @transposed_sources(%a: f32, %v: vector<4xf32>, %b: f32, %w: vector<3x1x4xf32>) -> (vector<4x2xf32>, vector<3x2x4xf32>, vector<2x2xf32>, vector<4x3xf32>, vector<2x4x3xf32>) {
  %0 = vector.broadcast %a : f32 to vector<2x4xf32>
  %1 = vector.transpose %0, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %2 = vector.broadcast %v : vector<4xf32> to vector<2x3x4xf32>
  %3 = vector.transpose %2, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  %4 = vector.from_elements %a, %b, %b, %a : vector<2x2xf32>
  %5 = vector.from_elements %a, %b, %a, %a : vector<2x2xf32>
  %6 = vector.transpose %5, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  // What is not repeated moves.
  %7 = vector.broadcast %v : vector<4xf32> to vector<3x4xf32>
  %8 = vector.transpose %7, [1, 0] : vector<3x4xf32> to vector<4x3xf32>
  %9 = vector.broadcast %w : vector<3x1x4xf32> to vector<3x2x4xf32>
  %10 = vector.transpose %9, [1, 2, 0] : vector<3x2x4xf32> to vector<2x4x3xf32>
  return %1, %3, %6, %8, %10 : vector<4x2xf32>, vector<3x2x4xf32>, vector<2x2xf32>, vector<4x3xf32>, vector<2x4x3xf32>
}

// CHECK-NEXT:   func.func @transposed_constants() -> (vector<3x2xi32>, vector<2x1xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<3> : vector<3x2xi32>
// CHECK-NEXT:     %0 = ub.poison : vector<2x1xf32>
// CHECK-NEXT:     return %cst, %0 : vector<3x2xi32>, vector<2x1xf32>
// CHECK-NEXT:   }
func.func @transposed_constants() -> (vector<3x2xi32>, vector<2x1xf32>) {
  %s = arith.constant dense<3> : vector<2x3xi32>
  %p = ub.poison : vector<1x2xf32>
  %0 = vector.transpose %s, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  %1 = vector.transpose %p, [1, 0] : vector<1x2xf32> to vector<2x1xf32>
  return %0, %1 : vector<3x2xi32>, vector<2x1xf32>
}

// CHECK-NEXT:   func.func @shuffles(%arg0: vector<2xf32>, %arg1: vector<2xf32>, %arg2: f32, %arg3: vector<4xf32>) -> (vector<2xf32>, vector<2xf32>, vector<3xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-NEXT:     %0 = vector.broadcast %arg2 : f32 to vector<3xf32>
// CHECK-NEXT:     %1 = vector.interleave %arg0, %arg1 : vector<2xf32> -> vector<4xf32>
// CHECK-NEXT:     %2 = vector.shuffle %arg0, %arg1 [0, 2, 3, 1] : vector<2xf32>, vector<2xf32>
// CHECK-NEXT:     return %arg0, %arg1, %0, %1, %2 : vector<2xf32>, vector<2xf32>, vector<3xf32>, vector<4xf32>, vector<4xf32>
// CHECK-NEXT:   }
func.func @shuffles(%a: vector<2xf32>, %b: vector<2xf32>, %s: f32, %c: vector<4xf32>) -> (vector<2xf32>, vector<2xf32>, vector<3xf32>, vector<4xf32>, vector<4xf32>) {
  %0 = vector.shuffle %a, %b [0, 1] : vector<2xf32>, vector<2xf32>
  %1 = vector.shuffle %a, %b [2, 3] : vector<2xf32>, vector<2xf32>
  %2 = vector.broadcast %s : f32 to vector<2xf32>
  %3 = vector.shuffle %2, %2 [3, 0, 1] : vector<2xf32>, vector<2xf32>
  %4 = vector.shuffle %a, %b [0, 2, 1, 3] : vector<2xf32>, vector<2xf32>
  %5 = vector.shuffle %a, %b [0, 2, 3, 1] : vector<2xf32>, vector<2xf32>
  return %0, %1, %3, %4, %5 : vector<2xf32>, vector<2xf32>, vector<3xf32>, vector<4xf32>, vector<4xf32>
}

// CHECK-NEXT:   func.func @shuffled_constants() -> (vector<4xi32>, vector<3xi32>, vector<2xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<[5, 1, 4, 2]> : vector<4xi32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<[3, 4, 3]> : vector<3xi32>
// CHECK-NEXT:     %0 = ub.poison : vector<2xf32>
// CHECK-NEXT:     return %cst, %cst_0, %0 : vector<4xi32>, vector<3xi32>, vector<2xf32>
// CHECK-NEXT:   }
func.func @shuffled_constants() -> (vector<4xi32>, vector<3xi32>, vector<2xf32>) {
  %a = arith.constant dense<[1, 2]> : vector<2xi32>
  %b = arith.constant dense<[3, 4, 5]> : vector<3xi32>
  %p = ub.poison : vector<2xi32>
  %q = ub.poison : vector<2xf32>
  %0 = vector.shuffle %a, %b [4, 0, 3, 1] : vector<2xi32>, vector<3xi32>
  %1 = vector.shuffle %p, %b [1, 3, -1] : vector<2xi32>, vector<3xi32>
  %2 = vector.shuffle %q, %q [0, 3] : vector<2xf32>, vector<2xf32>
  return %0, %1, %2 : vector<4xi32>, vector<3xi32>, vector<2xf32>
}

// CHECK-NEXT:   func.func @shuffled_scalars(%arg0: vector<f32>, %arg1: vector<f32>) -> (vector<2xf32>, vector<1xf32>) {
// CHECK-NEXT:     %0 = vector.interleave %arg0, %arg1 : vector<f32> -> vector<2xf32>
// CHECK-NEXT:     %1 = vector.broadcast %arg1 : vector<f32> to vector<1xf32>
// CHECK-NEXT:     return %0, %1 : vector<2xf32>, vector<1xf32>
// CHECK-NEXT:   }
func.func @shuffled_scalars(%a: vector<f32>, %b: vector<f32>) -> (vector<2xf32>, vector<1xf32>) {
  %0 = vector.shuffle %a, %b [0, 1] : vector<f32>, vector<f32>
  %1 = vector.shuffle %a, %b [1] : vector<f32>, vector<f32>
  return %0, %1 : vector<2xf32>, vector<1xf32>
}

// CHECK-NEXT:   func.func @bitcasts(%arg0: vector<4xi16>) -> (vector<4xi16>, vector<8xi8>, vector<2xi32>, vector<1xi64>, vector<2xf32>) {
// CHECK-NEXT:     %cst = arith.constant dense<0.00782680511> : vector<2xf32>
// CHECK-NEXT:     %cst_0 = arith.constant dense<-281479271743490> : vector<1xi64>
// CHECK-NEXT:     %cst_1 = arith.constant dense<-65538> : vector<2xi32>
// CHECK-NEXT:     %0 = vector.bitcast %arg0 : vector<4xi16> to vector<8xi8>
// CHECK-NEXT:     return %arg0, %0, %cst_1, %cst_0, %cst : vector<4xi16>, vector<8xi8>, vector<2xi32>, vector<1xi64>, vector<2xf32>
// CHECK-NEXT:   }
func.func @bitcasts(%v: vector<4xi16>) -> (vector<4xi16>, vector<8xi8>, vector<2xi32>, vector<1xi64>, vector<2xf32>) {
  %0 = vector.bitcast %v : vector<4xi16> to vector<2xi32>
  %1 = vector.bitcast %0 : vector<2xi32> to vector<4xi16>
  %2 = vector.bitcast %0 : vector<2xi32> to vector<8xi8>
  %s = arith.constant dense<-2> : vector<4xi16>
  %3 = vector.bitcast %s : vector<4xi16> to vector<2xi32>
  %4 = vector.bitcast %s : vector<4xi16> to vector<1xi64>
  %f = arith.constant dense<1.0> : vector<4xf16>
  %5 = vector.bitcast %f : vector<4xf16> to vector<2xf32>
  return %1, %2, %3, %4, %5 : vector<4xi16>, vector<8xi8>, vector<2xi32>, vector<1xi64>, vector<2xf32>
}

// CHECK-NEXT:   func.func @two_transposes(%arg0: vector<2x3x4xf32>) -> vector<2x4x3xf32> {
// CHECK-NEXT:     %0 = vector.transpose %arg0, [0, 2, 1] : vector<2x3x4xf32> to vector<2x4x3xf32>
// CHECK-NEXT:     return %0 : vector<2x4x3xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @two_transposes(%v: vector<2x3x4xf32>) -> vector<2x4x3xf32> {
  %0 = vector.transpose %v, [1, 0, 2] : vector<2x3x4xf32> to vector<3x2x4xf32>
  %1 = vector.transpose %0, [1, 2, 0] : vector<3x2x4xf32> to vector<2x4x3xf32>
  return %1 : vector<2x4x3xf32>
}
