// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module @named attributes {test.a = 1 : i32} {
// CHECK-NEXT:   module {
// CHECK-NEXT:     func.func @cast(%arg0: memref<4xf32>, %arg1: !llvm.ptr) {
// CHECK-NEXT:       %0 = builtin.unrealized_conversion_cast %arg0 : memref<4xf32> to !llvm.ptr
// CHECK-NEXT:       %1:2 = builtin.unrealized_conversion_cast %arg0 : memref<4xf32> to !llvm.ptr, i64
// CHECK-NEXT:       %2 = builtin.unrealized_conversion_cast %1#0, %1#1 : !llvm.ptr, i64 to memref<4xf32> {mark}
// CHECK-NEXT:       %3 = builtin.unrealized_conversion_cast to i32
// CHECK-NEXT:       return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
builtin.module @named attributes {test.a = 1 : i32} {
  builtin.module {
    func.func @cast(%m: memref<4xf32>, %s: !llvm.ptr) {
      %0 = builtin.unrealized_conversion_cast %m : memref<4xf32> to !llvm.ptr
      %1:2 = builtin.unrealized_conversion_cast %m : memref<4xf32> to !llvm.ptr, i64
      %2 = builtin.unrealized_conversion_cast %1#0, %1#1 : !llvm.ptr, i64 to memref<4xf32> {mark}
      %3 = builtin.unrealized_conversion_cast to i32
      return
    }
  }
}
