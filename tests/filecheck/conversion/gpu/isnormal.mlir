// RUN: xgpu-runner %s --device=host | filecheck %s

// Which of 1, the least subnormal number, zero, infinity, a NaN and -2 are normal.

// CHECK: [1,  0,  0,  0,  0,  1]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %values = arith.constant dense<[1.0, 0x00000001, 0.0, 0x7F800000, 0x7FC00000, -2.0]> : vector<6xf32>
  %f = gpu.alloc host_shared () : memref<6xf32>
  %m = gpu.alloc host_shared () : memref<6xi32>
  vector.store %values, %f[%c0] : memref<6xf32>, vector<6xf32>
  gpu.launch blocks(%a, %b, %c) in (%d = %c1, %e = %c1, %g = %c1)
             threads(%x, %y, %z) in (%u = %c6, %v = %c1, %w = %c1) {
    %q = memref.load %f[%x] : memref<6xf32>
    %r = math.isnormal %q : f32
    %i = arith.extui %r : i1 to i32
    memref.store %i, %m[%x] : memref<6xi32>
    gpu.terminator
  }
  %s = memref.cast %m : memref<6xi32> to memref<*xi32>
  call @printMemrefI32(%s) : (memref<*xi32>) -> ()
  return
}
func.func private @printMemrefI32(memref<*xi32>)
