// RUN: xgpu-opt --convert-vector-to-llvm=vector-contract-lowering=dot %s | filecheck %s --check-prefix=DOT
// RUN: xgpu-opt --convert-vector-to-llvm=vector-contract-lowering=outerproduct %s | filecheck %s --check-prefix=OUTER
// RUN: xgpu-opt --convert-vector-to-llvm=vector-contract-lowering=parallelarith %s | filecheck %s --check-prefix=PARALLEL
// RUN: xgpu-opt --convert-vector-to-llvm=vector-contract-lowering=llvmintr %s | filecheck %s --check-prefix=MATRIX

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @matmul(%x: vector<2x2xf32>, %y: vector<2x2xf32>, %z: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>
  return %0 : vector<2x2xf32>
}

// DOT-LABEL: func.func @matmul
// DOT: arith.mulf %{{.*}} : vector<2xf32>
// DOT: "llvm.intr.vector.reduce.fadd"
// DOT-NOT: vector.contract

// OUTER-LABEL: func.func @matmul
// OUTER: llvm.shufflevector %{{.*}} [0, 0] : vector<2xf32>
// OUTER: llvm.intr.fmuladd(%{{.*}}) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
// OUTER-NOT: vector.contract

// PARALLEL-LABEL: func.func @matmul
// PARALLEL: arith.mulf %{{.*}} : vector<2xf32>
// PARALLEL-NOT: vector.contract

// MATRIX-LABEL: func.func @matmul
// MATRIX: llvm.intr.matrix.multiply %{{.*}} {lhs_columns = 2 : i32, lhs_rows = 2 : i32, rhs_columns = 2 : i32} : (vector<4xf32>, vector<4xf32>) -> vector<4xf32>
// MATRIX-NOT: vector.contract
