// RUN: xgpu-opt %s -convert-vector-to-llvm | filecheck %s

// What a mask of known bits leaves of an access; masks and reinterpreted vectors of two dimensions.

// CHECK-LABEL: func.func @all_or_nothing
// CHECK-SAME: %{{.*}}: memref<16xf32>, %[[V:[a-z0-9]+]]: vector<16xf32>
func.func @all_or_nothing(%m: memref<16xf32>, %v: vector<16xf32>, %e: vector<16xi32>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %all = vector.constant_mask [16] : vector<16xi1>
  %none = vector.constant_mask [0] : vector<16xi1>
  %c0 = arith.constant 0 : index
  // CHECK-NOT: masked
  // CHECK: %[[LOAD:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
  %0 = vector.maskedload %m[%c0], %all, %v : memref<16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %1 = vector.maskedload %m[%c0], %none, %v : memref<16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  // CHECK: llvm.store %[[V]]
  vector.maskedstore %m[%c0], %all, %v : memref<16xf32>, vector<16xi1>, vector<16xf32>
  // CHECK: llvm.store %[[V]]
  // CHECK-NOT: llvm.store
  vector.compressstore %m[%c0], %all, %v : memref<16xf32>, vector<16xi1>, vector<16xf32>
  vector.maskedstore %m[%c0], %none, %v : memref<16xf32>, vector<16xi1>, vector<16xf32>
  vector.compressstore %m[%c0], %none, %v : memref<16xf32>, vector<16xi1>, vector<16xf32>
  vector.scatter %m[%c0][%e], %none, %v : memref<16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32>
  // CHECK: %[[EXPAND:.*]] = llvm.load
  %2 = vector.expandload %m[%c0], %all, %v : memref<16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %3 = vector.expandload %m[%c0], %none, %v : memref<16xf32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %4 = vector.gather %m[%c0][%e], %none, %v : memref<16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  // CHECK: return %[[LOAD]], %[[V]], %[[EXPAND]], %[[V]], %[[V]]
  return %0, %1, %2, %3, %4 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// CHECK-LABEL: func.func @constant_masks
// CHECK: arith.constant dense<{{\[\[}}true, true, false], [false, false, false]]> : vector<2x3xi1>
func.func @constant_masks() -> vector<2x3xi1> {
  %0 = vector.constant_mask [1, 2] : vector<2x3xi1>
  return %0 : vector<2x3xi1>
}

// CHECK-LABEL: func.func @bitcast
// CHECK-COUNT-2: llvm.bitcast %{{.*}} : vector<4xf32> to vector<2xi64>
func.func @bitcast(%v: vector<2x4xf32>) -> vector<2x2xi64> {
  %0 = vector.bitcast %v : vector<2x4xf32> to vector<2x2xi64>
  return %0 : vector<2x2xi64>
}

// CHECK-LABEL: func.func @one_element
func.func @one_element(%m: memref<4xf32>, %i: index, %f: f32) -> (vector<1xf32>, vector<1xf32>) {
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<1xf32>
  %0 = vector.load %m[%i] : memref<4xf32>, vector<1xf32>
  // CHECK: llvm.insertelement
  // CHECK-NOT: llvm.shufflevector
  %1 = vector.broadcast %f : f32 to vector<1xf32>
  return %0, %1 : vector<1xf32>, vector<1xf32>
}

// CHECK-LABEL: func.func @extract_as_vector
func.func @extract_as_vector(%v: vector<16xf32>) -> vector<1xf32> {
  // CHECK: %[[E:.*]] = llvm.extractelement %{{.*}} : vector<16xf32>
  // CHECK: builtin.unrealized_conversion_cast %[[E]] : f32 to vector<1xf32>
  %0 = vector.extract %v[15] : vector<1xf32> from vector<16xf32>
  return %0 : vector<1xf32>
}
