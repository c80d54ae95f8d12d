// RUN: xgpu-opt %s | xgpu-opt | filecheck %s
// RUN: xgpu-opt %s --mlir-print-op-generic | xgpu-opt | filecheck %s

// CHECK: module {
// CHECK-NEXT:   func.func @streams(%arg0: !mgpu.function, %arg1: memref<?xf32>, %arg2: index, %arg3: i32, %arg4: f32) {
// CHECK-NEXT:     %0 = mgpu.stream_create
// CHECK-NEXT:     %1 = mgpu.event_create
// CHECK-NEXT:     mgpu.launch %0, %arg0 blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2)
// CHECK-NEXT:     mgpu.launch %0, %arg0 clusters in (%arg2, %arg2, %arg2) blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2)  dynamic_shared_memory_size %arg3 args(%arg1 : memref<?xf32>, %arg2 : index)
// CHECK-NEXT:     mgpu.event_record %1, %0
// CHECK-NEXT:     mgpu.stream_wait_event %0, %1
// CHECK-NEXT:     mgpu.event_synchronize %1
// CHECK-NEXT:     mgpu.stream_synchronize %0
// CHECK-NEXT:     mgpu.event_destroy %1
// CHECK-NEXT:     mgpu.stream_destroy %0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @streams(%f: !mgpu.function, %a: memref<?xf32>, %n: index, %shared: i32, %v: f32) {
  %s = mgpu.stream_create
  %e = mgpu.event_create
  mgpu.launch %s, %f blocks in (%n, %n, %n) threads in (%n, %n, %n)
  mgpu.launch %s, %f clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n)
      dynamic_shared_memory_size %shared args(%a : memref<?xf32>, %n : index)
  mgpu.event_record %e, %s
  mgpu.stream_wait_event %s, %e
  mgpu.event_synchronize %e
  mgpu.stream_synchronize %s
  mgpu.event_destroy %e
  mgpu.stream_destroy %s
  return
}

// CHECK-NEXT:   func.func @memory(%arg0: !mgpu.stream, %arg1: index, %arg2: f32, %arg3: memref<*xf32>, %arg4: i32) {
// CHECK-NEXT:     %0 = mgpu.alloc host_shared (%arg1) : memref<?x4xf32>
// CHECK-NEXT:     %1 = mgpu.alloc () : memref<4xf32>
// CHECK-NEXT:     %2 = mgpu.alloc_async %arg0, (%arg1) : memref<?x4xf32>
// CHECK-NEXT:     mgpu.memset %arg0, %2, %arg2 : memref<?x4xf32>, f32
// CHECK-NEXT:     mgpu.memcpy %arg0, %0, %2 : memref<?x4xf32>, memref<?x4xf32>
// CHECK-NEXT:     mgpu.free_async %arg0, %2 : memref<?x4xf32>
// CHECK-NEXT:     mgpu.free %1 : memref<4xf32>
// CHECK-NEXT:     mgpu.host_register %arg3 : memref<*xf32>
// CHECK-NEXT:     mgpu.host_unregister %arg3 : memref<*xf32>
// CHECK-NEXT:     mgpu.set_default_device %arg4
// CHECK-NEXT:     mgpu.annotate "a.mlir:1:2"
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @memory(%s: !mgpu.stream, %n: index, %v: f32, %u: memref<*xf32>, %device: i32) {
  %a = mgpu.alloc host_shared (%n) : memref<?x4xf32>
  %b = mgpu.alloc () : memref<4xf32>
  %c = mgpu.alloc_async %s, (%n) : memref<?x4xf32>
  mgpu.memset %s, %c, %v : memref<?x4xf32>, f32
  mgpu.memcpy %s, %a, %c : memref<?x4xf32>, memref<?x4xf32>
  mgpu.free_async %s, %c : memref<?x4xf32>
  mgpu.free %b : memref<4xf32>
  mgpu.host_register %u : memref<*xf32>
  mgpu.host_unregister %u : memref<*xf32>
  mgpu.set_default_device %device
  mgpu.annotate "a.mlir:1:2"
  return
}

