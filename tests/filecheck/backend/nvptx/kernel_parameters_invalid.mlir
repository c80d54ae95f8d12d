// RUN: xgpu-opt %s --gpu-lower-to-nvvm-pipeline="cubin-format=isa" --split-input-file --verify-diagnostics
// Integers that PTX has no parameters of.

gpu.module @between_64_and_128 {
  // expected-error @+1 {{'llvm.func' op argument #1 of a kernel has the type 'i65', which PTX has no parameters of: use one of i1, i8, i16, i32, i64 or 'i128'}}
  gpu.func @k(%a: i32, %b: i65, %m: memref<4xi32>) kernel {
    %c = arith.constant 1 : index
    %t = arith.trunci %b : i65 to i32
    memref.store %t, %m[%c] : memref<4xi32>
    gpu.return
  }
}

// -----

gpu.module @no_power_of_two {
  // expected-error @+1 {{'llvm.func' op argument #0 of a kernel has the type 'i24', which PTX has no parameters of: use one of i1, i8, i16, i32, i64 or 'i128'}}
  gpu.func @k(%a: i24, %m: memref<4xi24>) kernel {
    %c = arith.constant 1 : index
    memref.store %a, %m[%c] : memref<4xi24>
    gpu.return
  }
}

// -----

gpu.module @fine {
  gpu.func @k(%a: i1, %b: i8, %c: i16, %d: i32, %e: i64, %f: i128, %g: i256) kernel {
    gpu.return
  }
}
