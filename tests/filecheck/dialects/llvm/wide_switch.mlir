// RUN: xgpu-opt %s --convert-to-llvm | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --convert-to-llvm | xgpu-translate --mlir-to-llvmir | filecheck %s --match-full-lines --check-prefix=LLVM
// Case values past 64 bits.

// LLVM: ; ModuleID = 'LLVMDialectModule'
// LLVM-NEXT: source_filename = "LLVMDialectModule"
// LLVM-EMPTY:
// LLVM-NEXT: define void @switch(i128 %0) {
// LLVM-NEXT:   switch i128 %0, label %2 [
// LLVM-NEXT:     i128 -1, label %2
// LLVM-NEXT:     i128 7, label %2
// LLVM-NEXT:   ]
// LLVM-EMPTY:
// LLVM-NEXT: 2:                                                ; preds = %1, %1, %1
// LLVM-NEXT:   ret void
// LLVM-NEXT: }
func.func @switch(%a: i128) {
  cf.switch %a : i128, [
    default: ^bb1,
    -1: ^bb1,
    7: ^bb1
  ]
^bb1:
  return
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @switch(%arg0: i128) {
// CHECK-NEXT:     llvm.switch %arg0 : i128, ^bb1 [
// CHECK-NEXT:       -1: ^bb1,
// CHECK-NEXT:       7: ^bb1
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // 3 preds: ^bb0, ^bb0, ^bb0
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }

// LLVM-EMPTY:
// LLVM-NEXT: !llvm.module.flags = !{!0}
// LLVM-EMPTY:
// LLVM-NEXT: !0 = !{i32 2, !"Debug Info Version", i32 3}
