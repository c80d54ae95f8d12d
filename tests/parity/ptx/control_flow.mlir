gpu.func @k(%A: memref<?xi32>, %n: index) kernel {
  %t = gpu.thread_id x
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : i32
  %v = memref.load %A[%t] : memref<?xi32>
  %which = arith.remui %t, %n : index
  %r = scf.index_switch %which -> i32
  case 0 {
    %a = arith.addi %v, %c7 : i32
    scf.yield %a : i32
  }
  case 3 {
    %b = arith.divsi %v, %c7 : i32
    scf.yield %b : i32
  }
  default {
    %c = arith.shli %v, %c7 : i32
    scf.yield %c : i32
  }
  %neg = arith.cmpi slt, %r, %c7 : i32
  %s = scf.if %neg -> i32 {
    %m = arith.maxsi %r, %v : i32
    scf.yield %m : i32
  } else {
    scf.for %j = %t to %n step %c1 {
      memref.store %r, %A[%j] : memref<?xi32>
    }
    scf.yield %r : i32
  }
  memref.store %s, %A[%t] : memref<?xi32>
  gpu.return
}
