// RUN: xgpu-opt %s --sccp | filecheck %s

// CHECK-LABEL: func.func @one_branch
// CHECK: %[[C:.*]] = arith.constant 1 : i32
// CHECK: return %[[C]] : i32
func.func @one_branch(%x: i32) -> i32 {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %0 = scf.if %true -> (i32) {
    scf.yield %c1 : i32
  } else {
    scf.yield %x : i32
  }
  return %0 : i32
}
