// RUN: xgpu-opt %s --mlir-print-ir-before=cse --mlir-print-ir-after-all --canonicalize --cse -o /dev/null 2>&1 | filecheck %s
// RUN: xgpu-opt %s --mlir-print-ir-after-all --mlir-print-ir-after-change --canonicalize --cse -o /dev/null 2>&1 | filecheck %s --check-prefix=CHANGE
// RUN: xgpu-opt %s --mlir-timing --canonicalize -o /dev/null 2>&1 | filecheck %s --check-prefix=TIMING
// RUN: xgpu-opt %s --canonicalize --dump-pass-pipeline --gpu-async-region -o /dev/null 2>&1 | filecheck %s --check-prefix=PIPELINE

func.func @f(%x: i32) -> i32 {
  %c0 = arith.constant 0 : i32
  %0 = arith.addi %x, %c0 : i32
  return %0 : i32
}

// CHECK: // -----// IR Dump After Canonicalizer (canonicalize) //----- //
// CHECK-NEXT: module {
// CHECK-NEXT:   func.func @f(%arg0: i32) -> i32 {
// CHECK-NEXT:     return %arg0 : i32
// CHECK: // -----// IR Dump Before CSE (cse) //----- //
// CHECK: // -----// IR Dump After CSE (cse) //----- //

// CHANGE: IR Dump After Canonicalizer
// CHANGE-NOT: IR Dump After CSE

// TIMING: ... Execution time report ...
// TIMING: Parser
// TIMING-NEXT: Canonicalizer
// TIMING-NEXT: Output
// TIMING-NEXT: Rest
// TIMING-NEXT: Total

// PIPELINE: Pass Manager with 2 passes:
// PIPELINE-NEXT: builtin.module(
// PIPELINE-NEXT: canonicalize{  max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true},
// PIPELINE-NEXT: func.func(
// PIPELINE-NEXT: gpu-async-region