// CHECK-NEXT:   func.func @modules(%arg0: !llvm.ptr, %arg1: i64, %arg2: i32) {
// CHECK-NEXT:     %0 = mgpu.module_load %arg0, %arg1
// CHECK-NEXT:     %1 = mgpu.module_load_jit %arg0, %arg2
// CHECK-NEXT:     %2 = mgpu.get_function %0, "k"
// CHECK-NEXT:     mgpu.kernel_preload %2
// CHECK-NEXT:     %3 = mgpu.kernel @kernels::@k : !mgpu.function
// CHECK-NEXT:     mgpu.module_unload %0
// CHECK-NEXT:     mgpu.module_unload %1
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @modules(%data: !llvm.ptr, %size: i64, %level: i32) {
  %m = mgpu.module_load %data, %size
  %j = mgpu.module_load_jit %data, %level
  %f = mgpu.get_function %m, "k"
  mgpu.kernel_preload %f
  %g = mgpu.kernel @kernels::@k : !mgpu.function
  mgpu.module_unload %m
  mgpu.module_unload %j
  return
}

// CHECK-NEXT:   func.func @graphs(%arg0: !mgpu.stream, %arg1: !mgpu.function, %arg2: index, %arg3: memref<4xf32>, %arg4: memref<4xf32>, %arg5: f32, %arg6: !llvm.ptr) {
// CHECK-NEXT:     %0 = mgpu.graph_create
// CHECK-NEXT:     %1 = mgpu.graph_add_empty %0[]
// CHECK-NEXT:     %2 = mgpu.graph_add_kernel %0[%1], %arg1 blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2)  args(%arg3 : memref<4xf32>)
// CHECK-NEXT:     %3 = mgpu.graph_add_memcpy %0[%2], %arg3, %arg4 : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     %4 = mgpu.graph_add_memset %0[%1], %arg4, %arg5 : memref<4xf32>, f32
// CHECK-NEXT:     %5 = mgpu.graph_add_host %0[%3, %4], %arg6, %arg6
// CHECK-NEXT:     %6 = mgpu.graph_instantiate %0
// CHECK-NEXT:     mgpu.graph_set_kernel %6, %2, %arg1 blocks in (%arg2, %arg2, %arg2) threads in (%arg2, %arg2, %arg2) : index args(%arg4 : memref<4xf32>)
// CHECK-NEXT:     mgpu.graph_set_memcpy %6, %3, %arg4, %arg3 : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:     mgpu.graph_set_memset %6, %4, %arg3, %arg5 : memref<4xf32>, f32
// CHECK-NEXT:     mgpu.graph_launch %6, %arg0
// CHECK-NEXT:     mgpu.graph_exec_destroy %6
// CHECK-NEXT:     mgpu.graph_destroy %0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
func.func @graphs(%s: !mgpu.stream, %f: !mgpu.function, %n: index, %a: memref<4xf32>, %b: memref<4xf32>,
                  %v: f32, %p: !llvm.ptr) {
  %g = mgpu.graph_create
  %0 = mgpu.graph_add_empty %g[]
  %1 = mgpu.graph_add_kernel %g[%0], %f blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%a : memref<4xf32>)
  %2 = mgpu.graph_add_memcpy %g[%1], %a, %b : memref<4xf32>, memref<4xf32>
  %3 = mgpu.graph_add_memset %g[%0], %b, %v : memref<4xf32>, f32
  %4 = mgpu.graph_add_host %g[%2, %3], %p, %p
  %x = mgpu.graph_instantiate %g
  mgpu.graph_set_kernel %x, %1, %f blocks in (%n, %n, %n) threads in (%n, %n, %n) : index args(%b : memref<4xf32>)
  mgpu.graph_set_memcpy %x, %2, %b, %a : memref<4xf32>, memref<4xf32>
  mgpu.graph_set_memset %x, %3, %a, %v : memref<4xf32>, f32
  mgpu.graph_launch %x, %s
  mgpu.graph_exec_destroy %x
  mgpu.graph_destroy %g
  return
}

// CHECK-NEXT:   llvm.mlir.global internal @cache() {addr_space = 0 : i32} : !llvm.array<2 x ptr> {
// CHECK-NEXT:     %0 = llvm.mlir.zero : !llvm.array<2 x ptr>
// CHECK-NEXT:     llvm.return %0 : !llvm.array<2 x ptr>
// CHECK-NEXT:   }
llvm.mlir.global internal @cache() : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.zero : !llvm.array<2 x ptr>
  llvm.return %0 : !llvm.array<2 x ptr>
}

