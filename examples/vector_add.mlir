// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// c = a + b over 100,000 elements: one thread an element, the last block not full.
//
//   xgpu-runner examples/vector_add.mlir
//
// prints a checksum and the largest error.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>, %size: index) kernel {
      %block = gpu.block_id x
      %block_size = gpu.block_dim x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %block_size : index
      %i = arith.addi %base, %thread : index
      %inside = arith.cmpi ult, %i, %size : index
      scf.if %inside {
        %x = memref.load %a[%i] : memref<?xf32>
        %y = memref.load %b[%i] : memref<?xf32>
        %sum = arith.addf %x, %y : f32
        memref.store %sum, %c[%i] : memref<?xf32>
      }
      gpu.return
    }
  }

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %size = arith.constant 100000 : index
    %zero = arith.constant 0.0 : f32
    %half = arith.constant 0.5 : f32
    %a = gpu.alloc host_shared (%size) : memref<?xf32>
    %b = gpu.alloc host_shared (%size) : memref<?xf32>
    %c = gpu.alloc host_shared (%size) : memref<?xf32>
    scf.for %i = %c0 to %size step %c1 {
      %int = arith.index_cast %i : index to i32
      %x = arith.sitofp %int : i32 to f32
      %y = arith.mulf %x, %half : f32
      memref.store %x, %a[%i] : memref<?xf32>
      memref.store %y, %b[%i] : memref<?xf32>
    }

    %blocks = arith.ceildivui %size, %c256 : index
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @kernels::@add
        blocks in (%blocks, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%a : memref<?xf32>, %b : memref<?xf32>, %c : memref<?xf32>, %size : index)
    gpu.wait [%t1]

    %checksum, %error = scf.for %i = %c0 to %size step %c1
        iter_args(%total = %zero, %worst = %zero) -> (f32, f32) {
      %x = memref.load %a[%i] : memref<?xf32>
      %y = memref.load %b[%i] : memref<?xf32>
      %found = memref.load %c[%i] : memref<?xf32>
      %expected = arith.addf %x, %y : f32
      %difference = arith.subf %found, %expected : f32
      %negated = arith.negf %difference : f32
      %magnitude = arith.maximumf %difference, %negated : f32
      %worse = arith.maximumf %worst, %magnitude : f32
      %next = arith.addf %total, %found : f32
      scf.yield %next, %worse : f32, f32
    }
    call @printF32(%checksum) : (f32) -> ()
    call @printNewline() : () -> ()
    call @printF32(%error) : (f32) -> ()
    call @printNewline() : () -> ()

    %t2 = gpu.wait async
    %t3 = gpu.dealloc async [%t2] %a : memref<?xf32>
    %t4 = gpu.dealloc async [%t3] %b : memref<?xf32>
    %t5 = gpu.dealloc async [%t4] %c : memref<?xf32>
    gpu.wait [%t5]
    return
  }

  func.func private @printF32(f32)
  func.func private @printNewline()
}
