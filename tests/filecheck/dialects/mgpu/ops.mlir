// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// CHECK-LABEL: func.func @streams
func.func @streams(%f: !mgpu.function, %a: memref<?xf32>, %n: index, %shared: i32, %v: f32) {
  // CHECK: %[[S:.*]] = mgpu.stream_create
  %s = mgpu.stream_create
  // CHECK-NEXT: %[[E:.*]] = mgpu.event_create
  %e = mgpu.event_create
  // CHECK-NEXT: mgpu.launch %[[S]], %{{.*}} blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}})
  mgpu.launch %s, %f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  // CHECK-NEXT: mgpu.launch %[[S]], %{{.*}} clusters in (%{{.*}}, %{{.*}}, %{{.*}}) blocks in (%{{.*}}, %{{.*}}, %{{.*}}) threads in (%{{.*}}, %{{.*}}, %{{.*}}) dynamic_shared_memory_size %{{.*}} args(%{{.*}} : memref<?xf32>, %{{.*}} : index)
  mgpu.launch %s, %f clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
      dynamic_shared_memory_size %shared args(%a : memref<?xf32>, %n : index)
  // CHECK-NEXT: mgpu.event_record %[[E]], %[[S]]
  mgpu.event_record %e, %s
  // CHECK-NEXT: mgpu.stream_wait_event %[[S]], %[[E]]
  mgpu.stream_wait_event %s, %e
  // CHECK-NEXT: mgpu.event_synchronize %[[E]]
  mgpu.event_synchronize %e
  // CHECK-NEXT: mgpu.stream_synchronize %[[S]]
  mgpu.stream_synchronize %s
  // CHECK-NEXT: mgpu.event_destroy %[[E]]
  mgpu.event_destroy %e
  // CHECK-NEXT: mgpu.stream_destroy %[[S]]
  mgpu.stream_destroy %s
  return
}

// CHECK-LABEL: func.func @memory
func.func @memory(%s: !mgpu.stream, %n: index, %v: f32, %u: memref<*xf32>, %device: i32) {
  // CHECK: mgpu.alloc host_shared (%{{.*}}) : memref<?x4xf32>
  %a = mgpu.alloc host_shared (%n) : memref<?x4xf32>
  // CHECK: mgpu.alloc () : memref<4xf32>
  %b = mgpu.alloc () : memref<4xf32>
  // CHECK: mgpu.alloc_async %{{.*}}, (%{{.*}}) : memref<?x4xf32>
  %c = mgpu.alloc_async %s, (%n) : memref<?x4xf32>
  // CHECK: mgpu.memset %{{.*}}, %{{.*}}, %{{.*}} : memref<?x4xf32>, f32
  mgpu.memset %s, %c, %v : memref<?x4xf32>, f32
  // CHECK: mgpu.memcpy %{{.*}}, %{{.*}}, %{{.*}} : memref<?x4xf32>, memref<?x4xf32>
  mgpu.memcpy %s, %a, %c : memref<?x4xf32>, memref<?x4xf32>
  // CHECK: mgpu.free_async %{{.*}}, %{{.*}} : memref<?x4xf32>
  mgpu.free_async %s, %c : memref<?x4xf32>
  // CHECK: mgpu.free %{{.*}} : memref<4xf32>
  mgpu.free %b : memref<4xf32>
  // CHECK: mgpu.host_register %{{.*}} : memref<*xf32>
  mgpu.host_register %u : memref<*xf32>
  // CHECK: mgpu.host_unregister %{{.*}} : memref<*xf32>
  mgpu.host_unregister %u : memref<*xf32>
  // CHECK: mgpu.set_default_device %{{.*}}
  mgpu.set_default_device %device
  // CHECK: mgpu.annotate "a.mlir:1:2"
  mgpu.annotate "a.mlir:1:2"
  return
}

