// RUN: xgpu-opt --gpu-normalize-async %s | filecheck %s --match-full-lines

module attributes {gpu.container_module} {
// A synchronous operation gets a token of its own, which the host waits for.
func.func @synchronous(%d: memref<?xf32, 1>, %s: memref<?xf32>, %x: f32, %n: index) {
  %m = gpu.alloc(%n) : memref<?xf32, 1>
  gpu.memcpy %d, %s : memref<?xf32, 1>, memref<?xf32>
  gpu.memset %m, %x : memref<?xf32, 1>, f32
  gpu.dealloc %m : memref<?xf32, 1>
  return
}

// Several dependencies become one.
func.func @several(%d: memref<?xf32, 1>, %s: memref<?xf32>, %a: !gpu.async.token, %b: !gpu.async.token) {
  %0 = gpu.memcpy async [%a, %b] %d, %s : memref<?xf32, 1>, memref<?xf32>
  %1 = gpu.memcpy async %d, %s : memref<?xf32, 1>, memref<?xf32>
  gpu.memcpy [%0, %1] %d, %s : memref<?xf32, 1>, memref<?xf32>
  return
}

// What gpu-to-llvm lowers itself stays.
func.func @stays(%d: memref<?xf32, 1>, %s: memref<?xf32>, %a: !gpu.async.token, %n: index) {
  %0 = gpu.memcpy async [%a] %d, %s : memref<?xf32, 1>, memref<?xf32>
  gpu.wait [%0]
  %m = gpu.alloc host_shared (%n) : memref<?xf32>
  gpu.launch_func @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

// A launch that depends on tokens, without one of its own, is waited for before.
func.func @launch(%a: !gpu.async.token, %b: !gpu.async.token, %n: index) {
  gpu.launch_func [%a] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  gpu.launch_func [%a, %b] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  %0 = gpu.launch_func async [%a, %b] @kernels::@k blocks in (%n, %n, %n) threads in (%n, %n, %n)
  return
}

gpu.module @kernels {
  gpu.func @k() kernel {
    gpu.return
  }
}
}

// CHECK: module attributes {gpu.container_module} {
// CHECK-NEXT:   func.func @synchronous(%arg0: memref<?xf32, 1>, %arg1: memref<?xf32>, %arg2: f32, %arg3: index) {
// CHECK-NEXT:     %0 = gpu.wait async
// CHECK-NEXT:     %memref, %asyncToken = gpu.alloc async [%0] (%arg3) : memref<?xf32, 1>
// CHECK-NEXT:     gpu.wait [%asyncToken]
// CHECK-NEXT:     %1 = gpu.wait async
// CHECK-NEXT:     %2 = gpu.memcpy async [%1] %arg0, %arg1 : memref<?xf32, 1>, memref<?xf32>
// CHECK-NEXT:     gpu.wait [%2]
// CHECK-NEXT:     %3 = gpu.wait async
// CHECK-NEXT:     %4 = gpu.memset async [%3] %memref, %arg2 : memref<?xf32, 1>, f32
// CHECK-NEXT:     gpu.wait [%4]
// CHECK-NEXT:     %5 = gpu.wait async
// CHECK-NEXT:     %6 = gpu.dealloc async [%5] %memref : memref<?xf32, 1>
// CHECK-NEXT:     gpu.wait [%6]
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @several(%arg0: memref<?xf32, 1>, %arg1: memref<?xf32>, %arg2: !gpu.async.token, %arg3: !gpu.async.token) {
// CHECK-NEXT:     %0 = gpu.wait async [%arg2, %arg3]
// CHECK-NEXT:     %1 = gpu.memcpy async [%0] %arg0, %arg1 : memref<?xf32, 1>, memref<?xf32>
// CHECK-NEXT:     %2 = gpu.wait async
// CHECK-NEXT:     %3 = gpu.memcpy async [%2] %arg0, %arg1 : memref<?xf32, 1>, memref<?xf32>
// CHECK-NEXT:     %4 = gpu.wait async [%1, %3]
// CHECK-NEXT:     %5 = gpu.memcpy async [%4] %arg0, %arg1 : memref<?xf32, 1>, memref<?xf32>
// CHECK-NEXT:     gpu.wait [%5]
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @stays(%arg0: memref<?xf32, 1>, %arg1: memref<?xf32>, %arg2: !gpu.async.token, %arg3: index) {
// CHECK-NEXT:     %0 = gpu.memcpy async [%arg2] %arg0, %arg1 : memref<?xf32, 1>, memref<?xf32>
// CHECK-NEXT:     gpu.wait [%0]
// CHECK-NEXT:     %memref = gpu.alloc  host_shared (%arg3) : memref<?xf32>
// CHECK-NEXT:     gpu.launch_func  @kernels::@k blocks in (%arg3, %arg3, %arg3) threads in (%arg3, %arg3, %arg3)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   func.func @launch(%arg0: !gpu.async.token, %arg1: !gpu.async.token, %arg2: index) {
// CHECK-NEXT:     gpu.wait [%arg0]
// CHECK-NEXT:     gpu.launch_func  @kernels::@k blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2)
// CHECK-NEXT:     %0 = gpu.wait async [%arg0, %arg1]
// CHECK-NEXT:     gpu.wait [%0]
// CHECK-NEXT:     gpu.launch_func  @kernels::@k blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2)
// CHECK-NEXT:     %1 = gpu.wait async [%arg0, %arg1]
// CHECK-NEXT:     %2 = gpu.launch_func async [%1] @kernels::@k blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2)
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT:   gpu.module @kernels {
// CHECK-NEXT:     gpu.func @k() kernel {
// CHECK-NEXT:       gpu.return
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
