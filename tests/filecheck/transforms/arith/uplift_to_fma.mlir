// RUN: xgpu-opt %s --math-uplift-to-fma | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @not_allowed(%arg0: f32, %arg1: f32, %arg2: f32) -> (f32, f32, f32) {
// CHECK-NEXT:     %0 = arith.mulf %arg0, %arg1 : f32
// CHECK-NEXT:     %1 = arith.addf %0, %arg2 fastmath<fast> : f32
// CHECK-NEXT:     %2 = arith.mulf %arg0, %arg2 fastmath<contract> : f32
// CHECK-NEXT:     %3 = arith.addf %2, %arg1 : f32
// CHECK-NEXT:     %4 = arith.mulf %arg1, %arg2 fastmath<nnan> : f32
// CHECK-NEXT:     %5 = arith.addf %4, %arg1 fastmath<contract> : f32
// CHECK-NEXT:     return %1, %3, %5 : f32, f32, f32
// CHECK-NEXT:   }
func.func @not_allowed(%a: f32, %b: f32, %c: f32) -> (f32, f32, f32) {
  %0 = arith.mulf %a, %b : f32
  %1 = arith.addf %0, %c fastmath<fast> : f32
  %2 = arith.mulf %a, %c fastmath<contract> : f32
  %3 = arith.addf %2, %b : f32
  %4 = arith.mulf %b, %c fastmath<nnan> : f32
  %5 = arith.addf %4, %b fastmath<contract> : f32
  return %1, %3, %5 : f32, f32, f32
}

// CHECK-NEXT:   func.func @left_and_right(%arg0: f32, %arg1: f32, %arg2: f32) -> (f32, f32) {
// CHECK-NEXT:     %0 = math.fma %arg0, %arg1, %arg2 fastmath<fast> : f32
// CHECK-NEXT:     %1 = math.fma %arg0, %arg1, %arg2 fastmath<contract> : f32
// CHECK-NEXT:     return %0, %1 : f32, f32
// CHECK-NEXT:   }
func.func @left_and_right(%a: f32, %b: f32, %c: f32) -> (f32, f32) {
  %0 = arith.mulf %a, %b fastmath<fast> : f32
  %1 = arith.addf %0, %c fastmath<fast> : f32
  %2 = arith.addf %c, %0 fastmath<contract> : f32
  return %1, %2 : f32, f32
}

// The sum takes the left one of two products, although only the other one may be contracted.
// CHECK-NEXT:   func.func @two_products(%arg0: f32, %arg1: f32) -> (f32, f32) {
// CHECK-NEXT:     %0 = arith.mulf %arg0, %arg1 fastmath<nnan,contract> : f32
// CHECK-NEXT:     %1 = arith.mulf %arg0, %arg0 : f32
// CHECK-NEXT:     %2 = math.fma %arg0, %arg1, %1 fastmath<nnan,contract> : f32
// CHECK-NEXT:     %3 = arith.addf %1, %0 fastmath<contract> : f32
// CHECK-NEXT:     return %2, %3 : f32, f32
// CHECK-NEXT:   }
func.func @two_products(%a: f32, %b: f32) -> (f32, f32) {
  %0 = arith.mulf %a, %b fastmath<contract, nnan> : f32
  %1 = arith.mulf %a, %a : f32
  %2 = arith.addf %0, %1 fastmath<contract, nnan, ninf> : f32
  %3 = arith.addf %1, %0 fastmath<contract> : f32
  return %2, %3 : f32, f32
}

// CHECK-NEXT:   func.func @shapes(%arg0: vector<4xf16>, %arg1: tensor<?xf64>) -> (vector<4xf16>, tensor<?xf64>) {
// CHECK-NEXT:     %0 = math.fma %arg0, %arg0, %arg0 fastmath<contract> : vector<4xf16>
// CHECK-NEXT:     %1 = math.fma %arg1, %arg1, %arg1 fastmath<fast> : tensor<?xf64>
// CHECK-NEXT:     return %0, %1 : vector<4xf16>, tensor<?xf64>
// CHECK-NEXT:   }
func.func @shapes(%v: vector<4xf16>, %t: tensor<?xf64>) -> (vector<4xf16>, tensor<?xf64>) {
  %0 = arith.mulf %v, %v fastmath<contract> : vector<4xf16>
  %1 = arith.addf %0, %v fastmath<contract> : vector<4xf16>
  %2 = arith.mulf %t, %t fastmath<fast> : tensor<?xf64>
  %3 = arith.addf %t, %2 fastmath<reassoc, nnan, ninf, nsz, arcp, contract, afn> : tensor<?xf64>
  return %1, %3 : vector<4xf16>, tensor<?xf64>
}

// The product stays where something else needs it.
// CHECK-NEXT:   func.func @used_twice(%arg0: f32, %arg1: f32) -> (f32, f32) {
// CHECK-NEXT:     %0 = arith.mulf %arg0, %arg1 fastmath<contract> : f32
// CHECK-NEXT:     %1 = math.fma %arg0, %arg1, %arg0 fastmath<contract> : f32
// CHECK-NEXT:     return %0, %1 : f32, f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @used_twice(%a: f32, %b: f32) -> (f32, f32) {
  %0 = arith.mulf %a, %b fastmath<contract> : f32
  %1 = arith.addf %0, %a fastmath<contract> : f32
  return %0, %1 : f32, f32
}
