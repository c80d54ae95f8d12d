// RUN: xgpu-opt %s --gpu-canonicalize-waits | filecheck %s

// What only waits and orders nothing goes; what is before what stays.

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<4xi32>) kernel {
      gpu.return
    }
  }

  // CHECK-LABEL: func.func @mlir_rules
  // CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : index
  // CHECK-NEXT: %[[A:.*]] = gpu.launch_func async @kernels::@k
  // CHECK-NEXT: gpu.wait [%[[A]]]
  // CHECK-NEXT: return
  func.func @mlir_rules(%x: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %fresh = gpu.wait async
    %unused = gpu.wait async [%fresh]
    gpu.wait
    %a = gpu.launch_func async [%fresh] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %one = gpu.wait async [%a]
    gpu.wait [%fresh, %one]
    return
  }

  // CHECK-LABEL: func.func @implied
  // CHECK: %[[A:.*]] = gpu.launch_func async @kernels::@k
  // CHECK: %[[B:.*]] = gpu.launch_func async [%[[A]]] @kernels::@k
  // CHECK: %[[C:.*]] = gpu.launch_func async [%[[B]]] @kernels::@k
  // CHECK: gpu.wait [%[[C]]]
  // CHECK-NEXT: gpu.launch_func async @kernels::@k
  // CHECK-NEXT: return
  func.func @implied(%x: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %a = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %b = gpu.launch_func async [%a, %a] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %ab = gpu.wait async [%a, %b]
    %c = gpu.launch_func async [%a, %ab] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    gpu.wait [%b, %c]
    gpu.wait [%a]
    %d = gpu.launch_func async [%c, %b] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    return
  }

  // Two chains that are joined twice stay two chains.
  // CHECK-LABEL: func.func @chains
  // CHECK: %[[A:.*]] = gpu.launch_func async @kernels::@k
  // CHECK: %[[B:.*]] = gpu.launch_func async @kernels::@k
  // CHECK: %[[C:.*]] = gpu.launch_func async @kernels::@k
  // CHECK: %[[J:.*]] = gpu.wait async [%[[A]], %[[B]], %[[C]]]
  // CHECK: %[[D:.*]] = gpu.launch_func async [%[[J]]] @kernels::@k
  // CHECK: %[[E:.*]] = gpu.launch_func async [%[[J]]] @kernels::@k
  // CHECK: gpu.wait [%[[D]], %[[E]]]
  func.func @chains(%x: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %a = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %b = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %ab = gpu.wait async [%a, %b]
    %c = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %abc = gpu.wait async [%ab, %c]
    %d = gpu.launch_func async [%abc] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %e = gpu.launch_func async [%abc] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    gpu.wait [%d, %e]
    return
  }

  // The iteration before is waited for through what the loop passes on; what another iteration
  // made may not be forgotten.
  // CHECK-LABEL: func.func @loop
  // CHECK: %[[A:.*]] = gpu.launch_func async @kernels::@k
  // CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[A]])
  // CHECK-NEXT: %[[B:.*]] = gpu.launch_func async [%[[T]]] @kernels::@k
  // CHECK-NEXT: scf.yield %[[B]]
  // CHECK: gpu.launch_func async [%[[R]]] @kernels::@k
  func.func @loop(%x: memref<4xi32>, %n: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (!gpu.async.token) {
      %b = gpu.launch_func async [%a, %t] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
      scf.yield %b : !gpu.async.token
    }
    %c = gpu.launch_func async [%r, %a] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    return
  }

  // Of a function that is not known, nothing is known.
  func.func private @elsewhere(!gpu.async.token) -> !gpu.async.token
  // CHECK-LABEL: func.func @unknown
  // CHECK: %[[A:.*]] = gpu.launch_func async @kernels::@k
  // CHECK: %[[B:.*]] = call @elsewhere(%[[A]])
  // CHECK: gpu.wait [%[[B]], %[[A]]]
  func.func @unknown(%x: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %a = gpu.launch_func async @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<4xi32>)
    %b = func.call @elsewhere(%a) : (!gpu.async.token) -> !gpu.async.token
    gpu.wait [%b, %a]
    return
  }
}
