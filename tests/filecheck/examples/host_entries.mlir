// A kernel gets a function with the signature that the host device calls.
// RUN: xgpu-opt %s --host-runtime-calls --host-flat-memory --host-entries | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   gpu.module @m {
// CHECK-NEXT:     llvm.func internal @xgpu.body.k(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: f32) attributes {always_inline, no_unwind} {
// CHECK-NEXT:       llvm.br ^bb1
// CHECK-NEXT:     ^bb1:  // pred: ^bb0
// CHECK-NEXT:       llvm.store %arg2, %arg1 : f32, !llvm.ptr
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:     llvm.func @xgpu.entry.k(%arg0: !llvm.ptr) attributes {host.entry = "loop", no_unwind} {
// CHECK-NEXT:       %0 = llvm.load %arg0 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.getelementptr %0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %3 = llvm.load %2 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %4 = llvm.load %3 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %5 = llvm.getelementptr %2[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %6 = llvm.load %5 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %7 = llvm.load %6 : !llvm.ptr -> f32
// CHECK-NEXT:       %8 = llvm.getelementptr %arg0[40] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %9 = llvm.load %8 : !llvm.ptr -> i32
// CHECK-NEXT:       %10 = llvm.getelementptr %arg0[44] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %11 = llvm.load %10 : !llvm.ptr -> i32
// CHECK-NEXT:       %12 = llvm.getelementptr %arg0[48] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %13 = llvm.load %12 : !llvm.ptr -> i32
// CHECK-NEXT:       %14 = llvm.mlir.constant(128 : i64) : i64
// CHECK-NEXT:       %15 = llvm.alloca %14 x i8 {alignment = 8 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       llvm.store %arg0, %15 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:       %16 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %17 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       llvm.br ^bb1(%16 : i32)
// CHECK-NEXT:     ^bb1(%18: i32):  // 2 preds: ^bb0, ^bb5
// CHECK-NEXT:       llvm.br ^bb2(%16 : i32)
// CHECK-NEXT:     ^bb2(%19: i32):  // 2 preds: ^bb1, ^bb4
// CHECK-NEXT:       %20 = llvm.mul %18, %11 : i32
// CHECK-NEXT:       %21 = llvm.add %20, %19 : i32
// CHECK-NEXT:       %22 = llvm.mul %21, %9 : i32
// CHECK-NEXT:       llvm.br ^bb3(%16 : i32)
// CHECK-NEXT:     ^bb3(%23: i32):  // 2 preds: ^bb2, ^bb3
// CHECK-NEXT:       %24 = llvm.add %22, %23 : i32
// CHECK-NEXT:       %25 = llvm.getelementptr %15[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %23, %25 : i32, !llvm.ptr
// CHECK-NEXT:       %26 = llvm.getelementptr %15[20] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %19, %26 : i32, !llvm.ptr
// CHECK-NEXT:       %27 = llvm.getelementptr %15[24] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %18, %27 : i32, !llvm.ptr
// CHECK-NEXT:       %28 = llvm.getelementptr %15[28] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %24, %28 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.call @xgpu.body.k(%15, %4, %7) : (!llvm.ptr, !llvm.ptr, f32) -> ()
// CHECK-NEXT:       %29 = llvm.add %23, %17 : i32
// CHECK-NEXT:       %30 = llvm.icmp "ult" %29, %9 : i32
// CHECK-NEXT:       llvm.cond_br %30, ^bb3(%29 : i32), ^bb4
// CHECK-NEXT:     ^bb4:  // pred: ^bb3
// CHECK-NEXT:       %31 = llvm.add %19, %17 : i32
// CHECK-NEXT:       %32 = llvm.icmp "ult" %31, %11 : i32
// CHECK-NEXT:       llvm.cond_br %32, ^bb2(%31 : i32), ^bb5
// CHECK-NEXT:     ^bb5:  // pred: ^bb4
// CHECK-NEXT:       %33 = llvm.add %18, %17 : i32
// CHECK-NEXT:       %34 = llvm.icmp "ult" %33, %13 : i32
// CHECK-NEXT:       llvm.cond_br %34, ^bb1(%33 : i32), ^bb6
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       llvm.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
gpu.module @m {
  llvm.func @k(%p: !llvm.ptr<1>, %x: f32) attributes {nvvm.kernel} {
    llvm.store %x, %p : f32, !llvm.ptr<1>
    llvm.return
  }
}
