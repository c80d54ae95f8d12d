// RUN: xgpu-opt --sroa %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @copy(%arg0: !llvm.ptr, %arg1: i64) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(16 : i32) : i32
// CHECK-NEXT:     %2 = llvm.alloca %0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %3 = llvm.getelementptr %arg0[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i8, i64)>
// CHECK-NEXT:     %4 = llvm.mlir.constant(4 : i32) : i32
// CHECK-NEXT:     "llvm.intr.memcpy"(%2, %3, %4) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
// CHECK-NEXT:     %5 = llvm.load %2 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %5 : i32
// CHECK-NEXT:   }
llvm.func @copy(%p: !llvm.ptr, %v: i64) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %16 = llvm.mlir.constant(16 : i32) : i32
  %a = llvm.alloca %1 x !llvm.struct<(i32, i8, i64)> : (i32) -> !llvm.ptr
  "llvm.intr.memcpy"(%a, %p, %16) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i32) -> ()
  %x = llvm.load %a : !llvm.ptr -> i32
  llvm.return %x : i32
}
// CHECK-NEXT:   llvm.func @copyout(%arg0: !llvm.ptr, %arg1: i32) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.alloca %0 x i8 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %3 = llvm.alloca %0 x i64 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.store %arg1, %1 : i32, !llvm.ptr
// CHECK-NEXT:     %4 = llvm.getelementptr %arg0[0, 0] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i8, i64)>
// CHECK-NEXT:     "llvm.intr.memcpy.inline"(%4, %1) <{isVolatile = false, len = 4 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     %5 = llvm.getelementptr %arg0[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i8, i64)>
// CHECK-NEXT:     "llvm.intr.memcpy.inline"(%5, %2) <{isVolatile = false, len = 1 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     %6 = llvm.getelementptr %arg0[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i8, i64)>
// CHECK-NEXT:     "llvm.intr.memcpy.inline"(%6, %3) <{isVolatile = false, len = 8 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @copyout(%p: !llvm.ptr, %v: i32) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.struct<(i32, i8, i64)> : (i32) -> !llvm.ptr
  llvm.store %v, %a : i32, !llvm.ptr
  "llvm.intr.memcpy.inline"(%p, %a) <{isVolatile = false, len = 16 : i32}> : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.return
}
// CHECK-NEXT:   llvm.func @packed(%arg0: !llvm.ptr, %arg1: i64, %arg2: !llvm.ptr) -> i64 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x i64 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     %3 = llvm.load %1 : !llvm.ptr -> i64
// CHECK-NEXT:     %4 = llvm.load %2 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %3 : i64
// CHECK-NEXT:   }
llvm.func @packed(%p: !llvm.ptr, %v: i64, %s: !llvm.ptr) -> i64 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.struct<packed (i8, i64)> : (i32) -> !llvm.ptr
  %g = llvm.getelementptr %a[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<packed (i8, i64)>
  %g2 = llvm.getelementptr %a[5] : (!llvm.ptr) -> !llvm.ptr, i8
  %x = llvm.load %g : !llvm.ptr -> i64
  %y = llvm.load %g2 : !llvm.ptr -> i32
  llvm.return %x : i64
}
// CHECK-NEXT:   llvm.func @out(%arg0: !llvm.ptr, %arg1: i64) -> i64 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[5] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     %3 = llvm.load %2 : !llvm.ptr -> i64
// CHECK-NEXT:     llvm.return %3 : i64
// CHECK-NEXT:   }
llvm.func @out(%p: !llvm.ptr, %v: i64) -> i64 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
  %g2 = llvm.getelementptr %a[5] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %g2 : !llvm.ptr -> i64
  llvm.return %y : i64
}
// CHECK-NEXT:   llvm.func @pad(%arg0: !llvm.ptr, %arg1: i64) -> i8 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[2] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     %3 = llvm.load %2 : !llvm.ptr -> i8
// CHECK-NEXT:     llvm.return %3 : i8
// CHECK-NEXT:   }
llvm.func @pad(%p: !llvm.ptr, %v: i64) -> i8 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.struct<(i8, i64)> : (i32) -> !llvm.ptr
  %g2 = llvm.getelementptr %a[2] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %g2 : !llvm.ptr -> i8
  llvm.return %y : i8
}
// CHECK-NEXT:   llvm.func @dyn(%arg0: i32, %arg1: i64) -> i8 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.array<4 x i8> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[%arg0] : (!llvm.ptr, i32) -> !llvm.ptr, i8
// CHECK-NEXT:     %3 = llvm.load %2 : !llvm.ptr -> i8
// CHECK-NEXT:     llvm.return %3 : i8
// CHECK-NEXT:   }
llvm.func @dyn(%p: i32, %v: i64) -> i8 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<4 x i8> : (i32) -> !llvm.ptr
  %g2 = llvm.getelementptr %a[%p] : (!llvm.ptr, i32) -> !llvm.ptr, i8
  %y = llvm.load %g2 : !llvm.ptr -> i8
  llvm.return %y : i8
}
// CHECK-NEXT:   llvm.func @call(%arg0: i32, %arg1: i64) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.array<4 x i8> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[1] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     llvm.call @used(%2) : (!llvm.ptr) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
llvm.func @call(%p: i32, %v: i64) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<4 x i8> : (i32) -> !llvm.ptr
  %g2 = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i8
  llvm.call @used(%g2) : (!llvm.ptr) -> ()
  llvm.return
}
// CHECK-NEXT:   llvm.func @array_of_two(%arg0: i32) -> i8 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(2 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.array<4 x i8> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[1] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     %3 = llvm.load %2 : !llvm.ptr -> i8
// CHECK-NEXT:     llvm.return %3 : i8
// CHECK-NEXT:   }
llvm.func @array_of_two(%p: i32) -> i8 {
  %1 = llvm.mlir.constant(2 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<4 x i8> : (i32) -> !llvm.ptr
  %g2 = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %g2 : !llvm.ptr -> i8
  llvm.return %y : i8
}
// CHECK-NEXT:   llvm.func @big(%arg0: i32) -> i8 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.array<17 x i8> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[1] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:     %3 = llvm.load %2 : !llvm.ptr -> i8
// CHECK-NEXT:     llvm.return %3 : i8
// CHECK-NEXT:   }
llvm.func @big(%p: i32) -> i8 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<17 x i8> : (i32) -> !llvm.ptr
  %g2 = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %g2 : !llvm.ptr -> i8
  llvm.return %y : i8
}
// CHECK-NEXT:   llvm.func @life(%arg0: i32) -> i8 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x i8 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> i8
// CHECK-NEXT:     llvm.return %2 : i8
// CHECK-NEXT:   }
llvm.func @life(%p: i32) -> i8 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<7 x i8> : (i32) -> !llvm.ptr
  llvm.intr.lifetime.start %a : !llvm.ptr
  %g2 = llvm.getelementptr inbounds %a[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %y = llvm.load %g2 : !llvm.ptr -> i8
  llvm.intr.lifetime.end %a : !llvm.ptr
  llvm.return %y : i8
}
// CHECK-NEXT:   llvm.func @nest(%arg0: i32) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     llvm.store %arg0, %1 : i32, !llvm.ptr
// CHECK-NEXT:     %2 = llvm.load %1 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %2 : i32
// CHECK-NEXT:   }
llvm.func @nest(%p: i32) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.struct<(i8, array<4 x struct<(i32, i32)>>)> : (i32) -> !llvm.ptr
  %g = llvm.getelementptr inbounds %a[0, 1, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i8, array<4 x struct<(i32, i32)>>)>
  %h = llvm.getelementptr inbounds %g[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32, i32)>
  llvm.store %p, %h : i32, !llvm.ptr
  %y = llvm.load %h : !llvm.ptr -> i32
  llvm.return %y : i32
}
// CHECK-NEXT:   llvm.func @used(!llvm.ptr)
llvm.func @used(!llvm.ptr)
// CHECK-NEXT:   func.func @memrefs(%arg0: f32, %arg1: index) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c7 = arith.constant 7 : index
// CHECK-NEXT:     %alloca = memref.alloca() : memref<f32>
// CHECK-NEXT:     memref.store %arg0, %alloca[] : memref<f32>
// CHECK-NEXT:     %alloca_0 = memref.alloca() : memref<4x5xf32>
// CHECK-NEXT:     memref.store %arg0, %alloca_0[%c0, %c0] : memref<4x5xf32>
// CHECK-NEXT:     %alloca_1 = memref.alloca() : memref<4xf32>
// CHECK-NEXT:     memref.store %arg0, %alloca_1[%arg1] : memref<4xf32>
// CHECK-NEXT:     %alloca_2 = memref.alloca() : memref<4xf32>
// CHECK-NEXT:     memref.store %arg0, %alloca_2[%c7] : memref<4xf32>
// CHECK-NEXT:     %alloca_3 = memref.alloca() : memref<1xf32>
// CHECK-NEXT:     memref.store %arg0, %alloca_3[%c0] : memref<1xf32>
// CHECK-NEXT:     %alloca_4 = memref.alloca(%arg1) : memref<?xf32>
// CHECK-NEXT:     memref.store %arg0, %alloca_4[%c0] : memref<?xf32>
// CHECK-NEXT:     %0 = memref.load %alloca[] : memref<f32>
// CHECK-NEXT:     %alloca_5 = memref.alloca() : memref<4xf32>
// CHECK-NEXT:     memref.store %arg0, %alloca_5[%c0] : memref<4xf32>
// CHECK-NEXT:     %subview = memref.subview %alloca_5[1] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: 1>>
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @memrefs(%v: f32, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %a = memref.alloca() : memref<4x4xf32>
  memref.store %v, %a[%c0, %c0] : memref<4x4xf32>
  %b = memref.alloca() : memref<4x5xf32>
  memref.store %v, %b[%c0, %c0] : memref<4x5xf32>
  %c = memref.alloca() : memref<4xf32>
  memref.store %v, %c[%i] : memref<4xf32>
  %d = memref.alloca() : memref<4xf32>
  memref.store %v, %d[%c7] : memref<4xf32>
  %e = memref.alloca() : memref<1xf32>
  memref.store %v, %e[%c0] : memref<1xf32>
  %f = memref.alloca(%i) : memref<?xf32>
  memref.store %v, %f[%c0] : memref<?xf32>
  %x = memref.load %a[%c0, %c0] : memref<4x4xf32>
  %g = memref.alloca() : memref<4xf32>
  memref.store %v, %g[%c0] : memref<4xf32>
  %gs = memref.subview %g[1][1][1] : memref<4xf32> to memref<1xf32, strided<[1], offset: 1>>
  return %x : f32
}
// CHECK-NEXT:   func.func @in_another_space(%arg0: i32) -> i32 {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %alloca = memref.alloca() : memref<i32, 5>
// CHECK-NEXT:     memref.store %arg0, %alloca[] : memref<i32, 5>
// CHECK-NEXT:     %0 = memref.load %alloca[] : memref<i32, 5>
// CHECK-NEXT:     return %0 : i32
// CHECK-NEXT:   }
func.func @in_another_space(%v: i32) -> i32 {
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<2xi32, 5>
  memref.store %v, %a[%c1] : memref<2xi32, 5>
  %r = memref.load %a[%c1] : memref<2xi32, 5>
  return %r : i32
}
// CHECK-NEXT:   llvm.func @set(%arg0: i8) -> i32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.mlir.constant(9 : i32) : i32
// CHECK-NEXT:     %2 = llvm.alloca %0 x i32 : (i32) -> !llvm.ptr
// CHECK-NEXT:     %3 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     "llvm.intr.memset"(%2, %arg0, %3) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> ()
// CHECK-NEXT:     %4 = llvm.load %2 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.return %4 : i32
// CHECK-NEXT:   }
llvm.func @set(%v: i8) -> i32 {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %9 = llvm.mlir.constant(9 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %g = llvm.getelementptr %a[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  "llvm.intr.memset"(%a, %v, %9) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> ()
  %x = llvm.load %g : !llvm.ptr -> i32
  llvm.return %x : i32
}
// CHECK-NEXT:   llvm.func @stored(%arg0: !llvm.ptr) {
// CHECK-NEXT:     %0 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:     %1 = llvm.alloca %0 x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
// CHECK-NEXT:     %2 = llvm.getelementptr %1[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
// CHECK-NEXT:     llvm.store %2, %arg0 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @stored(%p: !llvm.ptr) {
  %1 = llvm.mlir.constant(1 : i32) : i32
  %a = llvm.alloca %1 x !llvm.array<4 x i32> : (i32) -> !llvm.ptr
  %g = llvm.getelementptr %a[0, 2] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %g, %p : !llvm.ptr, !llvm.ptr
  llvm.return
}
