// RUN: xgpu-opt %s --convert-func-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --convert-arith-to-llvm | filecheck %s --check-prefix=KEPT
// RUN: xgpu-opt %s --convert-index-to-llvm | filecheck %s --check-prefix=FOLDED

// A pass takes what casts of a pass before were made of, and leaves those casts for
// reconcile-unrealized-casts.

// CHECK: module {
// CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: f32) {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg5 : i64 to index
// CHECK-NEXT:     %1 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.insertvalue %arg0, %1[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.insertvalue %arg1, %2[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %4 = llvm.insertvalue %arg2, %3[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %5 = llvm.insertvalue %arg3, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %6 = llvm.insertvalue %arg4, %5[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %7 = builtin.unrealized_conversion_cast %6 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<8xf32>
// CHECK-NEXT:     %8 = llvm.mlir.constant(1 : index) : i64
// CHECK-NEXT:     %9 = llvm.add %arg5, %8 : i64
// CHECK-NEXT:     %10 = builtin.unrealized_conversion_cast %9 : i64 to index
// CHECK-NEXT:     %11 = llvm.extractvalue %6[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %12 = llvm.getelementptr inbounds|nuw %11[%9] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     llvm.store %arg6, %12 : f32, !llvm.ptr
// CHECK-NEXT:     llvm.return
// CHECK-NEXT:   }
func.func @f(%m: memref<8xf32>, %i: index, %v: f32) {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  memref.store %v, %m[%j] : memref<8xf32>
  return
}

// A cast back is legal where the target is that of LLVM, and is folded where it is another.

// CHECK-NEXT:   llvm.func @back(%arg0: i64) -> i64 {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : i64 to index
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %0 : index to i64
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : i64 to index
// CHECK-NEXT:     llvm.return %1 : i64
// CHECK-NEXT:   }
// CHECK-NEXT: }
// KEPT-LABEL: @back
// KEPT-NEXT: %0 = builtin.unrealized_conversion_cast %arg0 : index to i64
// KEPT-NEXT: %1 = builtin.unrealized_conversion_cast %0 : i64 to index
// KEPT-NEXT: return %1 : index
// FOLDED-LABEL: @back
// FOLDED: return %arg0 : index
func.func @back(%x: index) -> index {
  %0 = builtin.unrealized_conversion_cast %x : index to i64
  %1 = builtin.unrealized_conversion_cast %0 : i64 to index
  return %1 : index
}
