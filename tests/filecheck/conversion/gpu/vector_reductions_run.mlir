// Vectors whose elements share 32 bits, need one shuffle each, or two; 37 threads in a block.
// RUN: xgpu-runner %s --device=host --entry-point-result=void | filecheck %s

// CHECK: rank = 1
// (the largest * 1000 + the sum in 8 bits) * 1000 + the sum + all of them exclusive-or
// CHECK-NEXT: [31240496, {{.*}}31240496, 36170206, 36170206, 36170206, 36170206, 36170206]
func.func private @printMemrefI32(memref<*xi32>)
func.func @main() {
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 37 : index
  %n = memref.alloc() : memref<37xi32>
  %un = memref.cast %n : memref<37xi32> to memref<*xi32>
  gpu.host_register %un : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %i = arith.index_cast %t : index to i32
    %f = arith.sitofp %i : i32 to f16
    %i8 = arith.trunci %i : i32 to i8
    %d = arith.sitofp %i : i32 to f64
    %v0 = vector.from_elements %f, %f, %f : vector<3xf16>
    %v1 = vector.from_elements %i8, %i8, %i8, %i8, %i8 : vector<5xi8>
    %v2 = vector.from_elements %d, %d : vector<2xf64>
    %v3 = vector.from_elements %i, %i : vector<2xi32>
    %r0 = gpu.subgroup_reduce maximumf %v0 : (vector<3xf16>) -> vector<3xf16>
    %r1 = gpu.subgroup_reduce add %v1 : (vector<5xi8>) -> vector<5xi8>
    %r2 = gpu.subgroup_reduce add %v2 : (vector<2xf64>) -> vector<2xf64>
    %r3 = gpu.subgroup_reduce xor %v3 : (vector<2xi32>) -> vector<2xi32>
    %e0 = vector.extract %r0[2] : f16 from vector<3xf16>
    %e1 = vector.extract %r1[4] : i8 from vector<5xi8>
    %e2 = vector.extract %r2[1] : f64 from vector<2xf64>
    %e3 = vector.extract %r3[1] : i32 from vector<2xi32>
    %j0 = arith.fptosi %e0 : f16 to i32
    %j1 = arith.extui %e1 : i8 to i32
    %j2 = arith.fptosi %e2 : f64 to i32
    %c1000 = arith.constant 1000 : i32
    %s0 = arith.muli %j0, %c1000 : i32
    %s1 = arith.addi %s0, %j1 : i32
    %s2 = arith.muli %s1, %c1000 : i32
    %s3 = arith.addi %s2, %j2 : i32
    %s4 = arith.addi %s3, %e3 : i32
    memref.store %s4, %n[%t] : memref<37xi32>
    gpu.terminator
  }
  call @printMemrefI32(%un) : (memref<*xi32>) -> ()
  return
}
