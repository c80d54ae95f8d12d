// RUN: xgpu-opt %s --gpu-kernel-outlining | xgpu-opt --pass-pipeline='builtin.module(gpu.module(strip-debuginfo,convert-gpu-to-nvvm),nvvm-attach-target)' | xgpu-opt --gpu-async-region --gpu-to-llvm --reconcile-unrealized-casts --gpu-module-to-binary="format=host" | xgpu-opt --async-to-async-runtime --async-runtime-ref-counting | xgpu-opt --convert-async-to-llvm --convert-func-to-llvm --convert-arith-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts | xgpu-runner --device=host --entry-point-result=void | filecheck %s
// Work of the host that forks and joins, with work of the GPU inside, all the way to a result.

func.func private @printMemrefI32(memref<*xi32>)

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %seven = arith.constant 7 : i32
  %h = memref.alloc(%n) : memref<?xi32>
  %u = memref.cast %h : memref<?xi32> to memref<*xi32>
  gpu.host_register %u : memref<*xi32>
  memref.store %seven, %h[%c0] : memref<?xi32>
  memref.store %seven, %h[%c1] : memref<?xi32>
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  memref.store %seven, %h[%c2] : memref<?xi32>
  memref.store %seven, %h[%c3] : memref<?xi32>
  %t0, %f0 = async.execute () -> !async.value<memref<?xi32>> {
    %b = gpu.alloc(%n) : memref<?xi32>
    gpu.memcpy %b, %h : memref<?xi32>, memref<?xi32>
    async.yield %b : memref<?xi32>
  }
  %t1, %f1 = async.execute [%t0] (%f0 as %a: !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
    %b = gpu.alloc(%n) : memref<?xi32>
    gpu.memcpy %b, %a : memref<?xi32>, memref<?xi32>
    async.yield %b : memref<?xi32>
  }
  %t2 = async.execute [%t0, %t1] (%f0 as %a: !async.value<memref<?xi32>>, %f1 as %b: !async.value<memref<?xi32>>) {
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
      %x = memref.load %a[%tx] : memref<?xi32>
      %y = memref.load %b[%tx] : memref<?xi32>
      %i = arith.index_cast %tx : index to i32
      %p = arith.muli %x, %y : i32
      %s = arith.addi %p, %i : i32
      memref.store %s, %h[%tx] : memref<?xi32>
      gpu.terminator
    }
    async.yield
  }
  async.await %t2 : !async.token
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}

// CHECK: [49,  50,  51,  52]
