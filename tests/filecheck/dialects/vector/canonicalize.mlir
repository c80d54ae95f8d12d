// RUN: xgpu-opt %s --canonicalize | filecheck %s

// Inserts that fill a vector; extracts.

func.func @a(%x: f32, %y: f32, %v: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.insert %x, %v[0] : f32 into vector<2xf32>
  %1 = vector.insert %y, %0[1] : f32 into vector<2xf32>
  return %1 : vector<2xf32>
}
func.func @b(%x: vector<2xf32>, %y: vector<2xf32>, %v: vector<2x2xf32>) -> vector<2x2xf32> {
  %0 = vector.insert %x, %v[0] : vector<2xf32> into vector<2x2xf32>
  %1 = vector.insert %y, %0[1] : vector<2xf32> into vector<2x2xf32>
  return %1 : vector<2x2xf32>
}
func.func @c(%x: f32, %y: f32, %z: f32, %v: vector<2xf32>) -> vector<2xf32> {
  %0 = vector.insert %x, %v[0] : f32 into vector<2xf32>
  %1 = vector.insert %y, %0[1] : f32 into vector<2xf32>
  %2 = vector.insert %z, %1[0] : f32 into vector<2xf32>
  return %2 : vector<2xf32>
}
func.func @d(%x: f32, %y: f32, %v: vector<3xf32>) -> (vector<3xf32>, f32, f32) {
  %0 = vector.insert %x, %v[0] : f32 into vector<3xf32>
  %1 = vector.insert %y, %0[1] : f32 into vector<3xf32>
  %e = vector.extract %1[1] : f32 from vector<3xf32>
  %f = vector.extract %1[2] : f32 from vector<3xf32>
  return %1, %e, %f : vector<3xf32>, f32, f32
}
func.func @e(%x: f32, %y: f32) -> (f32, f32, vector<3xf32>, f32) {
  %b = vector.broadcast %x : f32 to vector<3xf32>
  %f = vector.extract %b[2] : f32 from vector<3xf32>
  %c = vector.from_elements %x, %y : vector<2xf32>
  %g = vector.extract %c[1] : f32 from vector<2xf32>
  %fe = vector.from_elements %x, %x, %x : vector<3xf32>
  %b2 = vector.broadcast %x : f32 to vector<1xf32>
  %sc = vector.shape_cast %b2 : vector<1xf32> to vector<1x1xf32>
  %h = vector.extract %sc[0, 0] : f32 from vector<1x1xf32>
  return %f, %g, %fe, %h : f32, f32, vector<3xf32>, f32
}

// CHECK: module {
// CHECK-NEXT: func.func @a(%arg0: f32, %arg1: f32, %arg2: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT: %0 = vector.from_elements %arg0, %arg1 : vector<2xf32>
// CHECK-NEXT: return %0 : vector<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.func @b(%arg0: vector<2xf32>, %arg1: vector<2xf32>, %arg2: vector<2x2xf32>) -> vector<2x2xf32> {
// CHECK-NEXT: %0:2 = vector.to_elements %arg0 : vector<2xf32>
// CHECK-NEXT: %1:2 = vector.to_elements %arg1 : vector<2xf32>
// CHECK-NEXT: %2 = vector.from_elements %0#0, %0#1, %1#0, %1#1 : vector<2x2xf32>
// CHECK-NEXT: return %2 : vector<2x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.func @c(%arg0: f32, %arg1: f32, %arg2: f32, %arg3: vector<2xf32>) -> vector<2xf32> {
// CHECK-NEXT: %0 = vector.from_elements %arg2, %arg1 : vector<2xf32>
// CHECK-NEXT: return %0 : vector<2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.func @d(%arg0: f32, %arg1: f32, %arg2: vector<3xf32>) -> (vector<3xf32>, f32, f32) {
// CHECK-NEXT: %0 = vector.insert %arg0, %arg2 [0] : f32 into vector<3xf32>
// CHECK-NEXT: %1 = vector.insert %arg1, %0 [1] : f32 into vector<3xf32>
// CHECK-NEXT: %2 = vector.extract %arg2[2] : f32 from vector<3xf32>
// CHECK-NEXT: return %1, %arg1, %2 : vector<3xf32>, f32, f32
// CHECK-NEXT: }
// CHECK-NEXT: func.func @e(%arg0: f32, %arg1: f32) -> (f32, f32, vector<3xf32>, f32) {
// CHECK-NEXT: %0 = vector.broadcast %arg0 : f32 to vector<3xf32>
// CHECK-NEXT: return %arg0, %arg1, %0, %arg0 : f32, f32, vector<3xf32>, f32
// CHECK-NEXT: }
// CHECK-NEXT: }
