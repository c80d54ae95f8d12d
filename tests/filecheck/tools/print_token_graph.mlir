// RUN: xgpu-opt %s --print-token-graph | filecheck %s
// RUN: xgpu-opt %s --print-token-graph=mermaid | filecheck %s --check-prefix=MERMAID
// RUN: xgpu-opt %s --print-token-graph=dot | filecheck %s --check-prefix=DOT

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @twice(%x: memref<4xi32>) kernel {
      %c0 = arith.constant 0 : index
      %0 = memref.load %x[%c0] : memref<4xi32>
      %1 = arith.addi %0, %0 : i32
      memref.store %1, %x[%c0] : memref<4xi32>
      gpu.return
    }
  }

  // CHECK: @sum
  // CHECK-NEXT: #0 work: %a = gpu.launch_func @kernels::@twice at 39:10; writes %x
  // CHECK-NEXT: #1 work: %b = gpu.launch_func @kernels::@twice at 40:10; writes %y
  // CHECK-NEXT: #2 join: %ab = gpu.wait at 41:11; after #0, #1
  // CHECK-NEXT: #3 merge: token of scf.for %t; after #2, #4 of the iteration before
  // CHECK-NEXT: #4 work: %u = gpu.launch_func @kernels::@twice at 43:12; after #3; writes %x
  // CHECK-NEXT: #5 merge: token of scf.for %r; after #2, #4
  // CHECK-NEXT: #6 host_wait: gpu.wait at 46:5; after #5
  // CHECK-NEXT: #7 host: %v = memref.load at 47:10; the host has waited for #4; reads %x
  // CHECK-NEXT: #8 work: %late = gpu.launch_func @kernels::@twice at 48:13; the host has waited for #4; writes %y
  // CHECK-NEXT: #9 host: %w = memref.load at 49:10; the host has waited for #4; reads %y
  // CHECK-NEXT: nothing orders #8 and #9, which share %y

  // MERMAID: flowchart TD
  // MERMAID: subgraph f0["@sum"]
  // MERMAID: f0n2{{[{][{]}}"%ab = gpu.wait (41:11)"
  // MERMAID: f0n4 -.-> f0n3
  // DOT: digraph tokens {
  // DOT: f0n0 [label="%a = gpu.launch_func @kernels::@twice (39:10)", shape=box];
  // DOT: f0n4 -> f0n3 [style=dashed];
  func.func @sum(%x: memref<4xi32>, %y: memref<4xi32>, %n: index) -> i32 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = gpu.launch_func async @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %b = gpu.launch_func async @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<4xi32>)
    %ab = gpu.wait async [%a, %b]
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %ab) -> (!gpu.async.token) {
      %u = gpu.launch_func async [%t] @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
      scf.yield %u : !gpu.async.token
    }
    gpu.wait [%r]
    %v = memref.load %x[%c0] : memref<4xi32>
    %late = gpu.launch_func async @kernels::@twice blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<4xi32>)
    %w = memref.load %y[%c0] : memref<4xi32>
    %s = arith.addi %v, %w : i32
    return %s : i32
  }
}
