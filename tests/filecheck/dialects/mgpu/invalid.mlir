// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

func.func @kernel_without_module() {
  // expected-error @+1 {{'mgpu.kernel' op expects a kernel in a module: @module::@kernel}}
  %0 = mgpu.kernel @k : !mgpu.function
  return
}

// -----

func.func @cluster_sizes(%s: !mgpu.stream, %f: !mgpu.function, %n: index, %c: i32) {
  // expected-error @+1 {{'mgpu.launch' op expects three cluster sizes of one type, or none}}
  "mgpu.launch"(%s, %f, %n, %n, %n, %n, %n, %n, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}>
      : (!mgpu.stream, !mgpu.function, index, index, index, index, index, index, i32) -> ()
  return
}

// -----

func.func @sizes(%n: index) {
  // expected-error @+1 {{'mgpu.alloc' op expects 2 sizes, one a dynamic extent, and has 1}}
  %0 = mgpu.alloc (%n) : memref<?x?xf32>
  return
}
