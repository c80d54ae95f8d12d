// RUN: xgpu-opt %s | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// Memory and streams.

func.func @memory(%host: memref<8xf32>, %any: memref<*xf32>, %n: index, %v: f32, %dev: i32) {
  gpu.set_default_device %dev
  gpu.host_register %any : memref<*xf32>
  %t = gpu.wait async
  %m, %t0 = gpu.alloc async [%t] (%n)[%n] : memref<?xf32, strided<[1], offset: ?>>
  %d, %t1 = gpu.alloc async [%t0] () : memref<8xf32>
  %t2 = gpu.memset async [%t1] %d, %v : memref<8xf32>, f32
  %t3 = gpu.memcpy async [%t2] %d, %host : memref<8xf32>, memref<8xf32>
  %t4 = gpu.dealloc async [%t3] %d : memref<8xf32>
  gpu.wait [%t4]
  gpu.memcpy %host, %host : memref<8xf32>, memref<8xf32>
  gpu.host_unregister %any : memref<*xf32>
  return
}

// CHECK: module {
// CHECK-NEXT: func.func @memory(%arg0: memref<8xf32>, %arg1: memref<*xf32>, %arg2: index, %arg3: f32, %arg4: i32) {
// CHECK-NEXT: gpu.set_default_device %arg4
// CHECK-NEXT: gpu.host_register %arg1 : memref<*xf32>
// CHECK-NEXT: %0 = gpu.wait async
// CHECK-NEXT: %memref, %asyncToken = gpu.alloc async [%0] (%arg2)[%arg2] : memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT: %memref_0, %asyncToken_1 = gpu.alloc async [%asyncToken] () : memref<8xf32>
// CHECK-NEXT: %1 = gpu.memset async [%asyncToken_1] %memref_0, %arg3 : memref<8xf32>, f32
// CHECK-NEXT: %2 = gpu.memcpy async [%1] %memref_0, %arg0 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT: %3 = gpu.dealloc async [%2] %memref_0 : memref<8xf32>
// CHECK-NEXT: gpu.wait [%3]
// CHECK-NEXT: gpu.memcpy  %arg0, %arg0 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT: gpu.host_unregister %arg1 : memref<*xf32>
// CHECK-NEXT: return
// CHECK-NEXT: }
// CHECK-NEXT: }
