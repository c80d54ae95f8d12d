// RUN: xgpu-opt --convert-func-to-llvm %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @nested(%arg0: !llvm.struct<"_Converted.a", (ptr, struct<"_Converted.b", (struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>)>)>) {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
func.func @nested(%x: !llvm.struct<"a", (ptr, struct<"b", (memref<?xf32>)>)>) { return }
// CHECK-NEXT:   llvm.func @recursive(%arg0: !llvm.struct<"_Converted.c", (struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<"_Converted.c">)>) {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
func.func @recursive(%x: !llvm.struct<"c", (memref<4xf32>, struct<"c">)>) { return }
// CHECK-NEXT:   llvm.func @index(%arg0: !llvm.struct<"_Converted.d", (i64, i32)>, %arg1: !llvm.struct<packed (i64)>) {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
func.func @index(%x: !llvm.struct<"d", (index, i32)>, %y: !llvm.struct<packed (index)>) { return }
// CHECK-NEXT:   llvm.func @stays(%arg0: !llvm.struct<"e", (ptr, struct<"e">)>, %arg1: !llvm.struct<"f", opaque>) {
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @stays(%x: !llvm.struct<"e", (ptr, struct<"e">)>, %y: !llvm.struct<"f", opaque>) { return }
