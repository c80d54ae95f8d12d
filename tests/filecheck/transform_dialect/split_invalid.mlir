// RUN: xgpu-opt %s --transform-interpreter --split-input-file --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.return"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{only applies to structured ops}}
    %1 = transform.structured.split %0 after 4 { dimension = 0 } : !transform.any_op
    transform.yield
  }
  func.func @f() {
    // expected-note @+1 {{target op}}
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+1 {{dimension 1 does not exist in target op}}
    %1 = transform.structured.split %0 after 4 { dimension = 1 } : !transform.any_op
    transform.yield
  }
  func.func @f(%a: memref<100xf32>) {
    // expected-note @+1 {{target op}}
    linalg.exp ins(%a : memref<100xf32>) outs(%a : memref<100xf32>)
    return
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    // expected-error @+2 {{splitting does not produce the second part for a subset of targets}}
    // expected-note @+1 {{expected splitting to produce the second part of all or none of the targets}}
    %1 = transform.structured.split %0 after 50 { dimension = 0 } : !transform.any_op
    transform.yield
  }
  func.func @f(%a: memref<100xf32>, %b: memref<10xf32>) {
    linalg.exp ins(%a : memref<100xf32>) outs(%a : memref<100xf32>)
    // expected-note @+1 {{first target with no second part}}
    linalg.exp ins(%b : memref<10xf32>) outs(%b : memref<10xf32>)
    return
  }
}