// CHECK-LABEL: func.func @modules
func.func @modules(%data: !llvm.ptr, %size: i64, %level: i32) {
  // CHECK: %[[M:.*]] = mgpu.module_load %{{.*}}, %{{.*}}
  %m = mgpu.module_load %data, %size
  // CHECK: mgpu.module_load_jit %{{.*}}, %{{.*}}
  %j = mgpu.module_load_jit %data, %level
  // CHECK: %[[F:.*]] = mgpu.get_function %[[M]], "k"
  %f = mgpu.get_function %m, "k"
  // CHECK: mgpu.kernel_preload %[[F]]
  mgpu.kernel_preload %f
  // CHECK: mgpu.kernel @kernels::@k : !mgpu.function
  %g = mgpu.kernel @kernels::@k : !mgpu.function
  // CHECK: mgpu.module_unload %[[M]]
  mgpu.module_unload %m
  mgpu.module_unload %j
  return
}

// CHECK-LABEL: func.func @graphs
func.func @graphs(%s: !mgpu.stream, %f: !mgpu.function, %n: index, %a: memref<4xf32>, %b: memref<4xf32>,
                  %v: f32, %p: !llvm.ptr) {
  // CHECK: %[[G:.*]] = mgpu.graph_create
  %g = mgpu.graph_create
  // CHECK: %[[N0:.*]] = mgpu.graph_add_empty %[[G]][]
  %0 = mgpu.graph_add_empty %g[]
  // CHECK: %[[N1:.*]] = mgpu.graph_add_kernel %[[G]][%[[N0]]], %{{.*}} blocks in
  %1 = mgpu.graph_add_kernel %g[%0], %f blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xf32>)
  // CHECK: %[[N2:.*]] = mgpu.graph_add_memcpy %[[G]][%[[N1]]], %{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32>
  %2 = mgpu.graph_add_memcpy %g[%1], %a, %b : memref<4xf32>, memref<4xf32>
  // CHECK: %[[N3:.*]] = mgpu.graph_add_memset %[[G]][%[[N0]]], %{{.*}}, %{{.*}} : memref<4xf32>, f32
  %3 = mgpu.graph_add_memset %g[%0], %b, %v : memref<4xf32>, f32
  // CHECK: mgpu.graph_add_host %[[G]][%[[N2]], %[[N3]]], %{{.*}}, %{{.*}}
  %4 = mgpu.graph_add_host %g[%2, %3], %p, %p
  // CHECK: %[[X:.*]] = mgpu.graph_instantiate %[[G]]
  %x = mgpu.graph_instantiate %g
  // CHECK: mgpu.graph_set_kernel %[[X]], %[[N1]], %{{.*}} blocks in
  mgpu.graph_set_kernel %x, %1, %f blocks in (%n, %n, %n) threads in (%n, %n, %n) : index args(%b : memref<4xf32>)
  // CHECK: mgpu.graph_set_memcpy %[[X]], %[[N2]], %{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32>
  mgpu.graph_set_memcpy %x, %2, %b, %a : memref<4xf32>, memref<4xf32>
  // CHECK: mgpu.graph_set_memset %[[X]], %[[N3]], %{{.*}}, %{{.*}} : memref<4xf32>, f32
  mgpu.graph_set_memset %x, %3, %a, %v : memref<4xf32>, f32
  // CHECK: mgpu.graph_launch %[[X]], %{{.*}}
  mgpu.graph_launch %x, %s
  // CHECK: mgpu.graph_exec_destroy %[[X]]
  mgpu.graph_exec_destroy %x
  // CHECK: mgpu.graph_destroy %[[G]]
  mgpu.graph_destroy %g
  return
}

llvm.mlir.global internal @cache() : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.zero : !llvm.array<2 x ptr>
  llvm.return %0 : !llvm.array<2 x ptr>
}

// CHECK-LABEL: func.func @caches
func.func @caches() -> i1 {
  // CHECK: %[[G:.*]] = mgpu.cache_load @cache[0] : !mgpu.graph_exec
  %g = mgpu.cache_load @cache[0] : !mgpu.graph_exec
  // CHECK: %[[N:.*]] = mgpu.is_null %[[G]] : !mgpu.graph_exec
  %n = mgpu.is_null %g : !mgpu.graph_exec
  // CHECK: %[[E:.*]] = mgpu.cache_take @cache[1] : !mgpu.event
  %e = mgpu.cache_take @cache[1] : !mgpu.event
  // CHECK: mgpu.cache_store %[[E]], @cache[1] : !mgpu.event
  mgpu.cache_store %e, @cache[1] : !mgpu.event
  return %n : i1
}
