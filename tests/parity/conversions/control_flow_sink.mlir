// SAME: --control-flow-sink
func.func @nested(%c: i1, %d: i1, %a: i32, %b: i32) -> i32 {
  %0 = arith.subi %a, %b : i32
  %1 = arith.muli %0, %b : i32
  %2 = arith.addi %a, %b : i32
  %k = arith.constant 7 : i32
  %r = scf.if %c -> i32 {
    %s = scf.if %d -> i32 {
      scf.yield %1 : i32
    } else {
      %x = arith.addi %2, %k : i32
      scf.yield %x : i32
    }
    scf.yield %s : i32
  } else {
    scf.yield %2 : i32
  }
  return %r : i32
}
func.func @switch(%i: index, %a: i32) -> i32 {
  %0 = arith.addi %a, %a : i32
  %1 = arith.muli %a, %a : i32
  %r = scf.index_switch %i -> i32
  case 2 {
    scf.yield %0 : i32
  }
  default {
    %q = arith.addi %1, %1 : i32
    scf.yield %q : i32
  }
  return %r : i32
}
func.func @effects(%c: i1, %m: memref<4xi32>, %i: index) -> i32 {
  %0 = memref.load %m[%i] : memref<4xi32>
  %z = arith.constant 0 : i32
  %v = memref.cast %m : memref<4xi32> to memref<?xi32>
  %r = scf.if %c -> i32 {
    memref.store %z, %v[%i] : memref<?xi32>
    scf.yield %0 : i32
  } else {
    scf.yield %z : i32
  }
  return %r : i32
}
func.func @loops(%true : i1, %n: index, %m: memref<4xi32>, %a: i32) {
  %0 = arith.addi %a, %a : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %0, %m[%i] : memref<4xi32>
  }
  %1 = arith.addi %a, %a : i32
  affine.for %i = 0 to 1 {
    memref.store %1, %m[%i] : memref<4xi32>
  }
  %2 = arith.addi %a, %a : i32
  scf.for %i = %c0 to %c1 step %c1 {
    memref.store %2, %m[%i] : memref<4xi32>
  }
  %3 = arith.addi %a, %a : i32
  memref.alloca_scope {
    memref.store %3, %m[%c0] : memref<4xi32>
  }
  %4 = arith.addi %a, %a : i32
  scf.execute_region {
    memref.store %4, %m[%c0] : memref<4xi32>
    scf.yield
  }
  %5 = arith.addi %a, %a : i32
  scf.forall (%i) in (1) {
    memref.store %5, %m[%i] : memref<4xi32>
  }
  %6 = scf.if %true -> i32 {
    scf.yield %5: i32
  } else {
    scf.yield %a: i32
  }
  scf.if %true {
    memref.store %6, %m[%c0] : memref<4xi32>
  }
  return
}
func.func @affine_if(%i: index, %m: memref<4xi32>, %a: i32) {
  %0 = arith.addi %a, %a : i32
  affine.if affine_set<(d0) : (d0 >= 0)>(%i) {
    memref.store %0, %m[%i] : memref<4xi32>
  }
  %1 = arith.addi %a, %a : i32
  gpu.warp_execute_on_lane_0(%i)[32] {
    memref.store %1, %m[%i] : memref<4xi32>
  }
  return
}
func.func @constant(%m: memref<4xi32>, %a: i32, %i: index) {
  %t = arith.constant true
  %0 = arith.addi %a, %a : i32
  %1 = arith.subi %a, %a : i32
  scf.if %t {
    memref.store %0, %m[%i] : memref<4xi32>
  } else {
    memref.store %1, %m[%i] : memref<4xi32>
  }
  return
}
