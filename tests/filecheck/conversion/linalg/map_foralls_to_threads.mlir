// RUN: xgpu-opt --gpu-map-foralls-to-threads --canonicalize --cse %s | filecheck %s --match-full-lines
// RUN: xgpu-opt --gpu-map-foralls-to-threads="unroll=1" --canonicalize %s | filecheck %s --check-prefix=LOOP


// Two iterations for each of 48 threads, and one for some.
// CHECK: #map = affine_map<()[s0, s1] -> (s0 * 16 + s1)>
// CHECK-NEXT: #map1 = affine_map<()[s0, s1] -> (s0 * 16 + s1 + 48)>
// CHECK-NEXT: #map2 = affine_map<()[s0, s1] -> (s0 * 16 + s1 + 96)>
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @shared(%arg0: memref<8x16xf32>) {
// CHECK-NEXT:     %c128 = arith.constant 128 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c3 = arith.constant 3 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c16, %arg11 = %c3, %arg12 = %c1) {
// CHECK-NEXT:       %0 = affine.apply #map()[%arg5, %arg4]
// CHECK-NEXT:       %1 = arith.divui %0, %c16 : index
// CHECK-NEXT:       %2 = arith.remui %0, %c16 : index
// CHECK-NEXT:       memref.store %cst, %arg0[%1, %2] : memref<8x16xf32>
// CHECK-NEXT:       %3 = affine.apply #map1()[%arg5, %arg4]
// CHECK-NEXT:       %4 = arith.divui %3, %c16 : index
// CHECK-NEXT:       %5 = arith.remui %3, %c16 : index
// CHECK-NEXT:       memref.store %cst, %arg0[%4, %5] : memref<8x16xf32>
// CHECK-NEXT:       %6 = affine.apply #map2()[%arg5, %arg4]
// CHECK-NEXT:       %7 = arith.cmpi ult, %6, %c128 : index
// CHECK-NEXT:       scf.if %7 {
// CHECK-NEXT:         %8 = arith.divui %6, %c16 : index
// CHECK-NEXT:         %9 = arith.remui %6, %c16 : index
// CHECK-NEXT:         memref.store %cst, %arg0[%8, %9] : memref<8x16xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// LOOP: #map = affine_map<()[s0, s1] -> (s0 * 16 + s1)>
// LOOP-NEXT: module {
// LOOP-NEXT:   func.func @shared(%arg0: memref<8x16xf32>) {
// LOOP-NEXT:     %c48 = arith.constant 48 : index
// LOOP-NEXT:     %c128 = arith.constant 128 : index
// LOOP-NEXT:     %c1 = arith.constant 1 : index
// LOOP-NEXT:     %c3 = arith.constant 3 : index
// LOOP-NEXT:     %c16 = arith.constant 16 : index
// LOOP-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// LOOP-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c16, %arg11 = %c3, %arg12 = %c1) {
// LOOP-NEXT:       %0 = affine.apply #map()[%arg5, %arg4]
// LOOP-NEXT:       scf.for %arg13 = %0 to %c128 step %c48 {
// LOOP-NEXT:         %1 = arith.divui %arg13, %c16 : index
// LOOP-NEXT:         %2 = arith.remui %arg13, %c16 : index
// LOOP-NEXT:         memref.store %cst, %arg0[%1, %2] : memref<8x16xf32>
// LOOP-NEXT:       }
// LOOP-NEXT:       gpu.terminator
// LOOP-NEXT:     }
// LOOP-NEXT:     return
// LOOP-NEXT:   }
func.func @shared(%a: memref<8x16xf32>) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c3, %sz = %c1) {
    scf.forall (%i, %j) in (8, 16) {
      memref.store %zero, %a[%i, %j] : memref<8x16xf32>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}

// Sizes of the loop and of the block are known when the program runs.
// CHECK-NEXT:   func.func @dynamic(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index, %arg3: index) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     gpu.launch blocks(%arg4, %arg5, %arg6) in (%arg10 = %c1, %arg11 = %c1, %arg12 = %c1) threads(%arg7, %arg8, %arg9) in (%arg13 = %arg3, %arg14 = %c1, %arg15 = %c1) {
// CHECK-NEXT:       %0 = arith.muli %arg1, %arg2 : index
// CHECK-NEXT:       scf.for %arg16 = %arg7 to %0 step %arg13 {
// CHECK-NEXT:         %1 = arith.divui %arg16, %arg2 : index
// CHECK-NEXT:         %2 = arith.remui %arg16, %arg2 : index
// CHECK-NEXT:         memref.store %cst, %arg0[%1, %2] : memref<?x?xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// LOOP-NEXT:   func.func @dynamic(%arg0: memref<?x?xf32>, %arg1: index, %arg2: index, %arg3: index) {
// LOOP-NEXT:     %c1 = arith.constant 1 : index
// LOOP-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// LOOP-NEXT:     gpu.launch blocks(%arg4, %arg5, %arg6) in (%arg10 = %c1, %arg11 = %c1, %arg12 = %c1) threads(%arg7, %arg8, %arg9) in (%arg13 = %arg3, %arg14 = %c1, %arg15 = %c1) {
// LOOP-NEXT:       %0 = arith.muli %arg1, %arg2 : index
// LOOP-NEXT:       scf.for %arg16 = %arg7 to %0 step %arg13 {
// LOOP-NEXT:         %1 = arith.divui %arg16, %arg2 : index
// LOOP-NEXT:         %2 = arith.remui %arg16, %arg2 : index
// LOOP-NEXT:         memref.store %cst, %arg0[%1, %2] : memref<?x?xf32>
// LOOP-NEXT:       }
// LOOP-NEXT:       gpu.terminator
// LOOP-NEXT:     }
// LOOP-NEXT:     return
// LOOP-NEXT:   }
func.func @dynamic(%a: memref<?x?xf32>, %m: index, %n: index, %threads: index) {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {
    scf.forall (%i, %j) in (%m, %n) {
      memref.store %zero, %a[%i, %j] : memref<?x?xf32>
    } {mapping = [#gpu.thread<linear_dim_1>, #gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}

// Other mappings, and loops that are in no launch, stay.
// CHECK-NEXT:   func.func @left(%arg0: memref<16xf32>) {
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c16 = arith.constant 16 : index
// CHECK-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c16, %arg11 = %c1, %arg12 = %c1) {
// CHECK-NEXT:       scf.forall (%arg13) in (16) {
// CHECK-NEXT:         memref.store %cst, %arg0[%arg13] : memref<16xf32>
// CHECK-NEXT:       } {mapping = [#gpu.thread<x>]}
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     scf.forall (%arg1) in (16) {
// CHECK-NEXT:       memref.store %cst, %arg0[%arg1] : memref<16xf32>
// CHECK-NEXT:     } {mapping = [#gpu.thread<linear_dim_0>]}
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
// LOOP-NEXT:   func.func @left(%arg0: memref<16xf32>) {
// LOOP-NEXT:     %c1 = arith.constant 1 : index
// LOOP-NEXT:     %c16 = arith.constant 16 : index
// LOOP-NEXT:     %cst = arith.constant 0.000000e+00 : f32
// LOOP-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %c1, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %c16, %arg11 = %c1, %arg12 = %c1) {
// LOOP-NEXT:       scf.forall (%arg13) in (16) {
// LOOP-NEXT:         memref.store %cst, %arg0[%arg13] : memref<16xf32>
// LOOP-NEXT:       } {mapping = [#gpu.thread<x>]}
// LOOP-NEXT:       gpu.terminator
// LOOP-NEXT:     }
// LOOP-NEXT:     scf.forall (%arg1) in (16) {
// LOOP-NEXT:       memref.store %cst, %arg0[%arg1] : memref<16xf32>
// LOOP-NEXT:     } {mapping = [#gpu.thread<linear_dim_0>]}
// LOOP-NEXT:     return
// LOOP-NEXT:   }
// LOOP-NEXT: }
func.func @left(%a: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    scf.forall (%i) in (16) {
      memref.store %zero, %a[%i] : memref<16xf32>
    } {mapping = [#gpu.thread<x>]}
    gpu.terminator
  }
  scf.forall (%i) in (16) {
    memref.store %zero, %a[%i] : memref<16xf32>
  } {mapping = [#gpu.thread<linear_dim_0>]}
  return
}
