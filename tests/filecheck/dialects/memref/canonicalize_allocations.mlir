// RUN: xgpu-opt %s --canonicalize --allow-unregistered-dialect | filecheck %s --match-full-lines

// Allocations of known sizes, that nothing reads; copies; views of bytes.

// CHECK: #map = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @known_sizes(%arg0: index) -> (memref<?x4x?xf32>, memref<?xf32>) {
// CHECK-NEXT:     %alloc = memref.alloc(%arg0) {alignment = 16 : i64} : memref<8x4x?xf32>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<8x4x?xf32> to memref<?x4x?xf32>
// CHECK-NEXT:     %alloca = memref.alloca() : memref<8xf32>
// CHECK-NEXT:     %cast_0 = memref.cast %alloca : memref<8xf32> to memref<?xf32>
// CHECK-NEXT:     "test.use"(%cast, %cast_0) : (memref<?x4x?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:     return %cast, %cast_0 : memref<?x4x?xf32>, memref<?xf32>
// CHECK-NEXT:   }
func.func @known_sizes(%n: index) -> (memref<?x4x?xf32>, memref<?xf32>) {
  %c8 = arith.constant 8 : index
  %0 = memref.alloc(%c8, %n) {alignment = 16 : i64} : memref<?x4x?xf32>
  %1 = memref.alloca(%c8) : memref<?xf32>
  "test.use"(%0, %1) : (memref<?x4x?xf32>, memref<?xf32>) -> ()
  return %0, %1 : memref<?x4x?xf32>, memref<?xf32>
}

// CHECK-NEXT:   func.func @negative_size() -> memref<?xf32> {
// CHECK-NEXT:     %c-1 = arith.constant -1 : index
// CHECK-NEXT:     %alloc = memref.alloc(%c-1) : memref<?xf32>
// CHECK-NEXT:     return %alloc : memref<?xf32>
// CHECK-NEXT:   }
func.func @negative_size() -> memref<?xf32> {
  %m1 = arith.constant -1 : index
  %0 = memref.alloc(%m1) : memref<?xf32>
  return %0 : memref<?xf32>
}

// CHECK-NEXT:   func.func @with_symbols(%arg0: index) -> memref<?xf32, #map> {
// CHECK-NEXT:     %alloc = memref.alloc()[%arg0] : memref<8xf32, #map>
// CHECK-NEXT:     %cast = memref.cast %alloc : memref<8xf32, #map> to memref<?xf32, #map>
// CHECK-NEXT:     return %cast : memref<?xf32, #map>
// CHECK-NEXT:   }
func.func @with_symbols(%s: index) -> memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>> {
  %c8 = arith.constant 8 : index
  %0 = memref.alloc(%c8)[%s] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return %0 : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
}

// CHECK-NEXT:   func.func @never_read(%arg0: f32, %arg1: index) {
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @never_read(%x: f32, %i: index) {
  %0 = memref.alloc() : memref<8xf32>
  memref.store %x, %0[%i] : memref<8xf32>
  memref.dealloc %0 : memref<8xf32>
  %1 = memref.alloca() : memref<8xf32>
  memref.store %x, %1[%i] : memref<8xf32>
  return
}

// CHECK-NEXT:   func.func @stored_itself(%arg0: memref<1xmemref<8xf32>>, %arg1: index) {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<8xf32>
// CHECK-NEXT:     memref.store %alloc, %arg0[%arg1] : memref<1xmemref<8xf32>>
// CHECK-NEXT:     memref.dealloc %alloc : memref<8xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @stored_itself(%m: memref<1xmemref<8xf32>>, %i: index) {
  %0 = memref.alloc() : memref<8xf32>
  memref.store %0, %m[%i] : memref<1xmemref<8xf32>>
  memref.dealloc %0 : memref<8xf32>
  return
}

