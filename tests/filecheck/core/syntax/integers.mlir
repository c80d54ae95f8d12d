// RUN: xgpu-opt %s --allow-unregistered-dialect | xgpu-opt --allow-unregistered-dialect | filecheck %s --match-full-lines
// Numbers at the limits of what MLIR keeps them in, and arithmetic that wraps around.

"test.a"() {a = -9223372036854775808, b = 9223372036854775807, c = 18446744073709551615, d = 0xFFFFFFFFFFFFFFFF : i64} : () -> ()
"test.b"() {a = affine_map<(d0) -> (d0 * 9223372036854775807 * 3)>} : () -> ()
"test.c"() {a = !llvm.ptr<4294967295>, b = !llvm.array<18446744073709551615 x i8>, c = !llvm.array<-1 x i8>} : () -> ()
"test.d"() {a = strided<[-9223372036854775807], offset: 9223372036854775807>, b = array<i64: 18446744073709551615>} : () -> ()
"test.e"() {a = dense<[170141183460469231731687303715884105727, -170141183460469231731687303715884105728]> : vector<2xi128>} : () -> ()
"test.f"() {a = dense<0.2> : vector<9223372036854775807xf32>, b = dense<1> : tensor<4294967296x4294967296xi8>} : () -> ()
%0:0x2 = "test.g"() : () -> (i32, i32)
"test.h"(%1#3, %1) : (i32, i32) -> ()
%1:4 = "test.i"() : () -> (i32, i32, i32, i32)
func.func @switch(%a: i128, %b: i1) {
  cf.switch %a : i128, [
    default: ^bb1,
    -1: ^bb1
  ]
^bb1:
  cf.switch %b : i1, [
    default: ^bb2,
    1: ^bb2
  ]
^bb2:
  affine.parallel (%i) = (0) to (10) step (2 * 3 - 1) {
  }
  return
}

// CHECK: #map = affine_map<(d0) -> (d0 * 9223372036854775805)>
// CHECK-NEXT: module {
// CHECK-NEXT:   "test.a"() {a = -9223372036854775808 : i64, b = 9223372036854775807 : i64, c = -1 : i64, d = -1 : i64} : () -> ()
// CHECK-NEXT:   "test.b"() {a = #map} : () -> ()
// CHECK-NEXT:   "test.c"() {a = !llvm.ptr<4294967295>, b = !llvm.array<18446744073709551615 x i8>, c = !llvm.array<18446744073709551615 x i8>} : () -> ()
// CHECK-NEXT:   "test.d"() {a = strided<[-9223372036854775807], offset: 9223372036854775807>, b = array<i64: -1>} : () -> ()
// CHECK-NEXT:   "test.e"() {a = dense<[170141183460469231731687303715884105727, -170141183460469231731687303715884105728]> : vector<2xi128>} : () -> ()
// CHECK-NEXT:   "test.f"() {a = dense<2.000000e-01> : vector<9223372036854775807xf32>, b = dense<1> : tensor<4294967296x4294967296xi8>} : () -> ()
// CHECK-NEXT:   %0:2 = "test.g"() : () -> (i32, i32)
// CHECK-NEXT:   "test.h"(%1#3, %1#0) : (i32, i32) -> ()
// CHECK-NEXT:   %1:4 = "test.i"() : () -> (i32, i32, i32, i32)
// CHECK-NEXT:   func.func @switch(%arg0: i128, %arg1: i1) {
// CHECK-NEXT:     cf.switch %arg0 : i128, [
// CHECK-NEXT:       default: ^bb1,
// CHECK-NEXT:       -1: ^bb1
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb1:  // 2 preds: ^bb0, ^bb0
// CHECK-NEXT:     cf.switch %arg1 : i1, [
// CHECK-NEXT:       default: ^bb2,
// CHECK-NEXT:       1: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb2:  // 2 preds: ^bb1, ^bb1
// CHECK-NEXT:     affine.parallel (%arg2) = (0) to (10) step (5) {
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
