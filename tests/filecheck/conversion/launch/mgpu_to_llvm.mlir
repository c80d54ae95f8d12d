// RUN: xgpu-opt %s --convert-mgpu-to-llvm --split-input-file | filecheck %s

// CHECK-LABEL: func.func @streams
func.func @streams() {
  // CHECK: %[[S:.*]] = llvm.call @mgpuStreamCreate() : () -> !llvm.ptr
  %s = mgpu.stream_create
  // CHECK: %[[E:.*]] = llvm.call @mgpuEventCreate() : () -> !llvm.ptr
  %e = mgpu.event_create
  // CHECK: llvm.call @mgpuEventRecord(%[[E]], %[[S]])
  mgpu.event_record %e, %s
  // CHECK: llvm.call @mgpuStreamWaitEvent(%[[S]], %[[E]])
  mgpu.stream_wait_event %s, %e
  // CHECK: llvm.call @mgpuEventSynchronize(%[[E]])
  mgpu.event_synchronize %e
  // CHECK: llvm.call @mgpuStreamSynchronize(%[[S]])
  mgpu.stream_synchronize %s
  // CHECK: llvm.call @mgpuEventDestroy(%[[E]])
  mgpu.event_destroy %e
  // CHECK: llvm.call @mgpuStreamDestroy(%[[S]])
  mgpu.stream_destroy %s
  return
}

// -----

// One buffer a function, in its first block: as large as the largest launch needs, with one array of
// addresses for launches of the same types.
// CHECK-LABEL: func.func @arguments
// CHECK: %[[SIZE:.*]] = llvm.mlir.constant(20 : i64) : i64
// CHECK: %[[BUFFER:.*]] = llvm.alloca %[[SIZE]] x i8 {alignment = 16 : i64}
// CHECK: %[[ONE:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK: %[[TWO:.*]] = llvm.alloca %{{.*}} x !llvm.ptr
// CHECK-NOT: llvm.alloca
func.func @arguments(%s: !mgpu.stream, %f: !mgpu.function, %n: i64, %v: f32, %w: f64, %h: f16, %shared: i32) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c8 {
    // CHECK: llvm.store %{{.*}}, %{{.*}} : f32, !llvm.ptr
    // CHECK: llvm.call @mgpuLaunchKernel(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[ONE]], %{{.*}}, %{{.*}})
    mgpu.launch %s, %f blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%v : f32)
    // CHECK: llvm.call @mgpuLaunchKernel({{.*}}, %[[ONE]], %{{.*}}, %{{.*}})
    mgpu.launch %s, %f blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%v : f32)
    // CHECK: llvm.call @mgpuLaunchClusterKernel({{.*}}, %[[TWO]], %{{.*}})
    mgpu.launch %s, %f clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
        dynamic_shared_memory_size %shared args(%h : f16, %w : f64, %v : f32)
  }
  return
}

// -----

// CHECK-LABEL: func.func @memory
func.func @memory(%s: !mgpu.stream, %a: memref<4xf32>, %b: memref<4xf32, strided<[1], offset: 2>>,
                  %c: memref<4xi8>, %d: memref<4xf64>, %v: f32, %w: i8, %x: f64) {
  // CHECK: llvm.call @mgpuMemAllocAsync(%{{.*}}, %{{.*}}) : (i64, !llvm.ptr) -> !llvm.ptr
  %0 = mgpu.alloc_async %s, () : memref<4xf32>
  // CHECK: llvm.call @mgpuMemFreeAsync(%{{.*}}, %{{.*}})
  mgpu.free_async %s, %0 : memref<4xf32>
  // CHECK: %[[SHARED:.*]] = llvm.mlir.constant(1 : i8) : i8
  // CHECK: llvm.call @mgpuMemAlloc(%{{.*}}, %{{.*}}, %[[SHARED]])
  %1 = mgpu.alloc host_shared () : memref<4xf32>
  // CHECK: llvm.call @mgpuMemFree(%{{.*}}, %{{.*}})
  mgpu.free %1 : memref<4xf32>
  // CHECK: llvm.call @mgpuMemset32
  mgpu.memset %s, %a, %v : memref<4xf32>, f32
  // CHECK: llvm.call @mgpuMemset8
  mgpu.memset %s, %c, %w : memref<4xi8>, i8
  // CHECK: llvm.call @mgpuMemset64
  mgpu.memset %s, %d, %x : memref<4xf64>, f64
  // A part of a buffer that is in one piece.
  // CHECK: %[[FROM:.*]] = llvm.getelementptr %{{.*}}[2] : (!llvm.ptr) -> !llvm.ptr, f32
  // CHECK: llvm.call @mgpuMemcpy(%{{.*}}, %[[FROM]], %{{.*}}, %{{.*}})
  mgpu.memcpy %s, %a, %b : memref<4xf32>, memref<4xf32, strided<[1], offset: 2>>
  return
}

// -----

