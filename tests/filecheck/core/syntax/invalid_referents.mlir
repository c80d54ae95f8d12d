// RUN: xgpu-opt %s --split-input-file --verify-diagnostics

// A check of one operation looks at another, which comes later and is not valid itself: that is said
// of the other.

func.func @address() -> !llvm.ptr {
  %0 = llvm.mlir.addressof @table : !llvm.ptr
  return %0 : !llvm.ptr
}
// expected-error @+1 {{'llvm.mlir.global' op attribute 'addr_space' failed to satisfy constraint: 32-bit signless integer attribute whose value is non-negative}}
llvm.mlir.global internal @table() {addr_space = "x"} : !llvm.array<8 x i32>

// -----

module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k() kernel {
      gpu.return
    }
  }
  func.func @f(%n: index) {
    // expected-error @+1 {{'gpu.launch_func' op expected DenseI32ArrayAttr for 'operandSegmentSizes'}}
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n) <{kernel = @m::@k, operandSegmentSizes = 5 : i32}> : (index, index, index, index, index, index) -> ()
    return
  }
}
