// RUN: xgpu-opt %s --async-parallel-for | filecheck %s
// RUN: xgpu-opt %s --async-parallel-for='async-dispatch=false num-workers=-1' | filecheck %s --check-prefix=TURN

// CHECK-LABEL: func.func @fill
// TURN-LABEL: func.func @fill
func.func @fill(%m: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  // CHECK: scf.if
  // CHECK: %[[BLOCKS:.*]] = arith.ceildivsi
  // CHECK: scf.if
  // CHECK: func.call @parallel_compute_fn(
  // CHECK: } else {
  // CHECK: %[[GROUP:.*]] = async.create_group
  // CHECK: func.call @async_dispatch_fn(%[[GROUP]],
  // CHECK: async.await_all %[[GROUP]]
  // TURN: async.runtime.num_worker_threads
  // TURN: %[[GROUP:.*]] = async.create_group
  // TURN: scf.for
  // TURN: async.execute
  // TURN: func.call @parallel_compute_fn(
  // TURN: async.add_to_group
  // TURN: func.call @parallel_compute_fn(
  // TURN: async.await_all %[[GROUP]]
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %f, %m[%i] : memref<?xf32>
  }
  return
}
// CHECK-LABEL: func.func private @parallel_compute_fn(
// CHECK: arith.minsi
// CHECK: scf.for
// CHECK: memref.store

// CHECK-LABEL: func.func private @async_dispatch_fn(
// CHECK: scf.while
// CHECK: async.execute
// CHECK: func.call @async_dispatch_fn(
// CHECK: async.add_to_group
// CHECK: call @parallel_compute_fn(
