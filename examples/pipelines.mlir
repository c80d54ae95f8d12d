// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three pieces of work that need nothing of one another, each a chain of its own, and two sums:
//
//     fill -> power -> power \
//                             sum \
//     fill -> power ---------/     sum -> copy to the host
//     fill -> power --------------/
//
//   xgpu-runner examples/pipelines.mlir --timeline pipelines.svg
//
// prints three numbers that must be 2385411 and draws how the chains overlap: as many streams as there
// are chains, an arrow for each wait. `--schedules=20` runs it under other legal orders.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    // x -> x^(2^rounds), by squaring, modulo 1000003: work for a while.
    gpu.func @power(%data: memref<4096xi64>, %rounds: index) kernel {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %modulus = arith.constant 1000003 : i64
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %size : index
      %i = arith.addi %base, %thread : index
      %first = memref.load %data[%i] : memref<4096xi64>
      %last = scf.for %k = %c0 to %rounds step %c1 iter_args(%x = %first) -> (i64) {
        %square = arith.muli %x, %x : i64
        %next = arith.remui %square, %modulus : i64
        scf.yield %next : i64
      }
      memref.store %last, %data[%i] : memref<4096xi64>
      gpu.return
    }
    gpu.func @sum(%a: memref<4096xi64>, %b: memref<4096xi64>) kernel {
      %block = gpu.block_id x
      %size = gpu.block_dim x
      %thread = gpu.thread_id x
      %base = arith.muli %block, %size : index
      %i = arith.addi %base, %thread : index
      %x = memref.load %a[%i] : memref<4096xi64>
      %y = memref.load %b[%i] : memref<4096xi64>
      %sum = arith.addi %x, %y : i64
      memref.store %sum, %a[%i] : memref<4096xi64>
      gpu.return
    }
  }

  func.func private @printI64(i64)
  func.func private @printNewline()

  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c1024 = arith.constant 1024 : index
    %c4095 = arith.constant 4095 : index
    %rounds = arith.constant 1000 : index
    %five = arith.constant 5 : i64
    %host = memref.alloc() : memref<4096xi64>
    %host_any = memref.cast %host : memref<4096xi64> to memref<*xi64>
    gpu.host_register %host_any : memref<*xi64>

    %s = gpu.wait async
    %a, %a0 = gpu.alloc async [%s] () : memref<4096xi64>
    %a1 = gpu.memset async [%a0] %a, %five : memref<4096xi64>, i64
    %a2 = gpu.launch_func async [%a1] @kernels::@power
        blocks in (%c4, %c1, %c1) threads in (%c1024, %c1, %c1)
        args(%a : memref<4096xi64>, %rounds : index)
    %a3 = gpu.launch_func async [%a2] @kernels::@power
        blocks in (%c4, %c1, %c1) threads in (%c1024, %c1, %c1)
        args(%a : memref<4096xi64>, %rounds : index)

    %b, %b0 = gpu.alloc async [%s] () : memref<4096xi64>
    %b1 = gpu.memset async [%b0] %b, %five : memref<4096xi64>, i64
    %b2 = gpu.launch_func async [%b1] @kernels::@power
        blocks in (%c4, %c1, %c1) threads in (%c1024, %c1, %c1)
        args(%b : memref<4096xi64>, %rounds : index)

    %c, %t0 = gpu.alloc async [%s] () : memref<4096xi64>
    %t1 = gpu.memset async [%t0] %c, %five : memref<4096xi64>, i64
    %t2 = gpu.launch_func async [%t1] @kernels::@power
        blocks in (%c4, %c1, %c1) threads in (%c1024, %c1, %c1)
        args(%c : memref<4096xi64>, %rounds : index)

    %ab = gpu.launch_func async [%a3, %b2] @kernels::@sum
        blocks in (%c4, %c1, %c1) threads in (%c1024, %c1, %c1)
        args(%a : memref<4096xi64>, %b : memref<4096xi64>)
    %abc = gpu.launch_func async [%ab, %t2] @kernels::@sum
        blocks in (%c4, %c1, %c1) threads in (%c1024, %c1, %c1)
        args(%a : memref<4096xi64>, %c : memref<4096xi64>)
    %copied = gpu.memcpy async [%abc] %host, %a : memref<4096xi64>, memref<4096xi64>
    %d0 = gpu.dealloc async [%copied] %a : memref<4096xi64>
    %d1 = gpu.dealloc async [%ab] %b : memref<4096xi64>
    %d2 = gpu.dealloc async [%abc] %c : memref<4096xi64>
    gpu.wait [%d0, %d1, %d2]

    %first = memref.load %host[%c0] : memref<4096xi64>
    %second = memref.load %host[%c2] : memref<4096xi64>
    %last = memref.load %host[%c4095] : memref<4096xi64>
    func.call @printI64(%first) : (i64) -> ()
    func.call @printNewline() : () -> ()
    func.call @printI64(%second) : (i64) -> ()
    func.call @printNewline() : () -> ()
    func.call @printI64(%last) : (i64) -> ()
    func.call @printNewline() : () -> ()
    gpu.host_unregister %host_any : memref<*xi64>
    memref.dealloc %host : memref<4096xi64>
    return
  }
}
