// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block returns, a barrier ends its block, a switch is a chain of branches, structs and private
// memory are values.
// RUN: xgpu-opt --host-prepare %s | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func @returns(%arg0: i1) attributes {nvvm.kernel} {
// CHECK-NEXT:       llvm.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       llvm.br ^bb3
// CHECK-NEXT:     ^bb2:  // pred: ^bb0
// CHECK-NEXT:       nvvm.barrier0
// CHECK-NEXT:       llvm.br ^bb3
// CHECK-NEXT:     ^bb3:  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @switch(%arg0: i32, %arg1: !llvm.ptr) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(3 : i32) : i32
// CHECK-NEXT:       %1 = llvm.icmp "eq" %arg0, %0 : i32
// CHECK-NEXT:       llvm.cond_br %1, ^bb4(%arg0 : i32), ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %2 = llvm.mlir.constant(5 : i32) : i32
// CHECK-NEXT:       %3 = llvm.icmp "eq" %arg0, %2 : i32
// CHECK-NEXT:       llvm.cond_br %3, ^bb3, ^bb2
// CHECK-NEXT:     ^bb2:  // pred: ^bb1
// CHECK-NEXT:       llvm.br ^bb4(%arg0 : i32)
// CHECK-NEXT:     ^bb3:  // pred: ^bb1
// CHECK-NEXT:       llvm.br ^bb4(%arg0 : i32)
// CHECK-NEXT:     ^bb4(%4: i32):  // 3 preds: ^bb0, ^bb2, ^bb3
// CHECK-NEXT:       llvm.store %4, %arg1 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @values(%arg0: !llvm.ptr, %arg1: i1) attributes {nvvm.kernel} {
// CHECK-NEXT:       %0 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:       %1 = llvm.load %arg0 {alignment = 8 : i64} : !llvm.ptr -> f32
// CHECK-NEXT:       %2 = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %3 = llvm.load %2 {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NEXT:       %4 = llvm.fadd %1, %1 : f32
// CHECK-NEXT:       %5 = llvm.fadd %3, %3 : f32
// CHECK-NEXT:       llvm.cond_br %arg1, ^bb1, ^bb2(%5 : f32)
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       %6 = llvm.load %arg0 : !llvm.ptr -> f32
// CHECK-NEXT:       llvm.br ^bb2(%6 : f32)
// CHECK-NEXT:     ^bb2(%7: f32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:       llvm.store %4, %arg0 {alignment = 8 : i64} : f32, !llvm.ptr
// CHECK-NEXT:       %8 = llvm.getelementptr %arg0[4] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %7, %8 {alignment = 4 : i64} : f32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @returns(%c: i1) attributes {nvvm.kernel} {
    llvm.cond_br %c, ^a, ^b
  ^a:
    llvm.return
  ^b:
    nvvm.barrier0
    llvm.return
  }

  llvm.func @switch(%n: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {
    llvm.switch %n : i32, ^end(%n : i32) [
      3: ^end(%n : i32),
      5: ^other
    ]
  ^other:
    llvm.br ^end(%n : i32)
  ^end(%v: i32):
    llvm.store %v, %p : i32, !llvm.ptr
    llvm.return
  }

  llvm.func @values(%p: !llvm.ptr, %c: i1) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i64) : i64
    %m = llvm.alloca %one x !llvm.array<2 x f32> : (i64) -> !llvm.ptr
    %v = llvm.load %p {alignment = 8 : i64} : !llvm.ptr -> vector<2xf32>
    %sum = llvm.fadd %v, %v : vector<2xf32>
    llvm.store %sum, %m : vector<2xf32>, !llvm.ptr
    llvm.cond_br %c, ^a, ^b
  ^a:
    %second = llvm.getelementptr %m[0, 1] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<2 x f32>
    %x = llvm.load %p : !llvm.ptr -> f32
    llvm.store %x, %second : f32, !llvm.ptr
    llvm.br ^b
  ^b:
    %again = llvm.load %m : !llvm.ptr -> vector<2xf32>
    llvm.store %again, %p : vector<2xf32>, !llvm.ptr
    llvm.return
  }
}
