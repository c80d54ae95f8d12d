// RUN: xgpu-opt %s --canonicalize | filecheck %s

func.func @waits(%m: memref<8xf32>, %x: f32) {
  %0 = gpu.wait async
  %1 = gpu.wait async
  %2 = gpu.memset async [%0] %m, %x : memref<8xf32>, f32
  %3 = gpu.wait async [%1, %2]
  gpu.wait [%3]
  gpu.wait
  return
}

func.func @unit_sizes(%m: memref<8xindex>) {
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c8, %sy = %c1, %sz = %c1) {
    memref.store %by, %m[%tx] : memref<8xindex>
    gpu.barrier
    gpu.barrier
    gpu.terminator
  }
  return
}

// CHECK-LABEL: func.func @waits(%arg0: memref<8xf32>, %arg1: f32) {
// CHECK-NEXT:      %0 = gpu.wait async
// CHECK-NEXT:      %1 = gpu.memset async [%0] %arg0, %arg1 : memref<8xf32>, f32
// CHECK-NEXT:      gpu.wait [%1]
// CHECK-NEXT:      return
// CHECK-NEXT:    }
// CHECK-LABEL: func.func @unit_sizes(%arg0: memref<8xindex>) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %c8 = arith.constant 8 : index
// CHECK-NEXT:      gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c8, %arg11 = %c1, %arg12 = %c1) {
// CHECK-NEXT:        memref.store %c0, %arg0[%arg4] : memref<8xindex>
// CHECK-NEXT:        gpu.barrier
// CHECK-NEXT:        gpu.terminator
// CHECK-NEXT:      }
// CHECK-NEXT:      return
// CHECK-NEXT:    }
