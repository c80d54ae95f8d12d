// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true" %s | filecheck %s --match-full-lines --check-prefix=INFER
// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map" %s | filecheck %s --match-full-lines --check-prefix=IDENTITY
// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true function-boundary-type-conversion=fully-dynamic-layout-map" %s | filecheck %s --match-full-lines --check-prefix=DYNAMIC
// RUN: xgpu-opt --one-shot-bufferize="bufferize-function-boundaries=true" --drop-equivalent-buffer-results %s | filecheck %s --match-full-lines --check-prefix=DROP

// INFER: module {
// INFER-NEXT:   func.func private @outside(memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
// IDENTITY: module {
// IDENTITY-NEXT:   func.func private @outside(memref<?xf32>) -> memref<?xf32>
// DYNAMIC: module {
// DYNAMIC-NEXT:   func.func private @outside(memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
// DROP: module {
// DROP-NEXT:   func.func private @outside(memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
func.func private @outside(tensor<?xf32>) -> tensor<?xf32>

// INFER-NEXT:   func.func private @reads(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index) -> f32 {
// INFER-NEXT:     %0 = memref.load %arg0[%arg1] : memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     return %0 : f32
// INFER-NEXT:   }
// IDENTITY-NEXT:   func.func private @reads(%arg0: memref<?xf32>, %arg1: index) -> f32 {
// IDENTITY-NEXT:     %0 = memref.load %arg0[%arg1] : memref<?xf32>
// IDENTITY-NEXT:     return %0 : f32
// IDENTITY-NEXT:   }
// DYNAMIC-NEXT:   func.func private @reads(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index) -> f32 {
// DYNAMIC-NEXT:     %0 = memref.load %arg0[%arg1] : memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     return %0 : f32
// DYNAMIC-NEXT:   }
// DROP-NEXT:   func.func private @reads(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: index) -> f32 {
// DROP-NEXT:     %0 = memref.load %arg0[%arg1] : memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:     return %0 : f32
// DROP-NEXT:   }
func.func private @reads(%t: tensor<?xf32>, %i: index) -> f32 {
  %e = tensor.extract %t[%i] : tensor<?xf32>
  return %e : f32
}

// INFER-NEXT:   func.func private @writes(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32, strided<[?], offset: ?>> {
// INFER-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     return %arg0 : memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:   }
// IDENTITY-NEXT:   func.func private @writes(%arg0: memref<?xf32>, %arg1: f32, %arg2: index) -> memref<?xf32> {
// IDENTITY-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<?xf32>
// IDENTITY-NEXT:     return %arg0 : memref<?xf32>
// IDENTITY-NEXT:   }
// DYNAMIC-NEXT:   func.func private @writes(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32, strided<[?], offset: ?>> {
// DYNAMIC-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     return %arg0 : memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:   }
// DROP-NEXT:   func.func private @writes(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) {
// DROP-NEXT:     memref.store %arg1, %arg0[%arg2] : memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:     return
// DROP-NEXT:   }
func.func private @writes(%t: tensor<?xf32>, %x: f32, %i: index) -> tensor<?xf32> {
  %a = tensor.insert %x into %t[%i] : tensor<?xf32>
  return %a : tensor<?xf32>
}

