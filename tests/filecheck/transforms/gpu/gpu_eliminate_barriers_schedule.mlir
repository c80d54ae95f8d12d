// RUN: xgpu-opt %s --gpu-eliminate-barriers | filecheck %s --check-prefixes=CHECK,PLAIN
// RUN: xgpu-opt %s --gpu-eliminate-barriers="schedule=true" | filecheck %s --check-prefixes=CHECK,SCHEDULE

!ring2 = memref<2x64xf32, #gpu.address_space<workgroup>>
!ring3 = memref<3x64xf32, #gpu.address_space<workgroup>>

// Copies run one tile ahead. With two buffers the next copy goes where this iteration reads; with
// three it does not, and the barrier behind the copies is enough.
// CHECK-LABEL: func.func @two
// CHECK: nvgpu.device_async_wait
// CHECK-NEXT: gpu.barrier
// CHECK: memref.store
// CHECK-NEXT: gpu.barrier
func.func @two(%a: memref<?x64xf32>, %out: memref<?x64xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %2 = arith.constant 2 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %1, %gy = %1, %gz = %1)
      threads(%t, %ty, %tz) in (%bx = %1, %by = %1, %bz = %1) workgroup(%ring : !ring2) {
    scf.for %i = %0 to %n step %1 {
      %next = arith.addi %i, %1 : index
      %there = arith.remui %next, %2 : index
      %here = arith.remui %i, %2 : index
      %c = nvgpu.device_async_copy %a[%next, %t], %ring[%there, %t], 1 : memref<?x64xf32> to !ring2
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %g {numGroups = 1 : i32}
      gpu.barrier
      %v = memref.load %ring[%here, %0] : !ring2
      memref.store %v, %out[%i, %t] : memref<?x64xf32>
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @three
// CHECK: nvgpu.device_async_wait
// CHECK-NEXT: gpu.barrier
// CHECK: memref.store
// PLAIN-NEXT: gpu.barrier
// SCHEDULE-NEXT: }
func.func @three(%a: memref<?x64xf32>, %out: memref<?x64xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %1, %gy = %1, %gz = %1)
      threads(%t, %ty, %tz) in (%bx = %1, %by = %1, %bz = %1) workgroup(%ring : !ring3) {
    scf.for %i = %0 to %n step %1 {
      %next = arith.addi %i, %1 : index
      %there = arith.remui %next, %3 : index
      %here = arith.remui %i, %3 : index
      %to = memref.subview %ring[%there, 0] [1, 64] [1, 1] : !ring3
          to memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
      %c = nvgpu.device_async_copy %a[%next, %t], %to[%t], 1 : memref<?x64xf32>
          to memref<64xf32, strided<[1], offset: ?>, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %c
      nvgpu.device_async_wait %g {numGroups = 1 : i32}
      gpu.barrier
      %v = memref.load %ring[%here, %0] : !ring3
      memref.store %v, %out[%i, %t] : memref<?x64xf32>
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// Different attributions are different memory, and a wait is what the next threads rely on.
// CHECK-LABEL: func.func @others
// CHECK: memref.store
// PLAIN-NEXT: gpu.barrier
// SCHEDULE-NEXT: memref.load
// CHECK: nvgpu.device_async_create_group
// CHECK-NEXT: nvgpu.device_async_wait
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: memref.load
func.func @others(%a: memref<64xf32>) {
  %1 = arith.constant 1 : index
  %v = arith.constant 1.0 : f32
  gpu.launch blocks(%x, %y, %z) in (%gx = %1, %gy = %1, %gz = %1)
      threads(%t, %ty, %tz) in (%bx = %1, %by = %1, %bz = %1)
      workgroup(%p : memref<64xf32, #gpu.address_space<workgroup>>,
                %q : memref<64xf32, #gpu.address_space<workgroup>>) {
    memref.store %v, %p[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %u = memref.load %q[%1] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %u, %a[%t] : memref<64xf32>
    %c = nvgpu.device_async_copy %a[%t], %q[%t], 1 : memref<64xf32>
        to memref<64xf32, #gpu.address_space<workgroup>>
    %g = nvgpu.device_async_create_group %c
    nvgpu.device_async_wait %g
    gpu.barrier
    %w = memref.load %q[%1] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %a[%1] : memref<64xf32>
    gpu.terminator
  }
  return
}
