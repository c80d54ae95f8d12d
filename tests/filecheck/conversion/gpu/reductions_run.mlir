// Reductions in programs: types of all sizes, clusters, a last subgroup with 5 and with 8 lanes.
// RUN: xgpu-runner %s --device=host --entry-point-result=void | filecheck %s

func.func private @printMemrefI32(memref<*xi32>)

// CHECK-LABEL: rank = 2
// Sums of f64 below 32, and of 32 to 39.
// CHECK-NEXT: {{\[\[}}496, 496, {{.*}}496, 284, 284, 284, 284, 284, 284, 284, 284],
// The largest i8 of four lanes, two apart.
// CHECK-NEXT: [6, 7, 6, 7, 6, 7, 6, 7, 14, {{.*}}, 38, 39, 38, 39, 38, 39, 38, 39],
// The largest f16 of eight lanes.
// CHECK-NEXT: [7, 7, 7, 7, 7, 7, 7, 7, 15, {{.*}}, 39, 39, 39, 39, 39, 39, 39, 39],
// The sum of all 40, in i16.
// CHECK-NEXT: [780, {{.*}}780],
// Products of 48 bits.
// CHECK-NEXT: [3, 3, 3, 3, {{.*}}3, 3]]
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c40 = arith.constant 40 : index
  %m = memref.alloc() : memref<5x40xi32>
  %u = memref.cast %m : memref<5x40xi32> to memref<*xi32>
  gpu.host_register %u : memref<*xi32>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%t, %ty, %tz) in (%sx = %c40, %sy = %c1, %sz = %c1) {
    %i = arith.index_cast %t : index to i32
    %f = arith.sitofp %i : i32 to f64
    %sum = gpu.subgroup_reduce add %f : (f64) -> f64
    %r0 = arith.fptosi %sum : f64 to i32
    memref.store %r0, %m[%c0, %t] : memref<5x40xi32>
    %byte = arith.trunci %i : i32 to i8
    %largest = gpu.subgroup_reduce maxsi %byte cluster(size = 4, stride = 2) : (i8) -> i8
    %r1 = arith.extsi %largest : i8 to i32
    memref.store %r1, %m[%c1, %t] : memref<5x40xi32>
    %half = arith.truncf %f : f64 to f16
    %most = gpu.subgroup_reduce maxnumf %half cluster(size = 8) : (f16) -> f16
    %r2 = arith.fptosi %most : f16 to i32
    memref.store %r2, %m[%c2, %t] : memref<5x40xi32>
    %short = arith.trunci %i : i32 to i16
    %all = gpu.all_reduce add %short {} : (i16) -> i16
    %r3 = arith.extsi %all : i16 to i32
    memref.store %r3, %m[%c3, %t] : memref<5x40xi32>
    %one = arith.constant 1 : i48
    %three = arith.constant 3 : i48
    %last = arith.constant 7 : i32
    %low = arith.andi %i, %last : i32
    %is = arith.cmpi eq, %low, %last : i32
    %factor = arith.select %is, %three, %one : i48
    %product = gpu.subgroup_reduce mul %factor cluster(size = 8) : (i48) -> i48
    %r4 = arith.trunci %product : i48 to i32
    memref.store %r4, %m[%c4, %t] : memref<5x40xi32>
    gpu.terminator
  }
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}
