// RUN: xgpu-opt --gpu-map-foralls-to-threads --split-input-file --verify-diagnostics %s

func.func @steps(%a: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{expected loops from 0 in steps of 1}}
    scf.forall (%i) = (0) to (16) step (2) {
      memref.store %zero, %a[%i] : memref<16xf32>
    } {mapping = [#gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}

// -----

func.func @results(%t: tensor<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c16, %sy = %c1, %sz = %c1) {
    // expected-error @+1 {{expected a loop on buffers, without results}}
    %0 = scf.forall (%i) in (16) shared_outs(%o = %t) -> tensor<16xf32> {
      scf.forall.in_parallel {
      }
    } {mapping = [#gpu.thread<linear_dim_0>]}
    gpu.terminator
  }
  return
}
