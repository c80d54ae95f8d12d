// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

func.func @f(%f: i32, %c: complex<f32>) {
  %0 = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %1 = complex.add %c, %0 : complex<f32>
  "foo.bar"() {x = 1} : () -> ()
  cf.switch %f : i32, [ default: ^bb1(%f : i32) ]
^bb1(%x: i32):
  cf.switch %f : i32, [ default: ^bb1(%f : i32), -1: ^bb1(%x : i32), 5: ^bb2 ]
^bb2:
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: i32, %arg1: complex<f32>) {
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, -2.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %0 = complex.add %arg1, %cst : complex<f32>
// CHECK-NEXT:     "foo.bar"() {x = 1 : i64} : () -> ()
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb1(%arg0 : i32)]
// CHECK-NEXT:   ^bb1(%1: i32):  // 3 preds: ^bb0, ^bb1, ^bb1
// CHECK-NEXT:     cf.switch %arg0 : i32, [
// CHECK-NEXT:       default: ^bb1(%arg0 : i32),
// CHECK-NEXT:       4294967295: ^bb1(%1 : i32),
// CHECK-NEXT:       5: ^bb2
// CHECK-NEXT:     ]
// CHECK-NEXT:   ^bb2:  // pred: ^bb1
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
