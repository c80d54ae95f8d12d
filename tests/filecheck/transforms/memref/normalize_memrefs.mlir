// RUN: xgpu-opt %s --normalize-memrefs | filecheck %s --match-full-lines

#tile = affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>
#perm = affine_map<(d0, d1) -> (d1, d0)>
#shift = affine_map<(d0)[s0] -> (d0 + s0)>
// CHECK: #map = affine_map<(d0)[s0] -> (d0 floordiv 2 + s0)>
// CHECK-NEXT: #map1 = affine_map<(d0) -> (d0 floordiv 4)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0 mod 4)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0 floordiv 4)>
// CHECK-NEXT: #map4 = affine_map<()[s0] -> (s0 mod 4)>
// CHECK-NEXT: #map5 = affine_map<()[s0] -> (s0)>
// CHECK-NEXT: #map6 = affine_map<()[s0] -> (1)>
// CHECK-NEXT: #map7 = affine_map<() -> (7)>
// CHECK-NEXT: #map8 = affine_map<(d0) -> (d0 ceildiv 4)>
// CHECK-NEXT: #map9 = affine_map<(d0) -> (4)>
// CHECK-NEXT: #map10 = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-NEXT: #map11 = affine_map<()[s0] -> (s0 * 9 + 3)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func private @ext(memref<4x4xf32>, f32) -> memref<2x4xf32>
func.func private @ext(memref<16xf32, #tile>, f32) -> memref<8xf32, #tile>
// CHECK-NEXT:   func.func @accesses(%arg0: memref<4x4xf32>, %arg1: memref<5x3xf32>, %arg2: index, %arg3: f32) -> memref<4x4xf32> {
// CHECK-NEXT:     affine.for %arg4 = 0 to 16 {
// CHECK-NEXT:       %5 = affine.load %arg0[%arg4 floordiv 4, %arg4 mod 4] : memref<4x4xf32>
// CHECK-NEXT:       %6 = affine.apply #map(%arg4)[%arg2]
// CHECK-NEXT:       affine.store %5, %arg0[(%arg4 floordiv 2 + symbol(%arg2)) floordiv 4, (%arg4 floordiv 2 + symbol(%arg2)) mod 4] : memref<4x4xf32>
// CHECK-NEXT:       %7 = affine.apply #map1(%arg4)
// CHECK-NEXT:       %8 = affine.apply #map2(%arg4)
// CHECK-NEXT:       %9 = memref.load %arg0[%7, %8] : memref<4x4xf32>
// CHECK-NEXT:       %10 = affine.apply #map3()[%arg2]
// CHECK-NEXT:       %11 = affine.apply #map4()[%arg2]
// CHECK-NEXT:       memref.store %9, %arg0[%10, %11] : memref<4x4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = affine.apply #map5()[%arg2]
// CHECK-NEXT:     %1 = affine.apply #map6()[%arg2]
// CHECK-NEXT:     %2 = memref.load %arg1[%0, %1] : memref<5x3xf32>
// CHECK-NEXT:     %3 = call @ext(%arg0, %arg3) : (memref<4x4xf32>, f32) -> memref<2x4xf32>
// CHECK-NEXT:     %4 = affine.apply #map7()
// CHECK-NEXT:     affine.store %arg3, %3[1, 3] : memref<2x4xf32>
// CHECK-NEXT:     return %arg0 : memref<4x4xf32>
// CHECK-NEXT:   }
func.func @accesses(%a: memref<16xf32, #tile>, %p: memref<3x5xf32, #perm>, %n: index, %f: f32) -> memref<16xf32, #tile> {
  affine.for %i = 0 to 16 {
    %0 = affine.load %a[%i] : memref<16xf32, #tile>
    affine.store %0, %a[%i floordiv 2 + symbol(%n)] : memref<16xf32, #tile>
    %1 = memref.load %a[%i] : memref<16xf32, #tile>
    memref.store %1, %a[%n] : memref<16xf32, #tile>
  }
  %c1 = arith.constant 1 : index
  %2 = memref.load %p[%c1, %n] : memref<3x5xf32, #perm>
  %3 = call @ext(%a, %f) : (memref<16xf32, #tile>, f32) -> memref<8xf32, #tile>
  affine.store %f, %3[7] : memref<8xf32, #tile>
  return %a : memref<16xf32, #tile>
}
// CHECK-NEXT:   func.func @caller(%arg0: memref<4x4xf32>, %arg1: f32, %arg2: index) -> memref<4x4xf32> {
// CHECK-NEXT:     %alloc = memref.alloc() {alignment = 16 : i64} : memref<5x3xf32>
// CHECK-NEXT:     %0 = call @accesses(%arg0, %alloc, %arg2, %arg1) : (memref<4x4xf32>, memref<5x3xf32>, index, f32) -> memref<4x4xf32>
// CHECK-NEXT:     memref.dealloc %alloc : memref<5x3xf32>
// CHECK-NEXT:     return %0 : memref<4x4xf32>
// CHECK-NEXT:   }
func.func @caller(%a: memref<16xf32, #tile>, %f: f32, %n: index) -> memref<16xf32, #tile> {
  %p = memref.alloc() {alignment = 16 : i64} : memref<3x5xf32, #perm>
  %0 = call @accesses(%a, %p, %n, %f) : (memref<16xf32, #tile>, memref<3x5xf32, #perm>, index, f32) -> memref<16xf32, #tile>
  memref.dealloc %p : memref<3x5xf32, #perm>
  return %0 : memref<16xf32, #tile>
}
// CHECK-NEXT:   func.func @dynamic(%arg0: index, %arg1: index) {
// CHECK-NEXT:     %0 = affine.apply #map8(%arg0)
// CHECK-NEXT:     %1 = affine.apply #map9(%arg0)
// CHECK-NEXT:     %alloc = memref.alloc(%0, %1) : memref<?x?xf32>
// CHECK-NEXT:     memref.dealloc %alloc : memref<?x?xf32>
// CHECK-NEXT:     %alloc_0 = memref.alloc(%arg0, %arg1) : memref<?x?xf32, #map10>
// CHECK-NEXT:     memref.dealloc %alloc_0 : memref<?x?xf32, #map10>
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @dynamic(%n: index, %m: index) {
  %0 = memref.alloc(%n) : memref<?xf32, #tile>
  memref.dealloc %0 : memref<?xf32, #tile>
  %1 = memref.alloc(%n, %m) : memref<?x?xf32, #perm>
  memref.dealloc %1 : memref<?x?xf32, #perm>
  return
}
// CHECK-NEXT:   func.func @strided(%arg0: memref<30xf32>, %arg1: index, %arg2: index) -> f32 {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [17], strides: [1] : memref<30xf32> to memref<17xf32>
// CHECK-NEXT:     %0 = affine.apply #map11()[%arg1]
// CHECK-NEXT:     %1 = memref.load %reinterpret_cast[%0] : memref<17xf32>
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
func.func @strided(%m: memref<30xf32>, %i: index, %n: index) -> f32 {
  %0 = memref.reinterpret_cast %m to offset: [3], sizes: [2, 4], strides: [7, 2] : memref<30xf32> to memref<2x4xf32, strided<[7, 2], offset: 3>>
  %1 = memref.load %0[%i, %i] : memref<2x4xf32, strided<[7, 2], offset: 3>>
  return %1 : f32
}
// CHECK-NEXT:   func.func @symbol(%arg0: index) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %alloca = memref.alloca() : memref<4x2xf32>
// CHECK-NEXT:     %0 = affine.load %alloca[symbol(%arg0) floordiv 2, symbol(%arg0) mod 2] : memref<4x2xf32>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @symbol(%s: index) -> f32 {
  %c = arith.constant 0 : index
  %0 = memref.alloca()[%s] : memref<8xf32, affine_map<(d0)[s0] -> (d0 floordiv 2 + 0 * s0, d0 mod 2)>>
  %1 = affine.load %0[%s] : memref<8xf32, affine_map<(d0)[s0] -> (d0 floordiv 2 + 0 * s0, d0 mod 2)>>
  return %1 : f32
}
