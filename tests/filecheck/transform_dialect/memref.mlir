// RUN: xgpu-opt %s --split-input-file -allow-unregistered-dialect -transform-interpreter | filecheck %s

// Buffers used in turn, buffers that nothing reads, buffers that become globals.

// CHECK-LABEL: func.func @in_turn
// CHECK: %[[MANY:.*]] = memref.alloc() : memref<3x4xf32>
// CHECK: scf.for %[[I:.*]] = 
// CHECK: %[[TURN:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK: %[[VIEW:.*]] = memref.subview %[[MANY]][%[[TURN]], 0] [1, 4] [1, 1] : memref<3x4xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK: memref.copy %{{.*}}, %[[VIEW]]
// CHECK: memref.subview %[[VIEW]][1] [2] [1] : memref<4xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
// CHECK: memref.dealloc %[[MANY]]
func.func @in_turn(%in: memref<16xf32>) {
  %tmp = memref.alloc() : memref<4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c4 {
    %part = memref.subview %in[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    memref.copy %part, %tmp : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
    %two = memref.subview %tmp[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
    "test.use"(%two) : (memref<2xf32, strided<[1], offset: 1>>) -> ()
  }
  memref.dealloc %tmp : memref<4xf32>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloc">
    %m = transform.memref.multibuffer %a {factor = 3 : i64, skip_analysis} : (!transform.op<"memref.alloc">) -> !transform.any_op
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @never_read
// CHECK-SAME: %[[OUT:.*]]: memref<4xf32>
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT: memref.store
func.func @never_read(%out: memref<4xf32>, %i: index, %f: f32) {
  %tmp = memref.alloc() : memref<8xf32>
  %part = memref.subview %tmp[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  memref.store %f, %out[%i] : memref<4xf32>
  memref.store %f, %part[%i] : memref<4xf32, strided<[1], offset: 2>>
  memref.dealloc %tmp : memref<8xf32>
  return
}

// CHECK-LABEL: func.func @escapes
// CHECK: memref.alloc
func.func @escapes() -> memref<8xf32> {
  %tmp = memref.alloc() : memref<8xf32>
  return %tmp : memref<8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.memref.erase_dead_alloc_and_stores %f : (!transform.any_op) -> ()
    transform.yield
  }
}

// -----

// CHECK-LABEL: func.func @shared
// CHECK: %[[G:.*]] = memref.get_global @alloca : memref<2x32xf32, 3>
// CHECK: memref.store %{{.*}}, %[[G]]
// CHECK: memref.global "private" @alloca : memref<2x32xf32, 3>
func.func @shared(%i: index, %f: f32) {
  %a = memref.alloca() : memref<2x32xf32, 3>
  memref.store %f, %a[%i, %i] : memref<2x32xf32, 3>
  return
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match ops{["memref.alloca"]} in %root : (!transform.any_op) -> !transform.op<"memref.alloca">
    %u, %g = transform.memref.alloca_to_global %a : (!transform.op<"memref.alloca">) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
