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
// CHECK-NEXT:     llvm.func @xgpu.entry.k(%arg0: !llvm.ptr, %arg1: i32) attributes {host.entry = "loop", no_unwind} {
// CHECK-NEXT:       %0 = llvm.load %arg0 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %1 = llvm.getelementptr %0[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %2 = llvm.load %1 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %3 = llvm.load %2 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %4 = llvm.load %3 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %5 = llvm.getelementptr %2[8] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %6 = llvm.load %5 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %7 = llvm.load %6 : !llvm.ptr -> f32
// CHECK-NEXT:       %8 = llvm.mlir.constant(128 : i64) : i64
// CHECK-NEXT:       %9 = llvm.alloca %8 x i8 {alignment = 8 : i64} : (i64) -> !llvm.ptr
// CHECK-NEXT:       llvm.store %arg0, %9 : !llvm.ptr, !llvm.ptr
// CHECK-NEXT:       %10 = llvm.getelementptr %arg0[40] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %11 = llvm.load %10 : !llvm.ptr -> i32
// CHECK-NEXT:       %12 = llvm.getelementptr %arg0[44] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %13 = llvm.load %12 : !llvm.ptr -> i32
// CHECK-NEXT:       %14 = llvm.getelementptr %arg0[48] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %15 = llvm.load %14 : !llvm.ptr -> i32
// CHECK-NEXT:       %16 = llvm.getelementptr %arg0[64] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %17 = llvm.load %16 : !llvm.ptr -> i32
// CHECK-NEXT:       %18 = llvm.getelementptr %arg0[68] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %19 = llvm.load %18 : !llvm.ptr -> i32
// CHECK-NEXT:       %20 = llvm.getelementptr %arg0[440] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %21 = llvm.load %20 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %22 = llvm.load %arg0 : !llvm.ptr -> !llvm.ptr
// CHECK-NEXT:       %23 = llvm.getelementptr %21[48] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %24 = llvm.getelementptr %22[96] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %25 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:       %26 = llvm.mlir.constant(1 : i32) : i32
// CHECK-NEXT:       %27 = llvm.mlir.constant(1 : i64) : i64
// CHECK-NEXT:       llvm.br ^bb1(%arg1 : i32)
// CHECK-NEXT:     ^bb1(%28: i32):  // 2 preds: ^bb0, ^bb11
// CHECK-NEXT:       %29 = llvm.getelementptr %arg0[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %30 = llvm.load %29 : !llvm.ptr -> i32
// CHECK-NEXT:       %31 = llvm.add %30, %28 : i32
// CHECK-NEXT:       %32 = llvm.intr.umin(%31, %17) : (i32, i32) -> i32
// CHECK-NEXT:       llvm.br ^bb2(%30 : i32)
// CHECK-NEXT:     ^bb2(%33: i32):  // 2 preds: ^bb1, ^bb9
// CHECK-NEXT:       llvm.br ^bb3(%25 : i32)
// CHECK-NEXT:     ^bb3(%34: i32):  // 2 preds: ^bb2, ^bb7
// CHECK-NEXT:       llvm.br ^bb4(%25 : i32)
// CHECK-NEXT:     ^bb4(%35: i32):  // 2 preds: ^bb3, ^bb6
// CHECK-NEXT:       %36 = llvm.mul %34, %13 : i32
// CHECK-NEXT:       %37 = llvm.add %36, %35 : i32
// CHECK-NEXT:       %38 = llvm.mul %37, %11 : i32
// CHECK-NEXT:       llvm.br ^bb5(%25 : i32)
// CHECK-NEXT:     ^bb5(%39: i32):  // 2 preds: ^bb4, ^bb5
// CHECK-NEXT:       %40 = llvm.add %38, %39 : i32
// CHECK-NEXT:       %41 = llvm.getelementptr %9[16] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %39, %41 : i32, !llvm.ptr
// CHECK-NEXT:       %42 = llvm.getelementptr %9[20] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %35, %42 : i32, !llvm.ptr
// CHECK-NEXT:       %43 = llvm.getelementptr %9[24] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %34, %43 : i32, !llvm.ptr
// CHECK-NEXT:       %44 = llvm.getelementptr %9[28] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %40, %44 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.call @xgpu.body.k(%9, %4, %7) : (!llvm.ptr, !llvm.ptr, f32) -> ()
// CHECK-NEXT:       %45 = llvm.add %39, %26 : i32
// CHECK-NEXT:       %46 = llvm.icmp "ult" %45, %11 : i32
// CHECK-NEXT:       llvm.cond_br %46, ^bb5(%45 : i32), ^bb6
// CHECK-NEXT:     ^bb6:  // pred: ^bb5
// CHECK-NEXT:       %47 = llvm.add %35, %26 : i32
// CHECK-NEXT:       %48 = llvm.icmp "ult" %47, %13 : i32
// CHECK-NEXT:       llvm.cond_br %48, ^bb4(%47 : i32), ^bb7
// CHECK-NEXT:     ^bb7:  // pred: ^bb6
// CHECK-NEXT:       %49 = llvm.add %34, %26 : i32
// CHECK-NEXT:       %50 = llvm.icmp "ult" %49, %15 : i32
// CHECK-NEXT:       llvm.cond_br %50, ^bb3(%49 : i32), ^bb8
// CHECK-NEXT:     ^bb8:  // pred: ^bb7
// CHECK-NEXT:       %51 = llvm.load volatile %23 : !llvm.ptr -> i64
// CHECK-NEXT:       %52 = llvm.add %51, %27 : i64
// CHECK-NEXT:       llvm.store volatile %52, %23 : i64, !llvm.ptr
// CHECK-NEXT:       %53 = llvm.load volatile %24 : !llvm.ptr -> i32
// CHECK-NEXT:       %54 = llvm.icmp "ne" %53, %25 : i32
// CHECK-NEXT:       %55 = llvm.add %33, %26 : i32
// CHECK-NEXT:       %56 = llvm.icmp "eq" %55, %32 : i32
// CHECK-NEXT:       %57 = llvm.or %54, %56 : i1
// CHECK-NEXT:       llvm.cond_br %57, ^bb10, ^bb9
// CHECK-NEXT:     ^bb9:  // pred: ^bb8
// CHECK-NEXT:       %58 = llvm.getelementptr %arg0[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %55, %58 : i32, !llvm.ptr
// CHECK-NEXT:       %59 = llvm.getelementptr %arg0[76] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %55, %59 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb2(%55 : i32)
// CHECK-NEXT:     ^bb10:  // pred: ^bb8
// CHECK-NEXT:       %60 = llvm.sub %55, %30 : i32
// CHECK-NEXT:       %61 = llvm.sub %28, %60 : i32
// CHECK-NEXT:       %62 = llvm.icmp "eq" %61, %25 : i32
// CHECK-NEXT:       %63 = llvm.or %54, %62 : i1
// CHECK-NEXT:       llvm.cond_br %63, ^bb12, ^bb11
// CHECK-NEXT:     ^bb11:  // pred: ^bb10
// CHECK-NEXT:       %64 = llvm.getelementptr %arg0[56] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %65 = llvm.load %64 : !llvm.ptr -> i32
// CHECK-NEXT:       %66 = llvm.add %65, %26 : i32
// CHECK-NEXT:       %67 = llvm.icmp "eq" %66, %19 : i32
// CHECK-NEXT:       %68 = llvm.select %67, %25, %66 : i1, i32
// CHECK-NEXT:       %69 = llvm.getelementptr %arg0[60] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       %70 = llvm.load %69 : !llvm.ptr -> i32
// CHECK-NEXT:       %71 = llvm.zext %67 : i1 to i32
// CHECK-NEXT:       %72 = llvm.add %70, %71 : i32
// CHECK-NEXT:       %73 = llvm.getelementptr %arg0[52] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %25, %73 : i32, !llvm.ptr
// CHECK-NEXT:       %74 = llvm.getelementptr %arg0[56] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %68, %74 : i32, !llvm.ptr
// CHECK-NEXT:       %75 = llvm.getelementptr %arg0[60] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %72, %75 : i32, !llvm.ptr
// CHECK-NEXT:       %76 = llvm.getelementptr %arg0[76] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %25, %76 : i32, !llvm.ptr
// CHECK-NEXT:       %77 = llvm.getelementptr %arg0[80] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %68, %77 : i32, !llvm.ptr
// CHECK-NEXT:       %78 = llvm.getelementptr %arg0[84] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:       llvm.store %72, %78 : i32, !llvm.ptr
// CHECK-NEXT:       llvm.br ^bb1(%61 : i32)
// CHECK-NEXT:     ^bb12:  // pred: ^bb10
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
