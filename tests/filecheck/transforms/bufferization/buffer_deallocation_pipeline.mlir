// RUN: xgpu-opt %s --buffer-deallocation-pipeline --split-input-file | filecheck %s

// Memory of the GPU goes back to the GPU.
// CHECK-LABEL: @on_gpu
// CHECK: %[[M:.*]] = gpu.alloc (%{{.*}}) : memref<?xf32>
// CHECK: memref.store %{{.*}}, %[[M]]
// CHECK-NEXT: gpu.dealloc %[[M]] : memref<?xf32>
// CHECK-NEXT: return
func.func @on_gpu(%n: index, %x: f32, %i: index) {
  %m = gpu.alloc (%n) : memref<?xf32>
  memref.store %x, %m[%i] : memref<?xf32>
  return
}

// -----

// What a kernel's body allocates, it frees.
// CHECK-LABEL: @launch
// CHECK: gpu.launch
// CHECK: %[[T:.*]] = memref.alloc() : memref<2xf32>
// CHECK: memref.store %{{.*}}, %{{.*}}[
// CHECK: memref.dealloc %[[T]]
// CHECK-NEXT: gpu.terminator
func.func @launch(%n: index, %x: f32, %m: memref<?xf32>) {
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n)
      threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) workgroup(%w : memref<2xf32, 3>) {
    %t = memref.alloc() : memref<2xf32>
    memref.store %x, %t[%g] : memref<2xf32>
    %v = memref.load %t[%h] : memref<2xf32>
    memref.store %v, %m[%g] : memref<?xf32>
    gpu.terminator
  }
  return
}

// -----

// Only what the last iteration yields leaves the loop.
// CHECK-LABEL: @loop
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[OWNED:.*]] = %false) -> (memref<?xf32>, i1)
// CHECK: scf.yield %{{.*}}, %true : memref<?xf32>, i1
// CHECK: scf.if %[[R]]#1
func.func @loop(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> memref<?xf32> {
    %t = memref.alloc(%n) : memref<?xf32>
    memref.copy %m, %t : memref<?xf32> to memref<?xf32>
    scf.yield %t : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// -----

// Which of the two is freed is known at run time alone: the helper finds out.
// CHECK-LABEL: @either
// CHECK: call @dealloc_helper
// CHECK: func.func private @dealloc_helper(%{{.*}}: memref<?xindex>, %{{.*}}: memref<?xindex>, %{{.*}}: memref<?xi1>, %{{.*}}: memref<?xi1>, %{{.*}}: memref<?xi1>)
func.func @either(%c: i1, %n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.if %c -> memref<?xf32> {
    scf.yield %a : memref<?xf32>
  } else {
    %q = memref.alloc(%n) : memref<?xf32>
    scf.yield %q : memref<?xf32>
  }
  return %r : memref<?xf32>
}
