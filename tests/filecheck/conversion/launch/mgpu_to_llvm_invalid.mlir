// RUN: xgpu-opt %s --convert-mgpu-to-llvm --split-input-file --verify-diagnostics

func.func @gaps(%s: !mgpu.stream, %a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{'mgpu.memcpy' op cannot reach 'memref<4x4xf32, strided<[8, 1]>>' as one piece of memory: its layout has gaps}}
  mgpu.memcpy %s, %b, %a : memref<4x4xf32>, memref<4x4xf32, strided<[8, 1]>>
  return
}

// -----

func.func @width(%s: !mgpu.stream, %a: memref<4xi24>, %v: i24) {
  // expected-error @+1 {{'mgpu.memset' op cannot fill with 'i24': its width is not 8, 16, 32 or 64}}
  mgpu.memset %s, %a, %v : memref<4xi24>, i24
  return
}
