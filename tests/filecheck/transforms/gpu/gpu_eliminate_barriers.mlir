// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(gpu-eliminate-barriers))" --split-input-file --allow-unregistered-dialect | filecheck %s

// Nothing is around it.
// CHECK-LABEL: @alone
// CHECK-NOT: gpu.barrier
func.func @alone() {
  gpu.barrier
  return
}

// What the caller does is around it.
// CHECK-LABEL: @called
// CHECK-NEXT: gpu.barrier
func.func private @called() {
  gpu.barrier
  return
}
func.func @caller(%m: memref<4xf32>, %x: f32, %i: index) {
  gpu.launch blocks(%a, %b, %c) in (%d = %i, %e = %i, %f = %i)
      threads(%g, %h, %j) in (%k = %i, %l = %i, %n = %i) {
    memref.store %x, %m[%g] : memref<4xf32>
    func.call @called() : () -> ()
    %v = memref.load %m[%i] : memref<4xf32>
    "test.keep"(%v) : (f32) -> ()
    gpu.terminator
  }
  return
}

// -----

// CHECK-LABEL: @write_read
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load
func.func @write_read(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  memref.store %x, %m[%i] : memref<4xf32>
  gpu.barrier
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}

// CHECK-LABEL: @read_read
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @read_read(%m: memref<4xf32>, %i: index) -> f32 {
  %u = memref.load %m[%i] : memref<4xf32>
  gpu.barrier
  %v = memref.load %m[%i] : memref<4xf32>
  %w = arith.addf %u, %v : f32
  return %w : f32
}

// CHECK-LABEL: @noalias
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @noalias(%m: memref<4xf32> {llvm.noalias}, %n: memref<4xf32> {llvm.noalias}, %x: f32, %i: index) -> f32 {
  memref.store %x, %m[%i] : memref<4xf32>
  gpu.barrier
  %v = memref.load %n[%i] : memref<4xf32>
  return %v : f32
}

// The end of an iteration runs before the start of the next.
// CHECK-LABEL: @loop
// CHECK: scf.for
// CHECK-NEXT: gpu.barrier
func.func @loop(%m: memref<4xf32>, %x: f32, %i: index) {
  scf.for %k = %i to %i step %i {
    gpu.barrier
    %v = memref.load %m[%k] : memref<4xf32>
    "test.keep"(%v) : (f32) -> ()
    memref.store %x, %m[%i] : memref<4xf32>
  }
  return
}

// Of two with nothing between them one suffices.
// CHECK-LABEL: @twice
// CHECK-COUNT-1: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: return
func.func @twice(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  memref.store %x, %m[%i] : memref<4xf32>
  gpu.barrier
  gpu.barrier
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}

// -----

// A view that is stored makes memory known elsewhere: here to the next iteration.
// CHECK-LABEL: @captured_view
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load
func.func @captured_view(%table: memref<1xmemref<4xf32>>, %x: f32, %i: index) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  %r = scf.for %k = %i to %i step %i iter_args(%s = %x) -> f32 {
    %other = memref.load %table[%i] : memref<1xmemref<4xf32>>
    gpu.barrier
    memref.store %x, %m[%i] : memref<8xf32>
    gpu.barrier
    %v = memref.load %other[%i] : memref<4xf32>
    gpu.barrier
    %view = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    %cast = memref.cast %view : memref<4xf32, strided<[1]>> to memref<4xf32>
    memref.store %cast, %table[%i] : memref<1xmemref<4xf32>>
    scf.yield %v : f32
  }
  return %r : f32
}
