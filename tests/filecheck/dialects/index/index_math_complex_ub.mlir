// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

func.func @f(%a: index, %i: i32, %c: i1) {
  %0 = index.constant 5
  %1 = index.bool.constant true
  %2 = index.add %a, %a
  %3 = index.floordivs %a, %a
  %4 = index.cmp ult(%a, %a)
  %5 = index.casts %i : i32 to index
  %6 = index.castu %a : index to i32
  %7 = index.sizeof
  %8 = ub.poison : i32
  return
}
func.func @g(%x: f32, %v: vector<4xf32>, %z: complex<f32>, %i: i32) {
  %0 = math.sqrt %x fastmath<fast> : f32
  %1 = math.fma %v, %v, %v : vector<4xf32>
  %sin, %cos = math.sincos %x : f32
  %2 = math.fpowi %x, %i : f32, i32
  %3 = complex.mul %z, %z : complex<f32>
  %4 = complex.create %x, %x : complex<f32>
  %5 = complex.re %z : complex<f32>
  %6 = complex.constant [1.0 : f32, -2.0 : f32] : complex<f32>
  %7 = math.isnan %x : f32
  return
}

// CHECK: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: i32, %arg2: i1) {
// CHECK-NEXT:     %idx5 = index.constant 5
// CHECK-NEXT:     %true = index.bool.constant true
// CHECK-NEXT:     %0 = index.add %arg0, %arg0
// CHECK-NEXT:     %1 = index.floordivs %arg0, %arg0
// CHECK-NEXT:     %2 = index.cmp ult(%arg0, %arg0)
// CHECK-NEXT:     %3 = index.casts %arg1 : i32 to index
// CHECK-NEXT:     %4 = index.castu %arg0 : index to i32
// CHECK-NEXT:     %5 = index.sizeof
// CHECK-NEXT:     %6 = ub.poison : i32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @g(%arg0: f32, %arg1: vector<4xf32>, %arg2: complex<f32>, %arg3: i32) {
// CHECK-NEXT:     %0 = math.sqrt %arg0 fastmath<fast> : f32
// CHECK-NEXT:     %1 = math.fma %arg1, %arg1, %arg1 : vector<4xf32>
// CHECK-NEXT:     %sin, %cos = math.sincos %arg0 : f32
// CHECK-NEXT:     %2 = math.fpowi %arg0, %arg3 : f32, i32
// CHECK-NEXT:     %3 = complex.mul %arg2, %arg2 : complex<f32>
// CHECK-NEXT:     %4 = complex.create %arg0, %arg0 : complex<f32>
// CHECK-NEXT:     %5 = complex.re %arg2 : complex<f32>
// CHECK-NEXT:     %cst = complex.constant [1.000000e+00 : f32, -2.000000e+00 : f32] : complex<f32>
// CHECK-NEXT:     %6 = math.isnan %arg0 : f32
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
