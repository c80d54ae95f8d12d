// chip: sm_90 +ptx80
gpu.func @k(%n: index) kernel {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %t = gpu.thread_id x
  %p = arith.cmpi eq, %t, %c0 : index
  %b = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  nvgpu.mbarrier.init %b[%c0], %c128, predicate = %p
    : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
  gpu.barrier
  %token = nvgpu.mbarrier.arrive %b[%c0]
    : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    -> !nvgpu.mbarrier.token
  %done = nvgpu.mbarrier.test.wait %b[%c0], %token
    : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>, !nvgpu.mbarrier.token
  gpu.return
}
