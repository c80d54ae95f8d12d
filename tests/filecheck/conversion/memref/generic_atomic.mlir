// RUN: xgpu-opt %s --gpu-to-llvm --reconcile-unrealized-casts | filecheck %s --match-full-lines

// A float is exchanged as the integer of its bits.

func.func @double(%m: memref<10xf32>, %i: index) -> f32 {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<10xf32> {
  ^bb0(%x: f32):
    %y = arith.addf %x, %x : f32
    memref.atomic_yield %y : f32
  }
  return %0 : f32
}

func.func @same(%m: memref<10xf16>, %i: index) -> f16 {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<10xf16> {
  ^bb0(%x: f16):
    memref.atomic_yield %x : f16
  }
  return %0 : f16
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @double(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg4, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %6 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = llvm.getelementptr %6[%arg5] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %8 = llvm.load %7 : !llvm.ptr -> i32
// CHECK-NEXT:     llvm.br ^bb1(%8 : i32)
// CHECK-NEXT:   ^bb1(%9: i32):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     %10 = llvm.bitcast %9 : i32 to f32
// CHECK-NEXT:     %11 = llvm.fadd %10, %10 : f32
// CHECK-NEXT:     %12 = llvm.bitcast %11 : f32 to i32
// CHECK-NEXT:     %13 = llvm.cmpxchg %7, %9, %12 acq_rel monotonic : !llvm.ptr, i32
// CHECK-NEXT:     %14 = llvm.extractvalue %13[0] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %15 = llvm.extractvalue %13[1] : !llvm.struct<(i32, i1)>
// CHECK-NEXT:     %16 = llvm.bitcast %14 : i32 to f32
// CHECK-NEXT:     llvm.cond_br %15, ^bb2, ^bb1(%14 : i32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     llvm.return %16 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @same(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64) -> f16 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg4, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %6 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = llvm.getelementptr %6[%arg5] : (!llvm.ptr, i64) -> !llvm.ptr, f16
// CHECK-NEXT:     %8 = llvm.load %7 : !llvm.ptr -> i16
// CHECK-NEXT:     llvm.br ^bb1(%8 : i16)
// CHECK-NEXT:   ^bb1(%9: i16):  // 2 preds: ^bb0, ^bb1
// CHECK-NEXT:     %10 = llvm.bitcast %9 : i16 to f16
// CHECK-NEXT:     %11 = llvm.bitcast %10 : f16 to i16
// CHECK-NEXT:     %12 = llvm.cmpxchg %7, %9, %11 acq_rel monotonic : !llvm.ptr, i16
// CHECK-NEXT:     %13 = llvm.extractvalue %12[0] : !llvm.struct<(i16, i1)>
// CHECK-NEXT:     %14 = llvm.extractvalue %12[1] : !llvm.struct<(i16, i1)>
// CHECK-NEXT:     %15 = llvm.bitcast %13 : i16 to f16
// CHECK-NEXT:     llvm.cond_br %14, ^bb2, ^bb1(%13 : i16)
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     llvm.return %15 : f16
// CHECK-NEXT:   }
// CHECK-NEXT: }
