// RUN: xgpu-opt %s --pass-pipeline="builtin.module(gpu.module(convert-gpu-to-nvvm))" --split-input-file --verify-diagnostics

gpu.module @wide {
  gpu.func @kernel(%v: i128, %m: memref<1xi128>, %i: index) kernel {
    // expected-error @below {{cannot move the 128 bits of 'i128' from lane to lane}}
    %r = gpu.subgroup_reduce add %v : (i128) -> i128
    memref.store %r, %m[%i] : memref<1xi128>
    gpu.return
  }
}

// -----

gpu.module @wide_shuffle {
  gpu.func @kernel(%v: f128, %m: memref<1xf128>, %i: index, %n: i32) kernel {
    // expected-error @below {{cannot move the 128 bits of 'f128' from lane to lane}}
    %r, %valid = gpu.shuffle xor %v, %n, %n : f128
    memref.store %r, %m[%i] : memref<1xf128>
    gpu.return
  }
}

// -----

gpu.module @cluster {
  gpu.func @kernel(%v: i32, %m: memref<1xi32>, %i: index) kernel {
    // expected-error @below {{cluster size 64 is greater than subgroup size 32}}
    %r = gpu.subgroup_reduce add %v cluster(size = 64) : (i32) -> i32
    memref.store %r, %m[%i] : memref<1xi32>
    gpu.return
  }
}
