// RUN: xgpu-opt %s --canonicalize | filecheck %s

llvm.func @through_aggregates(%a: i32, %b: i32) -> i32 {
  %0 = llvm.mlir.poison : !llvm.struct<(i32, i32)>
  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(i32, i32)>
  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(i32, i32)>
  %3 = llvm.extractvalue %2[0] : !llvm.struct<(i32, i32)>
  llvm.return %3 : i32
}

llvm.func @constant_index(%p: !llvm.ptr) -> !llvm.ptr {
  %c4 = llvm.mlir.constant(4 : i64) : i64
  %0 = llvm.getelementptr %p[%c4] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.return %0 : !llvm.ptr
}

llvm.func @casts_back(%x: i64) -> i64 {
  %0 = builtin.unrealized_conversion_cast %x : i64 to index
  %1 = builtin.unrealized_conversion_cast %0 : index to i64
  llvm.return %1 : i64
}

// CHECK-LABEL: llvm.func @through_aggregates(%arg0: i32, %arg1: i32) -> i32 {
// CHECK-NEXT:      llvm.return %arg0 : i32
// CHECK-NEXT:    }
// CHECK-LABEL: llvm.func @constant_index(%arg0: !llvm.ptr) -> !llvm.ptr {
// CHECK-NEXT:      %0 = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, f32
// CHECK-NEXT:      llvm.return %0 : !llvm.ptr
// CHECK-NEXT:    }
// CHECK-LABEL: llvm.func @casts_back(%arg0: i64) -> i64 {
// CHECK-NEXT:      llvm.return %arg0 : i64
// CHECK-NEXT:    }
