// RUN: xgpu-opt --convert-vector-to-llvm=vector-contract-lowering=llvmintr %s | filecheck %s --match-full-lines

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
// CHECK: module {
// CHECK-NEXT:   func.func @matmul(%arg0: vector<2x2xf32>, %arg1: vector<2x2xf32>, %arg2: vector<2x2xf32>) -> vector<2x2xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg1 : vector<2x2xf32> to !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg0 : vector<2x2xf32> to !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %2 = ub.poison : vector<2x2xf32>
// CHECK-NEXT:     %3 = builtin.unrealized_conversion_cast %2 : vector<2x2xf32> to !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %4 = ub.poison : vector<4xf32>
// CHECK-NEXT:     %5 = llvm.extractvalue %1[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %6 = llvm.shufflevector %5, %5 [0, 1, 0, 0] : vector<2xf32>
// CHECK-NEXT:     %7 = llvm.shufflevector %6, %4 [0, 1, 6, 7] : vector<4xf32>
// CHECK-NEXT:     %8 = llvm.extractvalue %1[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %9 = llvm.shufflevector %8, %8 [0, 1, 0, 0] : vector<2xf32>
// CHECK-NEXT:     %10 = llvm.shufflevector %9, %7 [4, 5, 0, 1] : vector<4xf32>
// CHECK-NEXT:     %11 = llvm.extractvalue %0[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %12 = llvm.shufflevector %11, %11 [0, 1, 0, 0] : vector<2xf32>
// CHECK-NEXT:     %13 = llvm.shufflevector %12, %4 [0, 1, 6, 7] : vector<4xf32>
// CHECK-NEXT:     %14 = llvm.extractvalue %0[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %15 = llvm.shufflevector %14, %14 [0, 1, 0, 0] : vector<2xf32>
// CHECK-NEXT:     %16 = llvm.shufflevector %15, %13 [4, 5, 0, 1] : vector<4xf32>
// CHECK-NEXT:     %17 = llvm.intr.matrix.multiply %10, %16 {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:     %18 = llvm.shufflevector %17, %17 [0, 1] : vector<4xf32>
// CHECK-NEXT:     %19 = llvm.insertvalue %18, %3[0] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %20 = llvm.shufflevector %17, %17 [2, 3] : vector<4xf32>
// CHECK-NEXT:     %21 = llvm.insertvalue %20, %19[1] : !llvm.array<2 x vector<2xf32>>
// CHECK-NEXT:     %22 = builtin.unrealized_conversion_cast %21 : !llvm.array<2 x vector<2xf32>> to vector<2x2xf32>
// CHECK-NEXT:     %23 = arith.addf %arg2, %22 : vector<2x2xf32>
// CHECK-NEXT:     return %23 : vector<2x2xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @matmul(%x: vector<2x2xf32>, %y: vector<2x2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>
  return %0 : vector<2x2xf32>
}
