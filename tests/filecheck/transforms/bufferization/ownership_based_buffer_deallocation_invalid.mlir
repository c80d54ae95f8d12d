// RUN: xgpu-opt %s --split-input-file --ownership-based-buffer-deallocation --verify-diagnostics

func.func @freed_already(%m: memref<4xf32>) {
  // expected-error@+1 {{memory free side-effect on MemRef value not supported!}}
  memref.dealloc %m : memref<4xf32>
  return
}

// -----

// expected-error@+1 {{Only structured control-flow loops are supported.}}
func.func @loop(%m: memref<4xf32>, %c : i1) {
  cf.br ^a
^a:
  cf.cond_br %c, ^a, ^b
^b:
  return
}

// -----

func.func @unknown(%n: index) {
  // expected-error@+1 {{ops with unknown memory side effects are not supported}}
  %t = gpu.wait async
  return
}

// -----

func.func @dealloc(%m: memref<4xf32>, %c: i1) {
  // expected-error@+1 {{No deallocation operations must be present when running this pass!}}
  bufferization.dealloc (%m : memref<4xf32>) if (%c)
  return
}

// -----

func.func @switch(%m: memref<4xf32>, %i: i32) {
  // expected-error@+1 {{Terminators with more than one successor are not supported!}}
  cf.switch %i : i32, [ default: ^a(%m: memref<4xf32>), 1: ^a(%m : memref<4xf32>) ]
^a(%x: memref<4xf32>):
  return
}
