// RUN: xgpu-opt %s | filecheck %s --match-full-lines
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s --match-full-lines

// CHECK: module attributes {transform.with_named_sequence} {
// CHECK-NEXT:   transform.named_sequence @__transform_main(%arg0: !transform.any_op) {
// CHECK-NEXT:     %0 = transform.xgpu.circular_buffer %arg0 {mode = "warp-specialized", prefetch = -1 : i64, producer_warps = 4 : i64, registers = [24, 240], stages = 4 : i64} : (!transform.any_op) -> !transform.any_op
// CHECK-NEXT:     transform.yield
// CHECK-NEXT:   }
// CHECK-NEXT: }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %main = transform.xgpu.circular_buffer %root {mode = "warp-specialized", producer_warps = 4, registers = [24, 240], stages = 4, prefetch = -1} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
