// Passes of patterns start at the end of a block, where larger patterns match: both extractions
// become one before the inserted aggregate is found. canonicalize starts at the beginning.
// RUN: xgpu-opt %s --expand-strided-metadata | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --canonicalize | filecheck %s --match-full-lines --check-prefix=TOP

// CHECK: module {
// CHECK-NEXT:   llvm.func @nested(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: !llvm.struct<(i32, i32)>) -> i32 {
// CHECK-NEXT:     %0 = llvm.insertvalue %arg1, %arg0[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     %1 = llvm.extractvalue %0[0, 1] : !llvm.struct<(struct<(i32, i32)>, i32)>
// CHECK-NEXT:     llvm.return %1 : i32
// CHECK-NEXT:   }
// CHECK-NEXT: }
// TOP: module {
// TOP-NEXT:   llvm.func @nested(%arg0: !llvm.struct<(struct<(i32, i32)>, i32)>, %arg1: !llvm.struct<(i32, i32)>) -> i32 {
// TOP-NEXT:     %0 = llvm.extractvalue %arg1[1] : !llvm.struct<(i32, i32)>
// TOP-NEXT:     llvm.return %0 : i32
// TOP-NEXT:   }
// TOP-NEXT: }
llvm.func @nested(%whole: !llvm.struct<(struct<(i32, i32)>, i32)>, %part: !llvm.struct<(i32, i32)>) -> i32 {
  %0 = llvm.insertvalue %part, %whole[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %1 = llvm.extractvalue %0[0] : !llvm.struct<(struct<(i32, i32)>, i32)>
  %2 = llvm.extractvalue %1[1] : !llvm.struct<(i32, i32)>
  llvm.return %2 : i32
}
