// An operation without an intrinsic becomes inline PTX.
// RUN: xgpu-opt %s --convert-nvvm-to-llvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr<3>, %arg1: i32, %arg2: i32) {
// CHECK-NEXT:     llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09.reg .pred       P1; \0A\09LAB_WAIT: \0A\09mbarrier.try_wait.parity.shared.b64 P1, [$0], $1, $2; \0A\09@P1 bra.uni DONE; \0A\09bra.uni     LAB_WAIT; \0A\09DONE: \0A\09}", "r,r,r" %arg0, %arg1, %arg2 : (!llvm.ptr<3>, i32, i32) -> ()
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
// CHECK-NEXT: }
llvm.func @f(%barrier: !llvm.ptr<3>, %phase: i32, %ticks: i32) {
  nvvm.mbarrier.try_wait.parity %barrier, %phase, %ticks : !llvm.ptr<3>, i32, i32
  llvm.return
}