// The callee writes what is read afterwards: a copy; but not for one that only reads.
// INFER-NEXT:   func.func @caller(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?xf32, strided<[?], offset: ?>>, f32, f32) {
// INFER-NEXT:     %c0 = arith.constant 0 : index
// INFER-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// INFER-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// INFER-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     %0 = call @writes(%cast, %arg1, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, f32, index) -> memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     %1 = call @reads(%arg0, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, index) -> f32
// INFER-NEXT:     %2 = call @reads(%0, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, index) -> f32
// INFER-NEXT:     return %0, %1, %2 : memref<?xf32, strided<[?], offset: ?>>, f32, f32
// INFER-NEXT:   }
// IDENTITY-NEXT:   func.func @caller(%arg0: memref<?xf32>, %arg1: f32, %arg2: index) -> (memref<?xf32>, f32, f32) {
// IDENTITY-NEXT:     %c0 = arith.constant 0 : index
// IDENTITY-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// IDENTITY-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// IDENTITY-NEXT:     memref.copy %arg0, %alloc : memref<?xf32> to memref<?xf32>
// IDENTITY-NEXT:     %0 = call @writes(%alloc, %arg1, %arg2) : (memref<?xf32>, f32, index) -> memref<?xf32>
// IDENTITY-NEXT:     %1 = call @reads(%arg0, %arg2) : (memref<?xf32>, index) -> f32
// IDENTITY-NEXT:     %2 = call @reads(%0, %arg2) : (memref<?xf32>, index) -> f32
// IDENTITY-NEXT:     return %0, %1, %2 : memref<?xf32>, f32, f32
// IDENTITY-NEXT:   }
// DYNAMIC-NEXT:   func.func @caller(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?xf32, strided<[?], offset: ?>>, f32, f32) {
// DYNAMIC-NEXT:     %c0 = arith.constant 0 : index
// DYNAMIC-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// DYNAMIC-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// DYNAMIC-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     %0 = call @writes(%cast, %arg1, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, f32, index) -> memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     %1 = call @reads(%arg0, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, index) -> f32
// DYNAMIC-NEXT:     %2 = call @reads(%0, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, index) -> f32
// DYNAMIC-NEXT:     return %0, %1, %2 : memref<?xf32, strided<[?], offset: ?>>, f32, f32
// DYNAMIC-NEXT:   }
// DROP-NEXT:   func.func @caller(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> (memref<?xf32, strided<[?], offset: ?>>, f32, f32) {
// DROP-NEXT:     %c0 = arith.constant 0 : index
// DROP-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// DROP-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// DROP-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:     call @writes(%cast, %arg1, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, f32, index) -> ()
// DROP-NEXT:     %0 = call @reads(%arg0, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, index) -> f32
// DROP-NEXT:     %1 = call @reads(%cast, %arg2) : (memref<?xf32, strided<[?], offset: ?>>, index) -> f32
// DROP-NEXT:     return %cast, %0, %1 : memref<?xf32, strided<[?], offset: ?>>, f32, f32
// DROP-NEXT:   }
func.func @caller(%t: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, f32, f32) {
  %a = call @writes(%t, %x, %i) : (tensor<?xf32>, f32, index) -> tensor<?xf32>
  %e = call @reads(%t, %i) : (tensor<?xf32>, index) -> f32
  %f = call @reads(%a, %i) : (tensor<?xf32>, index) -> f32
  return %a, %e, %f : tensor<?xf32>, f32, f32
}

