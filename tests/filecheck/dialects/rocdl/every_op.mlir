// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --mlir-print-op-generic %s | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @lanes(%arg0: i32, %arg1: i32) {
// CHECK-NEXT:     %0 = rocdl.permlanex16 %arg0, %arg0, %arg1, %arg1, true, false : i32, i32
// CHECK-NEXT:     %1 = rocdl.readlane %arg0, %arg1 : (i32, i32) -> i32
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @lanes(%x: i32, %y: i32) {
  %0 = rocdl.permlanex16 %x, %x, %y, %y, true, false : i32, i32
  %1 = rocdl.readlane %x, %y : (i32, i32) -> i32
  llvm.return
}
