// RUN: xgpu-opt --allow-unregistered-dialect %s | filecheck %s
// RUN: xgpu-opt --allow-unregistered-dialect %s --mlir-print-op-generic | xgpu-opt --allow-unregistered-dialect | filecheck %s

#map = affine_map<(d0, d1)[s0] -> (d0 + d1 + s0)>
#set = affine_set<(d0)[s0] : (d0 - 1 >= 0, -d0 + s0 >= 0, d0 == 0)>
func.func @f(%a: index, %n: index, %m: memref<10x10xf32>, %v: vector<4xf32>, %x: f32) {
  %0 = affine.apply #map(%a, %n)[%n] 
  %00 = affine.apply affine_map<()[s0, s1] -> (s0 * s1)>()[%n, %a] {foo}
  %1 = affine.min affine_map<(d0) -> (d0, 5)>(%a)
  %2 = affine.max affine_map<(d0)[s0] -> (d0, s0, 5)>(%a)[%n]
  affine.for %i = 0 to 10 { }
  affine.for %i = 0 to %n step 2 { affine.yield }
  affine.for %i = max affine_map<(d0) -> (d0, 5)>(%a) to min affine_map<(d0)[s0] -> (d0, s0)>(%a)[%n] { }
  %3 = affine.for %i = affine_map<(d0) -> (d0 + 1)>(%a) to 20 iter_args(%q = %x) -> (f32) { affine.yield %q : f32 }
  affine.for %i = 0 to 10 step 4 {
    affine.if #set(%i)[%n] { } 
    affine.if affine_set<(d0) : (d0 >= 0)>(%i) { affine.yield } else { affine.yield } 
    %4 = affine.if #set(%i)[%n] -> f32 { affine.yield %x : f32 } else { affine.yield %x : f32 } 
    %5 = affine.load %m[%i, %i + symbol(%n) * 2] : memref<10x10xf32>
    %55 = affine.load %m[%i floordiv 2 + 3, 7 - %i] : memref<10x10xf32>
    affine.store %5, %m[%i, %i mod 3 + 1] {x} : memref<10x10xf32>
    affine.prefetch %m[%i, %i + 5], read, locality<3>, data : memref<10x10xf32>
    affine.prefetch %m[%i, %i + 5], write, locality<0>, instr : memref<10x10xf32>
    %6 = affine.vector_load %m[%i, 0] : memref<10x10xf32>, vector<4xf32>
    affine.vector_store %6, %m[%i, symbol(%n)] : memref<10x10xf32>, vector<4xf32>
  }
  affine.parallel (%i, %j) = (0, 0) to (10, %n) { }
  affine.parallel (%i, %j) = (0, max(%a, %n)) to (10, min(%n + %a, 5)) step (2, 3) { %k = affine.load %m[%i, %j] : memref<10x10xf32> }
  %7:2 = affine.parallel (%i) = (0) to (10) reduce ("minimumf", "addf") -> (f32, f32) { affine.yield %x, %x : f32, f32 }
  affine.parallel () = () to () { }
  %8:3 = affine.delinearize_index %a into (%n, 4, 5) : index, index, index
  %9 = affine.linearize_index disjoint [%a, %n, %a] by (2, %n, 3) : index
  return
}

// CHECK: #map = affine_map<(d0, d1)[s0] -> (d0 + d1 + s0)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0, 5)>
// CHECK-NEXT: #map3 = affine_map<(d0)[s0] -> (d0, s0, 5)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (d0, s0)>
// CHECK-NEXT: #map5 = affine_map<(d0) -> (d0 + 1)>
// CHECK-NEXT: #set = affine_set<(d0)[s0] : (d0 - 1 >= 0, -d0 + s0 >= 0, d0 == 0)>
// CHECK-NEXT: #set1 = affine_set<(d0) : (d0 >= 0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: index, %arg1: index, %arg2: memref<10x10xf32>, %arg3: vector<4xf32>, %arg4: f32) {
// CHECK-NEXT:     %0 = affine.apply #map(%arg0, %arg1)[%arg1]
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg1, %arg0] {foo}
// CHECK-NEXT:     %2 = affine.min #map2(%arg0)
// CHECK-NEXT:     %3 = affine.max #map3(%arg0)[%arg1]
// CHECK-NEXT:     affine.for %arg5 = 0 to 10 {
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.for %arg5 = 0 to %arg1 step 2 {
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.for %arg5 = max #map2(%arg0) to min #map4(%arg0)[%arg1] {
// CHECK-NEXT:     }
// CHECK-NEXT:     %4 = affine.for %arg5 = #map5(%arg0) to 20 iter_args(%arg6 = %arg4) -> (f32) {
// CHECK-NEXT:       affine.yield %arg6 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.for %arg5 = 0 to 10 step 4 {
// CHECK-NEXT:       affine.if #set(%arg5)[%arg1] {
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.if #set1(%arg5) {
// CHECK-NEXT:       } else {
// CHECK-NEXT:       }
// CHECK-NEXT:       %8 = affine.if #set(%arg5)[%arg1] -> f32 {
// CHECK-NEXT:         affine.yield %arg4 : f32
// CHECK-NEXT:       } else {
// CHECK-NEXT:         affine.yield %arg4 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       %9 = affine.load %arg2[%arg5, %arg5 + symbol(%arg1) * 2] : memref<10x10xf32>
// CHECK-NEXT:       %10 = affine.load %arg2[%arg5 floordiv 2 + 3, -%arg5 + 7] : memref<10x10xf32>
// CHECK-NEXT:       affine.store %9, %arg2[%arg5, %arg5 mod 3 + 1] {x} : memref<10x10xf32>
// CHECK-NEXT:       affine.prefetch %arg2[%arg5, %arg5 + 5], read, locality<3>, data : memref<10x10xf32>
// CHECK-NEXT:       affine.prefetch %arg2[%arg5, %arg5 + 5], write, locality<0>, instr : memref<10x10xf32>
// CHECK-NEXT:       %11 = affine.vector_load %arg2[%arg5, 0] : memref<10x10xf32>, vector<4xf32>
// CHECK-NEXT:       affine.vector_store %11, %arg2[%arg5, symbol(%arg1)] : memref<10x10xf32>, vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.parallel (%arg5, %arg6) = (0, 0) to (10, %arg1) {
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.parallel (%arg5, %arg6) = (0, max(%arg0, %arg1)) to (10, min(%arg1 + %arg0, 5)) step (2, 3) {
// CHECK-NEXT:       %8 = affine.load %arg2[%arg5, %arg6] : memref<10x10xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     %5:2 = affine.parallel (%arg5) = (0) to (10) reduce ("minimumf", "addf") -> (f32, f32) {
// CHECK-NEXT:       affine.yield %arg4, %arg4 : f32, f32
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.parallel () = () to () {
// CHECK-NEXT:     }
// CHECK-NEXT:     %6:3 = affine.delinearize_index %arg0 into (%arg1, 4, 5) : index, index, index
// CHECK-NEXT:     %7 = affine.linearize_index disjoint [%arg0, %arg1, %arg0] by (2, %arg1, 3) : index
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
