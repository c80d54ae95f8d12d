// RUN: xgpu-opt --convert-vector-to-llvm=vector-contract-lowering=llvmintr %s | filecheck %s

// CHECK-LABEL: func.func @transposed
// CHECK: %[[PRODUCT:.*]] = llvm.intr.matrix.multiply %{{.*}}, %{{.*}} {lhs_columns = 2 : i32, lhs_rows = 1 : i32, rhs_columns = 3 : i32} : (vector<2xi32>, vector<6xi32>) -> vector<3xi32>
// CHECK: %[[SUM:.*]] = arith.addi %arg2, %{{.*}} : vector<3x1xi32>
// CHECK: return %[[SUM]] : vector<3x1xi32>
#at = affine_map<(i, j, k) -> (k, i)>
#bt = affine_map<(i, j, k) -> (j, k)>
#ct = affine_map<(i, j, k) -> (j, i)>
func.func @transposed(%x: vector<2x1xi32>, %y: vector<3x2xi32>, %z: vector<3x1xi32>) -> vector<3x1xi32> {
  %0 = vector.contract {indexing_maps = [#at, #bt, #ct], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %z : vector<2x1xi32>, vector<3x2xi32> into vector<3x1xi32>
  return %0 : vector<3x1xi32>
}
