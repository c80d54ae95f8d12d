// RUN: xgpu-opt %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: xgpu-opt %s --mlir-print-debuginfo --mlir-print-local-scope | filecheck %s --check-prefix=LOC
// RUN: xgpu-opt %s --verify-roundtrip -o %t.out
// RUN: xgpu-opt < %s -no-implicit-module -pass-pipeline='func.func(cse)' | filecheck %s --check-prefix=NOMODULE
// RUN: xgpu-opt %s -pass-pipeline="builtin.module(func.func(canonicalize{max-iterations=1 region-simplify=disabled},cse))" | filecheck %s
// RUN: xgpu-opt %s -p canonicalize,dce | filecheck %s
// RUN: xgpu-opt --show-dialects | filecheck %s --check-prefix=DIALECTS
// RUN: xgpu-opt --help | filecheck %s --check-prefix=HELP

func.func @f(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  %1 = arith.addi %x, %x : i32
  return %0 : i32
}

// CHECK: func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT: %0 = arith.addi %arg0, %arg0 : i32
// CHECK-NEXT: return %0 : i32

// GENERIC: "func.func"() <{function_type = (i32) -> i32, sym_name = "f"}> ({
// GENERIC-NEXT: ^bb0(%arg0: i32):
// GENERIC-NEXT: %0 = "arith.addi"(%arg0, %arg0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32

// LOC: %0 = arith.addi %arg0, %arg0 : i32 loc("{{.*}}forms.mlir":11:8)

// NOMODULE-NOT: module
// NOMODULE: func.func @f

// DIALECTS: Available Dialects: {{.*}}arith,{{.*}}gpu,{{.*}}nvvm

// HELP: --canonicalize
// HELP: --region-simplify=<string>
// HELP: =aggressive
// HELP: Pass Pipelines:
// HELP: --gpu-lower-to-nvvm-pipeline
