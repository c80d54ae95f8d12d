// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies from global to shared memory that a thread does not wait for (CUDA C++ Programming Guide,
// "Pipeline primitives"). Before sm_80 they are done at once.
#pragma once
#include <cuda_runtime.h>

// Copies 4, 8 or 16 bytes, the last `zeros` of which are 0 instead of what is in global memory.
XGPU_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zeros = 0) {
#if __CUDA_ARCH__ >= 800
  unsigned int target = (unsigned int)__cvta_generic_to_shared(to);
  size_t source = (size_t)__cvta_generic_to_global(from);
  unsigned int given = (unsigned int)(size - zeros);
#define XGPU_COPY(CACHE, SIZE)                                                                 \
  if (size == SIZE)                                                                            \
    asm volatile("cp.async." CACHE ".shared.global [%0], [%1], " #SIZE ", %2;"                 \
                 ::"r"(target), "l"(source), "r"(given) : "memory");
  XGPU_COPY("ca", 4)
  XGPU_COPY("ca", 8)
  XGPU_COPY("cg", 16)
#undef XGPU_COPY
#else
  for (size_t i = 0; i < size; ++i) ((char *)to)[i] = i < size - zeros ? ((const char *)from)[i] : 0;
#endif
}

// The copies so far are a group.
XGPU_DEVICE void __pipeline_commit() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits for all groups but the last `pending`, of which at most 8 count.
XGPU_DEVICE void __pipeline_wait_prior(size_t pending) {
#if __CUDA_ARCH__ >= 800
#define XGPU_WAIT(N) asm volatile("cp.async.wait_group " #N ";" ::: "memory"); break;
  switch (pending) {
    case 0: XGPU_WAIT(0)
    case 1: XGPU_WAIT(1)
    case 2: XGPU_WAIT(2)
    case 3: XGPU_WAIT(3)
    case 4: XGPU_WAIT(4)
    case 5: XGPU_WAIT(5)
    case 6: XGPU_WAIT(6)
    case 7: XGPU_WAIT(7)
    default: XGPU_WAIT(8)
  }
#undef XGPU_WAIT
#endif
}
