// RUN: xgpu-opt %s --gpu-async-to-mgpu --split-input-file --verify-diagnostics

func.func @launch(%n: index) {
  // expected-error @+1 {{'gpu.launch' op must be outlined first: run gpu-kernel-outlining}}
  gpu.launch blocks(%a, %b, %c) in (%d = %n, %e = %n, %f = %n)
      threads(%g, %h, %i) in (%j = %n, %k = %n, %l = %n) {
    gpu.terminator
  }
  return
}

// -----

func.func @cast() -> i32 {
  %0 = gpu.wait async
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' op takes or gives tokens, which cannot be followed through it}}
  %1 = builtin.unrealized_conversion_cast %0 : !gpu.async.token to i32
  return %1 : i32
}

// -----

func.func @indirect(%f: (!gpu.async.token) -> ()) {
  %0 = gpu.wait async
  // expected-error @+1 {{'func.call_indirect' op takes or gives tokens, which cannot be followed through it}}
  func.call_indirect %f(%0) : (!gpu.async.token) -> ()
  return
}