// INFER-NEXT:   func.func @calls_outside(%arg0: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
// INFER-NEXT:     %0 = call @outside(%arg0) : (memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     return %0 : memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:   }
// IDENTITY-NEXT:   func.func @calls_outside(%arg0: memref<?xf32>) -> memref<?xf32> {
// IDENTITY-NEXT:     %0 = call @outside(%arg0) : (memref<?xf32>) -> memref<?xf32>
// IDENTITY-NEXT:     return %0 : memref<?xf32>
// IDENTITY-NEXT:   }
// DYNAMIC-NEXT:   func.func @calls_outside(%arg0: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
// DYNAMIC-NEXT:     %0 = call @outside(%arg0) : (memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     return %0 : memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:   }
// DROP-NEXT:   func.func @calls_outside(%arg0: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
// DROP-NEXT:     %0 = call @outside(%arg0) : (memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:     return %0 : memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:   }
func.func @calls_outside(%t: tensor<?xf32>) -> tensor<?xf32> {
  %a = call @outside(%t) : (tensor<?xf32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// INFER-NEXT:   func.func @new(%arg0: f32) -> memref<8xf32> {
// INFER-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// INFER-NEXT:     linalg.fill ins(%arg0 : f32) outs(%alloc : memref<8xf32>)
// INFER-NEXT:     %cast = memref.cast %alloc : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// INFER-NEXT:     return %alloc : memref<8xf32>
// INFER-NEXT:   }
// IDENTITY-NEXT:   func.func @new(%arg0: f32) -> memref<8xf32> {
// IDENTITY-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// IDENTITY-NEXT:     linalg.fill ins(%arg0 : f32) outs(%alloc : memref<8xf32>)
// IDENTITY-NEXT:     return %alloc : memref<8xf32>
// IDENTITY-NEXT:   }
// DYNAMIC-NEXT:   func.func @new(%arg0: f32) -> memref<8xf32, strided<[?], offset: ?>> {
// DYNAMIC-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// DYNAMIC-NEXT:     linalg.fill ins(%arg0 : f32) outs(%alloc : memref<8xf32>)
// DYNAMIC-NEXT:     %cast = memref.cast %alloc : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     return %cast : memref<8xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:   }
// DROP-NEXT:   func.func @new(%arg0: f32) -> memref<8xf32> {
// DROP-NEXT:     %alloc = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// DROP-NEXT:     linalg.fill ins(%arg0 : f32) outs(%alloc : memref<8xf32>)
// DROP-NEXT:     %cast = memref.cast %alloc : memref<8xf32> to memref<8xf32, strided<[?], offset: ?>>
// DROP-NEXT:     return %alloc : memref<8xf32>
// DROP-NEXT:   }
func.func @new(%x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %f : tensor<8xf32>
}

// INFER-NEXT:   func.func @stated(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32> {
// INFER-NEXT:     %c0 = arith.constant 0 : index
// INFER-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// INFER-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// INFER-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// INFER-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// INFER-NEXT:     return %alloc : memref<?xf32>
// INFER-NEXT:   }
// INFER-NEXT: }
// IDENTITY-NEXT:   func.func @stated(%arg0: memref<?xf32>, %arg1: f32, %arg2: index) -> memref<?xf32> {
// IDENTITY-NEXT:     %c0 = arith.constant 0 : index
// IDENTITY-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// IDENTITY-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// IDENTITY-NEXT:     memref.copy %arg0, %alloc : memref<?xf32> to memref<?xf32>
// IDENTITY-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// IDENTITY-NEXT:     return %alloc : memref<?xf32>
// IDENTITY-NEXT:   }
// IDENTITY-NEXT: }
// DYNAMIC-NEXT:   func.func @stated(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32, strided<[?], offset: ?>> {
// DYNAMIC-NEXT:     %c0 = arith.constant 0 : index
// DYNAMIC-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// DYNAMIC-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// DYNAMIC-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// DYNAMIC-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:     return %cast : memref<?xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:   }
// DYNAMIC-NEXT: }
// DROP-NEXT:   func.func @stated(%arg0: memref<?xf32, strided<[?], offset: ?>>, %arg1: f32, %arg2: index) -> memref<?xf32> {
// DROP-NEXT:     %c0 = arith.constant 0 : index
// DROP-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:     %alloc = memref.alloc(%dim) {alignment = 64 : i64} : memref<?xf32>
// DROP-NEXT:     memref.copy %arg0, %alloc : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
// DROP-NEXT:     memref.store %arg1, %alloc[%arg2] : memref<?xf32>
// DROP-NEXT:     %cast = memref.cast %alloc : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// DROP-NEXT:     return %alloc : memref<?xf32>
// DROP-NEXT:   }
// DROP-NEXT: }
func.func @stated(%t: tensor<?xf32> {bufferization.writable = false}, %x: f32, %i: index) -> tensor<?xf32> {
  %a = tensor.insert %x into %t[%i] : tensor<?xf32>
  return %a : tensor<?xf32>
}
