// RUN: xgpu-opt --gpu-device-buffers --split-input-file --verify-diagnostics %s

func.func @host_reads(%n: index, %x: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  // expected-error @below {{'memref.load' of the host accesses a buffer that kernels use}}
  %y = memref.load %m[%c1] : memref<?xf32>
  return %y : f32
}
