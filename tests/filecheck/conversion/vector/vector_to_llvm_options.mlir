// RUN: xgpu-opt --convert-vector-to-llvm="reassociate-fp-reductions=true force-32bit-vector-indices=false use-vector-alignment=true" %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --convert-vector-to-llvm="reassociate-fp-reductions=false force-32bit-vector-indices=true use-vector-alignment=false" %s | filecheck %s --match-full-lines --check-prefix=DEFAULT

// CHECK: module {
// CHECK-NEXT:   func.func @reduction(%arg0: vector<4xf32>) -> f32 {
// CHECK-NEXT:     %0 = llvm.mlir.constant(0.000000e+00 : f32) : f32
// CHECK-NEXT:     %1 = "llvm.intr.vector.reduce.fadd"(%0, %arg0) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<4xf32>) -> f32
// CHECK-NEXT:     return %1 : f32
// CHECK-NEXT:   }
// DEFAULT: module {
// DEFAULT-NEXT:   func.func @reduction(%arg0: vector<4xf32>) -> f32 {
// DEFAULT-NEXT:     %0 = llvm.mlir.constant(0.000000e+00 : f32) : f32
// DEFAULT-NEXT:     %1 = "llvm.intr.vector.reduce.fadd"(%0, %arg0) <{fastmathFlags = #llvm.fastmath<none>}> : (f32, vector<4xf32>) -> f32
// DEFAULT-NEXT:     return %1 : f32
// DEFAULT-NEXT:   }
func.func @reduction(%v: vector<4xf32>) -> f32 {
  %0 = vector.reduction <add>, %v : vector<4xf32> into f32
  return %0 : f32
}

// CHECK-NEXT:   func.func @mask(%arg0: index) -> vector<4xi1> {
// CHECK-NEXT:     %cst = arith.constant dense<[0, 1, 2, 3]> : vector<4xi64>
// CHECK-NEXT:     %0 = arith.index_cast %arg0 : index to i64
// CHECK-NEXT:     %1 = llvm.mlir.poison : vector<4xi64>
// CHECK-NEXT:     %2 = llvm.mlir.constant(0 : i32) : i32
// CHECK-NEXT:     %3 = llvm.insertelement %0, %1[%2 : i32] : vector<4xi64>
// CHECK-NEXT:     %4 = llvm.shufflevector %3, %1 [0, 0, 0, 0] : vector<4xi64>
// CHECK-NEXT:     %5 = arith.cmpi sgt, %4, %cst : vector<4xi64>
// CHECK-NEXT:     return %5 : vector<4xi1>
// CHECK-NEXT:   }
// DEFAULT-NEXT:   func.func @mask(%arg0: index) -> vector<4xi1> {
// DEFAULT-NEXT:     %cst = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// DEFAULT-NEXT:     %0 = arith.index_cast %arg0 : index to i32
// DEFAULT-NEXT:     %1 = llvm.mlir.poison : vector<4xi32>
// DEFAULT-NEXT:     %2 = llvm.mlir.constant(0 : i32) : i32
// DEFAULT-NEXT:     %3 = llvm.insertelement %0, %1[%2 : i32] : vector<4xi32>
// DEFAULT-NEXT:     %4 = llvm.shufflevector %3, %1 [0, 0, 0, 0] : vector<4xi32>
// DEFAULT-NEXT:     %5 = arith.cmpi sgt, %4, %cst : vector<4xi32>
// DEFAULT-NEXT:     return %5 : vector<4xi1>
// DEFAULT-NEXT:   }
func.func @mask(%n: index) -> vector<4xi1> {
  %0 = vector.create_mask %n : vector<4xi1>
  return %0 : vector<4xi1>
}

// CHECK-NEXT:   func.func @load(%arg0: memref<64xf32>, %arg1: index) -> vector<4xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : memref<64xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %2 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// CHECK-NEXT:     %3 = llvm.getelementptr %2[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:     %4 = llvm.load %3 {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
// CHECK-NEXT:     return %4 : vector<4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
// DEFAULT-NEXT:   func.func @load(%arg0: memref<64xf32>, %arg1: index) -> vector<4xf32> {
// DEFAULT-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : index to i64
// DEFAULT-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : memref<64xf32> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// DEFAULT-NEXT:     %2 = llvm.extractvalue %1[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
// DEFAULT-NEXT:     %3 = llvm.getelementptr %2[%0] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// DEFAULT-NEXT:     %4 = llvm.load %3 {alignment = 4 : i64} : !llvm.ptr -> vector<4xf32>
// DEFAULT-NEXT:     return %4 : vector<4xf32>
// DEFAULT-NEXT:   }
// DEFAULT-NEXT: }
func.func @load(%m: memref<64xf32>, %i: index) -> vector<4xf32> {
  %0 = vector.load %m[%i] : memref<64xf32>, vector<4xf32>
  return %0 : vector<4xf32>
}
