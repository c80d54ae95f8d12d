// RUN: xgpu-opt --convert-to-llvm %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-to-llvm="dynamic=true allow-pattern-rollback=false" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-to-llvm="filter-dialects=func,arith" %s | filecheck %s --match-full-lines --check-prefix=FILTER

func.func @f(%m: memref<?xf32>, %i: index, %c: i1) -> f32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = memref.load %m[%i] : memref<?xf32>
  %1 = math.exp %0 : f32
  cf.br ^bb3(%1 : f32)
^bb2:
  %2 = ub.poison : f32
  cf.br ^bb3(%2 : f32)
^bb3(%3: f32):
  %4 = index.add %i, %i
  %5 = arith.index_cast %4 : index to i32
  %6 = arith.sitofp %5 : i32 to f32
  %7 = arith.addf %3, %6 : f32
  return %7 : f32
}

func.func @vectors(%v: vector<4xf32>, %z: complex<f32>) -> (f32, f32) {
  %0 = vector.reduction <add>, %v : vector<4xf32> into f32
  %1 = complex.re %z : complex<f32>
  return %0, %1 : f32, f32
}

// CHECK: module {
// CHECK-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i1) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %1 = llvm.insertvalue %arg0, %0[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %2 = llvm.insertvalue %arg1, %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %3 = llvm.insertvalue %arg2, %2[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %4 = llvm.insertvalue %arg3, %3[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %5 = llvm.insertvalue %arg4, %4[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     llvm.cond_br %arg6, ^bb1, ^bb2
// CHECK-NEXT:   ^bb1:  // pred: ^bb0
// CHECK-NEXT:     %6 = llvm.extractvalue %5[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// CHECK-NEXT:     %7 = llvm.getelementptr inbounds|nuw %6[%arg5] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %8 = llvm.load %7 : !llvm.ptr -> f32
// CHECK-NEXT:     %9 = llvm.intr.exp(%8) : (f32) -> f32
// CHECK-NEXT:     llvm.br ^bb3(%9 : f32)
// CHECK-NEXT:   ^bb2:  // pred: ^bb0
// CHECK-NEXT:     %10 = llvm.mlir.poison : f32
// CHECK-NEXT:     llvm.br ^bb3(%10 : f32)
// CHECK-NEXT:   ^bb3(%11: f32):  // 2 preds: ^bb1, ^bb2
// CHECK-NEXT:     %12 = llvm.add %arg5, %arg5 : i64
// CHECK-NEXT:     %13 = llvm.trunc %12 : i64 to i32
// CHECK-NEXT:     %14 = llvm.sitofp %13 : i32 to f32
// CHECK-NEXT:     %15 = llvm.fadd %11, %14 : f32
// CHECK-NEXT:     llvm.return %15 : f32
// CHECK-NEXT:   }
// CHECK-NEXT:   llvm.func @vectors(%arg0: vector<4xf32>, %arg1: !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)> {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK-NEXT:     %1 = "llvm.intr.vector.reduce.fadd"(%0, %arg0) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
// CHECK-NEXT:     %2 = llvm.extractvalue %arg1[0] : !llvm.struct<(f32, f32)> 
// CHECK-NEXT:     %3 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// CHECK-NEXT:     %4 = llvm.insertvalue %1, %3[0] : !llvm.struct<(f32, f32)> 
// CHECK-NEXT:     %5 = llvm.insertvalue %2, %4[1] : !llvm.struct<(f32, f32)> 
// CHECK-NEXT:     llvm.return %5 : !llvm.struct<(f32, f32)>
// CHECK-NEXT:   }
// CHECK-NEXT: }

// FILTER: module {
// FILTER-NEXT:   llvm.func @f(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i1) -> f32 {
// FILTER-NEXT:     %0 = builtin.unrealized_conversion_cast %arg5 : i64 to index
// FILTER-NEXT:     %1 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// FILTER-NEXT:     %2 = llvm.insertvalue %arg0, %1[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// FILTER-NEXT:     %3 = llvm.insertvalue %arg1, %2[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// FILTER-NEXT:     %4 = llvm.insertvalue %arg2, %3[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// FILTER-NEXT:     %5 = llvm.insertvalue %arg3, %4[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// FILTER-NEXT:     %6 = llvm.insertvalue %arg4, %5[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
// FILTER-NEXT:     %7 = builtin.unrealized_conversion_cast %6 : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<?xf32>
// FILTER-NEXT:     cf.cond_br %arg6, ^bb1, ^bb2
// FILTER-NEXT:   ^bb1:  // pred: ^bb0
// FILTER-NEXT:     %8 = memref.load %7[%0] : memref<?xf32>
// FILTER-NEXT:     %9 = math.exp %8 : f32
// FILTER-NEXT:     cf.br ^bb3(%9 : f32)
// FILTER-NEXT:   ^bb2:  // pred: ^bb0
// FILTER-NEXT:     %10 = ub.poison : f32
// FILTER-NEXT:     cf.br ^bb3(%10 : f32)
// FILTER-NEXT:   ^bb3(%11: f32):  // 2 preds: ^bb1, ^bb2
// FILTER-NEXT:     %12 = index.add %0, %0
// FILTER-NEXT:     %13 = builtin.unrealized_conversion_cast %12 : index to i64
// FILTER-NEXT:     %14 = llvm.trunc %13 : i64 to i32
// FILTER-NEXT:     %15 = llvm.sitofp %14 : i32 to f32
// FILTER-NEXT:     %16 = llvm.fadd %11, %15 : f32
// FILTER-NEXT:     llvm.return %16 : f32
// FILTER-NEXT:   }
// FILTER-NEXT:   llvm.func @vectors(%arg0: vector<4xf32>, %arg1: !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)> {
// FILTER-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : !llvm.struct<(f32, f32)> to complex<f32>
// FILTER-NEXT:     %1 = vector.reduction <add>, %arg0 : vector<4xf32> into f32
// FILTER-NEXT:     %2 = complex.re %0 : complex<f32>
// FILTER-NEXT:     %3 = llvm.mlir.poison : !llvm.struct<(f32, f32)>
// FILTER-NEXT:     %4 = llvm.insertvalue %1, %3[0] : !llvm.struct<(f32, f32)> 
// FILTER-NEXT:     %5 = llvm.insertvalue %2, %4[1] : !llvm.struct<(f32, f32)> 
// FILTER-NEXT:     llvm.return %5 : !llvm.struct<(f32, f32)>
// FILTER-NEXT:   }
// FILTER-NEXT: }
