// RUN: xgpu-opt %s --print-buffer-schedule="stages=3 prefetch=1 mode=pipelined" -o /dev/null 2>&1 | filecheck %s --match-full-lines --strict-whitespace
// RUN: xgpu-opt %s --print-buffer-schedule="producer-warps=1 registers=24,240 picture=%t.svg" -o /dev/null 2>&1 | filecheck %s --check-prefix=TWO
// RUN: cat %t.svg | filecheck %s --check-prefix=PICTURE
// RUN: not xgpu-opt %s --print-buffer-schedule="picture=a.png" 2>&1 | filecheck %s --check-prefix=SUFFIX
// RUN: xgpu-opt %S/bulk_copies.mlir --print-buffer-schedule="mode=warp-specialized" -o /dev/null 2>&1 | filecheck %s --check-prefix=WARPS

// WARPS: %tile: 4 stages of 512 bytes, copied 3 iteration(s) ahead by the copy engine, asked by one thread
// WARPS:            pro pro pro   0   1   2   3   4   5   6   7   8
// WARPS-NEXT:    stage 0  >0  -0  -0  #0  >4  -4  -4  #4  >8  -8  -8  #8

// TWO: copied 1 iteration(s) ahead by each thread, through registers

// PICTURE: <svg xmlns="http://www.w3.org/2000/svg"
// PICTURE: loop at {{[0-9]+}}:5: %tile</text>
// PICTURE: stage 0
// PICTURE: stage 1

// SUFFIX: option 'picture' is 'a.png', expected a file of type .svg

gpu.module @kernels {
  gpu.func @stores(%in: memref<?xf32>, %out: memref<?xf32>, %n: index)
      workgroup(%tile: memref<32xf32, #gpu.address_space<workgroup>>) kernel {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    scf.for %i = %c0 to %n step %c32 {
      %k = arith.addi %i, %t : index
      %v = memref.load %in[%k] : memref<?xf32>
      memref.store %v, %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %x = memref.load %tile[%t] : memref<32xf32, #gpu.address_space<workgroup>>
      memref.store %x, %out[%k] : memref<?xf32>
      gpu.barrier
    } {xgpu.circular_buffer}
    gpu.return
  }
}

// CHECK:{{.*}}:26:5: remark: buffer schedule: mode pipelined
// CHECK-NEXT:  %tile: 3 stages of 128 bytes, copied 1 iteration(s) ahead by each thread, through registers
// CHECK-NEXT:    filled at memref.store (29:7), used at memref.load (31:12)
// CHECK-NEXT:    only 2 of 3 stages have a tile at any time: a prefetch distance of 2 would use them all
// CHECK-NEXT:  a tile is there: all threads have met at a barrier
// CHECK-NEXT:  a stage is free: all threads have met at the next iteration's barrier
// CHECK-EMPTY:
// CHECK-NEXT:  %tile, by iteration (> asked for, - on its way, # used):
// CHECK-NEXT:            pro   0   1   2   3   4   5   6
// CHECK-NEXT:    stage 0  >0  #0   .  >3  #3   .  >6  #6
// CHECK-NEXT:    stage 1   .  >1  #1   .  >4  #4   .   .
// CHECK-NEXT:    stage 2   .   .  >2  #2   .  >5  #5   .
