// RUN: xgpu-opt %s --pass-pipeline="builtin.module(func.func(convert-arith-to-llvm,convert-math-to-llvm))" | filecheck %s

// Floats that LLVM does not have are integers there: they move, but nothing computes with them.
// CHECK-LABEL: func.func @narrow
// CHECK: arith.mulf %{{.*}} : f8E5M2
// CHECK: math.absf %{{.*}} : f8E5M2
// CHECK: llvm.select %{{.*}} : i1, i8
// CHECK: arith.constant 1.000000e+00 : tf32
func.func @narrow(%a: f8E5M2, %b: f8E5M2, %c: i1) {
  %0 = arith.mulf %a, %a : f8E5M2
  %1 = math.absf %a : f8E5M2
  %2 = arith.select %c, %a, %b : f8E5M2
  %3 = arith.constant 1.0 : tf32
  return
}

// CHECK-LABEL: func.func @wide
// CHECK: llvm.mlir.constant(dense<64> : vector<2xi128>) : vector<2xi128>
func.func @wide(%a: vector<2xi64>) -> (vector<2xi64>, vector<2xi64>) {
  %0, %1 = arith.mului_extended %a, %a : vector<2xi64>
  return %0, %1 : vector<2xi64>, vector<2xi64>
}

// CHECK-LABEL: func.func @same_bits
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %{{.*}} : memref<4xi16> to !llvm.struct
// CHECK: builtin.unrealized_conversion_cast %[[D]] : !llvm.struct<{{.*}}> to memref<4xf16>
func.func @same_bits(%m: memref<4xi16>) -> memref<4xf16> {
  %0 = arith.bitcast %m : memref<4xi16> to memref<4xf16>
  return %0 : memref<4xf16>
}
