// RUN: xgpu-opt --load-dialect-plugin=%mlir_test_lib %s --int-range-optimizations | filecheck %s

// CHECK-LABEL: gpu.func @kernel
// CHECK-NOT: arith.remui
// CHECK: test.reflect_bounds {smax = 127 : index, smin = 0 : index, umax = 127 : index, umin = 0 : index}
// CHECK: test.reflect_bounds {smax = 128 : index, smin = 128 : index, umax = 128 : index, umin = 128 : index}
gpu.module @m {
  gpu.func @kernel() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c128 = arith.constant 128 : index
    %id = gpu.thread_id x
    %r = arith.remui %id, %c128 : index
    %0 = test.reflect_bounds %r : index
    %size = gpu.block_dim x
    %1 = test.reflect_bounds %size : index
    gpu.return
  }
}

// Only one of the branches is taken, so that the argument is 5.
// CHECK-LABEL: func.func @one_branch
// CHECK: cf.cond_br
// CHECK-NOT: arith.cmpi
// CHECK: return %true : i1
func.func @one_branch() -> i1 {
  %true = arith.constant true
  %c5 = arith.constant 5 : i32
  %c90 = arith.constant 90 : i32
  %c50 = arith.constant 50 : i32
  cf.cond_br %true, ^a, ^b
^a:
  cf.br ^c(%c5 : i32)
^b:
  cf.br ^c(%c90 : i32)
^c(%v: i32):
  %less = arith.cmpi slt, %v, %c50 : i32
  return %less : i1
}