// CHECK-NEXT:   func.func @caches() -> i1 {
// CHECK-NEXT:     %0 = mgpu.cache_load @cache[0] : !mgpu.graph_exec
// CHECK-NEXT:     %1 = mgpu.is_null %0 : !mgpu.graph_exec
// CHECK-NEXT:     %2 = mgpu.cache_take @cache[1] : !mgpu.event
// CHECK-NEXT:     mgpu.cache_store %2, @cache[1] : !mgpu.event
// CHECK-NEXT:     return %1 : i1
// CHECK-NEXT:   }
func.func @caches() -> i1 {
  %g = mgpu.cache_load @cache[0] : !mgpu.graph_exec
  %n = mgpu.is_null %g : !mgpu.graph_exec
  %e = mgpu.cache_take @cache[1] : !mgpu.event
  mgpu.cache_store %e, @cache[1] : !mgpu.event
  return %n : i1
}

// CHECK-NEXT:   func.func @communication(%arg0: !mgpu.stream, %arg1: memref<8xf32>, %arg2: memref<16xf32>, %arg3: i32) {
// CHECK-NEXT:     %0 = mpi.comm_world : !mpi.comm
// CHECK-NEXT:     %1 = gpu.wait async
// CHECK-NEXT:     %2 = mgpu.communicate async [%1] {
// CHECK-NEXT:       mpi.allgather(%arg1, %arg2, %0) : memref<8xf32>, memref<16xf32>
// CHECK-NEXT:     }
// CHECK-NEXT:     mgpu.communicate [%2] {
// CHECK-NEXT:       mpi.send(%arg1, %arg3, %arg3, %0) : memref<8xf32>, i32, i32
// CHECK-NEXT:       mpi.recv(%arg2, %arg3, %arg3, %0) : memref<16xf32>, i32, i32
// CHECK-NEXT:     }
// CHECK-NEXT:     mgpu.comm_group_start %arg0
// CHECK-NEXT:     mgpu.comm_all_reduce %arg0, %arg1, %arg1, MPI_MAX, %0 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     mgpu.comm_reduce_scatter %arg0, %arg2, %arg1, MPI_SUM, %0 : memref<16xf32>, memref<8xf32>
// CHECK-NEXT:     mgpu.comm_all_gather %arg0, %arg1, %arg2, %0 : memref<8xf32>, memref<16xf32>
// CHECK-NEXT:     mgpu.comm_all_to_all %arg0, %arg1, %arg1, %0 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:     mgpu.comm_broadcast %arg0, %arg1, %arg3, %0 : memref<8xf32>
// CHECK-NEXT:     mgpu.comm_send %arg0, %arg1, %arg3, %0 : memref<8xf32>
// CHECK-NEXT:     mgpu.comm_receive %arg0, %arg2, %arg3, %0 : memref<16xf32>
// CHECK-NEXT:     mgpu.comm_group_end %arg0
// CHECK-NEXT:     return
// CHECK-NEXT:   }
// CHECK-NEXT: }
func.func @communication(%s: !mgpu.stream, %a: memref<8xf32>, %b: memref<16xf32>, %peer: i32) {
  %comm = mpi.comm_world : !mpi.comm
  %t = gpu.wait async
  %u = mgpu.communicate async [%t] {
    mpi.allgather(%a, %b, %comm) : memref<8xf32>, memref<16xf32>
  }
  mgpu.communicate [%u] {
    mpi.send(%a, %peer, %peer, %comm) : memref<8xf32>, i32, i32
    mpi.recv(%b, %peer, %peer, %comm) : memref<16xf32>, i32, i32
  }
  mgpu.comm_group_start %s
  mgpu.comm_all_reduce %s, %a, %a, MPI_MAX, %comm : memref<8xf32>, memref<8xf32>
  mgpu.comm_reduce_scatter %s, %b, %a, MPI_SUM, %comm : memref<16xf32>, memref<8xf32>
  mgpu.comm_all_gather %s, %a, %b, %comm : memref<8xf32>, memref<16xf32>
  mgpu.comm_all_to_all %s, %a, %a, %comm : memref<8xf32>, memref<8xf32>
  mgpu.comm_broadcast %s, %a, %peer, %comm : memref<8xf32>
  mgpu.comm_send %s, %a, %peer, %comm : memref<8xf32>
  mgpu.comm_receive %s, %b, %peer, %comm : memref<16xf32>
  mgpu.comm_group_end %s
  return
}
