// RUN: xgpu-opt %s --affine-loop-coalescing --allow-unregistered-dialect | filecheck %s --match-full-lines

// CHECK: #map = affine_map<() -> (16)>
// CHECK-NEXT: #map1 = affine_map<()[s0] -> (s0)>
// CHECK-NEXT: #map2 = affine_map<(d0)[s0] -> (d0 * s0)>
// CHECK-NEXT: #map3 = affine_map<()[s0] -> (s0, 7)>
// CHECK-NEXT: #map4 = affine_map<(d0)[s0] -> (d0 mod s0)>
// CHECK-NEXT: #map5 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
// CHECK-NEXT: #map6 = affine_map<() -> (9)>
// CHECK-NEXT: #map7 = affine_map<() -> (4)>
// CHECK-NEXT: #map8 = affine_map<(d0) -> (d0)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @known(%arg0: memref<?xf32>, %arg1: index) {
// CHECK-NEXT:     %0 = affine.apply #map()
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg1]
// CHECK-NEXT:     %2 = affine.apply #map2(%0)[%1]
// CHECK-NEXT:     %3 = affine.min #map3()[%arg1]
// CHECK-NEXT:     %4 = affine.apply #map2(%2)[%3]
// CHECK-NEXT:     affine.for %arg2 = 0 to %4 {
// CHECK-NEXT:       %5 = affine.apply #map4(%arg2)[%3]
// CHECK-NEXT:       %6 = affine.apply #map5(%arg2)[%3]
// CHECK-NEXT:       %7 = affine.apply #map4(%6)[%1]
// CHECK-NEXT:       %8 = affine.apply #map5(%6)[%1]
// CHECK-NEXT:       "test.use"(%8, %7, %5) : (index, index, index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @known(%m: memref<?xf32>, %n: index) {
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to min affine_map<()[s0] -> (s0, 7)>()[%n] {
        "test.use"(%i, %j, %k) : (index, index, index) -> ()
      }
    }
  }
  return
}

// CHECK-NEXT:   func.func @invariant(%arg0: memref<?xi64>) {
// CHECK-NEXT:     %c3_i64 = arith.constant 3 : i64
// CHECK-NEXT:     affine.for %arg1 = 0 to 9 {
// CHECK-NEXT:       %3 = affine.for %arg2 = 0 to 4 iter_args(%arg3 = %arg0) -> (memref<?xi64>) {
// CHECK-NEXT:         affine.store %c3_i64, %arg3[%arg2] : memref<?xi64>
// CHECK-NEXT:         affine.yield %arg3 : memref<?xi64>
// CHECK-NEXT:       }
// CHECK-NEXT:       "test.use"(%3) : (memref<?xi64>) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = affine.apply #map6()
// CHECK-NEXT:     %1 = affine.apply #map7()
// CHECK-NEXT:     %2 = affine.apply #map2(%0)[%1]
// CHECK-NEXT:     affine.for %arg1 = 0 to %2 {
// CHECK-NEXT:       %3 = affine.apply #map4(%arg1)[%1]
// CHECK-NEXT:       %4 = affine.apply #map5(%arg1)[%1]
// CHECK-NEXT:       affine.store %c3_i64, %arg0[%3] : memref<?xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @invariant(%m: memref<?xi64>) {
  %c = arith.constant 3 : i64
  affine.for %i = 0 to 9 {
    %0 = affine.for %j = 0 to 4 iter_args(%x = %m) -> (memref<?xi64>) {
      affine.store %c, %x[%j] : memref<?xi64>
      affine.yield %x : memref<?xi64>
    }
    "test.use"(%0) : (memref<?xi64>) -> ()
  }
  affine.for %i = 0 to 9 {
    %0 = affine.for %j = 0 to 4 iter_args(%x = %m) -> (memref<?xi64>) {
      affine.store %c, %x[%j] : memref<?xi64>
      affine.yield %x : memref<?xi64>
    }
  }
  return
}

// Only loops that count from 0 by 1, carry nothing and know their bounds.
// CHECK-NEXT:   func.func @not(%arg0: f32, %arg1: index) -> f32 {
// CHECK-NEXT:     affine.for %arg2 = 2 to 8 step 2 {
// CHECK-NEXT:       affine.for %arg3 = 0 to 4 {
// CHECK-NEXT:         "test.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     affine.for %arg2 = 0 to 8 {
// CHECK-NEXT:       affine.for %arg3 = 0 to #map8(%arg2) {
// CHECK-NEXT:         "test.use"(%arg2, %arg3) : (index, index) -> ()
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     %0 = affine.for %arg2 = 0 to 8 iter_args(%arg3 = %arg0) -> (f32) {
// CHECK-NEXT:       %1 = affine.for %arg4 = 0 to 4 iter_args(%arg5 = %arg3) -> (f32) {
// CHECK-NEXT:         %2 = arith.addf %arg5, %arg5 : f32
// CHECK-NEXT:         affine.yield %2 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       affine.yield %1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @not(%a: f32, %n: index) -> f32 {
  affine.for %i = 2 to 8 step 2 {
    affine.for %j = 0 to 4 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  %0 = affine.for %i = 0 to 8 iter_args(%x = %a) -> (f32) {
    %1 = affine.for %j = 0 to 4 iter_args(%y = %x) -> (f32) {
      %2 = arith.addf %y, %y : f32
      affine.yield %2 : f32
    }
    affine.yield %1 : f32
  }
  return %0 : f32
}
