// RUN: xgpu-opt %s --int-range-optimizations --allow-unregistered-dialect | filecheck %s --match-full-lines

// An id of a launch is less than its size, and a size at least one.

// CHECK: module {
// CHECK-NEXT:   func.func @known_sizes() -> (i1, i1, i1, i1) {
// CHECK-NEXT:     %false = arith.constant false
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %c31 = arith.constant 31 : index
// CHECK-NEXT:     %c32 = arith.constant 32 : index
// CHECK-NEXT:     gpu.launch blocks(%arg0, %arg1, %arg2) in (%arg6 = %c32, %arg7 = %c1, %arg8 = %c1) threads(%arg3, %arg4, %arg5) in (%arg9 = %c32, %arg10 = %c1, %arg11 = %c1) {
// CHECK-NEXT:       %0 = arith.cmpi ult, %arg3, %c31 : index
// CHECK-NEXT:       "test.use"(%true, %0, %true, %false, %true) : (i1, i1, i1, i1, i1) -> ()
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return %true, %true, %true, %true : i1, i1, i1, i1
// CHECK-NEXT:   }
func.func @known_sizes() -> (i1, i1, i1, i1) {
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %c32 = arith.constant 32 : index
  %m = memref.alloc() : memref<4xi1>
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c32, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %0 = arith.cmpi ult, %tx, %c32 : index
    %1 = arith.cmpi ult, %tx, %c31 : index
    %2 = arith.cmpi ule, %bx, %c31 : index
    %3 = arith.cmpi eq, %ty, %sy : index
    %4 = arith.cmpi uge, %sx, %c32 : index
    "test.use"(%0, %1, %2, %3, %4) : (i1, i1, i1, i1, i1) -> ()
    gpu.terminator
  }
  %i0 = arith.constant true
  return %i0, %i0, %i0, %i0 : i1, i1, i1, i1
}

// CHECK-NEXT:   func.func @unknown_sizes(%arg0: index) {
// CHECK-NEXT:     %true = arith.constant true
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     gpu.launch blocks(%arg1, %arg2, %arg3) in (%arg7 = %arg0, %arg8 = %c1, %arg9 = %c1) threads(%arg4, %arg5, %arg6) in (%arg10 = %arg0, %arg11 = %c1, %arg12 = %c1) {
// CHECK-NEXT:       %0 = arith.cmpi ult, %arg1, %arg10 : index
// CHECK-NEXT:       "test.use"(%true, %true, %true, %0) : (i1, i1, i1, i1) -> ()
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @unknown_sizes(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    %0 = arith.cmpi sge, %tx, %c0 : index
    %1 = arith.cmpi uge, %sx, %c1 : index
    %2 = arith.cmpi eq, %by, %c0 : index
    %3 = arith.cmpi ult, %bx, %sx : index
    "test.use"(%0, %1, %2, %3) : (i1, i1, i1, i1) -> ()
    gpu.terminator
  }
  return
}

// A token among the operands has no range.
// CHECK-NEXT:   func.func @token(%arg0: index, %arg1: !gpu.async.token) -> !gpu.async.token {
// CHECK-NEXT:     %c0 = arith.constant 0 : index
// CHECK-NEXT:     %c1 = arith.constant 1 : index
// CHECK-NEXT:     %0 = gpu.launch async [%arg1] blocks(%arg2, %arg3, %arg4) in (%arg8 = %arg0, %arg9 = %c1, %arg10 = %c1) threads(%arg5, %arg6, %arg7) in (%arg11 = %arg0, %arg12 = %c1, %arg13 = %c1) {
// CHECK-NEXT:       "test.use"(%c0, %arg5) : (index, index) -> ()
// CHECK-NEXT:       gpu.terminator
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : !gpu.async.token
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @token(%n: index, %token: !gpu.async.token) -> !gpu.async.token {
  %c1 = arith.constant 1 : index
  %0 = gpu.launch async [%token] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
    "test.use"(%by, %tx) : (index, index) -> ()
    gpu.terminator
  }
  return %0 : !gpu.async.token
}
