// RUN: xgpu-opt --convert-arith-to-llvm=index-bitwidth=32 %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-cf-to-llvm=index-bitwidth=32 %s | filecheck %s --match-full-lines --check-prefix=CF
// RUN: xgpu-opt --convert-index-to-llvm=index-bitwidth=32 %s | filecheck %s --match-full-lines --check-prefix=INDEX
// RUN: xgpu-opt --convert-func-to-llvm=index-bitwidth=32 %s | filecheck %s --match-full-lines --check-prefix=FUNC
// RUN: xgpu-opt --convert-ub-to-llvm=index-bitwidth=32 %s | filecheck %s --match-full-lines --check-prefix=UB
// RUN: xgpu-opt --finalize-memref-to-llvm=index-bitwidth=32 %s | filecheck %s --match-full-lines --check-prefix=MEMREF

// What a machine word is, for each conversion.
func.func @f(%i: index, %j: i64, %c: i1, %m: memref<?xf32>) -> index {
  %0 = arith.addi %i, %i : index
  %1 = arith.index_cast %j : i64 to index
  %2 = index.mul %0, %1
  %3 = index.casts %2 : index to i64
  %4 = ub.poison : index
  %5 = memref.load %m[%4] : memref<?xf32>
  cf.cond_br %c, ^bb1(%4 : index), ^bb1(%2 : index)
^bb1(%6: index):
  return %6 : index
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: i64, %arg2: i1, %arg3: memref<?xf32>) -> index {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : index to i32
// CHECK-NEXT:     %1 = llvm.add %0, %0 : i32
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : i32 to index
// CHECK-NEXT:     %3 = llvm.trunc %arg1 : i64 to i32
// CHECK-NEXT:     %4 = builtin.unrealized_conversion_cast %3 : i32 to index
// CHECK-NEXT:     %5 = index.mul %2, %4
// CHECK-NEXT:     %6 = index.casts %5 : index to i64
// CHECK-NEXT:     %7 = ub.poison : index
// CHECK-NEXT:     %8 = memref.load %arg3[%7] : memref<?xf32>
// CHECK-NEXT:     cf.cond_br %arg2, ^bb1(%7 : index), ^bb1(%5 : index)
// CHECK-NEXT:   ^bb1(%9: index):  // 2 preds: ^bb0, ^bb0
// CHECK-NEXT:     return %9 : index
// CHECK-NEXT:   }
// CHECK-NEXT: }

// CF: module {
// CF-NEXT:   func.func @f(%arg0: index, %arg1: i64, %arg2: i1, %arg3: memref<?xf32>) -> index {
// CF-NEXT:     %0 = arith.addi %arg0, %arg0 : index
// CF-NEXT:     %1 = arith.index_cast %arg1 : i64 to index
// CF-NEXT:     %2 = index.mul %0, %1
// CF-NEXT:     %3 = builtin.unrealized_conversion_cast %2 : index to i32
// CF-NEXT:     %4 = index.casts %2 : index to i64
// CF-NEXT:     %5 = ub.poison : index
// CF-NEXT:     %6 = builtin.unrealized_conversion_cast %5 : index to i32
// CF-NEXT:     %7 = memref.load %arg3[%5] : memref<?xf32>
// CF-NEXT:     llvm.cond_br %arg2, ^bb1(%6 : i32), ^bb1(%3 : i32)
// CF-NEXT:   ^bb1(%8: i32):  // 2 preds: ^bb0, ^bb0
// CF-NEXT:     %9 = builtin.unrealized_conversion_cast %8 : i32 to index
// CF-NEXT:     return %9 : index
// CF-NEXT:   }
// CF-NEXT: }

// INDEX: module {
// INDEX-NEXT:   func.func @f(%arg0: index, %arg1: i64, %arg2: i1, %arg3: memref<?xf32>) -> index {
// INDEX-NEXT:     %0 = arith.addi %arg0, %arg0 : index
// INDEX-NEXT:     %1 = builtin.unrealized_conversion_cast %0 : index to i32
// INDEX-NEXT:     %2 = arith.index_cast %arg1 : i64 to index
// INDEX-NEXT:     %3 = builtin.unrealized_conversion_cast %2 : index to i32
// INDEX-NEXT:     %4 = llvm.mul %1, %3 : i32
// INDEX-NEXT:     %5 = builtin.unrealized_conversion_cast %4 : i32 to index
// INDEX-NEXT:     %6 = llvm.sext %4 : i32 to i64
// INDEX-NEXT:     %7 = ub.poison : index
// INDEX-NEXT:     %8 = memref.load %arg3[%7] : memref<?xf32>
// INDEX-NEXT:     cf.cond_br %arg2, ^bb1(%7 : index), ^bb1(%5 : index)
// INDEX-NEXT:   ^bb1(%9: index):  // 2 preds: ^bb0, ^bb0
// INDEX-NEXT:     return %9 : index
// INDEX-NEXT:   }
// INDEX-NEXT: }

// FUNC: module {
// FUNC-NEXT:   llvm.func @f(%arg0: i32, %arg1: i64, %arg2: i1, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: i32, %arg6: i32, %arg7: i32) -> i32 {
// FUNC-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// FUNC-NEXT:     %1 = llvm.insertvalue %arg3, %0[0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// FUNC-NEXT:     %2 = llvm.insertvalue %arg4, %1[1] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// FUNC-NEXT:     %3 = llvm.insertvalue %arg5, %2[2] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// FUNC-NEXT:     %4 = llvm.insertvalue %arg6, %3[3, 0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// FUNC-NEXT:     %5 = llvm.insertvalue %arg7, %4[4, 0] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// FUNC-NEXT:     %6 = builtin.unrealized_conversion_cast %5 : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)> to memref<?xf32>
// FUNC-NEXT:     %7 = builtin.unrealized_conversion_cast %arg0 : i32 to index
// FUNC-NEXT:     %8 = arith.addi %7, %7 : index
// FUNC-NEXT:     %9 = arith.index_cast %arg1 : i64 to index
// FUNC-NEXT:     %10 = index.mul %8, %9
// FUNC-NEXT:     %11 = index.casts %10 : index to i64
// FUNC-NEXT:     %12 = ub.poison : index
// FUNC-NEXT:     %13 = memref.load %6[%12] : memref<?xf32>
// FUNC-NEXT:     cf.cond_br %arg2, ^bb1(%12 : index), ^bb1(%10 : index)
// FUNC-NEXT:   ^bb1(%14: index):  // 2 preds: ^bb0, ^bb0
// FUNC-NEXT:     %15 = builtin.unrealized_conversion_cast %14 : index to i32
// FUNC-NEXT:     llvm.return %15 : i32
// FUNC-NEXT:   }
// FUNC-NEXT: }

// UB: module {
// UB-NEXT:   func.func @f(%arg0: index, %arg1: i64, %arg2: i1, %arg3: memref<?xf32>) -> index {
// UB-NEXT:     %0 = arith.addi %arg0, %arg0 : index
// UB-NEXT:     %1 = arith.index_cast %arg1 : i64 to index
// UB-NEXT:     %2 = index.mul %0, %1
// UB-NEXT:     %3 = index.casts %2 : index to i64
// UB-NEXT:     %4 = llvm.mlir.poison : i32
// UB-NEXT:     %5 = builtin.unrealized_conversion_cast %4 : i32 to index
// UB-NEXT:     %6 = memref.load %arg3[%5] : memref<?xf32>
// UB-NEXT:     cf.cond_br %arg2, ^bb1(%5 : index), ^bb1(%2 : index)
// UB-NEXT:   ^bb1(%7: index):  // 2 preds: ^bb0, ^bb0
// UB-NEXT:     return %7 : index
// UB-NEXT:   }
// UB-NEXT: }

// MEMREF: module {
// MEMREF-NEXT:   func.func @f(%arg0: index, %arg1: i64, %arg2: i1, %arg3: memref<?xf32>) -> index {
// MEMREF-NEXT:     %0 = builtin.unrealized_conversion_cast %arg3 : memref<?xf32> to !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MEMREF-NEXT:     %1 = arith.addi %arg0, %arg0 : index
// MEMREF-NEXT:     %2 = arith.index_cast %arg1 : i64 to index
// MEMREF-NEXT:     %3 = index.mul %1, %2
// MEMREF-NEXT:     %4 = index.casts %3 : index to i64
// MEMREF-NEXT:     %5 = ub.poison : index
// MEMREF-NEXT:     %6 = builtin.unrealized_conversion_cast %5 : index to i32
// MEMREF-NEXT:     %7 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i32, array<1 x i32>, array<1 x i32>)>
// MEMREF-NEXT:     %8 = llvm.getelementptr inbounds|nuw %7[%6] : (!llvm.ptr, i32) -> !llvm.ptr, f32
// MEMREF-NEXT:     %9 = llvm.load %8 : !llvm.ptr -> f32
// MEMREF-NEXT:     cf.cond_br %arg2, ^bb1(%5 : index), ^bb1(%3 : index)
// MEMREF-NEXT:   ^bb1(%10: index):  // 2 preds: ^bb0, ^bb0
// MEMREF-NEXT:     return %10 : index
// MEMREF-NEXT:   }
// MEMREF-NEXT: }
