// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum of 65,536 numbers: each block of 256 threads adds its part up in workgroup memory, a
// barrier between the steps, and its first thread adds the block's sum to the result atomically.
//
//   xgpu-runner examples/reduce.mlir
//
// prints the sum and its distance from the sum that the host computes. All partial sums are small
// multiples of 1/8, so that no order of additions rounds.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @reduce(%in: memref<65536xf32>, %out: memref<1xf32>)
        workgroup(%partial: memref<256xf32, #gpu.address_space<workgroup>>) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c8 = arith.constant 8 : index
      %c128 = arith.constant 128 : index
      %c256 = arith.constant 256 : index
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %c256 : index
      %i = arith.addi %base, %thread : index
      %own = memref.load %in[%i] : memref<65536xf32>
      memref.store %own, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      scf.for %step = %c0 to %c8 step %c1 {
        %stride = arith.shrui %c128, %step : index
        %active = arith.cmpi ult, %thread, %stride : index
        scf.if %active {
          %other = arith.addi %thread, %stride : index
          %x = memref.load %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
          %y = memref.load %partial[%other] : memref<256xf32, #gpu.address_space<workgroup>>
          %sum = arith.addf %x, %y : f32
          memref.store %sum, %partial[%thread] : memref<256xf32, #gpu.address_space<workgroup>>
        }
        gpu.barrier
      }
      %first = arith.cmpi eq, %thread, %c0 : index
      scf.if %first {
        %sum = memref.load %partial[%c0] : memref<256xf32, #gpu.address_space<workgroup>>
        %old = memref.atomic_rmw addf %sum, %out[%c0] : (f32, memref<1xf32>) -> f32
      }
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c31 = arith.constant 31 : index
    %c256 = arith.constant 256 : index
    %size = arith.constant 65536 : index
    %zero = arith.constant 0.0 : f32
    %eighth = arith.constant 0.125 : f32
    %in = gpu.alloc host_shared () : memref<65536xf32>
    %out = gpu.alloc host_shared () : memref<1xf32>
    memref.store %zero, %out[%c0] : memref<1xf32>
    %expected = scf.for %i = %c0 to %size step %c1 iter_args(%total = %zero) -> (f32) {
      %rest = arith.remui %i, %c31 : index
      %int = arith.index_cast %rest : index to i32
      %float = arith.sitofp %int : i32 to f32
      %value = arith.mulf %float, %eighth : f32
      memref.store %value, %in[%i] : memref<65536xf32>
      %next = arith.addf %total, %value : f32
      scf.yield %next : f32
    }

    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@reduce
        blocks in (%c256, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%in : memref<65536xf32>, %out : memref<1xf32>)
    gpu.wait [%t1]

    %found = memref.load %out[%c0] : memref<1xf32>
    %difference = arith.subf %found, %expected : f32
    call @printF32(%found) : (f32) -> ()
    call @printNewline() : () -> ()
    call @printF32(%difference) : (f32) -> ()
    call @printNewline() : () -> ()

    %t2 = gpu.wait async
    %t3 = gpu.dealloc async [%t2] %in : memref<65536xf32>
    %t4 = gpu.dealloc async [%t3] %out : memref<1xf32>
    gpu.wait [%t4]
    return
  }

  func.func private @printF32(f32)
  func.func private @printNewline()
}
