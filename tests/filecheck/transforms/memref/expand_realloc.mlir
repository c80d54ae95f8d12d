// RUN: xgpu-opt --expand-realloc %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --expand-realloc=emit-deallocs=false %s | filecheck %s --match-full-lines --check-prefix=KEEP

// CHECK: module {
// CHECK-NEXT:   func.func @grow(%arg0: memref<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:     %c4 = arith.constant 4 : index
// CHECK-NEXT:     %c8 = arith.constant 8 : index
// CHECK-NEXT:     %0 = arith.cmpi ult, %c4, %c8 : index
// CHECK-NEXT:     %1 = scf.if %0 -> (memref<8xf32>) {
// CHECK-NEXT:       %alloc = memref.alloc() : memref<8xf32>
// CHECK-NEXT:       %subview = memref.subview %alloc[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:       memref.copy %arg0, %subview : memref<4xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:       memref.dealloc %arg0 : memref<4xf32>
// CHECK-NEXT:       scf.yield %alloc : memref<8xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [8], strides: [1] : memref<4xf32> to memref<8xf32>
// CHECK-NEXT:       scf.yield %reinterpret_cast : memref<8xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : memref<8xf32>
// CHECK-NEXT:   }
// KEEP: module {
// KEEP-NEXT:   func.func @grow(%arg0: memref<4xf32>) -> memref<8xf32> {
// KEEP-NEXT:     %c4 = arith.constant 4 : index
// KEEP-NEXT:     %c8 = arith.constant 8 : index
// KEEP-NEXT:     %0 = arith.cmpi ult, %c4, %c8 : index
// KEEP-NEXT:     %1 = scf.if %0 -> (memref<8xf32>) {
// KEEP-NEXT:       %alloc = memref.alloc() : memref<8xf32>
// KEEP-NEXT:       %subview = memref.subview %alloc[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// KEEP-NEXT:       memref.copy %arg0, %subview : memref<4xf32> to memref<4xf32, strided<[1]>>
// KEEP-NEXT:       scf.yield %alloc : memref<8xf32>
// KEEP-NEXT:     } else {
// KEEP-NEXT:       %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [8], strides: [1] : memref<4xf32> to memref<8xf32>
// KEEP-NEXT:       scf.yield %reinterpret_cast : memref<8xf32>
// KEEP-NEXT:     }
// KEEP-NEXT:     return %1 : memref<8xf32>
// KEEP-NEXT:   }
func.func @grow(%m: memref<4xf32>) -> memref<8xf32> {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32>
  return %0 : memref<8xf32>
}

// CHECK-NEXT:   func.func @dynamic(%arg0: memref<?xf32>, %arg1: index) -> memref<?xf32> {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// CHECK-NEXT:     %0 = arith.cmpi ult, %dim, %arg1 : index
// CHECK-NEXT:     %1 = scf.if %0 -> (memref<?xf32>) {
// CHECK-NEXT:       %alloc = memref.alloc(%arg1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:       %subview = memref.subview %alloc[0] [%dim] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:       memref.copy %arg0, %subview : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:       memref.dealloc %arg0 : memref<?xf32>
// CHECK-NEXT:       scf.yield %alloc : memref<?xf32>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1], strides: [1] : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:       scf.yield %reinterpret_cast : memref<?xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %1 : memref<?xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// KEEP-NEXT:   func.func @dynamic(%arg0: memref<?xf32>, %arg1: index) -> memref<?xf32> {
// KEEP-NEXT:     %c0 = arith.constant 0 : index
// KEEP-NEXT:     %dim = memref.dim %arg0, %c0 : memref<?xf32>
// KEEP-NEXT:     %0 = arith.cmpi ult, %dim, %arg1 : index
// KEEP-NEXT:     %1 = scf.if %0 -> (memref<?xf32>) {
// KEEP-NEXT:       %alloc = memref.alloc(%arg1) {alignment = 64 : i64} : memref<?xf32>
// KEEP-NEXT:       %subview = memref.subview %alloc[0] [%dim] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// KEEP-NEXT:       memref.copy %arg0, %subview : memref<?xf32> to memref<?xf32, strided<[1]>>
// KEEP-NEXT:       scf.yield %alloc : memref<?xf32>
// KEEP-NEXT:     } else {
// KEEP-NEXT:       %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1], strides: [1] : memref<?xf32> to memref<?xf32>
// KEEP-NEXT:       scf.yield %reinterpret_cast : memref<?xf32>
// KEEP-NEXT:     }
// KEEP-NEXT:     return %1 : memref<?xf32>
// KEEP-NEXT:   }
// KEEP-NEXT: }
func.func @dynamic(%m: memref<?xf32>, %n: index) -> memref<?xf32> {
  %0 = memref.realloc %m(%n) {alignment = 64 : i64} : memref<?xf32> to memref<?xf32>
  return %0 : memref<?xf32>
}
