// RUN: xgpu-opt %s --convert-gpu-to-nvvm --verify-diagnostics

// An operation of a dialect of this project has to be converted on the device, as one of gpu has.
gpu.module @kernels {
  llvm.func @waits(%stream: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
    %s = builtin.unrealized_conversion_cast %stream : !llvm.ptr to !mgpu.stream
    // expected-error @+1 {{failed to legalize operation 'mgpu.stream_synchronize' that was explicitly marked illegal}}
    mgpu.stream_synchronize %s
    llvm.return
  }
}
