// RUN: xgpu-opt %s --canonicalize | filecheck %s

func.func @both_widths() -> (index, index, i1) {
  %a = index.constant 5
  %b = index.constant -2
  %large = index.constant 4294967296
  %0 = index.add %a, %b
  %1 = index.maxu %a, %large
  %2 = index.cmp slt(%b, %a)
  return %0, %1, %2 : index, index, i1
}

func.func @math() -> (f32, f32, i32) {
  %c4 = arith.constant 4.0 : f32
  %c = arith.constant -2.5 : f32
  %i = arith.constant 12 : i32
  %0 = math.sqrt %c4 : f32
  %1 = math.ceil %c : f32
  %2 = math.ctpop %i : i32
  return %0, %1, %2 : f32, f32, i32
}

// CHECK-LABEL: func.func @both_widths() -> (index, index, i1) {
// CHECK-NEXT:      %true = index.bool.constant true
// CHECK-NEXT:      %idx5 = index.constant 5
// CHECK-NEXT:      %idx4294967296 = index.constant 4294967296
// CHECK-NEXT:      %idx3 = index.constant 3
// CHECK-NEXT:      %0 = index.maxu %idx5, %idx4294967296
// CHECK-NEXT:      return %idx3, %0, %true : index, index, i1
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @math() -> (f32, f32, i32) {
// CHECK-NEXT:      %cst = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %cst_0 = arith.constant -2.000000e+00 : f32
// CHECK-NEXT:      %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:      return %cst, %cst_0, %c2_i32 : f32, f32, i32
// CHECK-NEXT:    }
