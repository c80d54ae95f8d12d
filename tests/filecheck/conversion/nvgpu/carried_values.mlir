// What loops carry takes its converted type, whether or not there is an operation of nvgpu.
// RUN: xgpu-opt %s --convert-nvgpu-to-nvvm | filecheck %s --match-full-lines

// CHECK: module {
// CHECK-NEXT:   func.func @rows(%arg0: vector<2x4xf32>, %arg1: index, %arg2: index, %arg3: index) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x4xf32> to !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:     %1 = builtin.unrealized_conversion_cast %arg3 : index to i64
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %arg2 : index to i64
// CHECK-NEXT:     %3 = builtin.unrealized_conversion_cast %arg1 : index to i64
// CHECK-NEXT:     %4 = scf.for %arg4 = %3 to %2 step %1 iter_args(%arg5 = %0) -> (!llvm.array<2 x vector<4xf32>>)  : i64 {
// CHECK-NEXT:       %6 = builtin.unrealized_conversion_cast %arg5 : !llvm.array<2 x vector<4xf32>> to vector<2x4xf32>
// CHECK-NEXT:       %7 = arith.addf %6, %6 : vector<2x4xf32>
// CHECK-NEXT:       %8 = builtin.unrealized_conversion_cast %7 : vector<2x4xf32> to !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:       scf.yield %8 : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %5 = builtin.unrealized_conversion_cast %4 : !llvm.array<2 x vector<4xf32>> to vector<2x4xf32>
// CHECK-NEXT:     return %5 : vector<2x4xf32>
// CHECK-NEXT:   }
func.func @rows(%v: vector<2x4xf32>, %a: index, %b: index, %c: index) -> vector<2x4xf32> {
  %r = scf.for %i = %a to %b step %c iter_args(%w = %v) -> (vector<2x4xf32>) {
    %s = arith.addf %w, %w : vector<2x4xf32>
    scf.yield %s : vector<2x4xf32>
  }
  return %r : vector<2x4xf32>
}

// CHECK-NEXT:   func.func @stays(%arg0: vector<4xf32>, %arg1: i32, %arg2: i32, %arg3: i32) -> vector<4xf32> {
// CHECK-NEXT:     %0 = scf.for %arg4 = %arg1 to %arg2 step %arg3 iter_args(%arg5 = %arg0) -> (vector<4xf32>)  : i32 {
// CHECK-NEXT:       %1 = arith.addf %arg5, %arg5 : vector<4xf32>
// CHECK-NEXT:       scf.yield %1 : vector<4xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     return %0 : vector<4xf32>
// CHECK-NEXT:   }
func.func @stays(%v: vector<4xf32>, %a: i32, %b: i32, %c: i32) -> vector<4xf32> {
  %r = scf.for %i = %a to %b step %c iter_args(%w = %v) -> (vector<4xf32>) : i32 {
    %s = arith.addf %w, %w : vector<4xf32>
    scf.yield %s : vector<4xf32>
  }
  return %r : vector<4xf32>
}

// CHECK-NEXT:   func.func @condition(%arg0: vector<2x4xf32>, %arg1: i1) -> vector<2x4xf32> {
// CHECK-NEXT:     %0 = builtin.unrealized_conversion_cast %arg0 : vector<2x4xf32> to !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:     %1 = scf.if %arg1 -> (!llvm.array<2 x vector<4xf32>>) {
// CHECK-NEXT:       scf.yield %0 : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %3 = arith.addf %arg0, %arg0 : vector<2x4xf32>
// CHECK-NEXT:       %4 = builtin.unrealized_conversion_cast %3 : vector<2x4xf32> to !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:       scf.yield %4 : !llvm.array<2 x vector<4xf32>>
// CHECK-NEXT:     }
// CHECK-NEXT:     %2 = builtin.unrealized_conversion_cast %1 : !llvm.array<2 x vector<4xf32>> to vector<2x4xf32>
// CHECK-NEXT:     return %2 : vector<2x4xf32>
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @condition(%v: vector<2x4xf32>, %c: i1) -> vector<2x4xf32> {
  %r = scf.if %c -> (vector<2x4xf32>) {
    scf.yield %v : vector<2x4xf32>
  } else {
    %s = arith.addf %v, %v : vector<2x4xf32>
    scf.yield %s : vector<2x4xf32>
  }
  return %r : vector<2x4xf32>
}
