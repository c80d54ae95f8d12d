// RUN: xgpu-opt %s --linalg-decompose-aggregates --verify-diagnostics

func.func @buffers(%x: memref<2x8xf32>, %o: memref<2x8xf32>) {
  // expected-error @+1 {{linalg.softmax of buffers is not decomposed}}
  linalg.softmax dimension(1) ins(%x : memref<2x8xf32>) outs(%o : memref<2x8xf32>)
  return
}
