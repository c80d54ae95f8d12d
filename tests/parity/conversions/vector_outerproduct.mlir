// SAME: --convert-vector-to-llvm

func.func @op(%a: vector<2xf32>, %b: vector<3xf32>, %c: vector<2x3xf32>, %m: vector<2x3xi1>, %s: f32) -> (vector<2x3xf32>, vector<2xf32>, vector<2x3xf32>) {
  %0 = vector.outerproduct %a, %b, %c : vector<2xf32>, vector<3xf32>
  %1 = vector.outerproduct %a, %s : vector<2xf32>, f32
  %2 = vector.mask %m { vector.outerproduct %a, %b, %c {kind = #vector.kind<maxnumf>} : vector<2xf32>, vector<3xf32> } : vector<2x3xi1> -> vector<2x3xf32>
  return %0, %1, %2 : vector<2x3xf32>, vector<2xf32>, vector<2x3xf32>
}
