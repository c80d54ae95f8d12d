// RUN: xgpu-opt %s --convert-nvvm-to-llvm | filecheck %s

// A constant input of inline PTX is part of its text; a predicate never is.

// CHECK-LABEL: llvm.func @constants
llvm.func @constants(%b: !llvm.ptr<3>, %x: i32) {
  %c = llvm.mlir.constant(7 : i32) : i32
  %p = llvm.mlir.constant(true) : i1
  // CHECK: mbarrier.try_wait.parity.shared.b64 {{.*}} "r,n,r"
  nvvm.mbarrier.try_wait.parity %b, %c, %x : !llvm.ptr<3>, i32, i32
  // CHECK: "@$2 mbarrier.init.shared.b64 [$0], $1;", "r,n,b"
  nvvm.mbarrier.init %b, %c, predicate = %p : !llvm.ptr<3>, i32, i1
  // CHECK: "add $0, $1, $2;", "=r,n,r"
  %r = nvvm.inline_ptx "add $0, $1, $2;" ro(%c, %x : i32, i32) -> i32
  llvm.return
}