// CHECK-LABEL: func.func @kernels
func.func @kernels(%data: !llvm.ptr, %size: i64) {
  // CHECK: %[[M:.*]] = llvm.call @mgpuModuleLoad
  %m = mgpu.module_load %data, %size
  // CHECK: %[[NAME:.*]] = llvm.mlir.addressof @k_name
  // CHECK: %[[F:.*]] = llvm.call @mgpuModuleGetFunction(%[[M]], %{{.*}})
  %f = mgpu.get_function %m, "k"
  // CHECK: llvm.call @mgpuKernelPreload(%[[F]])
  mgpu.kernel_preload %f
  // CHECK: %[[A:.*]] = llvm.mlir.addressof @kernels_k_function : !llvm.ptr
  // CHECK-NEXT: llvm.load %[[A]] : !llvm.ptr -> !llvm.ptr
  %g = mgpu.kernel @kernels::@k : !mgpu.function
  mgpu.kernel_preload %g
  // CHECK: llvm.call @mgpuModuleUnload(%[[M]])
  mgpu.module_unload %m
  // CHECK: llvm.call @mgpuAnnotate
  mgpu.annotate "a.mlir:1:2"
  return
}
// CHECK: llvm.mlir.global external @kernels_k_function() {addr_space = 0 : i32, mgpu.kernel = @kernels::@k} : !llvm.ptr

// -----

llvm.mlir.global internal @cache() : !llvm.array<2 x ptr> {
  %0 = llvm.mlir.zero : !llvm.array<2 x ptr>
  llvm.return %0 : !llvm.array<2 x ptr>
}

// CHECK-LABEL: func.func @graphs
func.func @graphs(%s: !mgpu.stream, %f: !mgpu.function, %n: i64, %a: memref<4xf32>, %v: f32, %x: f64, %p: !llvm.ptr) {
  // CHECK: %[[LIST:.*]] = llvm.alloca %{{.*}} x i8 {alignment = 16 : i64}
  // CHECK: %[[G:.*]] = llvm.call @mgpuGraphCreate()
  %g = mgpu.graph_create
  // CHECK: %[[N0:.*]] = llvm.call @mgpuGraphAddEmpty(%[[G]], %{{.*}}, %{{.*}})
  %0 = mgpu.graph_add_empty %g[]
  // CHECK: llvm.store %[[N0]], %{{.*}} : !llvm.ptr, !llvm.ptr
  // CHECK: %[[N1:.*]] = llvm.call @mgpuGraphAddKernel(%[[G]], %[[LIST]], %{{.*}}, %{{.*}},
  %1 = mgpu.graph_add_kernel %g[%0], %f blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%v : f32)
  // CHECK: llvm.call @mgpuGraphAddClusterKernel(
  %2 = mgpu.graph_add_kernel %g[], %f clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64
  // CHECK: llvm.store %[[N1]], %{{.*}} : !llvm.ptr, !llvm.ptr
  // CHECK: %[[N3:.*]] = llvm.call @mgpuGraphAddMemset(%[[G]], %[[LIST]],
  %3 = mgpu.graph_add_memset %g[%1, %2], %a, %v : memref<4xf32>, f32
  // CHECK: %[[N4:.*]] = llvm.call @mgpuGraphAddMemcpy(
  %4 = mgpu.graph_add_memcpy %g[%3], %a, %a : memref<4xf32>, memref<4xf32>
  // CHECK: llvm.call @mgpuGraphAddHost(
  %5 = mgpu.graph_add_host %g[%4], %p, %p
  // CHECK: %[[X:.*]] = llvm.call @mgpuGraphInstantiate(%[[G]])
  %e = mgpu.graph_instantiate %g
  // CHECK: llvm.call @mgpuGraphExecKernelSetParams(%[[X]], %[[N1]],
  mgpu.graph_set_kernel %e, %1, %f blocks in (%n, %n, %n) threads in (%n, %n, %n) : i64 args(%v : f32)
  // CHECK: llvm.call @mgpuGraphExecMemsetSetParams(%[[X]], %[[N3]],
  mgpu.graph_set_memset %e, %3, %a, %v : memref<4xf32>, f32
  // CHECK: llvm.call @mgpuGraphExecMemcpySetParams(%[[X]], %[[N4]],
  mgpu.graph_set_memcpy %e, %4, %a, %a : memref<4xf32>, memref<4xf32>
  // CHECK: llvm.call @mgpuGraphLaunch(%[[X]], %{{.*}})
  mgpu.graph_launch %e, %s
  // CHECK: %[[C:.*]] = llvm.mlir.addressof @cache
  // CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[C]][1]
  // CHECK: llvm.store %[[X]], %[[PLACE]]
  mgpu.cache_store %e, @cache[1] : !mgpu.graph_exec
  // CHECK: %[[H:.*]] = llvm.load
  %h = mgpu.cache_load @cache[1] : !mgpu.graph_exec
  // CHECK: llvm.icmp "eq" %[[H]], %{{.*}} : !llvm.ptr
  %z = mgpu.is_null %h : !mgpu.graph_exec
  // CHECK: llvm.load
  %t = mgpu.cache_take @cache[1] : !mgpu.graph_exec
  // CHECK: llvm.call @mgpuGraphExecDestroy
  mgpu.graph_exec_destroy %t
  // CHECK: llvm.call @mgpuGraphDestroy
  mgpu.graph_destroy %g
  return
}
