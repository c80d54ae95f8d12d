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

// -----

memref.global "private" @table : memref<4xf32> = dense<1.0>

func.func @writes_global(%n: index, %x: f32) {
  %c1 = arith.constant 1 : index
  // expected-error @below {{a kernel uses a global that is not constant: what it writes would be lost}}
  %t = memref.get_global @table : memref<4xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    memref.store %x, %t[%i] : memref<4xf32>
    gpu.terminator
  }
  return
}

// -----

func.func @atomic_rmw(%n: index, %x: f32, %v: vector<4xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  // expected-error @below {{'memref.atomic_rmw' of the host accesses a buffer that kernels use}}
  %y = memref.atomic_rmw addf %x, %m[%n] : (f32, memref<?xf32>) -> f32
  return
}

// -----

func.func @store(%n: index, %x: f32, %v: vector<4xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  // expected-error @below {{'memref.store' of the host accesses a buffer that kernels use}}
  memref.store %x, %m[%n] : memref<?xf32>
  return
}

// -----

func.func @vector_load(%n: index, %x: f32, %v: vector<4xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  // expected-error @below {{'vector.load' of the host accesses a buffer that kernels use}}
  %y = vector.load %m[%n] : memref<?xf32>, vector<4xf32>
  return
}

// -----

func.func @vector_store(%n: index, %x: f32, %v: vector<4xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  // expected-error @below {{'vector.store' of the host accesses a buffer that kernels use}}
  vector.store %v, %m[%n] : memref<?xf32>, vector<4xf32>
  return
}

// -----

func.func @transfer_read(%n: index, %x: f32, %v: vector<4xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  // expected-error @below {{'vector.transfer_read' of the host accesses a buffer that kernels use}}
  %y = vector.transfer_read %m[%n], %x : memref<?xf32>, vector<4xf32>
  return
}

// -----

func.func @transfer_write(%n: index, %x: f32, %v: vector<4xf32>) {
  %m = memref.alloc(%n) : memref<?xf32>
  gpu.launch blocks(%i, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    memref.store %x, %m[%i] : memref<?xf32>
    gpu.terminator
  }
  // expected-error @below {{'vector.transfer_write' of the host accesses a buffer that kernels use}}
  vector.transfer_write %v, %m[%n] : vector<4xf32>, memref<?xf32>
  return
}
