// RUN: xgpu-opt %s | xgpu-opt | filecheck %s --match-full-lines

// What no double is keeps its value when it is printed and read again.

// CHECK: module {
// CHECK-NEXT:   func.func @wide() {
// CHECK-NEXT:     %cst = arith.constant 0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128
// CHECK-NEXT:     %cst_0 = arith.constant 0x1 : f128
// CHECK-NEXT:     %cst_1 = arith.constant dense<[0.100000000000000005551115123125782702, 0x3FFB9999999999999999999999999999]> : vector<2xf128>
// CHECK-NEXT:     %cst_2 = arith.constant 0x3FFBCCCCCCCCCCCCCCCD : f80
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @wide() {
  %0 = arith.constant 0x7FFEFFFFFFFFFFFFFFFFFFFFFFFFFFFF : f128
  %1 = arith.constant 0x00000000000000000000000000000001 : f128
  %2 = arith.constant dense<[0.1, 0x3FFB9999999999999999999999999999]> : vector<2xf128>
  %3 = arith.constant 0x3FFBCCCCCCCCCCCCCCCD : f80
  return
}
