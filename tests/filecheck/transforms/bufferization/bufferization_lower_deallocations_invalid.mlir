// RUN: xgpu-opt %s --bufferization-lower-deallocations --verify-diagnostics

func.func @mixed(%c: i1, %own: i1) {
  %a = memref.alloc() : memref<4xf32>
  %b = gpu.alloc () : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  // expected-error@+1 {{cannot tell whether memory of the host or of a GPU is freed here}}
  bufferization.dealloc (%s : memref<4xf32>) if (%own)
  return
}
