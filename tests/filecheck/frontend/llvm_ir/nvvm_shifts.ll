; RUN: xgpu-translate --import-llvm %s | filecheck %s --match-full-lines
; RUN: xgpu-translate --import-llvm %s | xgpu-translate --mlir-to-llvmir | filecheck %s --check-prefix=BACK

; Shifts of a pair of words keep their names.
target triple = "nvptx64-nvidia-cuda"

define i32 @shift(i32 %high, i32 %low, i32 %count) {
  %l = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %high, i32 %low, i32 %count)
  %r = call i32 @llvm.nvvm.fshr.clamp.i32(i32 %high, i32 %l, i32 %count)
  ret i32 %r
}

; BACK: call i32 @llvm.nvvm.fshl.clamp.i32(i32 %0, i32 %1, i32 %2)
; BACK-NEXT: call i32 @llvm.nvvm.fshr.clamp.i32(i32 %0, i32 %4, i32 %2)

; CHECK:   llvm.func @shift(%arg0: i32, %arg1: i32, %arg2: i32) -> i32 {
; CHECK-NEXT:     %0 = llvm.call_intrinsic "llvm.nvvm.fshl.clamp.i32"(%arg0, %arg1, %arg2) : (i32, i32, i32) -> i32
; CHECK-NEXT:     %1 = llvm.call_intrinsic "llvm.nvvm.fshr.clamp.i32"(%arg0, %0, %arg2) : (i32, i32, i32) -> i32
