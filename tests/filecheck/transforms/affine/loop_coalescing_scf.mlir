// RUN: xgpu-opt %s --affine-loop-coalescing --allow-unregistered-dialect | filecheck %s --match-full-lines

// CHECK: #map = affine_map<()[s0] -> ((s0 - 2) ceildiv 2)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 * ((s1 - 2) ceildiv 2))>
// CHECK-NEXT: #map2 = affine_map<(d0) -> (d0 * 2 + 2)>
// CHECK-NEXT: #map3 = affine_map<(d0) -> (d0 * 2 + 3)>
// CHECK-NEXT: #map4 = affine_map<(d0) -> (d0 * 3 + 2)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @ints(%arg0: i32, %arg1: i32) {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %0 = arith.subi %arg1, %c2_i32 : i32
// CHECK-NEXT:     %1 = arith.ceildivsi %0, %c2_i32 : i32
// CHECK-NEXT:     %c0_i32_0 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32_1 = arith.constant 1 : i32
// CHECK-NEXT:     %2 = arith.muli %arg0, %1 : i32
// CHECK-NEXT:     scf.for %arg2 = %c0_i32 to %2 step %c1_i32  : i32 {
// CHECK-NEXT:       %c0_i32_2 = arith.constant 0 : i32
// CHECK-NEXT:       %3 = arith.remsi %arg2, %1 : i32
// CHECK-NEXT:       %4 = arith.divsi %arg2, %1 : i32
// CHECK-NEXT:       %5 = arith.muli %3, %c2_i32 : i32
// CHECK-NEXT:       %6 = arith.addi %5, %c2_i32 : i32
// CHECK-NEXT:       "test.use"(%4, %6, %c0_i32_2) : (i32, i32, i32) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @ints(%n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.for %j = %c2 to %m step %c2 : i32 {
      scf.for %k = %c0 to %c1 step %c1 : i32 {
        "test.use"(%i, %j, %k) : (i32, i32, i32) -> ()
      }
    }
  }
  return
}
// CHECK-NEXT:   func.func @dynamic(%arg0: index, %arg1: index, %arg2: f32) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c0_0 = arith.constant 0 : index
// CHECK-NEXT:     %c1_1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = affine.apply #map()[%arg1]
// CHECK-NEXT:     %c0_2 = arith.constant 0 : index
// CHECK-NEXT:     %c1_3 = arith.constant 1 : index
// CHECK-NEXT:     %1 = affine.apply #map1()[%arg0, %arg1]
// CHECK-NEXT:     %2 = scf.for %arg3 = %c0_0 to %1 step %c1_1 iter_args(%arg4 = %arg2) -> (f32) {
// CHECK-NEXT:       %3:2 = affine.delinearize_index %arg3 into (%arg0, %0) : index, index
// CHECK-NEXT:       %4 = affine.apply #map2(%3#1)
// CHECK-NEXT:       %5 = "test.use"(%3#0, %4, %arg4) : (index, index, f32) -> f32
// CHECK-NEXT:       scf.yield %5 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %2 : f32
// CHECK-NEXT:   }
func.func @dynamic(%n: index, %m: index, %a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (f32) {
    %q = scf.for %j = %c2 to %m step %c2 iter_args(%y = %x) -> (f32) {
      %s = "test.use"(%i, %j, %y) : (index, index, f32) -> f32
      scf.yield %s : f32
    }
    scf.yield %q : f32
  }
  return %r : f32
}
// CHECK-NEXT:   func.func @not_carried(%arg0: index, %arg1: index, %arg2: f32) -> f32 {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2) -> (f32) {
// CHECK-NEXT:       %1 = scf.for %arg5 = %c0 to %arg1 step %c1 iter_args(%arg6 = %arg2) -> (f32) {
// CHECK-NEXT:         %2 = "test.use"(%arg3, %arg5, %arg6) : (index, index, f32) -> f32
// CHECK-NEXT:         scf.yield %2 : f32
// CHECK-NEXT:       }
// CHECK-NEXT:       scf.yield %1 : f32
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : f32
// CHECK-NEXT:   }
func.func @not_carried(%n: index, %m: index, %a: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (f32) {
    %q = scf.for %j = %c0 to %m step %c1 iter_args(%y = %a) -> (f32) {
      %s = "test.use"(%i, %j, %y) : (index, index, f32) -> f32
      scf.yield %s : f32
    }
    scf.yield %q : f32
  }
  return %r : f32
}
// CHECK-NEXT:   func.func @constant_bounds() {
// CHECK-NEXT:     %c2 = arith.constant 2 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c9 = arith.constant 9 : index
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c3_0 = arith.constant 3 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c0_1 = arith.constant 0 : index
// CHECK-NEXT:     %c3_2 = arith.constant 3 : index
// CHECK-NEXT:     %c1_3 = arith.constant 1 : index
// CHECK-NEXT:     %c9_4 = arith.constant 9 : index
// CHECK-NEXT:     scf.for %arg0 = %c0 to %c9_4 step %c1 {
// CHECK-NEXT:       %0:2 = affine.delinearize_index %arg0 into (3, 3) : index, index
// CHECK-NEXT:       %1 = affine.apply #map3(%0#1)
// CHECK-NEXT:       %2 = affine.apply #map4(%0#0)
// CHECK-NEXT:       "test.use"(%2, %1) : (index, index) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @constant_bounds() {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c2 to %c9 step %c3 {
    scf.for %j = %c3 to %c9 step %c2 {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// Bounds of known integers are folded.

// CHECK-NEXT:   func.func @known_ints() {
// CHECK-NEXT:     %c0_i32 = arith.constant 0 : i32
// CHECK-NEXT:     %c2_i32 = arith.constant 2 : i32
// CHECK-NEXT:     %c9_i32 = arith.constant 9 : i32
// CHECK-NEXT:     %c5_i32 = arith.constant 5 : i32
// CHECK-NEXT:     %c0_i32_0 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32 = arith.constant 1 : i32
// CHECK-NEXT:     %c7_i32 = arith.constant 7 : i32
// CHECK-NEXT:     %c4_i32 = arith.constant 4 : i32
// CHECK-NEXT:     %c0_i32_1 = arith.constant 0 : i32
// CHECK-NEXT:     %c1_i32_2 = arith.constant 1 : i32
// CHECK-NEXT:     %0 = arith.muli %c5_i32, %c4_i32 : i32
// CHECK-NEXT:     scf.for %arg0 = %c0_i32_0 to %0 step %c1_i32  : i32 {
// CHECK-NEXT:       %1 = arith.remsi %arg0, %c4_i32 : i32
// CHECK-NEXT:       %2 = arith.divsi %arg0, %c4_i32 : i32
// CHECK-NEXT:       %3 = arith.muli %1, %c2_i32 : i32
// CHECK-NEXT:       %4 = arith.addi %3, %c2_i32 : i32
// CHECK-NEXT:       %5 = arith.muli %2, %c2_i32 : i32
// CHECK-NEXT:       "use"(%5, %4) : (i32, i32) -> ()
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @known_ints() {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %c9 = arith.constant 9 : i32
  scf.for %i = %c0 to %c9 step %c2 : i32 {
    scf.for %j = %c2 to %c9 step %c2 : i32 {
      "use"(%i, %j) : (i32, i32) -> ()
    }
  }
  return
}
