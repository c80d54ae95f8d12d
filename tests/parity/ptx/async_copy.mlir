gpu.func @k(%A: memref<128x128xf32>, %S: memref<4x128xf32, 3>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %0 = nvgpu.device_async_copy %A[%t, %c0], %S[%c0, %t], 4
    : memref<128x128xf32> to memref<4x128xf32, 3>
  %1 = nvgpu.device_async_copy %A[%c0, %t], %S[%t, %c0], 4 {bypassL1}
    : memref<128x128xf32> to memref<4x128xf32, 3>
  %g = nvgpu.device_async_create_group %0, %1
  nvgpu.device_async_wait %g {numGroups = 1 : i32}
  gpu.barrier
  %v = memref.load %S[%c0, %t] : memref<4x128xf32, 3>
  memref.store %v, %A[%c0, %t] : memref<128x128xf32>
  gpu.return
}
