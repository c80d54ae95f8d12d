// RUN: xgpu-opt %s -convert-nvgpu-to-nvvm | filecheck %s

// Loops and conditionals that carry values of nvgpu types carry what those become.

!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x8xf32>>
!desc = !nvgpu.warpgroup.descriptor<tensor = memref<64x16xf16, 3>>
!descB = !nvgpu.warpgroup.descriptor<tensor = memref<16x8xf16, 3>>

// CHECK-LABEL: func.func @loop
func.func @loop(%a: !desc, %b: !descB, %n: index) -> !acc {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init = nvgpu.warpgroup.mma.init.accumulator -> !acc
  // CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[ACC:.*]] = %{{.*}}) -> (!llvm.struct<(struct<(f32, f32, f32, f32)>)>) : i64 {
  // CHECK: llvm.extractvalue %[[ACC]][0]
  // CHECK: nvvm.wgmma.mma_async
  // CHECK: scf.yield %{{.*}} : !llvm.struct<(struct<(f32, f32, f32, f32)>)>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %init) -> (!acc) {
    %next = nvgpu.warpgroup.mma %a, %b, %acc : !desc, !descB, !acc -> !acc
    scf.yield %next : !acc
  }
  return %r : !acc
}

// CHECK-LABEL: func.func @conditional
func.func @conditional(%cond: i1, %t: !nvgpu.device.async.token, %u: !nvgpu.device.async.token) {
  // CHECK: scf.if %{{.*}} -> (i32) {
  // CHECK: scf.yield %{{.*}} : i32
  // CHECK: } else {
  // CHECK: scf.yield %{{.*}} : i32
  %r = scf.if %cond -> (!nvgpu.device.async.token) {
    scf.yield %t : !nvgpu.device.async.token
  } else {
    scf.yield %u : !nvgpu.device.async.token
  }
  // CHECK: nvvm.cp.async.wait.group 0
  nvgpu.device_async_wait %r {numGroups = 0 : i32}
  return
}

// CHECK-LABEL: func.func @while_loop
func.func @while_loop(%t: !nvgpu.device.async.token, %cond: i1) {
  // CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (i32) -> i32 {
  // CHECK: scf.condition(%{{.*}}) %[[A]] : i32
  // CHECK: ^bb0(%[[B:.*]]: i32):
  // CHECK: scf.yield %[[B]] : i32
  %r = scf.while (%a = %t) : (!nvgpu.device.async.token) -> !nvgpu.device.async.token {
    scf.condition(%cond) %a : !nvgpu.device.async.token
  } do {
  ^bb0(%b: !nvgpu.device.async.token):
    scf.yield %b : !nvgpu.device.async.token
  }
  nvgpu.device_async_wait %r
  return
}

// Operations of arith are legal as they are, and are not folded.
// CHECK-LABEL: func.func @arithmetic
func.func @arithmetic(%a: i32, %cond: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  // CHECK: scf.if
  %r = scf.if %cond -> i32 {
    // CHECK-NEXT: %[[SUM:.*]] = arith.addi
    // CHECK-NEXT: scf.yield %[[SUM]] : i32
    %0 = arith.addi %a, %c0 : i32
    scf.yield %0 : i32
  } else {
    scf.yield %a : i32
  }
  return %r : i32
}