// CHECK-NEXT:   func.func @read(%arg0: f32, %arg1: index) -> f32 {
// CHECK-NEXT:     %alloc = memref.alloc() : memref<8xf32>
// CHECK-NEXT:     memref.store %arg0, %alloc[%arg1] : memref<8xf32>
// CHECK-NEXT:     %0 = memref.load %alloc[%arg1] : memref<8xf32>
// CHECK-NEXT:     memref.dealloc %alloc : memref<8xf32>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @read(%x: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<8xf32>
  memref.store %x, %0[%i] : memref<8xf32>
  %1 = memref.load %0[%i] : memref<8xf32>
  memref.dealloc %0 : memref<8xf32>
  return %1 : f32
}

// CHECK-NEXT:   func.func @copies(%arg0: memref<8xf32>, %arg1: memref<?xf32>, %arg2: memref<0xf32>, %arg3: memref<?xf32>) {
// CHECK-NEXT:     memref.copy %arg0, %arg1 : memref<8xf32> to memref<?xf32>
// CHECK-NEXT:     memref.copy %arg1, %arg0 : memref<?xf32> to memref<8xf32>
// CHECK-NEXT:     memref.copy %arg3, %arg1 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copies(%a: memref<8xf32>, %b: memref<?xf32>, %e: memref<0xf32>, %f: memref<?xf32>) {
  %0 = memref.cast %a : memref<8xf32> to memref<?xf32>
  memref.copy %0, %b : memref<?xf32> to memref<?xf32>
  memref.copy %b, %0 : memref<?xf32> to memref<?xf32>
  memref.copy %b, %b : memref<?xf32> to memref<?xf32>
  memref.copy %e, %f : memref<0xf32> to memref<?xf32>
  memref.copy %f, %e : memref<?xf32> to memref<0xf32>
  memref.copy %f, %b : memref<?xf32> to memref<?xf32>
  return
}

// CHECK-NEXT:   func.func @copy_of_unranked(%arg0: memref<8xf32>, %arg1: memref<*xf32>) {
// CHECK-NEXT:     %cast = memref.cast %arg0 : memref<8xf32> to memref<*xf32>
// CHECK-NEXT:     memref.copy %cast, %arg1 : memref<*xf32> to memref<*xf32>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @copy_of_unranked(%a: memref<8xf32>, %b: memref<*xf32>) {
  %0 = memref.cast %a : memref<8xf32> to memref<*xf32>
  memref.copy %0, %b : memref<*xf32> to memref<*xf32>
  return
}

// CHECK-NEXT:   func.func @views(%arg0: memref<2048xi8>, %arg1: index, %arg2: index) -> (memref<?x4xf32>, memref<?x?xf32>) {
// CHECK-NEXT:     %view = memref.view %arg0[%arg1][] : memref<2048xi8> to memref<8x4xf32>
// CHECK-NEXT:     %cast = memref.cast %view : memref<8x4xf32> to memref<?x4xf32>
// CHECK-NEXT:     %view_0 = memref.view %arg0[%arg1][%arg2] : memref<2048xi8> to memref<?x8xf32>
// CHECK-NEXT:     %cast_1 = memref.cast %view_0 : memref<?x8xf32> to memref<?x?xf32>
// CHECK-NEXT:     return %cast, %cast_1 : memref<?x4xf32>, memref<?x?xf32>
// CHECK-NEXT:   }
func.func @views(%bytes: memref<2048xi8>, %o: index, %n: index) -> (memref<?x4xf32>, memref<?x?xf32>) {
  %c8 = arith.constant 8 : index
  %0 = memref.view %bytes[%o][%c8] : memref<2048xi8> to memref<?x4xf32>
  %1 = memref.view %bytes[%o][%n, %c8] : memref<2048xi8> to memref<?x?xf32>
  return %0, %1 : memref<?x4xf32>, memref<?x?xf32>
}

// CHECK-NEXT:   func.func @view_of_cast(%arg0: index) -> memref<?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %alloc = memref.alloc() : memref<64xi8>
// CHECK-NEXT:     %view = memref.view %alloc[%c0][%arg0] : memref<64xi8> to memref<?xf32>
// CHECK-NEXT:     return %view : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @view_of_cast(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %bytes = memref.alloc() : memref<64xi8>
  %0 = memref.cast %bytes : memref<64xi8> to memref<?xi8>
  %1 = memref.view %0[%c0][%n] : memref<?xi8> to memref<?xf32>
  return %1 : memref<?xf32>
}
