// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the driver has for profilers.
#pragma once
#include <cuda.h>

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#ifdef __cplusplus
}
#endif
